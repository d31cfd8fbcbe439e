package dev.larder.engine;

import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The writes of one database that may be of others, too, with what was announced there. A write of
 * which nobody knows where else it may be is there without any. Thread-safe.
 */
final class Elsewhere {
  private final Database home;
  final Map<PendingWrite, List<There>> told = new ConcurrentHashMap<>();

  /** A write of everything in another database. */
  private record There(Database database, PendingWrite write) {}

  Elsewhere(Database home) {
    this.home = home;
  }

  /** Notes a write under way that may come to be one of another database. */
  void mayBe(PendingWrite write) {
    told.putIfAbsent(write, List.of());
  }

  /** Announces {@code write} in {@code others}, as one of everything. */
  void announce(PendingWrite write, Collection<Database> others) {
    for (Database other : others) {
      if (!other.equals(home)) {
        There there = new There(other, other.announce(WriteSet.UNKNOWN));
        told.merge(write, List.of(there), Elsewhere::both);
      }
    }
    if (write.ended()) {
      publish(write); // Meanwhile, by another thread.
    }
  }

  private static List<There> both(List<There> some, List<There> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** Announces in {@code other} all writes that are under way. */
  void announceAll(Database other) {
    told.keySet().forEach(write -> announce(write, List.of(other)));
  }

  /** Publishes a write that has ended, wherever it was announced. */
  void publish(PendingWrite write) {
    List<There> all = told.remove(write);
    if (all == null) {
      return;
    }
    WriteSet writes = write.writes();
    boolean late = writes.everywhere() || (writes.unknown() && !home.identity().isUnknown());
    for (There there : all) {
      if (late) {
        there.database.publishLate(there.write);
      } else {
        there.database.publish(there.write);
      }
      there.database.remote().invalidate(WriteSet.UNKNOWN);
    }
  }
}
