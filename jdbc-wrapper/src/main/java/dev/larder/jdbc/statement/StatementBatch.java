package dev.larder.jdbc.statement;

import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.postgresql.DeclaredTypes;
import dev.larder.store.ProtocolStep;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What a batch consists of: statements that the driver got, and statements for Larder itself, which
 * are carried out when the batch runs and which the server never sees. Not thread-safe.
 */
final class StatementBatch {
  private final List<Plan> sent = new ArrayList<>();
  private final List<Plan> commands = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private Set<Long> parameterTypes = Set.of();
  private int size;

  /**
   * Notes a statement that the driver got. One that is repeated in a row is kept once.
   *
   * @param types of users that its parameters are declared to be of
   */
  @SuppressWarnings("ReferenceEquality") // Plans have no other equality.
  void sent(Plan plan, Set<Long> types) {
    parameterTypes = DeclaredTypes.union(parameterTypes, types);
    size++;
    if (sent.isEmpty() || sent.get(sent.size() - 1) != plan) {
      sent.add(plan);
    }
  }

  /** Adds a statement for Larder. */
  void command(Plan plan) {
    commands.add(plan);
    positions.add(size++);
  }

  /** Carries out the statements for Larder, in order. */
  void carryOut(LarderCommands larder, CachingStatement statement) throws SQLException {
    for (Plan plan : commands) {
      ResultSet made = larder.answer(plan, statement);
      if (made != null) {
        made.close();
      }
    }
  }

  /** Sends the statements that the driver got, between announce and publish. */
  <T> T send(CachingStatement statement, SqlCall<T> run) throws SQLException {
    List<Plan> announced = sent;
    if (sent.size() > 1 && !ProtocolStep.ANNOUNCE_WHOLE_BATCH.isTaken()) {
      announced = sent.subList(0, 1);
    }
    return statement.connection.pipeline().send(statement, announced, parameterTypes, run);
  }

  /** Puts the counts of the commands, which are zero, between those of the driver. */
  int[] counts(int[] driver) {
    return positions.isEmpty()
        ? driver
        : Arrays.stream(counts(Arrays.stream(driver).asLongStream().toArray()))
            .mapToInt(count -> (int) count)
            .toArray();
  }

  /** As the other. */
  long[] counts(long[] driver) {
    if (positions.isEmpty()) {
      return driver;
    }
    long[] all = new long[driver.length + positions.size()];
    int next = 0;
    for (int i = 0; i < all.length; i++) {
      boolean command = positions.contains(i);
      all[i] = command || next >= driver.length ? 0 : driver[next++];
    }
    return all;
  }
}
