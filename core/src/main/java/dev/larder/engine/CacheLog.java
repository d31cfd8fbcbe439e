package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.resolve.Undeclared;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The log of the cache: one line when a cache starts, and each kind of trouble at most once in ten
 * minutes, with its code, cause and cure. Bind values and credentials never get here. Thread-safe.
 */
public final class CacheLog {
  private static final Logger LOGGER = System.getLogger("dev.larder");
  private static final QuietPeriods<Trouble> QUIET = new QuietPeriods<>(Duration.ofMinutes(10));

  /** The kinds of trouble. */
  public enum Trouble {
    /** The driver's results cannot be captured. */
    DRIVER(
        "LRD-001",
        "results of this driver cannot be captured and replayed; nothing is cached",
        "use a supported version of the PostgreSQL JDBC driver (42.7.x)"),
    /** Somebody writes past Larder, or may. */
    FOREIGN_WRITERS("LRD-002", "others write, or may, whom a cache does not see", "say who writes"),
    /** The catalog cannot be read. */
    CATALOG(
        "LRD-003",
        "the database catalog cannot be read; nothing is cached until it can",
        "check that Larder's own connection may be opened (connection limits, credentials)"),
    /** The outcome of a commit is unknown. */
    UNKNOWN_OUTCOME(
        "LRD-004",
        "a connection was lost while it may have been committing; the tables that it wrote stay uncached until the server"
            + " has ended that session",
        "none needed; see SHOW larder.tables"),
    /** A pooler in between. */
    TRANSACTION_POOLER(
        "LRD-005",
        "a pooler sits between the driver and the server; its connections are not cached",
        "connect Larder to the server directly"),
    /** A driver object was handed out. */
    UNWRAPPED(
        "LRD-006",
        "the application unwrapped a class of the driver; nothing is cached for the database until that connection closes",
        "use the interface org.postgresql.PGConnection, or set larder.unwrap=refuse to find the place"),
    /** A server that does not say which database it is. */
    UNIDENTIFIED(
        "LRD-007",
        "a database does not say which one it is; its connections are not cached, and their writes invalidate everything",
        "allow the user to execute pg_control_system() and pg_control_checkpoint()"),
    /** A setting of the database's own that cannot be understood. */
    DATABASE_SETTING(
        "LRD-008",
        "a setting that ALTER DATABASE has made cannot be understood; nothing is cached in that database",
        "correct it with ALTER DATABASE … SET, or remove it with RESET"),
    /** A row of larder_control that says nothing. */
    CONTROL(
        "LRD-014",
        "what the table larder_control says cannot be obeyed in full, and the rest of it is obeyed",
        "correct the rows, or allow Larder's user to read the table; see docs/operations.md"),
    /** The radar does not work. */
    RADAR(
        "LRD-015",
        "the server's counts of changed rows cannot be read, so that writers that are not Larder are not noticed; all else"
            + " works as before",
        "allow Larder's user to read pg_class, pg_inherits and pg_stat_get_activity(), or set larder.radar=off"),
    /** Transactions are SERIALIZABLE unless they say otherwise. */
    SERIALIZABLE(
        "LRD-016",
        "connections run their transactions SERIALIZABLE unless told otherwise, and in these nothing is cached",
        "where READ COMMITTED or REPEATABLE READ is enough, make that the default (transactionIsolation of the pool,"
            + " default_transaction_isolation of the server)"),
    /** The cache cannot be an MXBean. */
    MXBEAN(
        "LRD-010",
        "a cache cannot be registered as an MXBean; it works without",
        "set the system property larder.jmx=false"),
    /** Results cannot be shared. */
    SHARED(
        "LRD-011",
        "results are not shared with other JVMs as they should be; queries are answered by the database",
        "see that the shared cache runs and can be reached, and that Larder's own connection may be opened"),
    /** The cache held rows that the database had not. */
    WRONG_RESULT(
        "LRD-012",
        "the cache held rows that the database had not, although nobody was seen to write; the application got those of"
            + " the database, and the tables are not cached from now on",
        "find who writes past Larder, or which function or trigger is not as declared, or report it; then RESET"
            + " larder.quarantine"),
    /** A trigger or function that nothing is known of. */
    UNDECLARED(
        "LRD-030",
        "a write emptied the cache",
        "declare what the trigger or function writes (larder.triggers.writes, larder.functions.writes)"),
    /** The cache itself failed. */
    INTERNAL(
        "LRD-009",
        "the cache failed and the statement was passed to the database",
        "report it with the stack trace");

