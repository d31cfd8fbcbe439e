package dev.larder.examples.demo;

/** What one side did in all its rounds. For one thread. */
final class Totals {
  final Latencies reads = new Latencies();
  final Latencies writes = new Latencies();
  long nanos;
  long wrong;

  /** Returns how many reads and writes a second were done; a write is one transaction. */
  double throughput() {
    return nanos == 0 ? 0 : (reads.total() + writes.total()) * 1e9 / nanos;
  }
}
