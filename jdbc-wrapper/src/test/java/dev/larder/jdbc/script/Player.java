package dev.larder.jdbc.script;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.postgresql.jdbc.PgConnection;

/**
 * One session of a scenario: runs steps, and says what an application sees of them. Confined to a
 * thread.
 */
final class Player implements AutoCloseable {
  /** What is seen where other JVMs cannot be told of what a text may commit: docs/codes.md. */
  static final String REFUSED = "refused by Larder";

  private final Connection connection;
  private final boolean larder;
  private final boolean withStatus;
  private final Map<String, Savepoint> savepoints = new HashMap<>();

  /**
   * Creates one.
   *
   * @param withStatus whether the state of the transaction is shown: to ask for it takes a
   *     connection of the server
   */
  Player(Connection connection, boolean larder, boolean withStatus) {
    this.connection = connection;
    this.larder = larder;
    this.withStatus = withStatus;
  }

  /** Runs a step; returns what is seen: results or an SQLState, and the transaction's state. */
  String run(Step step) throws SQLException {
    String outcome;
    try {
      outcome =
          switch (step.kind()) {
            case RUN -> execute(step.text());
            case READ, HIT -> read(step.text());
            case CALL -> call(step.text());
          };
    } catch (BatchUpdateException e) {
      outcome = e.getSQLState() + ' ' + Arrays.toString(e.getUpdateCounts());
    } catch (SQLException e) {
      boolean refused = String.valueOf(e.getMessage()).startsWith("LRD-043");
      outcome = refused ? REFUSED : String.valueOf(e.getSQLState());
    }
    return withStatus ? outcome + " " + status() : outcome;
  }

  /** Returns the state of the transaction: after a hit the server may know of none. */
  private String status() throws SQLException {
    if (connection.isClosed()) {
      return "CLOSED";
    }
    if (!larder) {
      return connection.unwrap(PgConnection.class).getTransactionState().name();
    }
    PhysicalConnection physical = connection.unwrap(CachingConnection.class).physical();
    return physical.transaction().begunByHitAlone()
        ? TransactionStatus.OPEN.name()
        : physical.session().status().name();
  }

  /** Returns how many hits the cache has had. */
  long hits() throws SQLException {
    return larder && !connection.isClosed() ? LarderProbe.hits(connection) : 0;
  }

  private String execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return results(statement, statement.execute(sql));
    }
  }

  private static String results(Statement statement, boolean rows) throws SQLException {
    List<String> results = new ArrayList<>();
    boolean more = rows;
    while (more || statement.getUpdateCount() >= 0) {
      if (more) {
        try (ResultSet result = statement.getResultSet()) {
          results.add(LarderProbe.rows(result).toString());
        }
      } else {
        results.add(Integer.toString(statement.getUpdateCount()));
      }
      more = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    }
    return String.join(" ", results);
  }

  private String read(String sql) throws SQLException {
    String first = LarderProbe.rows(connection, sql).toString();
    return first + ' ' + LarderProbe.rows(connection, sql);
  }

  private String call(String words) throws SQLException {
    int space = words.indexOf(' ');
    String method = space < 0 ? words : words.substring(0, space);
    String rest = space < 0 ? "" : words.substring(space + 1).trim();
    switch (method) {
      case "autocommit" -> connection.setAutoCommit(rest.equals("on"));
      case "commit" -> connection.commit();
      case "rollback" -> connection.rollback();
      case "isolation" -> connection.setTransactionIsolation(Integer.parseInt(rest));
      case "readonly" -> connection.setReadOnly(rest.equals("on"));
      case "schema" -> connection.setSchema(rest);
      case "savepoint" -> savepoints.put(rest, connection.setSavepoint());
      case "named" -> savepoints.put(rest, connection.setSavepoint(rest));
      case "rollbackto" -> connection.rollback(savepoint(rest));
      case "release" -> connection.releaseSavepoint(savepoint(rest));
      default -> {
        return statement(method, rest);
      }
    }
    return "done";
  }

  private Savepoint savepoint(String name) {
    Savepoint savepoint = savepoints.get(name);
    if (savepoint == null) {
      throw new IllegalArgumentException("no savepoint " + name);
    }
    return savepoint;
  }

  private String statement(String method, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return switch (method) {
        case "level" -> Integer.toString(connection.getTransactionIsolation());
        case "warnings" -> warnings();
        case "query" -> LarderProbe.rows(statement.executeQuery(sql)).toString();
        case "update" -> Integer.toString(statement.executeUpdate(sql));
        case "prepared" -> prepared(sql);
        case "batch" -> batch(statement, sql);
        default -> throw new IllegalArgumentException("no call: " + method);
      };
    }
  }

  private String warnings() throws SQLException {
    List<String> warnings = new ArrayList<>();
    SQLWarning warning = connection.getWarnings();
    for (; warning != null; warning = warning.getNextWarning()) {
      warnings.add(warning.getSQLState() + ' ' + warning.getMessage());
    }
    return warnings.toString();
  }

  private String prepared(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return results(statement, statement.execute());
    }
  }

  private static String batch(Statement statement, String texts) throws SQLException {
    for (String sql : texts.split(";;", -1)) {
      statement.addBatch(sql.trim());
    }
    return Arrays.toString(statement.executeBatch()).toLowerCase(Locale.ROOT);
  }

  /** Ends the transaction, as a pool does; what the session has set stays. */
  void giveBack() throws SQLException {
    if (!connection.isClosed()) {
      connection.setAutoCommit(false);
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
