package dev.larder.spring;

import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import dev.larder.jdbc.LarderProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

/**
 * The options of {@link LarderProperty} as Spring Boot binds them. What is not set is not passed
 * on, so that Larder's own defaults hold. Not thread-safe.
 */
public class CacheProperties {
  /**
   * Whether Larder is put below the data sources with an ordinary PostgreSQL URL. Without it only
   * URLs that begin with jdbc:larder: are cached. Given as false, those start with caching switched
   * off; their writes still invalidate.
   */
  private @Nullable Boolean enabled;

  /**
   * Who writes the tables that are read through the cache: this-jvm if only this application does,
   * all of it through Larder. Until that is declared, results are used for at most 5 s.
   */
  private @Nullable Writers writers;

  /**
   * Where results are kept: local, in this JVM alone, or memcached, shared with other JVMs. Needs
   * the artifact dev.larder:larder-memcached.
   */
  private @Nullable String backend;

  /**
   * The options of the memcached backend, such as larder.memcached.servers and
   * larder.memcached.on-unreachable.
   */
  private Map<String, String> memcached = new LinkedHashMap<>();

  /**
   * Which queries are cached: all that are safe, or those on demand, by a comment or an included
   * table; observe answers none from memory and counts what would have happened.
   */
  private @Nullable Mode mode;

  /**
   * How much memory the results may take. By default all caches of the JVM share the smaller of
   * 64MB and 1/8 of the heap.
   */
  private @Nullable DataSize maxBytes;

  /** How many results the cache may hold. By default as many as fit. */
  private @Nullable Long maxEntries;

  /** A larger result reaches the application whole and is not kept. By default 512KB. */
  private @Nullable DataSize maxResultBytes;

  /** A result of more rows reaches the application whole and is not kept. */
  private @Nullable Long maxResultRows;

  /**
   * How long a result is used at most. By default there is no limit once the writers are declared.
   */
  private @Nullable Duration timeToLive;

  /**
   * What happens when the application unwraps a class of the driver: uncached gives it the object
   * and caches nothing while that connection is open, refuse throws.
   */
  private @Nullable Unwrap unwrap;

  /**
   * The share of hits that the database answers too, to compare: from 0, the default, to 1, such as
   * 0.01.
   */
  private @Nullable BigDecimal verify;

  /**
   * What happens to results of tables that somebody else than Larder is found to write: limit to a
   * second, bypass, report only, or off.
   */
  private @Nullable Radar radar;

  /** How often writers that are not Larder are looked for; at least 2s, the default. */
  private @Nullable Duration radarInterval;

  /** Picks the result store: equal names and settings share their results. */
  private @Nullable String name;

  /** Which tables are cached, and for how long. */
  @NestedConfigurationProperty private final TableProperties tables = new TableProperties();

  /** What functions of the database do. */
  @NestedConfigurationProperty
  private final FunctionProperties functions = new FunctionProperties();

  /** What triggers of the database do. */
  @NestedConfigurationProperty private final TriggerProperties triggers = new TriggerProperties();

  /** {@return {@code larder.enabled}, or null} */
  public @Nullable Boolean getEnabled() {
    return enabled;
  }

  /**
   * Sets {@code larder.enabled}.
   *
   * @param enabled null for the default
   */
  public void setEnabled(@Nullable Boolean enabled) {
    this.enabled = enabled;
  }

  /** {@return {@code larder.backend}, or null} */
  public @Nullable String getBackend() {
    return backend;
  }

  /**
   * Sets {@code larder.backend}.
   *
   * @param backend null for the default
   */
  public void setBackend(@Nullable String backend) {
    this.backend = backend;
  }

  /** {@return {@code larder.memcached}: options by what follows that in their names} */
  public Map<String, String> getMemcached() {
    return memcached;
  }

  /**
   * Sets {@code larder.memcached}.
   *
   * @param memcached by what follows {@code larder.memcached.} in their names
   */
  public void setMemcached(Map<String, String> memcached) {
    this.memcached = memcached;
  }

  /** {@return {@code larder.writers}, or null} */
  public @Nullable Writers getWriters() {
    return writers;
  }

  /**
   * Sets {@code larder.writers}.
   *
   * @param writers null for the default
   */
  public void setWriters(@Nullable Writers writers) {
    this.writers = writers;
  }

  /** {@return {@code larder.mode}, or null} */
  public @Nullable Mode getMode() {
    return mode;
  }

