package dev.larder;

import dev.larder.remote.RemoteSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

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

  /** The default of {@link #radarInterval()}, and its least value. */
  public static final Duration DEFAULT_RADAR_INTERVAL = Duration.ofSeconds(2);

  /** The default of {@link #maxResultBytes()}. */
  public static final long DEFAULT_MAX_RESULT_BYTES = 512 * 1024;

  private static final long LEAST_MAX_BYTES = 64 * 1024;
  private static final long LEAST_MAX_RESULT_BYTES = 1024;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private record Settings(
      boolean enabled,
      String name,
      Writers writers,
      Mode mode,
      OptionalLong maxBytes,
      OptionalLong maxEntries,
      long maxResultBytes,
      long maxResultRows,
      Optional<Duration> timeToLive,
      TableRules tables,
      Set<String> readOnlyFunctions,
      Map<String, Set<String>> functionWrites,
      Map<String, Set<String>> triggerWrites,
      Unwrap unwrap,
      double verify,
      Radar radar,
      Duration radarInterval,
      Optional<RemoteSettings> remote) {

    Settings with(TableRules rules) {
      return new Settings(
          enabled,
          name,
          writers,
          mode,
          maxBytes,
          maxEntries,
          maxResultBytes,
          maxResultRows,
          timeToLive,
          rules,
          readOnlyFunctions,
          functionWrites,
          triggerWrites,
          unwrap,
          verify,
          radar,
          radarInterval,
          remote);
    }
  }

  private final Settings settings;

  private QueryCacheConfig(Settings settings) {
    this.settings = settings;
  }

  /** {@return a builder with every default} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return whether the cache starts switched on} */
  public boolean enabled() {
    return settings.enabled;
  }

  /** {@return the name that picks the result store} */
  public String name() {
    return settings.name;
  }

  /** {@return who writes} */
  public Writers writers() {
    return settings.writers;
  }

  /** {@return which statements are cached} */
  public Mode mode() {
    return settings.mode;
  }

  /**
   * {@return the budget in bytes of this cache alone; empty for the budget that all caches of the
   * JVM share}
   */
  public OptionalLong maxBytes() {
    return settings.maxBytes;
  }

  /** {@return the most entries, if limited} */
  public OptionalLong maxEntries() {
    return settings.maxEntries;
  }

  /** {@return the largest result that is kept, in bytes} */
  public long maxResultBytes() {
    return settings.maxResultBytes;
  }

  /** {@return the largest result that is kept, in rows} */
  public long maxResultRows() {
    return settings.maxResultRows;
  }

  /**
   * {@return how long an entry lives at most, if limited} While the writers are undeclared that is
   * never more than {@link #UNDECLARED_TIME_TO_LIVE}.
   */
  public Optional<Duration> timeToLive() {
    return settings.timeToLive;
  }

  /** {@return how long an entry that reads a table lives at most, by table pattern} */
  public Map<String, Duration> tableTimeToLive() {
    Map<String, Duration> byText = new LinkedHashMap<>();
    settings.tables.timeToLive().forEach((pattern, age) -> byText.put(pattern.toString(), age));
    return Collections.unmodifiableMap(byText);
  }

  /**
   * {@return how long an entry that reads the table lives at most, if limited: the least of {@link
   * #timeToLive()} and every pattern that matches}
   *
   * @param schema the schema as in the catalog
   * @param table the table as in the catalog
   */
  public Optional<Duration> timeToLive(String schema, String table) {
    Optional<Duration> own = settings.tables.timeToLive(schema, table);
    return own.isPresent() && settings.timeToLive.isPresent()
        ? Optional.of(SettingRules.least(own.get(), settings.timeToLive.get()))
        : own.or(settings::timeToLive);
  }

  /** {@return the patterns of the only tables that are cached; empty for all} */
  public Set<String> includedTables() {
    return settings.tables.includedText();
  }

  /**
   * {@return whether an included pattern matches the table, named as in the catalog; false where
   * none is given}
   *
   * @param schema the schema as in the catalog
   * @param table the table as in the catalog
   */
  public boolean includes(String schema, String table) {
    return settings.tables.includes(schema, table);
  }

  /** {@return the patterns of tables that are never cached, the built-in ones included} */
  public Set<String> excludedTables() {
    return settings.tables.excludedText();
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
    return settings.tables.excludes(schema, table);
  }

  /**
   * {@return these settings with more tables that are never cached}
   *
   * @param patterns as of {@link Builder#excludedTables}
   * @throws IllegalArgumentException if one is no pattern
   */
  public QueryCacheConfig excluding(Collection<String> patterns) {
    return new QueryCacheConfig(settings.with(settings.tables.excluding(patterns)));
  }

  /**
   * Makes the lives of some tables' results shorter.
   *
   * @param ages as of {@link Builder#tableTimeToLive}; where a pattern has an age already, the
   *     shorter one holds
   * @return these settings with those ages
   * @throws IllegalArgumentException if one is no pattern
   */
  public QueryCacheConfig limiting(Map<String, Duration> ages) {
    return ages.isEmpty()
        ? this
        : new QueryCacheConfig(settings.with(settings.tables.limiting(ages)));
  }

  /**
   * {@return the routines declared to write nothing and to read only what the statement names;
   * folded, {@code name} or {@code schema.name}}
   */
  public Set<String> readOnlyFunctions() {
    return settings.readOnlyFunctions;
  }

  /** {@return which tables a routine may write, by routine name; both folded} */
  public Map<String, Set<String>> functionWrites() {
    return settings.functionWrites;
  }

  /**
   * {@return which tables a trigger may write, by {@code trigger} or {@code table.trigger}; both
   * folded}
   */
  public Map<String, Set<String>> triggerWrites() {
    return settings.triggerWrites;
  }

  /** {@return what unwrapping does} */
  public Unwrap unwrap() {
    return settings.unwrap;
  }

  /** {@return what happens to the results of a table that others are found to write} */
  public Radar radar() {
    return settings.radar;
  }

  /** {@return how often writers that are not Larder are looked for} */
  public Duration radarInterval() {
    return settings.radarInterval;
  }

  /**
   * {@return the share of hits, from 0 to 1, that the database answers too, so that what would have
   * been returned is compared with it}
   */
  public double verify() {
    return settings.verify;
  }

  /** {@return how results are shared with other JVMs; empty where they are not} */
  @SuppressWarnings("exports") // Made by a module of Larder's, for modules of Larder's.
  public Optional<RemoteSettings> remote() {
    return settings.remote;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueryCacheConfig config && settings.equals(config.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  /** {@return every setting, for a log} */
  @Override
  public String toString() {
    return settings.toString().replaceFirst("^Settings", "QueryCacheConfig");
  }

  /**
   * Collects settings; each setter refuses a bad value with an {@link IllegalArgumentException}
   * that names the key, the value, the rule and the fix. Not thread-safe.
   */
  public static final class Builder {
    private boolean enabled = true;
    private String name = "default";
    private Writers writers = Writers.UNDECLARED;
    private Mode mode = Mode.ALL;
    private OptionalLong maxBytes = OptionalLong.empty();
    private OptionalLong maxEntries = OptionalLong.empty();
    private OptionalLong maxResultBytes = OptionalLong.empty();
    private long maxResultRows = Long.MAX_VALUE;
    private Optional<Duration> timeToLive = Optional.empty();
    private TableRules tables = TableRules.NONE;
    private Set<String> readOnlyFunctions = Set.of();
    private Map<String, Set<String>> functionWrites = Map.of();
    private Map<String, Set<String>> triggerWrites = Map.of();
    private Unwrap unwrap = Unwrap.UNCACHED;
    private double verify;
    private Radar radar = Radar.LIMIT;
    private Duration radarInterval = DEFAULT_RADAR_INTERVAL;
    private Optional<RemoteSettings> remote = Optional.empty();

    private Builder() {}

    /**
     * Sets whether the cache starts switched on; {@code SET larder.enabled} switches it later.
     *
     * @param enabled whether hits are served
     * @return this builder
     */
    public Builder enabled(boolean enabled) {
      this.enabled = enabled;
      return this;
    }

    /**
     * Sets the name that picks the result store: 1 to 64 letters, digits, {@code . _ -}.
     *
     * @param name shared by the connections that share results
     * @return this builder
     */
    public Builder name(String name) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "larder.name is \""
                + name
                + "\"; it must be 1 to 64 letters, digits, '.', '_' or '-'.");
      }
      this.name = name;
      return this;
    }

    /**
     * Sets who writes.
     *
     * @param writers see {@link Writers}
     * @return this builder
     */
    public Builder writers(Writers writers) {
      this.writers = writers;
      return this;
    }

    /**
     * Sets which statements are cached.
     *
     * @param mode see {@link Mode}
     * @return this builder
     */
    public Builder mode(Mode mode) {
      this.mode = mode;
      return this;
    }

    /**
     * Sets the budget of this cache alone, at least 64 kB.
     *
     * @param bytes the bookkeeping of the results included
     * @return this builder
     */
    public Builder maxBytes(long bytes) {
      maxBytes = OptionalLong.of(SettingRules.atLeast(LEAST_MAX_BYTES, bytes, "larder.maxBytes"));
      return this;
    }

    /**
     * Sets the most entries, at least 1.
     *
     * @param entries the number of results
     * @return this builder
     */
    public Builder maxEntries(long entries) {
      maxEntries = OptionalLong.of(SettingRules.atLeast(1, entries, "larder.maxEntries"));
      return this;
    }

    /**
     * Sets the largest result that is kept, at least 1024 bytes and at most {@code maxBytes}.
     *
     * @param bytes of one result
     * @return this builder
     */
    public Builder maxResultBytes(long bytes) {
      maxResultBytes =
          OptionalLong.of(
              SettingRules.atLeast(LEAST_MAX_RESULT_BYTES, bytes, "larder.maxResultBytes"));
      return this;
    }

    /**
     * Sets the largest result that is kept, at least 1 row.
     *
     * @param rows of one result
     * @return this builder
     */
    public Builder maxResultRows(long rows) {
      maxResultRows = SettingRules.atLeast(1, rows, "larder.maxResultRows");
      return this;
    }

    /**
     * Sets how long an entry lives at most.
     *
     * @param age longer than zero
     * @return this builder
     */
    public Builder timeToLive(Duration age) {
      timeToLive = Optional.of(SettingRules.positive(age, "larder.timeToLive"));
      return this;
    }

    /**
     * Sets how long an entry that reads a table lives at most, by table pattern.
     *
     * @param ages longer than zero, by pattern such as {@code orders} or {@code archive.*}
     * @return this builder
     */
    public Builder tableTimeToLive(Map<String, Duration> ages) {
      Map<TablePattern, Duration> byPattern = new LinkedHashMap<>();
      ages.forEach(
          (text, age) -> {
            String key = "larder.tables.timeToLive";
            if (byPattern.put(TablePattern.parse(key, text), SettingRules.positive(age, key))
                != null) {
              throw SettingRules.named(key, text);
            }
          });
      tables = new TableRules(tables.included(), tables.excluded(), byPattern);
      return this;
    }

    /**
     * Sets the patterns of the only tables that are cached; none means all.
     *
     * @param patterns such as {@code orders} or {@code archive.*}
     * @return this builder
     */
    public Builder includedTables(Collection<String> patterns) {
      tables =
          new TableRules(
              SettingRules.parsed("larder.tables.include", patterns),
              tables.excluded(),
              tables.timeToLive());
      return this;
    }

    /**
     * Sets the patterns of tables that are never cached, besides the built-in ones.
     *
     * @param patterns such as {@code orders} or {@code archive.*}
     * @return this builder
     */
    public Builder excludedTables(Collection<String> patterns) {
      tables =
          new TableRules(
              tables.included(),
              SettingRules.parsed("larder.tables.exclude", patterns),
              tables.timeToLive());
      return this;
    }

    /**
     * Sets the routines that write nothing and read only what the statement names.
     *
     * @param routines {@code name} or {@code schema.name}, folded to lower case unless in double
     *     quotes
     * @return this builder
     */
    public Builder readOnlyFunctions(Collection<String> routines) {
      readOnlyFunctions = SettingRules.folded("larder.functions.readOnly", routines);
      return this;
    }

    /**
     * Sets which tables a routine may write; an empty collection writes nothing.
     *
     * @param writes names of tables by name of the routine, with or without schemas
     * @return this builder
     */
    public Builder functionWrites(Map<String, ? extends Collection<String>> writes) {
      functionWrites = SettingRules.folded("larder.functions.writes", writes);
      return this;
    }

    /**
     * Sets which tables a trigger may write, by {@code trigger} or {@code table.trigger}; an empty
     * collection writes nothing.
     *
     * @param writes names of tables by name of the trigger
     * @return this builder
     */
    public Builder triggerWrites(Map<String, ? extends Collection<String>> writes) {
      triggerWrites = SettingRules.folded("larder.triggers.writes", writes);
      return this;
    }

    /**
     * Sets what unwrapping does.
     *
     * @param unwrap see {@link Unwrap}
     * @return this builder
     */
    public Builder unwrap(Unwrap unwrap) {
      this.unwrap = unwrap;
      return this;
    }

    /**
     * Sets what happens to the results of a table that others are found to write.
     *
     * @param radar what happens
     * @return this builder
     */
    public Builder radar(Radar radar) {
      this.radar = radar;
      return this;
    }

    /**
     * Sets how often writers that are not Larder are looked for.
     *
     * @param interval at least 2 s
     * @return this builder
     */
    public Builder radarInterval(Duration interval) {
      radarInterval =
          SettingRules.notShorter(DEFAULT_RADAR_INTERVAL, interval, "larder.radarInterval");
      return this;
    }

    /**
     * Sets the share of hits that the database answers too, from 0, the default, to 1.
     *
     * @param share of the hits
     * @return this builder
     */
    public Builder verify(double share) {
      verify = SettingRules.share(share, "larder.verify");
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
      for (String routine : readOnlyFunctions) {
        if (!functionWrites.getOrDefault(routine, Set.of()).isEmpty()) {
          throw new IllegalArgumentException(
              "larder.functions.readOnly and larder.functions.writes both name "
                  + routine
                  + "; remove it from the one that is wrong.");
        }
      }
      if (remote.isPresent() && writers == Writers.THIS_JVM) {
        throw new IllegalArgumentException(
            "larder.writers is this-jvm, and results are shared with other JVMs, which write as"
                + " well; set larder.writers=memcached, or larder.backend=local in every JVM.");
      }
      return new QueryCacheConfig(
          new Settings(
              enabled,
              name,
              writers,
              mode,
              maxBytes,
              maxEntries,
              effectiveMaxResultBytes(),
              maxResultRows,
              effectiveTimeToLive(),
              tables,
              readOnlyFunctions,
              functionWrites,
              triggerWrites,
              unwrap,
              verify,
              radar,
              radarInterval,
              remote));
    }

    private long effectiveMaxResultBytes() {
      long limit = maxBytes.orElse(Long.MAX_VALUE);
      if (maxResultBytes.orElse(0) > limit) {
        throw new IllegalArgumentException(
            "larder.maxResultBytes is "
                + maxResultBytes.getAsLong()
                + "; it must be at most larder.maxBytes, which is "
                + limit
                + ". Raise larder.maxBytes or lower larder.maxResultBytes.");
      }
      return maxResultBytes.orElse(Math.min(DEFAULT_MAX_RESULT_BYTES, limit));
    }

    private Optional<Duration> effectiveTimeToLive() {
      return writers == Writers.UNDECLARED
          ? Optional.of(
              SettingRules.least(
                  timeToLive.orElse(UNDECLARED_TIME_TO_LIVE), UNDECLARED_TIME_TO_LIVE))
          : timeToLive;
    }
  }
}
