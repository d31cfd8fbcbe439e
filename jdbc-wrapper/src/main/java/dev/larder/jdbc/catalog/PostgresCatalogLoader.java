package dev.larder.jdbc.catalog;

import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogVersion;
import dev.larder.code.RoutineRow;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalog over a connection of Larder's own, opened when it is first needed. Every load
 * is one REPEATABLE READ transaction. Used by one thread at a time.
 */
public final class PostgresCatalogLoader implements CatalogLoader {
  /** Opens a connection to the database, straight from the driver, never from a pool. */
  @FunctionalInterface
  public interface Connector {
    /** Returns a new connection that nobody else uses. */
    Connection connect() throws SQLException;
  }

  /** How long an answer to a short question may take before the connection is given up. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** As {@link #PATIENCE}, for what may take long: the server itself gives up before. */
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(70);

  private final Connector connector;
  private final IntPredicate ownProcess;
  private final Duration patience;
  private final ControlTable control = new ControlTable();
  private @Nullable Connection connection;

  /** Creates a loader that opens nothing yet. */
  public PostgresCatalogLoader(Connector connector) {
    this(connector, process -> false);
  }

  /**
   * Creates a loader that opens nothing yet.
   *
   * @param ownProcess whether a process of the server's, by its number, serves this JVM
   */
  public PostgresCatalogLoader(Connector connector, IntPredicate ownProcess) {
    this(connector, ownProcess, PATIENCE);
  }

  PostgresCatalogLoader(Connector connector, IntPredicate ownProcess, Duration patience) {
    this.connector = connector;
    this.ownProcess = ownProcess;
    this.patience = patience;
  }

  @Override
  public CatalogVersion load() throws SQLException {
    return inTransaction(LONG_PATIENCE, PostgresCatalogLoader::read);
  }

  @Override
  public String fingerprint() throws SQLException {
    return inTransaction(LONG_PATIENCE, statement -> text(statement, CatalogQueries.FINGERPRINT));
  }

  @Override
  public DatabaseControls controls() throws SQLException {
    return inTransaction(patience, control::read);
  }

