package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Results;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * How often a {@link Shop} is read while it is written at a steady rate, and how many of the reads
 * are hits.
 *
 * @param experiment the name that readings and figures carry
 * @param title of the figures
 */
record ShopReadings(String experiment, String title) {
  /** How many connections read. */
  static final int READERS = 4;

  private static final String THROUGHPUT = "throughput";
  private static final String HIT_RATIO = "hit ratio";
  private static final String RATE = "writes";

  /** Takes a reading of {@code nanos}, after {@code before} that do not count. */
  void take(Results results, Variant reading, Variant writing, int rate, long before, long nanos)
      throws Exception {
    boolean cached = !reading.label().equals(Servers.DIRECT);
    try (Crew crew = new Crew(reading, READERS);
        SteadyWrites writes = new SteadyWrites(writing, rate, Shop::write)) {
      crew.run((connection, thread) -> Shop.read(connection, before));
      long hits = cached ? Postgres.count(crew.first(), "hits") : 0;
      Crew.Done done = crew.run((connection, thread) -> Shop.read(connection, nanos));
      hits = cached ? Postgres.count(crew.first(), "hits") - hits : 0;
      writes.check();
      results.add(experiment, reading.label(), THROUGHPUT, "1/s", done.perSecond(), RATE, rate);
      if (cached) {
        double ratio = hits / (double) done.operations();
        results.add(experiment, reading.label(), HIT_RATIO, "", ratio, RATE, rate);
      }
    }
  }

  /** Has a way warm up; nothing of it counts. */
  void warmUp(Variant variant) throws Exception {
    take(new Results(), variant, variant, 0, TimeUnit.SECONDS.toNanos(1), 1);
  }

  void draw(Results results, Figures figures) throws IOException {
    LineFigure throughput =
        figures.lines(experiment, title, "writes a second", "reads a second").fromZeroX();
    LineFigure ratio =
        figures.lines(experiment + "-hit-ratio", title, "writes a second", "hit ratio").fromZeroX();
    for (String variant : results.variants(experiment)) {
      throughput.line(
          variant, results.line(experiment, variant, THROUGHPUT, RATE, factors -> true));
      ratio.line(variant, results.line(experiment, variant, HIT_RATIO, RATE, factors -> true));
    }
    throughput.save();
    ratio.save();
  }
}
