package dev.larder.engine;

import java.util.concurrent.atomic.LongAdder;

/** Counts by kinds. Thread-safe. */
@SuppressWarnings("EnumOrdinal") // An index of an array that is made and read here alone.
final class Counters<K extends Enum<K>> {
  private final LongAdder[] sums;

  Counters(Class<K> kinds) {
    sums = new LongAdder[kinds.getEnumConstants().length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new LongAdder();
    }
  }

  void add(K kind, long count) {
    sums[kind.ordinal()].add(count);
  }

  void addAll(Counters<K> other) {
    for (int i = 0; i < sums.length; i++) {
      sums[i].add(other.sums[i].sum());
    }
  }

  long sum(K kind) {
    return sums[kind.ordinal()].sum();
  }

  void reset() {
    for (LongAdder sum : sums) {
      sum.reset();
    }
  }
}