  /**
   * Sets {@code larder.mode}.
   *
   * @param mode null for the default
   */
  public void setMode(@Nullable Mode mode) {
    this.mode = mode;
  }

  /** {@return {@code larder.maxBytes}, or null} */
  public @Nullable DataSize getMaxBytes() {
    return maxBytes;
  }

  /**
   * Sets {@code larder.maxBytes}.
   *
   * @param maxBytes null for the default
   */
  public void setMaxBytes(@Nullable DataSize maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** {@return {@code larder.maxEntries}, or null} */
  public @Nullable Long getMaxEntries() {
    return maxEntries;
  }

  /**
   * Sets {@code larder.maxEntries}.
   *
   * @param maxEntries null for the default
   */
  public void setMaxEntries(@Nullable Long maxEntries) {
    this.maxEntries = maxEntries;
  }

  /** {@return {@code larder.maxResultBytes}, or null} */
  public @Nullable DataSize getMaxResultBytes() {
    return maxResultBytes;
  }

  /**
   * Sets {@code larder.maxResultBytes}.
   *
   * @param maxResultBytes null for the default
   */
  public void setMaxResultBytes(@Nullable DataSize maxResultBytes) {
    this.maxResultBytes = maxResultBytes;
  }

  /** {@return {@code larder.maxResultRows}, or null} */
  public @Nullable Long getMaxResultRows() {
    return maxResultRows;
  }

  /**
   * Sets {@code larder.maxResultRows}.
   *
   * @param maxResultRows null for the default
   */
  public void setMaxResultRows(@Nullable Long maxResultRows) {
    this.maxResultRows = maxResultRows;
  }

  /** {@return {@code larder.timeToLive}, or null} */
  public @Nullable Duration getTimeToLive() {
    return timeToLive;
  }

  /**
   * Sets {@code larder.timeToLive}.
   *
   * @param timeToLive null for the default
   */
  public void setTimeToLive(@Nullable Duration timeToLive) {
    this.timeToLive = timeToLive;
  }

  /** {@return {@code larder.unwrap}, or null} */
  public @Nullable Unwrap getUnwrap() {
    return unwrap;
  }

  /**
   * Sets {@code larder.unwrap}.
   *
   * @param unwrap null for the default
   */
  public void setUnwrap(@Nullable Unwrap unwrap) {
    this.unwrap = unwrap;
  }

  /** {@return {@code larder.verify}, or null} */
  public @Nullable BigDecimal getVerify() {
    return verify;
  }

  /**
   * Sets {@code larder.verify}.
   *
   * @param verify the share of the hits, or null
   */
  public void setVerify(@Nullable BigDecimal verify) {
    this.verify = verify;
  }

  /** {@return {@code larder.radar}, or null} */
  public @Nullable Radar getRadar() {
    return radar;
  }

  /**
   * Sets {@code larder.radar}.
   *
   * @param radar what happens, or null
   */
  public void setRadar(@Nullable Radar radar) {
    this.radar = radar;
  }

  /** {@return {@code larder.radarInterval}, or null} */
  public @Nullable Duration getRadarInterval() {
    return radarInterval;
  }

  /**
   * Sets {@code larder.radarInterval}.
   *
   * @param radarInterval the time, or null
   */
  public void setRadarInterval(@Nullable Duration radarInterval) {
    this.radarInterval = radarInterval;
  }

  /** {@return {@code larder.name}, or null} */
  public @Nullable String getName() {
    return name;
  }

  /**
   * Sets {@code larder.name}.
   *
   * @param name null for the default
   */
  public void setName(@Nullable String name) {
    this.name = name;
  }

  /** {@return {@code larder.tables}} */
  public TableProperties getTables() {
    return tables;
  }

  /** {@return {@code larder.functions}} */
  public FunctionProperties getFunctions() {
    return functions;
  }

  /** {@return {@code larder.triggers}} */
  public TriggerProperties getTriggers() {
    return triggers;
  }

  /** Returns what is set, as the driver reads it, by {@link LarderProperty#key()}. */
  Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    put(options, LarderProperty.ENABLED, enabled);
    put(options, LarderProperty.WRITERS, writers);
    put(options, LarderProperty.BACKEND, backend);
    // Spring writes names with dashes, the backend without and in any case.
    memcached.forEach(
        (name, value) -> options.put("larder.memcached." + name.replace("-", ""), value));
    put(options, LarderProperty.MODE, mode);
    put(options, LarderProperty.MAX_BYTES, maxBytes);
    put(options, LarderProperty.MAX_ENTRIES, maxEntries);
    put(options, LarderProperty.MAX_RESULT_BYTES, maxResultBytes);
    put(options, LarderProperty.MAX_RESULT_ROWS, maxResultRows);
    put(options, LarderProperty.TIME_TO_LIVE, timeToLive);
    put(options, LarderProperty.UNWRAP, unwrap);
    put(options, LarderProperty.VERIFY, verify == null ? null : verify.toPlainString());
    put(options, LarderProperty.RADAR, radar);
    put(options, LarderProperty.RADAR_INTERVAL, radarInterval);
    put(options, LarderProperty.NAME, name);
    put(options, LarderProperty.TABLES_INCLUDE, tables.include);
    put(options, LarderProperty.TABLES_EXCLUDE, tables.exclude);
    put(options, LarderProperty.TABLES_TIME_TO_LIVE, tables.timeToLive);
    put(options, LarderProperty.FUNCTIONS_READ_ONLY, functions.readOnly);
    put(options, LarderProperty.FUNCTIONS_WRITES, functions.writes);
    put(options, LarderProperty.TRIGGERS_WRITES, triggers.writes);
    return options;
  }

