package dev.larder.jdbc.proof.suite;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** A session of psql's on one of the servers: a connection, and the variables. */
class Side implements AutoCloseable {
  private static final Pattern COPY_IN =
      Pattern.compile("copy\\b.*\\bfrom\\s+stdin\\b.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
  private static final Pattern COPY_OUT =
      Pattern.compile("copy\\b.*\\bto\\s+stdout\\b.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  final SuiteServer server;
  final Map<String, String> variables = new HashMap<>();
  private @Nullable Connection connection;

  Side(SuiteServer server) {
    this.server = server;
  }

  /** Opens a session in place of the one that there is. */
  void connect(String database, String user) throws SQLException {
    disconnect();
    connection = open(database, user);
  }

  Connection open(String database, String user) throws SQLException {
    return server.connect(database, user);
  }

  final Connection connection() {
    if (connection == null) {
      throw new IllegalStateException("not connected");
    }
    return connection;
  }

  /** Runs {@code sql}; data for COPY are asked for only where the server wants them. */
  Answer run(String sql, Supplier<String> data) {
    return run(connection(), sql, data);
  }

  static Answer run(Connection connection, String sql, Supplier<String> data) {
    Answer answer = new Answer();
    try {
      connection.clearWarnings();
      if (COPY_IN.matcher(sql).matches()) {
        copyIn(copies(connection).copyIn(sql), data.get(), answer);
      } else if (COPY_OUT.matcher(sql).matches()) {
        copyOut(copies(connection).copyOut(sql), answer);
      } else {
        try (Statement statement = connection.createStatement()) {
          answer.results(statement, statement.execute(sql));
        }
      }
    } catch (SQLException e) {
      answer.error(e);
    }
    return answer;
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private static void copyIn(CopyIn copy, String data, Answer answer) throws SQLException {
    try {
      byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
      copy.writeToCopy(bytes, 0, bytes.length);
      answer.lines().add("copied " + copy.endCopy());
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private static void copyOut(CopyOut copy, Answer answer) throws SQLException {
    for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
      answer.lines().add("row " + new String(row, StandardCharsets.UTF_8));
    }
    answer.lines().add("copied " + copy.getHandledRowCount());
  }

  @Override
  public void close() throws SQLException {
    disconnect();
  }

  private void disconnect() throws SQLException {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
