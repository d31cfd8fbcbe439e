package dev.larder.jdbc.statement;

import static dev.larder.jdbc.statement.LarderProbe.isHit;
import static dev.larder.jdbc.statement.LarderProbe.rows;
import static dev.larder.jdbc.statement.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderDriver;
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

/** A write through one class loader, while its catalog is compared, is seen through the other. */
@Tag("regression")
final class OtherLoaderInTheGapTest {
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
}
