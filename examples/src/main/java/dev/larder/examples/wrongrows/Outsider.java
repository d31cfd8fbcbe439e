package dev.larder.examples.wrongrows;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A session that nobody knows of, and that changes rows past all caches: psql where it is on the
 * PATH, otherwise the PostgreSQL driver alone. For one thread.
 */
abstract class Outsider implements AutoCloseable {
  /** A fifth of the products at a time. */
  private static final int PARTS = 5;

  private final Board board;
  private int part;

  private Outsider(Board board) {
    this.board = board;
  }

  /** Opens a session on the server on the loopback's {@code port}. */
  static Outsider open(Board board, int port, String url) throws IOException, SQLException {
    return hasPsql() ? new Psql(board, port) : new PlainJdbc(board, url);
  }

  private static boolean hasPsql() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (new File(directory, "psql").canExecute()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the statement that changes a part of {@code table}. */
  static String statement(String table, String part) {
    return "UPDATE "
        + table
        + " SET version = version + 1 WHERE id % "
        + PARTS
        + " = "
        + part
        + " RETURNING id, version";
  }

  /** Returns what it is called. */
  abstract String name();

  /** Runs a statement, and returns its rows of two numbers once it has been committed. */
  abstract List<long[]> run(String sql) throws IOException, SQLException;

  /** Changes some products of each side. */
  void change() throws IOException, SQLException {
    part = (part + 1) % PARTS;
    for (Side side : Side.values()) {
      for (long[] row : run(statement(side.table(), Integer.toString(part)))) {
        board.acknowledge(side, (int) row[0], row[1]);
      }
    }
  }

  @Override
  public abstract void close() throws IOException, SQLException;

  /** A real one, which reads its statements from a pipe. */
  private static final class Psql extends Outsider {
    private static final int LONGEST_END_SECONDS = 20;
    private static final String DONE = "done";

    private final Process process;
    private final BufferedReader answers;

    Psql(Board board, int port) throws IOException {
      super(board);
      List<String> command = new ArrayList<>(List.of("psql", "-X", "-q", "-A", "-t"));
      command.addAll(List.of("-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1"));
      command.addAll(List.of("-p", Integer.toString(port), "-U", "postgres", "postgres"));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    @Override
    String name() {
      return "psql";
    }

    @Override
    List<long[]> run(String sql) throws IOException {
      String text = sql + ";\n\\echo " + DONE + "\n";
      process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      List<long[]> rows = new ArrayList<>();
      for (String line = answers.readLine(); !DONE.equals(line); line = answers.readLine()) {
        if (line == null) {
          throw new IOException("psql has ended");
        }
        String[] values = line.split("\\|", -1);
        rows.add(new long[] {Long.parseLong(values[0]), Long.parseLong(values[1])});
      }
      return rows;
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      try {
        if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The driver, without Larder. */
  private static final class PlainJdbc extends Outsider {
    private final Connection connection;

    PlainJdbc(Board board, String url) throws SQLException {
      super(board);
      connection = DriverManager.getConnection(url);
    }

    @Override
    String name() {
      return "plain JDBC (there is no psql on the PATH)";
    }

    @Override
    List<long[]> run(String sql) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        List<long[]> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(new long[] {row.getLong(1), row.getLong(2)});
        }
        return rows;
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
