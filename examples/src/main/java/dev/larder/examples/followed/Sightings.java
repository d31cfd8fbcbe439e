package dev.larder.examples.followed;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** When the processes that read have seen what was written. For one thread. */
final class Sightings {
  private final long[][] acknowledged;
  private final long boundNanos;

  /**
   * Creates what has no sighting yet.
   *
   * @param acknowledged by product and version, by {@link System#nanoTime}, which the processes
   *     have in common
   */
  Sightings(long[][] acknowledged, long boundNanos) {
    this.acknowledged = acknowledged;
    this.boundNanos = boundNanos;
  }

  /** Has the processes end, prints what each has seen, and returns how much came too late. */
  long read(List<Process> processes, List<BufferedReader> outputs) throws IOException {
    System.out.println();
    System.out.printf(
        "%-10s%10s%12s%12s%12s%12s%8s%n",
        "process", "writes", "p50", "p99", "at most", "hit ratio", "late");
    long late = 0;
    for (int i = 0; i < outputs.size(); i++) {
      processes.get(i).getOutputStream().write('\n');
      processes.get(i).getOutputStream().flush();
      late += read(i + 1, outputs.get(i));
    }
    System.out.println();
    System.out.println(
        late == 0
            ? "No answer was older than a second, and memcached is not there."
            : late + " answers were OLDER THAN A SECOND.");
    return late;
  }

  private long read(int number, BufferedReader output) throws IOException {
    long[][] seen = new long[acknowledged.length][acknowledged[0].length];
    long[][] outdated = new long[acknowledged.length][acknowledged[0].length];
    String line = moments(output, seen, outdated);
    long[] times = times(seen);
    // Not when it was seen: a process may have to wait for the processor before it asks.
    long late = Arrays.stream(times(outdated)).filter(time -> time > boundNanos).count();
    String[] counts = line.split(" ", -1);
    double hits = Double.parseDouble(counts[1]);
    System.out.printf(
        Locale.ROOT,
        "%-10d%,10d%9.1f ms%9.1f ms%9.1f ms%12.4f%8d%n",
        number,
        times.length,
        times[times.length / 2] / 1e6,
        times[times.length * 99 / 100] / 1e6,
        times[times.length - 1] / 1e6,
        hits / (hits + Double.parseDouble(counts[2])),
        late);
    return late;
  }

  /** Reads when each write was seen, and when it was asked last in vain; returns the next line. */
  private static String moments(BufferedReader output, long[][] seen, long[][] outdated)
      throws IOException {
    String line = output.readLine();
    while (line != null && !line.startsWith("counts")) {
      String[] words = line.split(" ", -1);
      int product = Integer.parseInt(words[0]);
      int version = Integer.parseInt(words[1]);
      seen[product][version] = Long.parseLong(words[2]);
      outdated[product][version] = Long.parseLong(words[3]);
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("a process has ended");
    }
    return line;
  }

  /**
   * Returns how long after its acknowledgement a moment was that is noted with each write, or with
   * a later one of the product, sorted: 0 if it was before.
   */
  private long[] times(long[][] seen) {
    long[] times = new long[(acknowledged.length - 1) * (acknowledged[0].length - 1)];
    int count = 0;
    for (int product = 1; product < acknowledged.length; product++) {
      long first = Long.MAX_VALUE;
      for (int version = acknowledged[0].length - 1; version > 0; version--) {
        // Who has seen a later one has seen this.
        first = seen[product][version] == 0 ? first : seen[product][version];
        times[count++] = Math.max(0, first - acknowledged[product][version]);
      }
    }
    Arrays.sort(times);
    return times;
  }
}
