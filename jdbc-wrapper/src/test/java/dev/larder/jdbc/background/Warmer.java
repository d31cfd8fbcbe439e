package dev.larder.jdbc.background;

import dev.larder.engine.QueryCache;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.statement.CachingConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * Has the hot queries of a cache asked again and again in the background, as a warm start does
 * once, while this is open: what a write has made outdated is asked before the application asks.
 */
public final class Warmer implements AutoCloseable {
  private static final int QUERIES = 200;

  private final QueryCache cache;
  private final Opened.Opening<BackgroundConnection> background;
  private final Thread thread = new Thread(this::run, "proof-warmer");
  private volatile boolean over;

  private Warmer(PhysicalConnection physical) {
    this.cache = physical.cache();
    this.background = Objects.requireNonNull(physical.further().background());
  }

  /** Begins, for the cache and the user of a connection through Larder. */
  public static Warmer start(Connection connection) throws SQLException {
    Warmer warmer = new Warmer(connection.unwrap(CachingConnection.class).physical());
    warmer.thread.setDaemon(true);
    warmer.thread.start();
    return warmer;
  }

  private void run() {
    while (!over) {
      new Asking(cache, hot(), query -> {}).of(background);
    }
  }

  private List<ByteBuffer> hot() {
    try {
      return List.copyOf(WarmStart.hot(cache, QUERIES));
    } catch (IOException e) {
      throw new AssertionError(e); // Nothing is written to a file.
    }
  }

  /** Ends, once the queries of the present round are asked. */
  @Override
  public void close() {
    over = true;
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
