package dev.larder;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The options of the warm start, each as in {@link CacheOptions}. */
public final class WarmupOptions {
  private static final long MOST_QUERIES = 100_000;

  /** Where the queries are noted. */
  public static final Option<Path> FILE =
      Option.optional(
          "larder.warmup.file",
          OptionType.of("a path", WarmupOptions::path),
          "no warm start",
          "A file in which Larder notes which queries are hot, with the values of their parameters,"
              + " to ask for them again after the next start: see [warm-start.md](warm-start.md)."
              + " A URL may name only a file below the folder of the system property"
              + " `larder.warmup.folder`. Give each instance of an application, and each database, a file of its own.");

  /** How many are noted. */
  public static final Option<Long> QUERIES =
      Option.of(
          "larder.warmup.queries",
          OptionType.COUNT.withCheck(WarmupOptions::atMost).withRule("; at most 100000"),
          1_000L,
          "How many queries are noted, those that save most.");

  /** How fast they are asked. */
  public static final Option<Long> QUERIES_PER_SECOND =
      Option.of(
          "larder.warmup.queriesPerSecond",
          OptionType.COUNT,
          500L,
          "How many of them are asked again in a second, at most.");

  /** How often they are noted. */
  public static final Option<Duration> INTERVAL =
      Option.of(
          "larder.warmup.interval",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(Duration.ofSeconds(1)))
              .withRule("; at least 1s"),
          Duration.ofMinutes(1),
          "How often the file is written. It is also written when the last connection is closed,"
              + " and when the JVM ends.");

  /** All of them. */
  public static final List<Option<?>> ALL = List.of(FILE, QUERIES, QUERIES_PER_SECOND, INTERVAL);

  private WarmupOptions() {}

  private static Path path(String text) {
    try {
      if (text.isEmpty()) {
        throw new OptionText.Unreadable("is empty");
      }
      Path path = Path.of(text);
      if (path.getFileName() == null) {
        throw new OptionText.Unreadable("names no file");
      }
      return path.toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new OptionText.Unreadable("is none");
    }
  }

  private static Long atMost(String key, Long value) {
    if (value > MOST_QUERIES) {
      throw new IllegalArgumentException(
          key + " is " + value + "; it must be at most " + MOST_QUERIES + '.');
    }
    return value;
  }
}
