package dev.larder.examples.badminutes;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * All processes of a server, stopped by SIGSTOP until it is closed: it answers nothing and closes
 * no connection, as a machine that hangs or a network that is cut. Needs a system with {@code
 * kill}.
 */
final class StoppedServer implements AutoCloseable {
  private final List<String> processes;
  private final Thread atExit = new Thread(this::goOn);

  private StoppedServer(List<String> processes) {
    this.processes = processes;
  }

  /** Stops the server behind the PostgreSQL driver's {@code url}. */
  static StoppedServer stop(String url) throws IOException, SQLException {
    long postmaster = postmaster(url);
    StoppedServer server = new StoppedServer(new ArrayList<>());
    server.processes.add(Long.toString(postmaster));
    Runtime.getRuntime().addShutdownHook(server.atExit);
    // First the one that starts the others.
    signal("-STOP", server.processes);
    ProcessHandle.of(postmaster).stream()
        .flatMap(ProcessHandle::descendants)
        .forEach(process -> server.processes.add(Long.toString(process.pid())));
    signal("-STOP", server.processes);
    return server;
  }

  private static long postmaster(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void signal(String name, List<String> processes) throws IOException {
    List<String> command = new ArrayList<>(List.of("kill", name));
    command.addAll(processes);
    // One of them may have ended meanwhile, which is no failure.
    new ProcessBuilder(command).redirectErrorStream(true).start().onExit().join();
  }

  private void goOn() {
    try {
      signal("-CONT", processes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    goOn();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
