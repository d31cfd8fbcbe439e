package dev.larder.feed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which transactions a snapshot of the server does not see yet, as {@code pg_current_snapshot()}
 * tells it. A transaction that a snapshot of a primary sees as ended is ended in every later one.
 * Immutable.
 *
 * @param end the first transaction, with its epoch, that had not begun
 * @param inProgress those before it that had not ended
 */
public record ServerSnapshot(long end, Set<Long> inProgress) {
  public ServerSnapshot {
    inProgress = Set.copyOf(inProgress);
  }

  /**
   * Returns what {@code text} says.
   *
   * @param text as {@code pg_snapshot} is written, {@code 10:20:10,14,15}
   * @throws IllegalArgumentException if it is no snapshot
   */
  public static ServerSnapshot parse(String text) {
    List<String> parts = List.of(text.split(":", -1));
    if (parts.size() != 3) {
      throw new IllegalArgumentException("not a snapshot: " + text);
    }
    List<Long> open = new ArrayList<>();
    if (!parts.get(2).isEmpty()) {
      for (String id : parts.get(2).split(",", -1)) {
        open.add(Long.parseUnsignedLong(id));
      }
    }
    return new ServerSnapshot(Long.parseUnsignedLong(parts.get(1)), new HashSet<>(open));
  }

  /** Returns those of the named ones that are before {@code horizon}. */
  Set<Long> inProgressBefore(long horizon) {
    return inProgress.stream().filter(id -> id < horizon).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns whether every transaction before {@code horizon} has ended, for the snapshot.
   *
   * @param horizon an identifier with its epoch
   */
  public boolean hasEndedBefore(long horizon) {
    return end >= horizon && inProgressBefore(horizon).isEmpty();
  }

  /**
   * Returns whether a transaction has not ended, for the snapshot.
   *
   * @param id without its epoch, as the log has it: it is less than 2^31 from {@link #end}
   */
  public boolean isInProgress(int id) {
    long whole = end + (id - (int) end); // In 32 bits, as the log counts.
    return whole >= end || inProgress.contains(whole);
  }
}
