package dev.larder;

import java.time.Duration;
import java.util.List;

/** The options of what is sent on connections, each as in {@link CacheOptions}. */
public final class ConnectionOptions {
  /** Whether the server need not know at once what a transaction has set. */
  public static final Option<Boolean> HOLD_BACK =
      Option.of(
          "larder.holdBack",
          OptionType.BOOLEAN,
          true,
          "Whether `SET LOCAL` and `set_config(…, true)` of a setting such as `app.tenant` are sent"
              + " only before something else is sent: see [tenants.md](tenants.md).");

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
  public static final Option<Duration> POOLER_INTERVAL =
      Option.of(
          "larder.pooler.interval",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(Duration.ofMillis(100)))
              .withRule("; at least 100ms"),
          Duration.ofSeconds(2),
          "How often a connection that is in use asks which server is behind the pooler, and how"
              + " the pooler leaves sessions to its clients: what has changed there is noticed"
              + " after that time.");

  private ConnectionOptions() {}
}
