package dev.larder.jdbc.catalog;

import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogStamps;
import dev.larder.catalog.CatalogVersion;
import dev.larder.code.RoutineRow;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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

    /** Returns whether the connection keeps what is set in its session, and to itself. */
    default boolean keepsSettings() {
      return true;
    }

    /** Sets and checks, in a transaction that has just begun, what its session does not keep. */
    default void begun(Statement statement) throws SQLException {}
  }

  /** How long an answer to a short question may take before the connection is given up. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** As {@link #PATIENCE}, for what may take long: the server itself gives up before. */
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(70);

  /** After a minute of comparisons the fingerprint is read in any case. */
  private static final int MOST_UNREAD = 12;

  private static final Map<Class<? extends CatalogRow>, String> ROWS =
      Map.ofEntries(
          Map.entry(CatalogRow.Surroundings.class, CatalogFingerprint.SURROUNDINGS),
          Map.entry(CatalogRow.Module.class, CatalogQueries.MODULES),
          Map.entry(CatalogRow.Schema.class, CatalogQueries.SCHEMAS),
          Map.entry(CatalogRow.Table.class, CatalogQueries.RELATIONS),
          Map.entry(CatalogRow.Columns.class, CatalogQueries.COLUMNS),
          Map.entry(CatalogRow.Parent.class, CatalogQueries.PARENTS),
          Map.entry(CatalogRow.View.class, CatalogQueries.VIEWS),
          Map.entry(CatalogRow.Operator.class, CatalogQueries.OPERATORS),
          Map.entry(CatalogRow.TextOperator.class, CatalogQueries.TEXT_OPERATORS),
          Map.entry(CatalogRow.OperatorClass.class, CatalogQueries.OPERATOR_CLASSES),
          Map.entry(CatalogRow.ClockType.class, CatalogQueries.CLOCK_TYPES),
          Map.entry(CatalogRow.Type.class, CatalogQueries.TYPES),
          Map.entry(CatalogRow.Cast.class, CatalogQueries.CASTS),
          Map.entry(CatalogRow.DomainCheck.class, CatalogQueries.DOMAIN_CHECKS),
          Map.entry(CatalogRow.Rule.class, CatalogQueries.RULES),
          Map.entry(CatalogRow.TableTrigger.class, CatalogQueries.TRIGGERS),
          Map.entry(CatalogRow.ForeignKey.class, CatalogQueries.FOREIGN_KEYS),
          Map.entry(CatalogRow.Policy.class, CatalogQueries.POLICIES),
          Map.entry(CatalogRow.Evaluated.class, CatalogQueries.EVALUATED),
          Map.entry(CatalogRow.Column.class, KeyQueries.COLUMNS),
          Map.entry(CatalogRow.Index.class, KeyQueries.INDEXES),
          Map.entry(CatalogRow.Reference.class, KeyQueries.REFERENCES));

  private final Connector connector;
  private final IntPredicate ownProcess;
  private final Duration patience;
  private final ControlTable control = new ControlTable();
  private @Nullable Connection connection;
  private @Nullable String fingerprint;
  private CatalogFingerprint.@Nullable Texts texts;

  /** What the {@link #fingerprint} was read under, and how often that was enough since. */
  private String marker = "";

  private int unread;

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
    return inTransaction(LONG_PATIENCE, this::read);
  }

  @Override
  public String fingerprint() throws SQLException {
    return inTransaction(LONG_PATIENCE, this::fingerprint);
  }

  /** Where nothing has been committed since the last one, that still holds. */
  private String fingerprint(Statement statement) throws SQLException {
    String now = text(statement, texts(statement).marker());
    String known = fingerprint;
    if (known != null && now.equals(marker) && unread < MOST_UNREAD) {
      unread++;
      return known;
    }
    String read = text(statement, texts(statement).fingerprint());
    marker = now;
    fingerprint = read;
    unread = 0;
    return read;
  }

  @Override
  public CatalogStamps stamps() throws SQLException {
    return inTransaction(LONG_PATIENCE, this::stamps);
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
    fingerprint = null;
    texts = null;
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
      connector.begun(statement);
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

  /** Has a connection given up where the answer to a short question does not come. */
  public static void waitBriefly(Connection connection) throws SQLException {
    waitAtMost(connection, PATIENCE);
  }

  private Connection opened() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = connector.connect();
      connection = open;
      if (connector.keepsSettings()) {
        prepare(open);
      }
      open.setAutoCommit(false);
    }
    return open;
  }

  private static void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
      statement.execute("SET statement_timeout = '60s'");
      statement.execute("SET jit = off"); // It takes longer than it saves.
    }
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setReadOnly(true);
  }

  private CatalogVersion read(Statement statement) throws SQLException {
    CatalogBuilder catalog = new CatalogBuilder();
    CatalogStamps stamps = stamps(statement);
    RowRecords.read(statement, CatalogQueries.ROUTINES, RoutineRow.class, catalog::add);
    for (Map.Entry<Class<? extends CatalogRow>, String> rows : ROWS.entrySet()) {
      RowRecords.read(statement, rows.getValue(), rows.getKey(), catalog::add);
    }
    return catalog.build(stamps);
  }

  private CatalogStamps stamps(Statement statement) throws SQLException {
    String fingerprint = text(statement, texts(statement).fingerprint());
    Map<Long, CatalogStamps.Stamp> relations = new HashMap<>();
    try (ResultSet row = statement.executeQuery(CatalogFingerprint.STAMPS)) {
      while (row.next()) {
        relations.put(row.getLong(1), new CatalogStamps.Stamp(row.getLong(2), row.getLong(3)));
      }
    }
    try (ResultSet row = statement.executeQuery(texts(statement).general())) {
      row.next();
      return new CatalogStamps(fingerprint, row.getString(1), row.getString(2), relations);
    }
  }

  /** Returns the queries that the role may ask; found out once a connection. */
  private CatalogFingerprint.Texts texts(Statement statement) throws SQLException {
    CatalogFingerprint.Texts known = texts;
    if (known == null) {
      boolean counts = text(statement, CatalogFingerprint.MAY_COUNT).equals("true");
      known = counts ? CatalogFingerprint.COUNTED : CatalogFingerprint.UNCOUNTED;
      texts = known;
    }
    return known;
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }
}