    private final String code;
    private final String cause;
    private final String cure;

    Trouble(String code, String cause, String cure) {
      this.code = code;
      this.cause = cause;
      this.cure = cure;
    }
  }

  /** Never changed once it is made, so that threads may share it. */
  private static final Map<Trouble, LongAdder> TIMES = new EnumMap<>(Trouble.class);

  static {
    for (Trouble trouble : Trouble.values()) {
      TIMES.put(trouble, new LongAdder());
    }
  }

  private CacheLog() {}

  /** Returns how often there was each trouble, reported or not, by its code. */
  public static Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    TIMES.forEach((trouble, times) -> counts.put(trouble.code, times.sum()));
    return counts;
  }

  /** Reports {@code trouble}, at most once in ten minutes. */
  public static void trouble(Trouble trouble, String detail) {
    if (due(trouble)) {
      LOGGER.log(Level.WARNING, text(trouble, detail));
    }
  }

  /** Reports {@code trouble} with its exception, at most once in ten minutes. */
  public static void trouble(Trouble trouble, String detail, Throwable thrown) {
    if (due(trouble)) {
      LOGGER.log(Level.WARNING, text(trouble, detail), thrown);
    }
  }

  /** Reports tables that are quarantined from now on, each time. */
  static void wrongResult(List<String> tables, Quarantine.Evidence seen) {
    count(Trouble.WRONG_RESULT);
    LOGGER.log(
        Level.ERROR,
        text(
            Trouble.WRONG_RESULT,
            String.join(", ", tables)
                + "; cache "
                + seen.cache()
                + ", result of "
                + seen.ageMillis()
                + " ms ago with "
                + seen.comparison().cachedRows()
                + " rows, differs in "
                + seen.comparison().unmatchedRows()
                + " from the "
                + seen.comparison().databaseRows()
                + " of the database; columns "
                + seen.comparison().columns()
                + "; query "
                + seen.query()));
  }

  /** Reports what emptied the cache, each time. */
  static void undeclared(Undeclared found, long results) {
    count(Trouble.UNDECLARED);
    LOGGER.log(
        Level.WARNING,
        String.format(
            Locale.ROOT,
            "LRD-030 %s emptied %,d results: %s. Declare %s if that is all it writes.",
            found.statement(),
            results,
            found.culprit(),
            found.declaration()));
  }

  /**
   * Reports that somebody writes, or may, whom a cache does not see.
   *
   * @param due whether this is not to be counted only
   */
  static void foreignWriters(String words, boolean due) {
    count(Trouble.FOREIGN_WRITERS);
    if (due) {
      LOGGER.log(Level.WARNING, "LRD-002 " + words);
    }
  }

  /** Reports a cache whose connections are SERIALIZABLE, each time. */
  static void serializable(QueryCache cache) {
    count(Trouble.SERIALIZABLE);
    String detail =
        cache.config().get(CacheOptions.NAME) + " of " + cache.database().identity().describe();
    LOGGER.log(Level.WARNING, text(Trouble.SERIALIZABLE, "cache " + detail));
  }

  static void started(QueryCache cache) {
    QueryCacheConfig config = cache.config();
    LOGGER.log(
        Level.INFO,
        () ->
            "Larder cache for "
                + cache.database().identity().describe()
                + ": "
                + SettingsText.words(config, cache.store().maxBytes()));
    if (config.get(CacheOptions.WRITERS) == QueryCacheConfig.Writers.UNDECLARED) {
      LOGGER.log(
          Level.INFO,
          "LRD-002 larder.writers is not declared: entries live at most "
              + QueryCacheConfig.UNDECLARED_TIME_TO_LIVE.toSeconds()
              + (config.remote().isPresent()
                  ? " s. If every write to this database goes through Larder in JVMs that share its results, set"
                      + " larder.writers=memcached."
                  : " s. If every write to this database goes through Larder in this JVM, set larder.writers=this-jvm."));
    }
  }

  /** Counts {@code trouble}; returns whether it was not reported for ten minutes, and notes it. */
  private static boolean due(Trouble trouble) {
    count(trouble);
    return QUIET.isDue(trouble, System.nanoTime());
  }

  private static void count(Trouble trouble) {
    LongAdder times = TIMES.get(trouble);
    if (times != null) {
      times.increment();
    }
  }

  private static String text(Trouble trouble, String detail) {
    return trouble.code + ' ' + trouble.cause + " (" + detail + "). Cure: " + trouble.cure + '.';
  }
}
