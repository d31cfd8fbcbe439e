package dev.larder.spring;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The kinds of trouble with putting Larder below data sources, counted. Thread-safe. */
enum InstallationTrouble {
  /** A pool had connections before. */
  TOO_LATE("LRD-021"),
  /** Another data source of the same database is not Larder's. */
  WRITES_PAST("LRD-022"),
  /** A kind of data source that is not known. */
  LEFT_ALONE("LRD-023"),
  /** A bean asks for a pool by its class, so that nothing can be put in its place. */
  CLASS_ASKED("LRD-024"),
  /** Properties are set, and no data source goes through Larder. */
  UNUSED("LRD-033");

  private final String code;

  @SuppressWarnings("ImmutableEnumChecker") // It counts.
  private final LongAdder times = new LongAdder();

  InstallationTrouble(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }

  void count() {
    times.increment();
  }

  /** Returns how often there was each in this JVM, by its code. */
  static Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    Arrays.stream(values()).forEach(trouble -> counts.put(trouble.code, trouble.times.sum()));
    return counts;
  }
}
