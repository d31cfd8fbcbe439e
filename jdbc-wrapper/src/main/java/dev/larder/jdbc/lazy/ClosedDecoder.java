package dev.larder.jdbc.lazy;

import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.store.Daemon;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection and closes it again, which then decodes rows for ever. The application waits
 * meanwhile, so this takes a few seconds at most, whatever the timeouts of its connections are.
 * Stateless.
 */
final class ClosedDecoder {
  private static final int PATIENCE_MILLIS = 2_000;

  private ClosedDecoder() {}

  /** Returns what decodes as {@code physical} does; null if no further connection does. */
  static @Nullable ReplayStatements like(PhysicalConnection physical, ReplayOptions options)
      throws SQLException {
    try (Connection decoding = connect(physical.further().own())) {
      decoding.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
      if (!Decoding.isMadeAlike(new PostgresSession(decoding), physical.session())) {
        return null;
      }
      ReplayStatements statements = new ReplayStatements(decoding);
      statements.prepareForClose(options);
      return statements;
    }
  }

  private static Connection connect(ConnectionFactory factory) throws SQLException {
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    if (!Daemon.start(new Thread(() -> open(factory, opened), "larder-lazy"))) {
      throw new SQLException("There is no thread to open a connection.", "53000");
    }
    try {
      return opened.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException refused
          ? refused
          : new SQLException("A connection cannot be opened.", "08001", e);
    } catch (TimeoutException | InterruptedException e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (opened.completeExceptionally(e)) {
        throw new SQLException("A connection takes too long to open.", "08001", e);
      }
      return opened.join();
    }
  }

  /** Closes it where nobody waits any more. */
  private static void open(ConnectionFactory factory, CompletableFuture<Connection> opened) {
    try {
      Connection connection = factory.connectUnattended();
      if (!opened.complete(connection)) {
        connection.close();
      }
    } catch (SQLException | RuntimeException | Error e) {
      opened.completeExceptionally(e);
    }
  }
}
