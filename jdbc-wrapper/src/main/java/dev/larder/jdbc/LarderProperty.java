package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a connection, given as parameters of the URL or as {@code Properties}; a parameter
 * of the URL wins, as in the driver. The page {@code docs/configuration.md} is generated from here.
 */
public enum LarderProperty {
  /** Whether the cache starts switched on. */
  ENABLED(
      "larder.enabled",
      "true",
      PropertyText.BOOLEAN_RULE,
      "Whether caching starts switched on. A connection that starts with it off is wrapped all the"
          + " same: its writes invalidate, and `SET larder.enabled = on` switches caching on for"
          + " the session.",
      List.of("true", "false", "on", "off"),
      (text, builder) -> builder.enabled(PropertyText.bool(text))),

  /** Who writes the cached tables. */
  WRITERS(
      "larder.writers",
      "",
      "`this-jvm` or `memcached`",
      "Who writes the tables that are read through the cache. `this-jvm`: only connections of this"
          + " JVM, all of them through Larder. `memcached`: Larder in several JVMs that share"
          + " memcached servers; needs `larder.backend=memcached`. While nothing is declared,"
          + " entries live at most 5 s, so that a write that Larder cannot see is seen after that"
          + " time.",
      List.of("this-jvm", "memcached"),
      (text, builder) -> builder.writers(PropertyText.constant(Writers.class, text))),

  /** Whether results are shared with other JVMs. */
  BACKEND(
      "larder.backend",
      "local",
      "`local` or `memcached`",
      "Where results are kept. `local`: in this JVM alone. `memcached`: in memcached servers, too,"
          + " so that several JVMs share them and learn of each other's writes. Needs the artifact"
          + " `dev.larder:larder-memcached` on the class path and `larder.memcached.servers`; its"
          + " options, `larder.memcached.…`, are on the page [memcached.md](memcached.md). All"
          + " connections to a database, in all JVMs, need the same.",
      List.of("local", "memcached"),
      (text, builder) -> PropertyText.oneOf(text, "local", "memcached")),

  /** The budget of this cache. */
  MAX_BYTES(
      "larder.maxBytes",
      "the smaller of 64MB and 1/8 of the heap, shared by all caches of the JVM",
      PropertyText.SIZE_RULE + "; at least 64kB",
      "How much memory the results of this cache may take. Given, the budget is this cache's own;"
          + " otherwise all caches of the JVM share one.",
      List.of(),
      (text, builder) -> builder.maxBytes(PropertyText.bytes(text))),

  /** The most entries. */
  MAX_ENTRIES(
      "larder.maxEntries",
      "no limit but larder.maxBytes",
      PropertyText.COUNT_RULE,
      "How many results the cache may hold.",
      List.of(),
      (text, builder) -> builder.maxEntries(PropertyText.count(text))),

  /** The largest result, in bytes. */
  MAX_RESULT_BYTES(
      "larder.maxResultBytes",
      "512kB, or larder.maxBytes where that is less",
      PropertyText.SIZE_RULE + "; at least 1kB, at most `larder.maxBytes`",
      "A larger result reaches the application whole and is not kept.",
      List.of(),
      (text, builder) -> builder.maxResultBytes(PropertyText.bytes(text))),

  /** The largest result, in rows. */
  MAX_RESULT_ROWS(
      "larder.maxResultRows",
      "no limit but larder.maxResultBytes",
      PropertyText.COUNT_RULE,
      "A result of more rows reaches the application whole and is not kept.",
      List.of(),
      (text, builder) -> builder.maxResultRows(PropertyText.count(text))),

  /** How long an entry lives. */
  TIME_TO_LIVE(
      "larder.timeToLive",
      "no limit once larder.writers is declared, 5s until then",
      PropertyText.DURATION_RULE,
      "How long a result is used at most. While `larder.writers` is not declared, never more than"
          + " 5 s, whatever is set here.",
      List.of(),
      (text, builder) -> builder.timeToLive(PropertyText.duration(text))),

