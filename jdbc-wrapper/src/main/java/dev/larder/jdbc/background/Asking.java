package dev.larder.jdbc.background;

import dev.larder.WarmupOptions;
import dev.larder.engine.CacheCount;
import dev.larder.engine.QueryCache;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.gate.GatedPgStatement;
import dev.larder.log.CacheLog;
import dev.larder.log.CacheLog.Trouble;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the queries of one user, each as an ordinary statement on a connection of Larder's own:
 * what it may read, and whether it is kept, is decided as ever. No faster than is configured, and
 * no more than half of the time, so that a slow database is left to the application. Confined to
 * one thread.
 */
final class Asking {
  private static final Duration CATALOG = Duration.ofSeconds(30);

  /** So many failures in a row are no accident. */
  private static final int MOST_FAILURES = 5;

  /** The driver's word for binary values from the first execution on. */
  private static final int ALWAYS_BINARY = -1;

  private static final int NEVER_BINARY = 0;

  private static final long NANOS = 1_000_000_000;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final QueryCache cache;
  private final List<ByteBuffer> queries;
  private final Consumer<ByteBuffer> afterEach;
  private final long pauseNanos;
  private int asked;
  private int refused;
  private int failed;
  private int others;
  private int failuresInARow;

  /**
   * Creates it for one {@link #of}.
   *
   * @param afterEach is told of each that was asked
   */
  Asking(QueryCache cache, List<ByteBuffer> queries, Consumer<ByteBuffer> afterEach) {
    this.cache = cache;
    this.queries = queries;
    this.afterEach = afterEach;
    this.pauseNanos = NANOS / cache.config().get(WarmupOptions.QUERIES_PER_SECOND);
  }

  /** Asks for those of the queries that this user has asked, with the settings of a new session. */
  void of(Opened.Opening<BackgroundConnection> user) {
    if (queries.isEmpty() || !cache.enabled()) {
      return;
    }
    long began = System.nanoTime();
    try (BackgroundConnection background = user.open()) {
      SessionFingerprint session =
          cache.database().catalog().awaitLoaded(CATALOG) ? background.physical().settings() : null;
      if (session == null) {
        gaveUp("the settings of a new session are not known");
      } else if (askAll(background, HotQuery.of(session))) {
        CacheLog.info(words((System.nanoTime() - began) / NANOS_A_MILLI));
      }
    } catch (SQLException e) {
      gaveUp("SQLState " + e.getSQLState());
    }
  }

  private String words(long millis) {
    return ("Larder has asked again for %d queries of its last run, in %d ms; %d more are not"
            + " cached any more, the server has refused %d, and %d are of other users or of"
            + " sessions with other settings.")
        .formatted(asked, millis, refused, failed, others);
  }

  private static void gaveUp(String why) {
    CacheLog.always(Trouble.WARMUP_READ, why);
  }

  /**
   * Returns the queries in the order in which a connection would ask them: once it has received
   * binary values for a text, it receives no others.
   */
  private List<ByteBuffer> textFirst() {
    return queries.stream()
        .sorted(Comparator.comparing(written -> HotQuery.read(written).binary()))
        .toList();
  }

  /** Returns whether all were asked. */
  private boolean askAll(BackgroundConnection background, ByteBuffer session) {
    long next = System.nanoTime();
    for (ByteBuffer written : textFirst()) {
      HotQuery query = HotQuery.read(written);
      if (!query.session().equals(session)) {
        others++;
        continue;
      }
      LockSupport.parkNanos(next - System.nanoTime());
      if (!background.isWanted()) {
        return false;
      }
      long began = System.nanoTime();
      String failure = ask(background, query);
      long end = System.nanoTime();
      next = Math.max(began + pauseNanos, end + (end - began));
      afterEach.accept(written);
      if (failuresInARow >= MOST_FAILURES) {
        gaveUp(MOST_FAILURES + " queries in a row have failed, the last with SQLState " + failure);
        return false;
      }
    }
    return true;
  }

  /** Asks for one, and returns the SQLState of its failure, or null. */
  private @Nullable String ask(BackgroundConnection background, HotQuery query) {
    try {
      if (send(background, query)) {
        cache.count(CacheCount.WARMUP_ASKED);
        asked++;
      } else {
        cache.count(CacheCount.WARMUP_SKIPPED);
        refused++;
      }
      failuresInARow = 0;
      return null;
    } catch (SQLException e) {
      if (BackgroundConnection.REFUSED.equals(e.getSQLState())) {
        cache.count(CacheCount.WARMUP_SKIPPED);
        refused++;
        return null;
      }
      cache.count(CacheCount.WARMUP_FAILED);
      failed++;
      failuresInARow++;
      return e.getSQLState();
    }
  }

  /** Returns whether it is a query, and could be asked with the very values. */
  static boolean send(BackgroundConnection background, HotQuery query) throws SQLException {
    PhysicalConnection physical = background.physical();
    Connection connection = background.connection();
    if (physical.plan(query.sql(), query.prepared()).shape().kind() != StatementKind.QUERY) {
      return false; // It may be a command for Larder itself, which nobody would send.
    }
    if (!query.prepared()) {
      try (Statement statement = connection.createStatement()) {
        statement.setMaxRows(query.maxRows());
        run(query, statement, () -> statement.executeQuery(query.sql()));
        return true;
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
      statement.setMaxRows(query.maxRows());
      for (int i = 0; i < query.values().size(); i++) {
        Object value = query.values().get(i);
        if (!ValueCodec.set(statement, i + 1, value, physical.session())) {
          return false;
        }
      }
      run(query, statement, statement::executeQuery);
      return true;
    }
  }

  /**
   * Runs it in its format; a binary one once more, as only the first result may tell that its
   * format matters.
   */
  private static void run(HotQuery query, Statement statement, SqlCall<ResultSet> execution)
      throws SQLException {
    if (query.binary() || query.prepared()) {
      statement
          .unwrap(GatedPgStatement.class)
          .setPrepareThreshold(query.binary() ? ALWAYS_BINARY : NEVER_BINARY);
    }
    for (int i = 0; i < (query.binary() ? 2 : 1); i++) {
      execution.call().close();
    }
  }
}
