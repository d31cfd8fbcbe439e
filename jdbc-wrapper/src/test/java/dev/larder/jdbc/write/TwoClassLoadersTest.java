package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderDriver;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.PgConnection;

/** Two copies of Larder in one JVM, as those of two web applications, see each other's writes. */
@Tag("regression")
final class TwoClassLoadersTest {
  private static final String READ = "SELECT v FROM item WHERE id = 1";
  private static final String LOG = "SELECT count(*) FROM log";

  @AutoClose private TestDatabase database;
  private URLClassLoader other;
  private Connection a;
  private Connection b;

  @BeforeEach
  void open() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, v int)",
        "INSERT INTO item VALUES (1, 10), (2, 20)",
        "CREATE TABLE log (x int)",
        "CREATE FUNCTION wild() RETURNS int LANGUAGE sql AS"
            + " 'INSERT INTO log VALUES (1) RETURNING x'",
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log VALUES (1); RETURN NULL; END'");
    List<URL> classes = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classes.add(url(path));
    }
    other = new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    a = LarderProbe.connect(database);
    b = connectThroughOther();
    fill(b, READ);
  }

  private static URL url(String path) throws MalformedURLException {
    return new File(path).toURI().toURL();
  }

  private Connection connectThroughOther() throws ReflectiveOperationException, SQLException {
    Class<?> driver = other.loadClass(LarderDriver.class.getName());
    assertThat(driver).isNotEqualTo(LarderDriver.class);
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(other);
    try {
      return ((Driver) driver.getDeclaredConstructor().newInstance())
          .connect(
              database.larderUrl("larder.writers=this-jvm", "larder.admission=all"),
              new Properties());
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  @AfterEach
  void close() throws SQLException, IOException {
    a.close();
    b.close();
    other.close();
  }

  private static void fill(Connection connection, String sql) throws SQLException {
    Waiting.until(
        Duration.ofSeconds(40),
        () -> "a hit of " + sql + " " + reason(connection, sql),
        () -> isHit(connection, sql));
  }

  private static String reason(Connection connection, String sql) {
    try {
      return LarderProbe.reason(connection, sql) + rows(connection, "SHOW larder.tables");
    } catch (SQLException e) {
      return e.toString();
    }
  }

  @Test
  void writeThroughOneIsSeenByTheOther() throws SQLException {
    Connection[] both = {a, b};
    for (int i = 1; i <= 6; i++) {
      fill(a, READ);
      fill(b, READ);
      Connection writer = both[i % 2];
      if (i % 3 == 0) {
        writer.setAutoCommit(false);
        run(writer, "UPDATE item SET v = v + 1 WHERE id = 1");
        assertThat(isHit(both[1 - i % 2], READ)).isTrue();
        writer.commit();
        writer.setAutoCommit(true);
      } else {
        run(writer, "UPDATE item SET v = v + 1 WHERE id = 1");
      }
      String now = database.queryString(READ);
      assertThat(now).isEqualTo(String.valueOf(10 + i));
      assertThat(rows(a, READ)).containsExactly(now);
      assertThat(rows(b, READ)).containsExactly(now);
    }
  }

  @Test
  void writeOfAnotherTableDisturbsNobody() throws SQLException {
    fill(b, READ);
    run(a, "INSERT INTO log VALUES (1)");
    assertThat(isHit(b, READ)).isTrue();
  }

  /** The first knows nothing of how its own transaction of that name has ended. */
  @ParameterizedTest
  @ValueSource(strings = {"COMMIT PREPARED ", "ROLLBACK PREPARED "})
  void nameOfAPreparedTransactionThatTheOtherUsesAgainMeansTheLatter(String end)
      throws SQLException {
    String gid = "'" + database.name() + "'";
    fill(a, LOG);
    run(a, "BEGIN", "UPDATE item SET v = 11 WHERE id = 1", "PREPARE TRANSACTION " + gid);
    run(b, end + gid);
    run(b, "BEGIN", "INSERT INTO log VALUES (1)", "PREPARE TRANSACTION " + gid);
    fill(a, LOG);
    fill(b, LOG);
    run(a, "COMMIT PREPARED " + gid);
    assertThat(rows(a, LOG)).containsExactly("1");
    assertThat(rows(b, LOG)).containsExactly("1");
  }

  @Test
  void writeOfWhateverIsSeen() throws SQLException {
    fill(b, LOG);
    run(a, "SELECT wild()");
    assertThat(rows(b, LOG)).containsExactly("1");
    fill(b, LOG);
    run(a, "DO $$ BEGIN INSERT INTO log VALUES (1); END $$");
    assertThat(rows(b, LOG)).containsExactly("2");
  }

  /** A trigger that one has made is known to the other with its next write. */
  @Test
  void ddlThroughOneIsKnownToTheOther() throws SQLException {
    fill(a, LOG);
    fill(b, LOG);
    run(a, "CREATE TRIGGER note AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION note()");
    run(b, "UPDATE item SET v = 7 WHERE id = 2");
    assertThat(rows(a, LOG)).containsExactly("1");
    assertThat(rows(b, LOG)).containsExactly("1");
  }

  /** One writes while its catalog is compared, and the other has a newer one. */
  @Test
  void writeWhileItsOwnCatalogIsComparedIsSeenByTheOther() throws Exception {
    fill(a, LOG);
    fill(b, READ);
    List<Thread> comparing =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("larder-catalog"))
            .toList();
    comparing.forEach(Thread::interrupt);
    for (Thread each : comparing) {
      each.join();
    }
    run(a, "CREATE TRIGGER note AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION note()");
    LarderProbe.awaitCatalog(a);
    fill(a, LOG);
    run(b, "UPDATE item SET v = 7 WHERE id = 2");
    assertThat(rows(a, LOG)).containsExactly("1");
  }

  /** What is under way when the other comes is not kept by it. */
  @Test
  void writeThatIsUnderWayWhenTheOtherComesIsSeen() throws Exception {
    b.close();
    // Nobody sees what is written through a class of the driver until it is closed.
    assertThat(a.unwrap(PgConnection.class)).isNotNull();
    other = new URLClassLoader(other.getURLs(), ClassLoader.getPlatformClassLoader());
    b = connectThroughOther();
    for (int i = 0; i < 20; i++) {
      assertThat(isHit(b, READ)).isFalse();
    }
    try (Connection asks = LarderProbe.connect(database)) {
      a.close();
      fill(b, READ);
      assertThat(asks.isValid(1)).isTrue();
    }
  }
}
