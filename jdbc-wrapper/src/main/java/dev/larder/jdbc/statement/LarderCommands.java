package dev.larder.jdbc.statement;

import dev.larder.CacheOptions;
import dev.larder.Commands;
import dev.larder.OptionText;
import dev.larder.analysis.SqlAnalyzer;
import dev.larder.engine.Advice;
import dev.larder.engine.BorrowedStatus;
import dev.larder.engine.CacheStatus;
import dev.larder.engine.FeedTable;
import dev.larder.engine.FollowedSession;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.engine.StatusTable;
import dev.larder.engine.TableStatus;
import dev.larder.feed.LogPosition;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.LogEnd;
import dev.larder.lexer.QueryHints;
import dev.larder.lexer.Tokens;
import dev.larder.sql.RelationName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The switches and the status as SQL: {@code SET larder.enabled}, {@code SHOW larder.…}, {@code
 * RESET larder.…}, {@code SELECT larder.purge('…')}, and the commands of pgpool-II's and MySQL's
 * query caches. They are answered here and never sent.
 */
final class LarderCommands {
  private static final String FIX =
      " Known are SHOW larder.cache, SHOW larder.tables, SHOW larder.queries, SHOW larder.bypasses,"
          + " SHOW larder.quarantine, SHOW larder.advice, SHOW larder.feed, SHOW larder.enabled,"
          + " RESET larder.cache, RESET larder.statistics, RESET larder.quarantine, RESET"
          + " larder.enabled, SET larder.enabled = on | off, SET larder.staleness = '2s', SHOW and"
          + " RESET larder.staleness, SHOW larder.position, SET larder.position = '…', RESET"
          + " larder.position and SELECT larder.purge('table').";

  private static final String POSITION = "larder.position";

  /** Settings of the session. */
  private static final Set<String> OF_SESSIONS =
      Set.of("larder.enabled", "larder.staleness", POSITION);

  /** What shows texts of other roles. */
  private static final Set<String> OF_OTHERS = Set.of("larder.advice", "larder.quarantine");

  private static final List<String> VERBS = List.of("show", "reset", "flush", "select");

  /** How long a purge waits for the catalog. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final PhysicalConnection physical;
  private final CachingConnection connection;

  LarderCommands(CachingConnection connection) {
    this.connection = connection;
    this.physical = connection.physical();
  }

  /**
   * Carries out the only statement of {@code plan}; returns its answer, or null where it has none.
   */
  @Nullable ResultSet answer(Plan plan, CachingStatement statement) throws SQLException {
    SessionCommand command = command(plan);
    check(verb(plan), command.name());
    switch (verb(plan)) {
      case "show" -> {
        return rows(table(command), statement);
      }
      case "select" -> {
        return rows(of("purge", purge(plan, statement)), statement);
      }
      case "reset" -> reset(command.name());
      // Nothing is ever fragmented; what is left to tidy up are the dead.
      case "flush" -> physical.cache().purges().superseded();
      default -> set(command);
    }
    return null;
  }

  /** Returns the columns of the answer of {@code plan}, or null; carries nothing out. */
  @Nullable ResultSetMetaData describe(Plan plan, CachingStatement statement) throws SQLException {
    SessionCommand command = command(plan);
    return switch (verb(plan)) {
      case "show" -> rows(table(command), statement).getMetaData();
      case "select" -> rows(of("purge", ""), statement).getMetaData();
      default -> null;
    };
  }

  /** Returns what the configuration says, or else the rights of the session's user. */
  private Commands allowed() {
    String rights = physical.session().rights();
    Commands byRights =
        rights.isEmpty() ? Commands.OWN : Commands.valueOf(rights.toUpperCase(Locale.ROOT));
    return physical.cache().config().find(CacheOptions.COMMANDS).orElse(byRights);
  }

  /** Refuses what the session may not do: its own settings it may see and change. */
  private void check(String verb, String name) throws SQLException {
    Commands allowed = allowed();
    boolean shows = verb.equals("show");
    boolean permitted =
        switch (allowed) {
          case ALL -> true;
          case STATUS -> shows || OF_SESSIONS.contains(name);
          case OWN -> shows ? !OF_OTHERS.contains(name) : OF_SESSIONS.contains(name);
          case NONE -> false;
        };
    if (!permitted) {
      throw new SQLException(
          "The user may not give this command: larder.commands is %s here. Set larder.commands=%s"
                  .formatted(OptionText.of(allowed), shows ? "status" : "all")
              + ", or let a superuser or the owner of the database give it.",
          "42501");
    }
  }

  private StatusTable queries() throws SQLException {
    if (allowed() != Commands.OWN) {
      return CacheStatus.queries(physical.cache());
    }
    SessionFingerprint session = physical.settings();
    return CacheStatus.queriesOf(physical.cache(), session == null ? "" : session.currentUser());
  }

  private static SessionCommand command(Plan plan) throws SQLException {
    StatementFacts facts = plan.only();
    SessionCommand command = facts == null ? null : facts.command();
    if (command == null) {
      throw new SQLException("This statement for Larder is not known." + FIX, "42601");
    }
    return command;
  }

  private static String verb(Plan plan) {
    String text = Tokens.fold(plan.shape().shape().text());
    return VERBS.stream().filter(text::startsWith).findFirst().orElse("set");
  }

  private ResultSet rows(StatusTable table, CachingStatement statement) throws SQLException {
    return connection.replay().fromText(table, statement.replayOptions());
  }

