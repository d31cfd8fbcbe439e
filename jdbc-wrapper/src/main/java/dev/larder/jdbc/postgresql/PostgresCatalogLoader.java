package dev.larder.jdbc.postgresql;

import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogLoader;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.DatabaseControls;
import dev.larder.catalog.RadarSample;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
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
    catalog.content("surroundings", text(statement, CatalogQueries.SURROUNDINGS));
    rows(statement, CatalogQueries.RELATIONS, row -> relation(catalog, row));
    rows(statement, CatalogQueries.COLUMNS, row -> columns(catalog, row));
    rows(statement, CatalogQueries.PARENTS, row -> catalog.parent(row.getLong(1), row.getLong(2)));
    rows(statement, CatalogQueries.ROUTINES, row -> routine(catalog, row));
    types(statement, catalog);
    rows(
        statement,
        CatalogQueries.VIEWS,
        row -> catalog.definition(row.getLong(1), row.getString(2)));
    writes(statement, catalog);
    return catalog.build(fingerprint);
  }

  private static void types(Statement statement, CatalogBuilder catalog) throws SQLException {
    if (Boolean.parseBoolean(text(statement, CatalogQueries.LOOSE_TEXTS))) {
      catalog.looseTexts();
    }
    rows(
        statement,
        CatalogQueries.OPERATORS,
        row ->
            catalog.operator(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7)));
    rows(statement, CatalogQueries.TEXT_OPERATORS, row -> catalog.textOperator(row.getString(1)));
    rows(
        statement,
        CatalogQueries.CLOCK_TYPES,
        row -> catalog.clockType(row.getLong(1), row.getString(2), row.getString(3)));
    rows(
        statement,
        CatalogQueries.TYPES,
        row ->
            catalog.type(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                character(row, 4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                oids(row, 8).stream().filter(oid -> oid != 0).toList(),
                row.getString(9)));
    rows(
        statement,
        CatalogQueries.OPERATOR_CLASSES,
        row -> catalog.operatorClass(row.getLong(1), types(row.getLong(2), row.getLong(3))));
    rows(
        statement,
        CatalogQueries.CASTS,
        row -> catalog.cast(row.getLong(1), row.getLong(2), row.getLong(3), character(row, 4)));
    rows(
        statement,
        CatalogQueries.DOMAIN_CHECKS,
        row -> catalog.domainCheck(row.getLong(1), row.getString(2)));
  }

  private static Set<Long> types(long one, long other) {
    return one == other ? Set.of(one) : Set.of(one, other);
  }

  private static void writes(Statement statement, CatalogBuilder catalog) throws SQLException {
    if (Boolean.parseBoolean(text(statement, CatalogQueries.EVENT_TRIGGERS))) {
      catalog.eventTriggers();
    }
    rows(
        statement,
        CatalogQueries.RULES,
        row -> catalog.rule(row.getLong(1), character(row, 2), row.getLong(3)));
    rows(
        statement,
        CatalogQueries.TRIGGERS,
        row ->
            catalog.trigger(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                row.getInt(4),
                row.getBoolean(5),
                row.getString(6)));
    rows(
        statement,
        CatalogQueries.FOREIGN_KEYS,
        row ->
            catalog.foreignKey(
                row.getLong(1),
                row.getLong(2),
                character(row, 3),
                character(row, 4),
                row.getBoolean(5)));
    rows(
        statement,
        CatalogQueries.POLICIES,
        row ->
            catalog.policy(
                row.getLong(1),
                character(row, 2),
                row.getString(3),
                row.getString(4),
                row.getString(5)));
    rows(
        statement,
        CatalogQueries.EVALUATED,
        row -> catalog.evaluated(row.getLong(1), row.getString(2)));
  }

  private static void columns(CatalogBuilder catalog, ResultSet row) throws SQLException {
    catalog.columns(
        row.getLong(1),
        Set.copyOf(oids(row, 2)),
        names(row, 3),
        names(row, 4),
        names(row, 5),
        row.getString(6));
    catalog.localTimes(row.getLong(1), names(row, 7));
  }

  private static Set<String> names(ResultSet row, int column) throws SQLException {
    Array names = row.getArray(column);
    return names == null ? Set.of() : Set.of((String[]) names.getArray());
  }

  private static void relation(CatalogBuilder catalog, ResultSet row) throws SQLException {
    long oid = row.getLong(1);
    catalog.relation(oid, row.getString(2), row.getString(3), character(row, 4), row.getBoolean(5));
    catalog.content("rights", oid + " " + row.getString(6));
  }

  private static void routine(CatalogBuilder catalog, ResultSet row) throws SQLException {
    catalog.routine(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        character(row, 4),
        Set.copyOf(oids(row, 5)),
        row.getLong(6),
        row.getBoolean(7),
        row.getBoolean(8),
        character(row, 9),
        row.getString(10),
        row.getString(11),
        row.getString(12),
        oids(row, 13).stream().filter(oid -> oid != 0).toList(),
        Set.copyOf(oids(row, 14)),
        row.getString(15),
        row.getString(16));
  }

  private interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  private static void rows(Statement statement, String query, RowConsumer consumer)
      throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        consumer.accept(row);
      }
    }
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

  private static List<Long> oids(ResultSet row, int column) throws SQLException {
    List<Long> oids = new ArrayList<>();
    String text = row.getString(column);
    if (text != null) {
      for (String oid : text.split(" ", -1)) {
        if (!oid.isEmpty()) {
          oids.add(Long.parseLong(oid));
        }
      }
    }
    return oids;
  }
}
