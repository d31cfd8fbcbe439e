package dev.larder.examples.badminutes;

import java.nio.file.Path;
import java.time.Duration;

/** What is compared: the same application with one URL and with another, on tables of its own. */
enum Side {
  /** The PostgreSQL driver below HikariCP. */
  DRIVER("no cache", "driver", Duration.ZERO),
  /** Larder between them, and a {@code LazyDataSource} above. */
  LARDER("Larder", "larder", Duration.ofSeconds(2));

  private final String label;
  private final String suffix;
  private final Duration staleness;

  Side(String label, String suffix, Duration staleness) {
    this.label = label;
    this.suffix = suffix;
    this.staleness = staleness;
  }

  String label() {
    return label;
  }

  /** Returns the name of its own table of that kind. */
  String table(String kind) {
    return kind + "_" + suffix;
  }

  /** Returns how old a dashboard may be. */
  Duration staleness() {
    return staleness;
  }

  /**
   * Returns its URL.
   *
   * @param driverUrl the PostgreSQL driver's
   * @param warmup the file of the warm start
   */
  String url(String driverUrl, Path warmup) {
    return this == DRIVER
        ? driverUrl
        : driverUrl.replace("jdbc:postgresql:", "jdbc:larder:postgresql:")
            + "&larder.writers=this-jvm&larder.lazyConnections=auto"
            + warmStart(warmup);
  }

  private static String warmStart(Path file) {
    return "&larder.warmup.queries=2000&larder.warmup.queriesPerSecond=500&larder.warmup.file="
        + file;
  }
}