  /** Which statements are cached. */
  MODE(
      "larder.mode",
      "all",
      "`all`, `demand` or `observe`",
      "`all` caches everything that is safe. `demand` caches only queries with the comment `/*"
          + " larder:on */` and queries that read nothing but tables of `larder.tables.include`."
          + " `observe` answers nothing from memory, and counts what `all` would have done: see"
          + " [trust.md](trust.md#observe).",
      List.of("all", "demand", "observe"),
      (text, builder) -> builder.mode(PropertyText.constant(Mode.class, text))),

  /** The only tables that are cached. */
  TABLES_INCLUDE(
      "larder.tables.include",
      "",
      PropertyText.TABLES_RULE,
      "Queries that read another table are not cached. Empty: every table. To cache one of the"
          + " coordination tables (see `larder.tables.exclude`) name it here, with `*` for the"
          + " others: `*,shedlock`.",
      List.of(),
      (text, builder) -> builder.includedTables(PropertyText.list(text))),

  /** The tables that are never cached. */
  TABLES_EXCLUDE(
      "larder.tables.exclude",
      "",
      PropertyText.TABLES_RULE,
      "Queries that read one of these tables are not cached; wins over `larder.tables.include`."
          + " Always excluded, unless included by name, are tables with which common libraries"
          + " coordinate processes: "
          + PropertyText.builtInExclusions()
          + ".",
      List.of(),
      (text, builder) -> builder.excludedTables(PropertyText.list(text))),

  /** How long entries of single tables live. */
  TABLES_TIME_TO_LIVE(
      "larder.tables.timeToLive",
      "",
      "comma-separated `table=duration`, such as `orders=30s,audit_*=5m`",
      "How long a result that read the table is used at most; the shortest that applies counts,"
          + " `larder.timeToLive` included.",
      List.of(),
      (text, builder) -> builder.tableTimeToLive(PropertyText.ages(text))),

  /** Functions that only read. */
  FUNCTIONS_READ_ONLY(
      "larder.functions.readOnly",
      "",
      "comma-separated names, such as `price_of,app.tax_rate`",
      "Functions of yours that write nothing and whose answer depends on nothing but their"
          + " arguments and the tables that the statement names. A query that calls another"
          + " function of yours is not cached.",
      List.of(),
      (text, builder) -> builder.readOnlyFunctions(PropertyText.list(text))),

  /** What functions write. */
  FUNCTIONS_WRITES(
      "larder.functions.writes",
      "",
      PropertyText.WRITES_RULE.formatted("function", "book=orders|public.stock,touch="),
      "Which tables a function or procedure of yours may write. A call of one that is not declared"
          + " invalidates everything.",
      List.of(),
      (text, builder) -> builder.functionWrites(PropertyText.writes(text))),

  /** What triggers write. */
  TRIGGERS_WRITES(
      "larder.triggers.writes",
      "",
      PropertyText.WRITES_RULE.formatted(
          "trigger", "set_updated_at=,orders.audit_orders=audit_log|audit_total"),
      "Which tables a trigger may write besides the row it fires for, by `trigger` or"
          + " `table.trigger`. A write that fires one that is neither declared nor proven harmless"
          + " invalidates everything.",
      List.of(),
      (text, builder) -> builder.triggerWrites(PropertyText.writes(text))),

  /** What unwrapping does. */
  UNWRAP(
      "larder.unwrap",
      "uncached",
      "`uncached` or `refuse`",
      "What happens when the application unwraps a class of the driver, past which writes cannot be"
          + " seen. `uncached`: it gets the object, and nothing is cached for the database until"
          + " that connection closes. `refuse`: it gets an exception.",
      List.of("uncached", "refuse"),
      (text, builder) -> builder.unwrap(PropertyText.constant(Unwrap.class, text))),

  /** How many hits are compared with the database. */
  VERIFY(
      "larder.verify",
      "0",
      PropertyText.SHARE_RULE,
      "The share of hits that the database answers too, to see that the cache would have returned"
          + " the same rows. The application gets the rows of the database. Where they differ"
          + " although nobody was seen to write, the tables are quarantined: see"
          + " [trust.md](trust.md#verify).",
      List.of(),
      (text, builder) -> builder.verify(PropertyText.share(text))),

