package dev.larder.jdbc.statement;

import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.format.DeclaredTypes;
import dev.larder.store.ProtocolStep;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a batch consists of: statements that the driver got, and statements for Larder itself, which
 * are carried out when the batch runs and which the server never sees. Not thread-safe.
 */
final class StatementBatch {
  /** The values of more statements than this are not kept. */
  private static final int MOST_BINDS = 64;

  private final List<Plan> sent = new ArrayList<>();

  /** The values of each; empty once there are too many. */
  private final List<@Nullable Object[]> binds = new ArrayList<>();

  private final List<Plan> commands = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private Set<Long> parameterTypes = Set.of();
  private int size;

  /**
   * Notes a statement that the driver got. Of very many, one that is repeated in a row is kept
   * once.
   *
   * @param values of its parameters, which may change afterwards
   * @param types of users that its parameters are declared to be of
   */
  @SuppressWarnings("ReferenceEquality") // Plans have no other equality.
  void sent(Plan plan, @Nullable Object[] values, Set<Long> types) {
    parameterTypes = DeclaredTypes.union(parameterTypes, types);
    size++;
    if (sent.size() < MOST_BINDS && binds.size() == sent.size()) {
      sent.add(plan);
      binds.add(values.clone());
      return;
    }
    binds.clear();
    if (sent.get(sent.size() - 1) != plan) {
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
    boolean whole = sent.size() <= 1 || ProtocolStep.ANNOUNCE_WHOLE_BATCH.isTaken();
    List<Plan> announced = whole ? sent : sent.subList(0, 1);
    return statement.connection.pipeline().send(statement, announced, binds, parameterTypes, run);
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