  @Override
  public @Nullable RadarSample sample(String announcement, String name, Collection<Long> tables)
      throws SQLException {
    Connection open = opened();
    try {
      waitAtMost(open, patience);
      // In a transaction the last text would be that of its end.
      open.setAutoCommit(true);
      RadarSample sample = RadarQuery.ask(open, announcement, name, tables, ownProcess);
      open.setAutoCommit(false);
      return sample;
    } catch (SQLException | RuntimeException e) {
      release();
      if (e instanceof SQLException refusal
          && refusal.getSQLState() != null
          && refusal.getSQLState().startsWith("42")) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public void release() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It is broken; there is nothing left to release.
      }
    }
  }

  /** What is done in a transaction of the connection's. */
  interface Work<T> {
    T run(Statement statement) throws SQLException;
  }

  private <T> T inTransaction(Duration atMost, Work<T> work) throws SQLException {
    Connection open = opened();
    try (Statement statement = open.createStatement()) {
      waitAtMost(open, atMost);
      T result = work.run(statement);
      open.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      release();
      throw e;
    }
  }

  /**
   * A connection that nothing comes from any more, as after a firewall has forgotten it, would
   * leave everybody with what was read last.
   */
  private static void waitAtMost(Connection connection, Duration time) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) time.toMillis());
  }

  private Connection opened() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = connector.connect();
      connection = open;
      prepare(open);
    }
    return open;
  }

  private static void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
      statement.execute("SET statement_timeout = '60s'");
    }
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setReadOnly(true);
    connection.setAutoCommit(false);
  }

  private static CatalogVersion read(Statement statement) throws SQLException {
    CatalogBuilder catalog = new CatalogBuilder();
    String fingerprint = text(statement, CatalogQueries.FINGERPRINT);
    boolean eventTriggers = Boolean.parseBoolean(text(statement, CatalogQueries.EVENT_TRIGGERS));
    boolean looseTexts = Boolean.parseBoolean(text(statement, CatalogQueries.LOOSE_TEXTS));
    String surroundings = text(statement, CatalogQueries.SURROUNDINGS);
    catalog.add(new CatalogRow.Surroundings(eventTriggers, looseTexts, surroundings));
    try (ResultSet row = statement.executeQuery(CatalogQueries.ROUTINES)) {
      while (row.next()) {
        catalog.add(routine(row));
      }
    }
    Rows rows = new Rows(statement, catalog);
    relations(rows);
    operators(rows);
    types(rows);
    triggers(rows);
    policies(rows);
    return catalog.build(fingerprint);
  }

  /** Makes something of the row at hand. */
  private interface RowMaker {
    CatalogRow of(ResultSet row) throws SQLException;
  }

  private record Rows(Statement statement, CatalogBuilder catalog) {
    void add(String query, RowMaker made) throws SQLException {
      try (ResultSet row = statement.executeQuery(query)) {
        while (row.next()) {
          catalog.add(made.of(row));
        }
      }
    }
  }

  private static void relations(Rows rows) throws SQLException {
    rows.add(
        CatalogQueries.RELATIONS,
        row ->
            new CatalogRow.Table(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                character(row, 4),
                row.getBoolean(5),
                row.getString(6)));
    rows.add(
        CatalogQueries.COLUMNS,
        row ->
            new CatalogRow.Columns(
                row.getLong(1),
                new TreeSet<>(oids(row, 2)),
                names(row, 3),
                names(row, 7),
                names(row, 4),
                names(row, 5),
                row.getString(6)));
    rows.add(CatalogQueries.PARENTS, row -> new CatalogRow.Parent(row.getLong(1), row.getLong(2)));
    rows.add(CatalogQueries.VIEWS, row -> new CatalogRow.View(row.getLong(1), row.getString(2)));
  }

  private static void operators(Rows rows) throws SQLException {
    rows.add(
        CatalogQueries.OPERATORS,
        row ->
            new CatalogRow.Operator(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7)));
    rows.add(CatalogQueries.TEXT_OPERATORS, row -> new CatalogRow.TextOperator(row.getString(1)));
    rows.add(
        CatalogQueries.OPERATOR_CLASSES,
        row -> new CatalogRow.OperatorClass(row.getLong(1), row.getLong(2), row.getLong(3)));
  }

  private static void types(Rows rows) throws SQLException {
    rows.add(
        CatalogQueries.CLOCK_TYPES,
        row -> new CatalogRow.ClockType(row.getLong(1), row.getString(2), row.getString(3)));
    rows.add(
        CatalogQueries.TYPES,
        row ->
            new CatalogRow.Type(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                character(row, 4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                oids(row, 8),
                row.getString(9)));
    rows.add(
        CatalogQueries.CASTS,
        row ->
            new CatalogRow.Cast(row.getLong(1), row.getLong(2), row.getLong(3), character(row, 4)));
    rows.add(
        CatalogQueries.DOMAIN_CHECKS,
        row -> new CatalogRow.DomainCheck(row.getLong(1), row.getString(2)));
  }

  private static void triggers(Rows rows) throws SQLException {
    rows.add(
        CatalogQueries.RULES,
        row -> new CatalogRow.Rule(row.getLong(1), character(row, 2), row.getString(3)));
    rows.add(
        CatalogQueries.TRIGGERS,
        row ->
            new CatalogRow.TableTrigger(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                row.getInt(4),
                row.getBoolean(5),
                row.getString(6)));
    rows.add(
        CatalogQueries.FOREIGN_KEYS,
        row ->
            new CatalogRow.ForeignKey(
                row.getLong(1),
                row.getLong(2),
                character(row, 3),
                character(row, 4),
                row.getBoolean(5)));
  }

  private static void policies(Rows rows) throws SQLException {
    rows.add(KeyQueries.COLUMNS, KeyQueries::column);
    rows.add(KeyQueries.INDEXES, KeyQueries::index);
    rows.add(KeyQueries.REFERENCES, KeyQueries::reference);
    rows.add(
        CatalogQueries.POLICIES,
        row ->
            new CatalogRow.Policy(
                row.getLong(1),
                character(row, 2),
                row.getString(3),
                row.getString(4),
                row.getString(5)));
    rows.add(
        CatalogQueries.EVALUATED,
        row -> new CatalogRow.Evaluated(row.getLong(1), row.getString(2)));
  }

  private static RoutineRow routine(ResultSet row) throws SQLException {
    return new RoutineRow(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        character(row, 4),
        new TreeSet<>(oids(row, 5)),
        row.getLong(6),
        row.getBoolean(7),
        row.getBoolean(8),
        character(row, 9),
        row.getString(10),
        row.getString(11),
        row.getString(12),
        oids(row, 13),
        new TreeSet<>(oids(row, 14)),
        row.getString(15),
        row.getString(16));
  }

  private static Set<String> names(ResultSet row, int column) throws SQLException {
    Array names = row.getArray(column);
    return names == null ? Set.of() : new TreeSet<>(List.of((String[]) names.getArray()));
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  private static char character(ResultSet row, int column) throws SQLException {
    return row.getString(column).charAt(0);
  }

  /** Returns the object identifiers in a text, without 0. */
  private static List<Long> oids(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    return text == null
        ? List.of()
        : Stream.of(text.split(" ", -1))
            .filter(oid -> !oid.isEmpty() && !oid.equals("0"))
            .map(Long::valueOf)
            .toList();
  }
}