  private static void put(
      Map<String, String> options, LarderProperty property, @Nullable Object value) {
    if (value instanceof List<?> list) {
      if (!list.isEmpty()) {
        options.put(property.key(), String.join(",", list.stream().map(String::valueOf).toList()));
      }
    } else if (value instanceof DataSize size) {
      options.put(property.key(), Long.toString(size.toBytes()));
    } else if (value instanceof Enum<?> constant) {
      options.put(property.key(), constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    } else if (value != null) {
      options.put(property.key(), value.toString());
    }
  }

  /** Which tables are cached, and for how long. */
  public static class TableProperties {
    /**
     * Queries that read another table are not cached; * stands for any characters. Empty: every
     * table.
     */
    private List<String> include = new ArrayList<>();

    /**
     * Queries that read one of these tables are not cached, besides those of the tables with which
     * common libraries coordinate processes.
     */
    private List<String> exclude = new ArrayList<>();

    /**
     * How long a result that read a table is used at most, each as table=duration, such as
     * orders=30s.
     */
    private List<String> timeToLive = new ArrayList<>();

    /** {@return the list, empty by default} */
    public List<String> getInclude() {
      return include;
    }

    /**
     * Sets the list.
     *
     * @param include patterns
     */
    public void setInclude(List<String> include) {
      this.include = include;
    }

    /** {@return the list, empty by default} */
    public List<String> getExclude() {
      return exclude;
    }

    /**
     * Sets the list.
     *
     * @param exclude patterns
     */
    public void setExclude(List<String> exclude) {
      this.exclude = exclude;
    }

    /** {@return the list, empty by default} */
    public List<String> getTimeToLive() {
      return timeToLive;
    }

    /**
     * Sets the list.
     *
     * @param timeToLive each {@code table=duration}
     */
    public void setTimeToLive(List<String> timeToLive) {
      this.timeToLive = timeToLive;
    }
  }

  /** What functions of the database do. */
  public static class FunctionProperties {
    /**
     * Functions of yours that write nothing and depend on nothing but their arguments and the
     * tables that the statement names.
     */
    private List<String> readOnly = new ArrayList<>();

    /**
     * Which tables a function or procedure of yours may write, each as function=table|table,
     * nothing behind the = for none.
     */
    private List<String> writes = new ArrayList<>();

    /** {@return the list, empty by default} */
    public List<String> getReadOnly() {
      return readOnly;
    }

    /**
     * Sets the list.
     *
     * @param readOnly names, with or without schemas
     */
    public void setReadOnly(List<String> readOnly) {
      this.readOnly = readOnly;
    }

    /** {@return the list, empty by default} */
    public List<String> getWrites() {
      return writes;
    }

    /**
     * Sets the list.
     *
     * @param writes each {@code name=table|table}
     */
    public void setWrites(List<String> writes) {
      this.writes = writes;
    }
  }

  /** What triggers of the database do. */
  public static class TriggerProperties {
    /**
     * Which tables a trigger may write besides its row, each as trigger=table|table, nothing behind
     * the = for none, such as set_updated_at=.
     */
    private List<String> writes = new ArrayList<>();

    /** {@return the list, empty by default} */
    public List<String> getWrites() {
      return writes;
    }

    /**
     * Sets the list.
     *
     * @param writes each {@code name=table|table}
     */
    public void setWrites(List<String> writes) {
      this.writes = writes;
    }
  }
}
