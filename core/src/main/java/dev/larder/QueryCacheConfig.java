package dev.larder;

import dev.larder.remote.RemoteSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one cache. Immutable and thread-safe; made by {@link #builder()}. A bad value is
 * refused, never corrected. Connections with equal settings share a cache.
 *
 * <p>Names of tables, functions and triggers are read as PostgreSQL reads identifiers: folded to
 * lower case unless in double quotes. A table pattern may hold {@code *} for any characters.
 */
public final class QueryCacheConfig {
  /** Which statements are cached at all. */
  public enum Mode {
    /** Everything that is safe. */
    ALL,
    /** Only hinted queries and queries of included tables. */
    DEMAND,
    /** None: the database answers all, and what would have happened is counted. */
    OBSERVE
  }

  /** What a write invalidates. */
  public enum Invalidation {
    /** The results that it can change, by the keys of the rows. */
    KEY,
    /** All results of its table. */
    TABLE
  }

  /** Who writes the tables that are read through the cache. */
  public enum Writers {
    /** Nobody has said: entries live at most {@link #UNDECLARED_TIME_TO_LIVE}. */
    UNDECLARED,
    /** Only connections of this JVM, through Larder. */
    THIS_JVM,
    /** Larder in several JVMs that share a memcached. */
    MEMCACHED,
    /** Others, too: entries live as long as while nobody has said, unless these are followed. */
    ANY;

    /** {@return whether all writes go through Larder} */
    public boolean areLarders() {
      return this == THIS_JVM || this == MEMCACHED;
    }
  }

  /** How writers are followed that do not use Larder. */
  public enum Feed {
    /** They are not. */
    OFF,
    /** By the server's log. */
    WAL
  }

  /** Of which moments the results of different queries are that a session sees. */
  public enum FeedOrder {
    /** Of any within the bound. */
    NONE,
    /** Each of no earlier one than those before. */
    SESSION
  }

  /** What happens to the results of a table that others than Larder are found to write. */
  public enum Radar {
    /** Nobody looks. */
    OFF,
    /** It is logged and shown. */
    REPORT,
    /** They live at most a second, until others have not written the table for a while. */
    LIMIT,
    /** They are not cached, until others have not written the table for a while. */
    BYPASS
  }

  /** Which queries are looked up of those that may be. */
  public enum Admission {
    /** Those that save more time than they cost, and a few of the others to see if that changes. */
    PROFIT,
    /** All. */
    ALL
  }

  /** Whether a data source above the pool answers hits without a connection of the pool. */
  public enum LazyConnections {
    /** Never. */
    OFF,
    /** Where it is provable that nothing below changes a connection as it is handed out. */
    AUTO,
    /** Always: the user says that nothing does. */
    ON
  }

  /** What happens when the application unwraps a class of the driver. */
  public enum Unwrap {
    /** It gets the object, and nothing is cached for the database until the connection closes. */
    UNCACHED,
    /** It gets an exception. */
    REFUSE
  }

  /** How long an entry lives at most while the writers are not declared. */
  public static final Duration UNDECLARED_TIME_TO_LIVE = Duration.ofSeconds(5);

  /** The default of {@link CacheOptions#RADAR_INTERVAL}, and its least value. */
  public static final Duration DEFAULT_RADAR_INTERVAL = Duration.ofSeconds(2);

  /** The default of {@link CacheOptions#MAX_RESULT_BYTES}. */
  public static final long DEFAULT_MAX_RESULT_BYTES = 512 * 1024;

  private final Map<Option<?>, Object> values;
  private final Optional<RemoteSettings> remote;
  private final TableRules tables;

  private QueryCacheConfig(Map<Option<?>, Object> values, Optional<RemoteSettings> remote) {
    this.values = values;
    this.remote = remote;
    this.tables =
        TableRules.of(
            get(CacheOptions.TABLES_INCLUDE),
            get(CacheOptions.TABLES_EXCLUDE),
            get(CacheOptions.TABLES_TIME_TO_LIVE),
            get(CacheOptions.TABLES_STALENESS),
            get(CacheOptions.INVALIDATION),
            get(CacheOptions.TABLES_INVALIDATION));
  }

  /** {@return a builder with every default} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the settings that texts say}
   *
   * @param options texts by {@link Option#key()}; those of a backend too
   * @throws IllegalArgumentException for an unknown name or a bad value; names the option, the
   *     value, the rule and the fix
   */
  public static QueryCacheConfig of(Map<String, String> options) {
    Builder builder = builder();
    options.forEach(
        (key, text) -> {
          if (!RemoteBackends.isOption(key)) {
            builder.read(CacheOptions.of(key).orElseThrow(() -> unknown(key)), text);
          }
        });
    RemoteBackends.settings(options).ifPresent(builder::remote);
    return builder.build();
  }

  private static IllegalArgumentException unknown(String key) {
    return new IllegalArgumentException(
        "There is no option %s. Did you mean %s? docs/configuration.md lists them all."
            .formatted(OptionText.shownName(key), Option.nearest(key, CacheOptions.all())));
  }

  /**
   * {@return the value of an option that has a default}
   *
   * @param <T> the class of its values
   * @param option one of {@link CacheOptions}
   */
  public <T> T get(Option<T> option) {
    return find(option).orElseThrow();
  }

  /**
   * {@return the value of an option, or its default, if there is one}
   *
   * @param <T> the class of its values
   * @param option one of {@link CacheOptions}
   */
  public <T> Optional<T> find(Option<T> option) {
    Object value = values.get(option);
    @SuppressWarnings("unchecked") // Only the option's own values are put for it.
    Optional<T> found = value == null ? option.byDefault() : Optional.of((T) value);
    return found;
  }

  /** {@return what the settings say about single tables} */
  public TableRules tables() {
    return tables;
  }

  private <T> QueryCacheConfig with(Option<T> option, T value) {
    Map<Option<?>, Object> changed = new HashMap<>(values);
    changed.put(option, option.checked(value));
    return new QueryCacheConfig(changed, remote);
  }

  /** {@return whether the server's log is followed} */
  public boolean isFollowing() {
    return get(FeedOptions.FEED) == Feed.WAL;
  }

  /** {@return how results are shared with other JVMs; empty where they are not} */
  @SuppressWarnings("exports") // Made by a module of Larder's, for modules of Larder's.
  public Optional<RemoteSettings> remote() {
    return remote;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueryCacheConfig config
        && values.equals(config.values)
        && remote.equals(config.remote);
  }

  @Override
  public int hashCode() {
    return 31 * values.hashCode() + remote.hashCode();
  }

  /** {@return every setting that differs from its default, for a log} */
  @Override
  public String toString() {
    return "QueryCacheConfig" + values + remote.map(settings -> " " + settings).orElse("");
  }

  /**
   * Collects settings; a bad value is refused with an {@link IllegalArgumentException} that names
   * the key, the value, the rule and the fix. Not thread-safe.
   */
  public static final class Builder {
    private final Map<Option<?>, Object> values = new HashMap<>();
    private Optional<RemoteSettings> remote = Optional.empty();

    private Builder() {}

    /**
     * Sets an option.
     *
     * @param <T> the class of its values
     * @param option one of {@link CacheOptions}
     * @param value see there
     * @return this builder
     */
    public <T> Builder set(Option<T> option, T value) {
      return put(option, option.checked(value));
    }

    /**
     * Sets an option by a text.
     *
     * @param <T> the class of its values
     * @param option one of {@link CacheOptions}
     * @param text as in a URL, decoded
     * @return this builder
     */
    public <T> Builder read(Option<T> option, String text) {
      return put(option, option.read(text));
    }

    private <T> Builder put(Option<T> option, T checked) {
      if (option.byDefault().filter(checked::equals).isPresent()) {
        values.remove(option);
      } else {
        values.put(option, checked);
      }
      return this;
    }

    /**
     * Shares results with other JVMs.
     *
     * @param settings of the backend that is shared
     * @return this builder
     */
    @SuppressWarnings("exports") // Made by a module of Larder's, for modules of Larder's.
    public Builder remote(RemoteSettings settings) {
      remote = Optional.of(settings);
      return this;
    }

    /**
     * {@return the settings}
     *
     * @throws IllegalArgumentException if two settings contradict each other
     */
    public QueryCacheConfig build() {
      QueryCacheConfig given = new QueryCacheConfig(Map.copyOf(values), remote);
      Contradictions.check(given);
      QueryCacheConfig limited = given.with(CacheOptions.MAX_RESULT_BYTES, maxResultBytes(given));
      return !given.get(CacheOptions.WRITERS).areLarders() && !given.isFollowing()
          ? limited.with(
              CacheOptions.TIME_TO_LIVE,
              given
                  .find(CacheOptions.TIME_TO_LIVE)
                  .map(age -> TableRules.least(age, UNDECLARED_TIME_TO_LIVE))
                  .orElse(UNDECLARED_TIME_TO_LIVE))
          : limited;
    }

    private static long maxResultBytes(QueryCacheConfig given) {
      long limit = given.find(CacheOptions.MAX_BYTES).orElse(Long.MAX_VALUE);
      Optional<Long> own = given.find(CacheOptions.MAX_RESULT_BYTES);
      if (own.orElse(0L) > limit) {
        throw new IllegalArgumentException(
            ("larder.maxResultBytes is %s; it must be at most larder.maxBytes, which is %s. Raise"
                    + " larder.maxBytes or lower larder.maxResultBytes.")
                .formatted(own.get(), limit));
      }
      return own.orElse(Math.min(DEFAULT_MAX_RESULT_BYTES, limit));
    }
  }
}