  /** What happens where others write. */
  RADAR(
      "larder.radar",
      "limit",
      "`off`, `report`, `limit` or `bypass`",
      "What happens to the results of a table that somebody else than Larder is found to write, by"
          + " the server's counts of changed rows: see [operations.md](operations.md#the-radar)."
          + " `limit`: they live at most 1 s, until nobody else has written the table for 5 minutes."
          + " `bypass`: they are not cached for that time. `report`: it is only logged (`LRD-002`)"
          + " and shown. `off`: nobody looks. A detector and no protection: it takes seconds.",
      List.of("off", "report", "limit", "bypass"),
      (text, builder) -> builder.radar(PropertyText.constant(Radar.class, text))),

  /** How often others are looked for. */
  RADAR_INTERVAL(
      "larder.radarInterval",
      "2s",
      PropertyText.DURATION_RULE + "; at least 2s",
      "How often the server's counts are read, by one query of Larder's own connection. Of several"
          + " caches of a database the shortest counts.",
      List.of(),
      (text, builder) -> builder.radarInterval(PropertyText.duration(text))),

  /** Which result store is used. */
  NAME(
      "larder.name",
      "default",
      "1 to 64 letters, digits, `.`, `_`, `-`",
      "Connections to one database with equal names and settings share their results; a name of its"
          + " own keeps an application's results apart. Invalidation does not depend on it.",
      List.of(),
      (text, builder) -> builder.name(text));

  /** How the name of every option begins. */
  static final String PREFIX = "larder.";

  private final String key;
  private final String defaultText;
  private final String rule;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // Always List.of.
  private final List<String> choices;

  @SuppressWarnings("ImmutableEnumChecker") // Always a lambda without state.
  private final Setter setter;

  LarderProperty(
      String key,
      String defaultText,
      String rule,
      String description,
      List<String> choices,
      Setter setter) {
    this.key = key;
    this.defaultText = defaultText;
    this.rule = rule;
    this.description = description;
    this.choices = choices;
    this.setter = setter;
  }

  /** {@return the name of the option, as in the URL} */
  public String key() {
    return key;
  }

  /** {@return the default as a user would read it; empty for nothing} */
  public String defaultText() {
    return defaultText;
  }

  /** {@return what a value looks like, in Markdown} */
  public String rule() {
    return rule;
  }

  /** {@return what the option does, in Markdown} */
  public String description() {
    return description;
  }

  /** {@return the only values, if they can be listed} */
  public List<String> choices() {
    return choices;
  }

  /**
   * {@return the option of the name, whose case counts}
   *
   * @param key such as {@code larder.maxBytes}
   */
  public static Optional<LarderProperty> of(String key) {
    for (LarderProperty property : values()) {
      if (property.key.equals(key)) {
        return Optional.of(property);
      }
    }
    return Optional.empty();
  }

  /**
   * {@return the settings that the options say}
   *
   * @param options values by {@link #key()}
   * @throws IllegalArgumentException for an unknown name or a bad value; names the option, the
   *     value, the rule and the fix
   */
  public static QueryCacheConfig config(Map<String, String> options) {
    return LarderOptions.config(options);
  }

  /**
   * Hands the value to the builder.
   *
   * @throws IllegalArgumentException if it is not what the rule says; names the option, the value,
   *     the rule and the fix
   */
  void set(String text, QueryCacheConfig.Builder builder) {
    try {
      setter.set(text.strip(), builder);
    } catch (PropertyText.Unreadable e) {
      throw new IllegalArgumentException(
          "%s is \"%s\"%s; it must be %s.".formatted(key, text, e.fault(), rule.replace("`", "")),
          e);
    }
  }

  private interface Setter {
    void set(String text, QueryCacheConfig.Builder builder) throws PropertyText.Unreadable;
  }
}
