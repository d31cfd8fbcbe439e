package dev.larder.jdbc.caching;

import dev.larder.engine.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * What a batch consists of: statements that the driver got, and statements for Larder itself, which
 * are carried out when the batch runs and which the server never sees. Not thread-safe.
 */
final class StatementBatch {
  private final List<Plan> sent = new ArrayList<>();
  private final List<Plan> commands = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private int size;

  /** Notes a statement that the driver got. One that is repeated in a row is kept once. */
  @SuppressWarnings("ReferenceEquality") // Plans have no other equality.
  void sent(Plan plan) {
    size++;
    if (sent.isEmpty() || sent.get(sent.size() - 1) != plan) {
      sent.add(plan);
    }
  }

  /** Returns the statements that the driver got, in order. */
  List<Plan> sent() {
    return List.copyOf(sent);
  }

  /** Adds a statement for Larder. */
  void command(Plan plan) {
    commands.add(plan);
    positions.add(size++);
  }

  /** Returns the statements for Larder, in order. */
  List<Plan> commands() {
    return List.copyOf(commands);
  }

  /** Puts the counts of the commands, which are zero, between those of the driver. */
  long[] counts(long[] driver) {
    long[] all = new long[driver.length + positions.size()];
    int next = 0;
    for (int i = 0; i < all.length; i++) {
      boolean command = positions.contains(i);
      all[i] = command || next >= driver.length ? 0 : driver[next++];
    }
    return all;
  }
}