  private StatusTable table(SessionCommand command) throws SQLException {
    QueryCache cache = physical.cache();
    return switch (command.name()) {
      case "larder.cache" -> CacheStatus.cache(cache);
      case "larder.tables" -> TableStatus.tables(cache);
      case "larder.queries" -> queries();
      case "larder.bypasses" -> CacheStatus.bypassTimes(cache);
      case "larder.advice" -> Advice.of(cache);
      case "larder.quarantine" -> CacheStatus.quarantine(cache);
      case "larder.feed" -> FeedTable.of(cache);
      case "larder.enabled" ->
          of(command.name(), physical.state().enabled() && cache.enabled() ? "on" : "off");
      case "larder.staleness" -> of(command.name(), staleness());
      case POSITION -> of(command.name(), position());
      case "pool_cache" -> BorrowedStatus.poolCache(cache);
      case "status" -> BorrowedStatus.qcache(cache, command.value() == null ? "" : command.value());
      default -> throw unknown("SHOW", command.name());
    };
  }

  /** Returns a row of one text. */
  static StatusTable of(String name, @Nullable String value) {
    return new StatusTable(
        List.of(new StatusTable.Column(name, StatusTable.Type.TEXT)),
        List.of(Collections.singletonList(value)));
  }

  /** Has the results that read a table read again; returns its qualified name. */
  private String purge(Plan plan, CachingStatement statement) throws SQLException {
    String text = plan.parameterCount() == 0 ? plan.onlyText() : statement.onlyText();
    RelationName name = text == null ? null : SqlAnalyzer.relation(text);
    if (name == null) {
      throw new SQLException(
          "larder.purge takes the name of one table as a string: orders, shop.orders, or with the"
              + " double quotes that SQL needs.",
          "42602");
    }
    boolean loaded = physical.cache().database().catalog().awaitLoaded(PATIENCE);
    SessionFingerprint session = physical.settings();
    if (session == null || !loaded) {
      throw new SQLException(
          "What " + name + " means cannot be found out just now. Try again, or RESET larder.cache.",
          "55000");
    }
    String table = physical.cache().purges().table(name, session.searchPath());
    if (table == null) {
      throw new SQLException(
          "larder.purge: there is no table "
              + name
              + "; a view is purged by its tables, see SHOW larder.tables.",
          "42P01");
    }
    return table;
  }

  private void reset(String name) throws SQLException {
    switch (name) {
      case "larder.cache", "query cache" -> {
        physical.cache().database().remote().invalidate(WriteSet.UNKNOWN);
        QueryCaches.namesakes(physical.cache()).forEach(QueryCache::clear);
      }
      case "larder.quarantine" -> physical.cache().database().quarantine().release();
      case "larder.statistics" -> physical.cache().resetStatistics();
      case "larder.enabled" -> physical.state().enabled(true);
      case "larder.staleness" -> physical.reads().staleness(null);
      case POSITION -> position(null);
      default -> throw unknown("RESET", name);
    }
  }

  private void set(SessionCommand command) throws SQLException {
    if (command.name().equals("larder.staleness")) {
      staleness(inQuotes(command));
      return;
    }
    if (command.name().equals(POSITION)) {
      position(inQuotes(command));
      return;
    }
    if (!command.name().equals("larder.enabled")) {
      throw unknown("SET", command.name());
    }
    String value = command.value() == null ? "on" : Tokens.fold(command.value());
    switch (value) {
      case "on", "true", "1", "yes" -> physical.state().enabled(true);
      case "off", "false", "0", "no" -> physical.state().enabled(false);
      default ->
          throw new SQLException(
              "larder.enabled is '" + command.value() + "'; it must be on or off.", "22023");
    }
  }

  private static String inQuotes(SessionCommand command) throws SQLException {
    String value = command.value();
    if (value == null) {
      throw new SQLException(
          "SET " + command.name() + " takes one text in single quotes, or use RESET.", "22023");
    }
    return value;
  }

  private String staleness() {
    Duration declared = physical.reads().staleness();
    return declared == null ? "0" : declared.toMillis() + "ms";
  }

  private void staleness(String value) throws SQLException {
    Duration declared = QueryHints.duration(value);
    if (declared == null && !value.equals("0")) {
      throw new SQLException(
          "larder.staleness is '" + value + "'; it must be a time such as 2s or 500ms, or 0.",
          "22023");
    }
    if (declared != null) {
      physical.cache().mayBeOutdated();
      physical.reads().begin();
    }
    physical.reads().staleness(declared);
  }

  /** Returns where the log of the server ends now. */
  private String position() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LogEnd.QUESTION)) {
      return physical.cache().database().identity().systemIdentifier() + ':' + LogEnd.read(row);
    }
  }

  private void position(@Nullable String value) throws SQLException {
    FollowedSession followed = physical.followed();
    if (followed == null) {
      return; // Without a feed a session sees what it must, or results live a few seconds.
    }
    try {
      followed.position(value == null ? null : LogPosition.parse(value));
    } catch (IllegalArgumentException e) {
      throw new SQLException(
          "larder.position is '" + value + "'; it must be what SHOW larder.position has returned.",
          "22023",
          e);
    }
  }

  private static SQLException unknown(String verb, String name) {
    return new SQLException(verb + ' ' + name + " is not known." + FIX, "42704");
  }
}
