package dev.larder;

import java.time.Duration;
import java.util.List;

/** The options for connections through a pooler, each as in {@link CacheOptions}. */
public final class PoolerOptions {
  /** Whether results are cached behind a pooler. */
  public static final Option<String> POOLER =
      Option.of(
          "larder.pooler",
          OptionType.choice(List.of("auto", "off"), word -> word),
          "auto",
          "Whether results are cached where a pooler such as PgBouncer sits between the driver and"
              + " the server: see [poolers.md](poolers.md). `auto`: where the pooler lets a"
              + " transaction have one process of the server. `off`: not at all.");

  /** How often the pooler is asked. */
  public static final Option<Duration> INTERVAL =
      Option.of(
          "larder.pooler.interval",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(Duration.ofMillis(100)))
              .withRule("; at least 100ms"),
          Duration.ofSeconds(2),
          "How often a connection that is in use asks which server is behind the pooler, and how"
              + " the pooler leaves sessions to its clients: what has changed there is noticed"
              + " after that time.");

  /** All of them. */
  public static final List<Option<?>> ALL = List.of(POOLER, INTERVAL);

  private PoolerOptions() {}
}
