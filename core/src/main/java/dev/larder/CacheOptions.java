package dev.larder;

import dev.larder.QueryCacheConfig.Admission;
import dev.larder.QueryCacheConfig.Invalidation;
import dev.larder.QueryCacheConfig.LazyConnections;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The options of a cache, each declared here and nowhere else: as parameters of the URL, as {@code
 * Properties}, as properties of Spring, or set by {@link QueryCacheConfig.Builder#set}. A parameter
 * of the URL wins, as in the driver. The pages and the metadata are generated from here.
 */
public final class CacheOptions {
  /** How the name of every option begins. */
  public static final String PREFIX = "larder.";

  /** Whether the cache starts switched on. */
  public static final Option<Boolean> ENABLED =
      Option.of(
              "larder.enabled",
              OptionType.BOOLEAN,
              true,
              "Whether caching starts switched on. If not, writes invalidate all the same, and `SET"
                  + " larder.enabled = on` switches caching on for the session.")
          .changedBy("`SET larder.enabled`, and `ALTER DATABASE … SET larder.enabled`");

  /** Who writes the cached tables. */
  public static final Option<Writers> WRITERS =
      Option.of(
          "larder.writers",
          OptionType.choice(Writers.THIS_JVM, Writers.MEMCACHED, Writers.ANY),
          Writers.UNDECLARED,
          "",
          "Who writes the tables that are read through the cache. `this-jvm`: only connections of"
              + " this JVM, all of them through Larder. `memcached`: Larder in several JVMs that"
              + " share memcached servers; this needs `larder.backend=memcached`. `any`: others,"
              + " too; they are followed with `larder.feed=wal`. Until you declare it, and with"
              + " `any` without a feed, results live at most 5 s, so that a write that Larder"
              + " cannot see is seen after that time.");

  /** Whether results are shared with other JVMs. */
  public static final Option<String> BACKEND =
      Option.of(
          "larder.backend",
          OptionType.choice(List.of("local", "memcached"), word -> word),
          "local",
          "Where results are kept. `local`: in this JVM alone. `memcached`: also in memcached"
              + " servers, so that several JVMs share results and learn of each other's writes."
              + " This needs the artifact `dev.larder:larder-memcached` on the class path, and"
              + " `larder.memcached.servers`. The options `larder.memcached.…` are on the page"
              + " [memcached.md](memcached.md#settings). All connections to a database, in all"
              + " JVMs, need the same value.");

  /** The budget of this cache. */
  public static final Option<Long> MAX_BYTES =
      Option.optional(
          "larder.maxBytes",
          OptionType.SIZE.withCheck(OptionType.atLeast(64 * 1024)).withRule("; at least 64kB"),
          "the smaller of 64MB and 1/8 of the heap, shared by all caches of the JVM",
          "How much memory the results of this cache may take. If you set it, the cache has this"
              + " budget for itself. Otherwise all caches of the JVM share one.");

  /** The most entries. */
  public static final Option<Long> MAX_ENTRIES =
      Option.optional(
          "larder.maxEntries",
          OptionType.COUNT,
          "no limit but larder.maxBytes",
          "How many results the cache may hold.");

  /** The largest result, in bytes. */
  public static final Option<Long> MAX_RESULT_BYTES =
      Option.optional(
          "larder.maxResultBytes",
          OptionType.SIZE
              .withCheck(OptionType.atLeast(1024))
              .withRule("; at least 1kB, at most `larder.maxBytes`"),
          "512kB, or larder.maxBytes where that is less",
          "The largest result that is kept. A larger one reaches the application whole.");

  /** The largest result, in rows. */
  public static final Option<Long> MAX_RESULT_ROWS =
      Option.optional(
          "larder.maxResultRows",
          OptionType.COUNT,
          "no limit but larder.maxResultBytes",
          "The most rows of a result that is kept. A result of more rows reaches the application"
              + " whole.");

  /** How long an entry lives. */
  public static final Option<Duration> TIME_TO_LIVE =
      Option.optional(
          "larder.timeToLive",
          OptionType.DURATION,
          "no limit once larder.writers is declared, 5s until then",
          "How long a result is used at most. Until `larder.writers` is declared, that is never"
              + " more than 5 s, whatever you set.");

  /** Which statements are cached. */
  public static final Option<Mode> MODE =
      Option.of(
          "larder.mode",
          OptionType.choice(Mode.values()),
          Mode.ALL,
          "`all` caches everything that is safe. `demand` caches only queries with the comment"
              + " `/* larder:on */`, and queries that read only tables of"
              + " `larder.tables.include`. `observe` answers nothing from memory, and counts what"
              + " `all` would have done: see [trust.md](trust.md#observe).");

  /** Which queries are worth it. */
  public static final Option<Admission> ADMISSION =
      Option.of(
          "larder.admission",
          OptionType.choice(Admission.values()),
          Admission.PROFIT,
          "`profit`: a query that costs more time than it saves is not cached until that changes:"
              + " see [operations.md](operations.md#admission-by-profit). `all`: whatever may be"
              + " cached is.");

  /** What a write invalidates. */
  public static final Option<Invalidation> INVALIDATION =
      Option.of(
          "larder.invalidation",
          OptionType.choice(Invalidation.values()),
          Invalidation.KEY,
          "`table`: a write invalidates all results of its table. `key`: only those that it can"
              + " change, by the keys of the rows: see [invalidation.md](invalidation.md).");

  /** The only tables that are cached. */
  public static final Option<Set<String>> TABLES_INCLUDE =
      Option.of(
          "larder.tables.include",
          OptionType.TABLES,
          Set.of(),
          "The only tables that are cached: a query that reads another one is not. If it is"
              + " empty, every table may be cached. To cache one of the coordination tables (see"
              + " `larder.tables.exclude`), name it here, with `*` for the others: `*,shedlock`.");

  /** The tables that are never cached. */
  public static final Option<Set<String>> TABLES_EXCLUDE =
      Option.of(
              "larder.tables.exclude",
              OptionType.TABLES,
              Set.of(),
              "Queries that read one of these tables are not cached. This wins over"
                  + " `larder.tables.include`. Common libraries coordinate processes with some"
                  + " tables. These are always excluded, unless you include them by name: "
                  + OptionText.builtInExclusions()
                  + ".")
          .changedBy("`ALTER DATABASE … SET larder.tables.exclude` adds more");

  /** How long entries of single tables live. */
  public static final Option<Map<String, Duration>> TABLES_TIME_TO_LIVE =
      Option.of(
          "larder.tables.timeToLive",
          OptionType.AGES,
          Map.of(),
          "How long a result that read the table is used at most. The shortest time that applies"
              + " counts, `larder.timeToLive` included.");

  /** For how long results of single tables are used after they became outdated. */
  public static final Option<Map<String, Duration>> TABLES_STALENESS =
      Option.of(
          "larder.tables.staleness",
          OptionType.AGES,
          Map.of(),
          "For how long a result that read only such tables may be used after it became outdated:"
              + " [staleness.md](staleness.md).");

  /** What a write of single tables invalidates. */
  public static final Option<Map<String, Invalidation>> TABLES_INVALIDATION =
      Option.of(
          "larder.tables.invalidation",
          OptionType.INVALIDATIONS,
          Map.of(),
          "What a write of the table invalidates, instead of what `larder.invalidation` says. Where"
              + " several patterns match a table, `table` wins.");

  /** Functions that only read. */
  public static final Option<Set<String>> FUNCTIONS_READ_ONLY =
      Option.of(
          "larder.functions.readOnly",
          OptionType.NAMES,
          Set.of(),
          "Functions of yours that write nothing, and whose answer depends only on their"
              + " arguments and on the tables that the statement names. A query that calls"
              + " another function of yours is not cached, unless that is IMMUTABLE.");

  /** What functions write. */
  public static final Option<Map<String, Set<String>>> FUNCTIONS_WRITES =
      Option.of(
          "larder.functions.writes",
          OptionType.writes("function", "book=orders|public.stock,touch="),
          Map.of(),
          "Which tables a function or procedure of yours may write. A call of one that is neither"
              + " declared nor understood from its body invalidates everything.");

  /** What triggers write. */
  public static final Option<Map<String, Set<String>>> TRIGGERS_WRITES =
      Option.of(
          "larder.triggers.writes",
          OptionType.writes("trigger", "set_updated_at=,orders.audit_orders=audit_log|audit_total"),
          Map.of(),
          "Which tables a trigger may write besides the row that it fires for. Name it as"
              + " `trigger` or `table.trigger`. A write that fires a trigger that is neither"
              + " declared nor understood from its body invalidates everything.");

  /** Which commands sessions may give. */
  public static final Option<Commands> COMMANDS =
      Option.optional(
          "larder.commands",
          OptionType.choice(Commands.values()),
          "by the rights of the user",
          "Which commands a session may give. `all`: it sees everything, and may drop results. `status`:"
              + " it sees everything, and changes nothing but its own settings. `own`: it sees"
              + " counts, tables and the queries of its own role, and changes nothing but its own"
              + " settings. `none`: no command is known. If nothing is set, the rights of the user"
              + " decide as the connection is opened: `all` for a superuser and for whoever is"
              + " the owner of the database, `status` for a member of `pg_monitor`, `own` for others.");

  /** What unwrapping does. */
  public static final Option<Unwrap> UNWRAP =
      Option.of(
          "larder.unwrap",
          OptionType.choice(Unwrap.values()),
          Unwrap.UNCACHED,
          "What happens when the application unwraps a class of the driver. Larder cannot see"
              + " writes through it. `uncached`: the application gets the object, and nothing is"
              + " cached for the database until that connection closes. `refuse`: it gets an"
              + " exception.");

  /** How many hits are compared with the database. */
  public static final Option<Double> VERIFY =
      Option.of(
          "larder.verify",
          OptionType.SHARE,
          0.0,
          "The share of hits that the database answers too, so that Larder can compare the rows."
              + " The application gets the rows of the database. If they differ although nobody"
              + " was seen to write, the tables are quarantined: see [trust.md](trust.md#verify).");

  /** What happens where others write. */
  public static final Option<Radar> RADAR =
      Option.of(
          "larder.radar",
          OptionType.choice(Radar.values()),
          Radar.LIMIT,
          "What happens to the results of a table when the server's counts of changed rows show"
              + " an external writer: see [operations.md](operations.md#the-radar). `limit`: they"
              + " live at most 1 s, until no external writer has written the table for 5 minutes."
              + " `bypass`: they are not cached for that time. `report`: the writer is only"
              + " logged (`LRD-002`) and shown. `off`: nobody looks. The radar detects and does"
              + " not protect: it takes seconds.");

  /** How often others are looked for. */
  public static final Option<Duration> RADAR_INTERVAL =
      Option.of(
          "larder.radarInterval",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(QueryCacheConfig.DEFAULT_RADAR_INTERVAL))
              .withRule("; at least 2s"),
          QueryCacheConfig.DEFAULT_RADAR_INTERVAL,
          "How often Larder reads the server's counts, by one query on its own connection. Of"
              + " several caches of a database, the shortest interval counts.");

  /** Whether hits need no connection of the pool. */
  public static final Option<LazyConnections> LAZY_CONNECTIONS =
      Option.of(
          "larder.lazyConnections",
          OptionType.choice(LazyConnections.values()),
          LazyConnections.OFF,
          "Whether hits need no connection of the pool: [unpooled-hits.md](unpooled-hits.md).");

  /** How long hits without a connection go on while the server is not heard. */
  public static final Option<Duration> LAZY_LEASE =
      Option.of(
          "larder.lazyLease",
          OptionType.DURATION,
          Duration.ofSeconds(15),
          "How long such hits go on after the server was last heard.");

  /** Which result store is used. */
  public static final Option<String> NAME =
      Option.of(
          "larder.name",
          OptionType.NAME,
          "default",
          "Connections to one database with equal names and settings share their results. Give an"
              + " application a name of its own to keep its results apart. Invalidation does not"
              + " depend on the name.");

  private CacheOptions() {}

  /** {@return all options, those first that are needed most} */
  public static List<Option<?>> all() {
    return OptionList.ALL;
  }

  /**
   * {@return the option of the name, whose case counts}
   *
   * @param key such as {@code larder.maxBytes}
   */
  public static Optional<Option<?>> of(String key) {
    return OptionList.ALL.stream().filter(option -> option.key().equals(key)).findFirst();
  }
}
