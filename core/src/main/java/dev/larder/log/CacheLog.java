package dev.larder.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Logs one line when a cache starts, and each kind of trouble at most once in ten minutes, with its
 * code, cause and cure. Bind values and credentials never get here. Thread-safe.
 */
public final class CacheLog {
  private static final Logger LOGGER = System.getLogger("dev.larder");
  private static final QuietPeriods<Trouble> QUIET = new QuietPeriods<>(Duration.ofMinutes(10));

  /** The kinds of trouble; those without a cause word their lines themselves. */
  @SuppressWarnings("ImmutableEnumChecker") // It counts how often there was each.
  public enum Trouble {
    DRIVER(
        "LRD-001",
        "results of this driver cannot be captured and replayed; nothing is cached",
        "use a supported version of the PostgreSQL JDBC driver (42.7.x)"),
    /** Somebody writes past Larder, or may. */
    FOREIGN_WRITERS("LRD-002", "", ""),
    CATALOG(
        "LRD-003",
        "the database catalog cannot be read; nothing is cached until it can",
        "check that Larder's own connection may be opened (connection limits, credentials), and that"
            + " its user may read pg_catalog"),
    UNKNOWN_OUTCOME(
        "LRD-004",
        "a connection was lost while it may have been committing; the tables that it wrote stay"
            + " uncached until the server has ended that session",
        "none needed; see SHOW larder.tables"),
    TRANSACTION_POOLER(
        "LRD-005",
        "a pooler sits between the driver and the server; its connections are not cached",
        "connect Larder to the server directly, or see docs/poolers.md"),
    LEFT_BEHIND(
        "LRD-047",
        "a client of the pooler has left settings, a role or temporary objects in a session of the"
            + " server that others are given next; what is read there is not kept",
        "use SET LOCAL, or make the pooler reset sessions (server_reset_query_always of PgBouncer)"),
    SETTINGS_ASKED_FOR(
        "LRD-048",
        "a connection asks the server for its settings in more than one of a hundred transactions,"
            + " since nobody can follow what a statement sets",
        "set them by SET or set_config, with a constant or a parameter and alone in the text; see"
            + " docs/tenants.md"),
    UNWRAPPED(
        "LRD-006",
        "the application unwrapped a class of the driver; nothing is cached for the database until"
            + " that connection closes",
        "use the interface org.postgresql.PGConnection, or set larder.unwrap=refuse to find the"
            + " place"),
    UNIDENTIFIED(
        "LRD-007",
        "a database does not say which one it is; its connections are not cached, and their writes"
            + " invalidate everything",
        "allow the user to execute pg_control_system() and pg_control_checkpoint(), and whatever else"
            + " the server's message names; none needed for a connection of replication"),
    DATABASE_SETTING(
        "LRD-008",
        "a setting that ALTER DATABASE has made cannot be understood; nothing is cached in that"
            + " database",
        "correct it with ALTER DATABASE … SET, or remove it with RESET"),
    CONTROL(
        "LRD-014",
        "what the table larder_control says cannot be obeyed in full, and the rest of it is obeyed",
        "correct the rows, or allow Larder's user to read the table; see docs/operations.md"),
    RADAR(
        "LRD-015",
        "the server's counts of changed rows cannot be read, so that writers that are not Larder"
            + " are not noticed; all else works as before",
        "allow Larder's user to read pg_class, pg_inherits and pg_stat_get_activity(), or set"
            + " larder.radar=off"),
    SERIALIZABLE(
        "LRD-016",
        "connections run their transactions SERIALIZABLE unless told otherwise, and in these"
            + " nothing is cached",
        "where READ COMMITTED or REPEATABLE READ is enough, make that the default"
            + " (transactionIsolation of the pool, default_transaction_isolation of the server)"),
    POOL_NEEDED(
        "LRD-017",
        "hits need a connection of the pool, although larder.lazyConnections asks for hits without;"
            + " they are answered as ever",
        "see docs/unpooled-hits.md"),
    WARMUP_READ(
        "LRD-018",
        "the queries of the last run are not asked again, or not all; the cache fills as without"
            + " them",
        "see docs/warm-start.md"),
    WARMUP_WRITE(
        "LRD-019",
        "the hot queries cannot be noted for the next start; the file is as it was before",
        "see that the folder of larder.warmup.file exists, that the application may write it, and"
            + " that it has room"),
    REFRESH(
        "LRD-020",
        "an outdated result could not be replaced in the background; a reader asks for it",
        "see docs/staleness.md"),
    FEED_LOST(
        "LRD-025",
        "the change feed was lost; without it rows may be up to larder.feed.maxLag old, as before",
        "none needed: it is tried again; if it stays lost, see SHOW larder.feed, and check"
            + " larder.feed.url if it is set"),
    FEED_WAL_LEVEL(
        "LRD-026",
        "the server does not log what a change feed needs; Larder goes on without",
        "set wal_level = logical and restart the server, or set larder.feed=off"),
    FEED_ROOM(
        "LRD-027",
        "the server has no room for a change feed; Larder goes on without, and tries again",
        "raise max_replication_slots, max_wal_senders or max_connections by one for each process"),
    FEED_ROLE(
        "LRD-028",
        "the role may not log in, or not read the log of the server; Larder goes on without a change"
            + " feed",
        "ALTER ROLE … REPLICATION, give the present password, or another role in larder.feed.url"),
    FEED_PUBLICATION(
        "LRD-029",
        "the publication of the change feed is missing; Larder goes on without",
        "create it, for the tables that are cached: dev.larder.changefeed.FeedCheck prints how"),
    FEED_SERVER(
        "LRD-031",
        "the change feed has not reached the primary of the database; Larder goes on without",
        "let larder.feed.url name the primary itself"),
    FEED_STANDBY(
        "LRD-032",
        "the server would count the change feed as a synchronous standby; Larder goes on without",
        "name the standbys in synchronous_standby_names, without *"),
    CLASS_LOADERS(
        "LRD-034",
        "applications of this JVM with a copy of Larder each cannot tell each other what they write",
        "put Larder where all of them share its classes, or leave larder.writers undeclared"),
    MXBEAN(
        "LRD-010",
        "a cache cannot be registered as an MXBean; it works without",
        "set the system property larder.jmx=false"),
    SHARED(
        "LRD-011",
        "results are not shared with other JVMs as they should be; queries are answered by the"
            + " database",
        "see that the shared cache runs and can be reached, and that Larder's own connection may be"
            + " opened"),
    WRONG_RESULT(
        "LRD-012",
        "the cache held rows that the database had not, although nobody was seen to write; the"
            + " application got those of the database, and the tables are not cached from now on",
        "find who writes past Larder, or which function or trigger is not as declared, or report"
            + " it; then RESET larder.quarantine"),
    /** A trigger or function that nothing is known of. */
    UNDECLARED("LRD-030", "", ""),
    INTERNAL(
        "LRD-009",
        "the cache failed and the statement was passed to the database",
        "report it with the stack trace");

