package dev.larder;

import dev.larder.remote.RemoteSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The settings of one cache. Immutable and thread-safe; made by {@link #builder()}. A bad value is
 * refused, never corrected. Two are equal when every setting is, so that connections with equal
 * settings share a cache.
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

  /** Who writes the tables that are read through the cache. */
  public enum Writers {
    /** Nobody has said: entries live at most {@link #UNDECLARED_TIME_TO_LIVE}. */
    UNDECLARED,
    /** Only connections of this JVM, through Larder. */
    THIS_JVM,
    /** Larder in several JVMs that share a memcached. */
    MEMCACHED
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
            get(CacheOptions.TABLES_TIME_TO_LIVE));
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
            .formatted(key, Option.nearest(key, CacheOptions.all())));
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
   * {@return the value of an option, its default where none was given; empty where there is none
   * either}
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

  /**
   * {@return how long an entry that reads the table lives at most, if limited: the least of {@link
   * CacheOptions#TIME_TO_LIVE} and every pattern that matches}
   *
   * @param schema the schema as in the catalog
   * @param table the table as in the catalog
   */
  public Optional<Duration> timeToLive(String schema, String table) {
    Optional<Duration> own = tables.timeToLive(schema, table);
    Optional<Duration> common = find(CacheOptions.TIME_TO_LIVE);
    return own.isPresent() && common.isPresent()
        ? Optional.of(TableRules.least(own.get(), common.get()))
        : own.or(() -> common);
  }

  /**
   * {@return whether an included pattern matches the table, named as in the catalog; false where
   * none is given}
   *
   * @param schema the schema as in the catalog
   * @param table the table as in the catalog
   */
  public boolean includes(String schema, String table) {
    return tables.includes(schema, table);
  }

  /** {@return the patterns of tables that are never cached, the built-in ones included} */
  public Set<String> excludedTables() {
    return tables.excludedText();
  }

  /**
   * {@return whether the table, named as in the catalog, is never cached: an excluded pattern
   * matches it, or a built-in one does and no included pattern asks for the table by (a part of)
   * its name}
   *
   * @param schema the schema as in the catalog
   * @param table the table as in the catalog
   */
  public boolean excludes(String schema, String table) {
    return tables.excludes(schema, table);
  }

  /**
   * {@return these settings with more tables that are never cached}
   *
   * @param patterns as of {@link CacheOptions#TABLES_EXCLUDE}
   * @throws IllegalArgumentException if one is no pattern
   */
  public QueryCacheConfig excluding(Collection<String> patterns) {
    Set<String> all = new LinkedHashSet<>(get(CacheOptions.TABLES_EXCLUDE));
    all.addAll(patterns);
    return with(CacheOptions.TABLES_EXCLUDE, all);
  }

  /**
   * Makes the lives of some tables' results shorter.
   *
   * @param ages as of {@link CacheOptions#TABLES_TIME_TO_LIVE}; where a pattern has an age already,
   *     the shorter one holds
   * @return these settings with those ages
   * @throws IllegalArgumentException if one is no pattern
   */
  public QueryCacheConfig limiting(Map<String, Duration> ages) {
    Map<String, Duration> all = new LinkedHashMap<>(get(CacheOptions.TABLES_TIME_TO_LIVE));
    CacheOptions.TABLES_TIME_TO_LIVE
        .checked(ages)
        .forEach((pattern, age) -> all.merge(pattern, age, TableRules::least));
    return ages.isEmpty() ? this : with(CacheOptions.TABLES_TIME_TO_LIVE, all);
  }

  private <T> QueryCacheConfig with(Option<T> option, T value) {
    Map<Option<?>, Object> changed = new HashMap<>(values);
    changed.put(option, option.checked(value));
    return new QueryCacheConfig(changed, remote);
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
    StringJoiner text = new StringJoiner(", ", "QueryCacheConfig[", "]");
    for (Option<?> option : CacheOptions.all()) {
      if (values.containsKey(option)) {
        text.add(option + "=" + values.get(option));
      }
    }
    remote.ifPresent(settings -> text.add(settings.toString()));
    return text.toString();
  }

  /**
   * Collects settings; each setter refuses a bad value with an {@link IllegalArgumentException}
   * that names the key, the value, the rule and the fix. Not thread-safe.
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
     * Sets how results are shared with other JVMs; they are not by default.
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
      checkRoutines(given);
      if (remote.isPresent() && given.get(CacheOptions.WRITERS) == Writers.THIS_JVM) {
        throw new IllegalArgumentException(
            "larder.writers is this-jvm, and results are shared with other JVMs, which write as"
                + " well; set larder.writers=memcached, or larder.backend=local in every JVM.");
      }
      QueryCacheConfig limited = given.with(CacheOptions.MAX_RESULT_BYTES, maxResultBytes(given));
      return given.get(CacheOptions.WRITERS) == Writers.UNDECLARED
          ? limited.with(
              CacheOptions.TIME_TO_LIVE,
              given
                  .find(CacheOptions.TIME_TO_LIVE)
                  .map(age -> TableRules.least(age, UNDECLARED_TIME_TO_LIVE))
                  .orElse(UNDECLARED_TIME_TO_LIVE))
          : limited;
    }

    private static void checkRoutines(QueryCacheConfig given) {
      Map<String, Set<String>> writes = given.get(CacheOptions.FUNCTIONS_WRITES);
      for (String routine : given.get(CacheOptions.FUNCTIONS_READ_ONLY)) {
        if (!writes.getOrDefault(routine, Set.of()).isEmpty()) {
          throw new IllegalArgumentException(
              "larder.functions.readOnly and larder.functions.writes both name "
                  + routine
                  + "; remove it from the one that is wrong.");
        }
      }
    }

    private static long maxResultBytes(QueryCacheConfig given) {
      long limit = given.find(CacheOptions.MAX_BYTES).orElse(Long.MAX_VALUE);
      Optional<Long> own = given.find(CacheOptions.MAX_RESULT_BYTES);
      if (own.orElse(0L) > limit) {
        throw new IllegalArgumentException(
            "larder.maxResultBytes is "
                + own.get()
                + "; it must be at most larder.maxBytes, which is "
                + limit
                + ". Raise larder.maxBytes or lower larder.maxResultBytes.");
      }
      return own.orElse(Math.min(DEFAULT_MAX_RESULT_BYTES, limit));
    }
  }
}
