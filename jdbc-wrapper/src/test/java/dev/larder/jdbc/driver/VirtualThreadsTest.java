package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fifty threads under HikariCP, virtual ones where the JVM has them: the flight recorder sees none
 * of them pinned by a hit. On a JVM without virtual threads there is nothing to pin, and what is
 * left is that all their reads are right and are hits.
 */
@Tag("each-jdk")
class VirtualThreadsTest {
  private static final boolean VIRTUAL = Runtime.version().feature() >= 21;
  private static final int THREADS = 50;
  private static final int READS = 200;

  /** Waits while it is being initialized, which pins whoever does that. */
  static final class Pinning {
    static final int DONE = waiting();

    private static int waiting() {
      try {
        CountDownLatch never = new CountDownLatch(1);
        return never.await(50, TimeUnit.MILLISECONDS) ? 1 : 2;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static ExecutorService threads() throws ReflectiveOperationException {
    return VIRTUAL
        ? (ExecutorService)
            Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
        : Executors.newFixedThreadPool(THREADS);
  }

  private static boolean isVirtual() throws ReflectiveOperationException {
    return VIRTUAL && (Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
  }

  private static List<RecordedEvent> pinned(Path file, Callable<?> work) throws Exception {
    try (Recording recording = new Recording()) {
      if (VIRTUAL) {
        recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      }
      recording.start();
      work.call();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
        .toList();
  }

  @Test
  void hitsPinNobody(@TempDir Path directory) throws Exception {
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(
          "CREATE TABLE book (id int PRIMARY KEY, price int)",
          "INSERT INTO book SELECT i, 10 * i FROM generate_series(1, 20) i");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.larderUrl("larder.writers=this-jvm"));
      config.setMaximumPoolSize(10);
      try (HikariDataSource pool = new HikariDataSource(config)) {
        long before = fillAll(pool);
        List<RecordedEvent> pinned = pinned(directory.resolve("hits.jfr"), () -> readByAll(pool));
        // A look at the catalog in between costs a few hits.
        assertThat(hits(pool)).isGreaterThan(before + THREADS * READS * 9L / 10);
        assertThat(pinned).isEmpty();
      }
    }
  }

  @Test
  void recorderWouldSeeIt(@TempDir Path directory) throws Exception {
    List<RecordedEvent> pinned =
        pinned(
            directory.resolve("pinned.jfr"),
            () -> {
              ExecutorService threads = threads();
              int done = threads.submit(() -> Pinning.DONE).get();
              threads.shutdown();
              return done;
            });
    assertThat(pinned.isEmpty()).isEqualTo(!VIRTUAL);
  }

  /** Has every book in the cache; returns the hits so far. */
  private static long fillAll(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      LarderProbe.awaitCatalog(connection);
      LarderProbe.fill(connection, "SELECT price FROM book WHERE id = 1");
    }
    for (int round = 0; round < 2; round++) {
      for (int id = 1; id <= 20; id++) {
        assertThat(price(pool, id)).isEqualTo(10 * id);
      }
    }
    return hits(pool);
  }

  private static long hits(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return LarderProbe.hits(connection);
    }
  }

  private static boolean readByAll(HikariDataSource pool) throws Exception {
    ExecutorService threads = threads();
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      readers.add(
          threads.submit(
              () -> {
                start.await();
                for (int read = 0; read < READS; read++) {
                  int id = 1 + (first + read) % 20;
                  assertThat(price(pool, id)).isEqualTo(10 * id);
                }
                return isVirtual();
              }));
    }
    start.countDown();
    for (Future<Boolean> reader : readers) {
      assertThat(reader.get()).isEqualTo(VIRTUAL);
    }
    threads.shutdown();
    return true;
  }

  private static int price(HikariDataSource pool, int id) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT price FROM book WHERE id = ?")) {
      select.setInt(1, id);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