    private final String code;
    private final String cause;
    private final String cure;
    private final LongAdder times = new LongAdder();

    Trouble(String code, String cause, String cure) {
      this.code = code;
      this.cause = cause;
      this.cure = cure;
    }
  }

  private CacheLog() {}

  /** Returns how often there was each trouble, reported or not, by its code. */
  public static Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    Arrays.asList(Trouble.values())
        .forEach(trouble -> counts.put(trouble.code, trouble.times.sum()));
    return counts;
  }

  /** Reports {@code trouble}, at most once in ten minutes. */
  public static void trouble(Trouble trouble, String detail) {
    trouble(trouble, detail, null);
  }

  /** Reports {@code trouble} with a cure that is closer than the usual one, as {@link #trouble}. */
  public static void troubleToCure(Trouble trouble, String detail, String cure) {
    trouble.times.increment();
    if (QUIET.isDue(trouble, System.nanoTime())) {
      LOGGER.log(Level.WARNING, text(trouble, detail, cure));
    }
  }

  /** Reports {@code trouble} with its exception, at most once in ten minutes. */
  public static void trouble(Trouble trouble, String detail, @Nullable Throwable thrown) {
    trouble.times.increment();
    if (QUIET.isDue(trouble, System.nanoTime())) {
      LOGGER.log(Level.WARNING, text(trouble, detail), MessageText.shown(thrown));
    }
  }

  /** Reports {@code trouble}, each time. */
  public static void always(Trouble trouble, String detail) {
    trouble.times.increment();
    if (trouble == Trouble.WRONG_RESULT) {
      LOGGER.log(Level.ERROR, text(trouble, detail));
    } else {
      LOGGER.log(Level.WARNING, text(trouble, detail));
    }
  }

  /** Counts {@code trouble}, which was reported lately. */
  public static void count(Trouble trouble) {
    trouble.times.increment();
  }

  /** Logs what is no trouble. */
  public static void info(String words) {
    LOGGER.log(Level.INFO, MessageText.of(words));
  }

  private static String text(Trouble trouble, String detail) {
    return trouble.cause.isEmpty()
        ? trouble.code + ' ' + MessageText.of(detail)
        : text(trouble, detail, trouble.cure);
  }

  private static String text(Trouble trouble, String detail, String cure) {
    return trouble.code
        + ' '
        + trouble.cause
        + " ("
        + MessageText.of(detail)
        + "). Cure: "
        + MessageText.of(cure)
        + '.';
  }
}
