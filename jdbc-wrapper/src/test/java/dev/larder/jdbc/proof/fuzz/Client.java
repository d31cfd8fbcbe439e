package dev.larder.jdbc.proof.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * A connection that runs steps and writes down all that an application can see of each: columns,
 * rows, update counts, warnings, errors. The same code runs on either side of the comparison.
 */
final class Client implements AutoCloseable {
  private static final int MAX_RESULTS = 20;

  final Connection connection;
  private @Nullable Savepoint savepoint;

  Client(Connection connection) throws SQLException {
    this.connection = connection;
    run("SET lock_timeout = '40ms'");
    run("SET statement_timeout = '5s'");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs {@code step} and returns what could be seen. */
  List<String> run(Step step) {
    List<String> seen = new ArrayList<>();
    try {
      connection.clearWarnings();
      switch (step.way()) {
        case JDBC -> jdbc(step.sql());
        case COPY_IN -> copyIn(step, seen);
        case COPY_OUT -> copyOut(step, seen);
        case PREPARED, PREPARED_EXECUTE, PREPARED_BATCH -> prepared(step, seen);
        default -> plain(step, seen);
      }
      warnings(connection.getWarnings(), seen);
    } catch (SQLException | IOException e) {
      error(e, seen);
    }
    return seen;
  }

  private static void error(Exception failure, List<String> seen) {
    if (failure instanceof BatchUpdateException batch) {
      seen.add("counts " + Arrays.toString(batch.getUpdateCounts()));
    }
    String state = failure instanceof SQLException sql ? sql.getSQLState() : "";
    seen.add("error " + state + " " + failure.getMessage());
  }

  private void plain(Step step, List<String> seen) throws SQLException {
    int type =
        step.way() == Step.Way.SCROLLABLE
            ? ResultSet.TYPE_SCROLL_INSENSITIVE
            : ResultSet.TYPE_FORWARD_ONLY;
    try (Statement statement = connection.createStatement(type, ResultSet.CONCUR_READ_ONLY)) {
      switch (step.way()) {
        case QUERY, SCROLLABLE -> result(statement.executeQuery(step.sql()), step, seen);
        case MAX_ROWS -> {
          statement.setMaxRows(step.ordered() ? 2 : 1_000);
          result(statement.executeQuery(step.sql()), step, seen);
        }
        case UPDATE -> seen.add("count " + statement.executeUpdate(step.sql()));
        case KEYS -> {
          boolean rows = statement.execute(step.sql(), Statement.RETURN_GENERATED_KEYS);
          results(statement, rows, step, seen);
          result(statement.getGeneratedKeys(), step, seen);
        }
        case BATCH -> {
          for (String sql : step.sql().split(";;", -1)) {
            statement.addBatch(sql);
          }
          seen.add("counts " + Arrays.toString(statement.executeBatch()));
        }
        default -> results(statement, statement.execute(step.sql()), step, seen);
      }
      warnings(statement.getWarnings(), seen);
    }
  }

  private void prepared(Step step, List<String> seen) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(step.sql())) {
      int times = step.way() == Step.Way.PREPARED_BATCH ? 2 : 1;
      for (int i = 0; i < times; i++) {
        for (int k = 0; k < step.binds().size(); k++) {
          statement.setObject(k + 1, step.binds().get(k));
        }
        if (times > 1) {
          statement.addBatch();
        }
      }
      switch (step.way()) {
        case PREPARED -> result(statement.executeQuery(), step, seen);
        case PREPARED_BATCH -> seen.add("counts " + Arrays.toString(statement.executeBatch()));
        default -> results(statement, statement.execute(), step, seen);
      }
      warnings(statement.getWarnings(), seen);
    }
  }

  private static void results(Statement statement, boolean first, Step step, List<String> seen)
      throws SQLException {
    boolean rows = first;
    for (int i = 0; i < MAX_RESULTS; i++) {
      if (rows) {
        result(statement.getResultSet(), step, seen);
      } else if (statement.getUpdateCount() >= 0) {
        seen.add("count " + statement.getUpdateCount());
      } else {
        return;
      }
      rows = statement.getMoreResults();
    }
  }

  private static void result(ResultSet result, Step step, List<String> seen) throws SQLException {
    try (result) {
      ResultSetMetaData columns = result.getMetaData();
      int count = columns.getColumnCount();
      for (int i = 1; i <= count; i++) {
        seen.add(column(columns, i));
      }
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
          boolean bytes = columns.getColumnType(i) == Types.BINARY;
          row.add(bytes ? Arrays.toString(result.getBytes(i)) : result.getString(i));
        }
        rows.add("row " + row);
      }
      if (!step.ordered()) {
        Collections.sort(rows);
      }
      seen.addAll(step.sql().contains("EXPLAIN") ? List.of("a plan") : rows);
      warnings(result.getWarnings(), seen);
    }
  }

  private static String column(ResultSetMetaData columns, int i) throws SQLException {
    return "column "
        + String.join(
            " ",
            columns.getColumnLabel(i),
            columns.getColumnName(i),
            columns.getColumnTypeName(i),
            columns.getColumnClassName(i),
            String.valueOf(columns.getColumnType(i)),
            String.valueOf(columns.getPrecision(i)),
            String.valueOf(columns.getScale(i)),
            String.valueOf(columns.getColumnDisplaySize(i)));
  }

  private static void warnings(@Nullable SQLWarning first, List<String> seen) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      seen.add("warning " + warning.getSQLState() + " " + warning.getMessage());
    }
  }

  private CopyManager copies() throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private void copyIn(Step step, List<String> seen) throws SQLException, IOException {
    String rows = String.join("\n", step.binds().stream().map(Object::toString).toList()) + "\n";
    byte[] bytes = rows.getBytes(StandardCharsets.UTF_8);
    seen.add("copied " + copies().copyIn(step.sql(), new ByteArrayInputStream(bytes)));
  }

  private void copyOut(Step step, List<String> seen) throws SQLException, IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    seen.add("copied " + copies().copyOut(step.sql(), out));
    seen.add(out.toString(StandardCharsets.UTF_8));
  }

  private void jdbc(String call) throws SQLException {
    switch (call) {
      case "commit" -> connection.commit();
      case "rollback" -> connection.rollback();
      case "begin" -> connection.setAutoCommit(false);
      case "autocommit" -> connection.setAutoCommit(true);
      case "savepoint" -> savepoint = connection.setSavepoint();
      case "read only" -> connection.setReadOnly(true);
      case "read write" -> connection.setReadOnly(false);
      case "rollback to savepoint", "release savepoint" -> savepoint(call);
      default -> connection.setTransactionIsolation(call.charAt(call.length() - 1) - '0');
    }
  }

  private void savepoint(String call) throws SQLException {
    Savepoint set = savepoint;
    if (set == null) {
      return;
    }
    if (call.startsWith("rollback")) {
      connection.rollback(set);
    } else {
      connection.releaseSavepoint(set);
      savepoint = null;
    }
  }

  /** Ends the transaction, whatever its state. */
  void reset() throws SQLException {
    if (connection.getAutoCommit()) {
      run("ROLLBACK");
    } else {
      connection.rollback();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
