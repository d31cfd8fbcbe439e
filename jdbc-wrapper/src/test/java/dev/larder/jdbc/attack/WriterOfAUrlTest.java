package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who may write the URL of a data source wants to write a file, such as a page. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class WriterOfAUrlTest {
  private static final String FOLDER = "larder.warmup.folder";

  /** So that each has a cache of its own. */
  private static final AtomicInteger SIZES = new AtomicInteger(7_000);

  @AutoClose private static TestDatabase database;
  @TempDir private Path folder;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE page AS SELECT 1 AS n");
  }

  @AfterEach
  void forget() {
    System.clearProperty(FOLDER);
  }

  /** Reads by a text that would be a program in a page, and closes. */
  private static void read(String url, Properties properties) throws SQLException {
    properties.put("larder.writers", "this-jvm");
    properties.put("larder.maxEntries", Integer.toString(SIZES.incrementAndGet()));
    try (Connection connection = DriverManager.getConnection(url, properties)) {
      LarderProbe.awaitCatalog(connection);
      LarderProbe.fill(connection, "SELECT n AS \"<%= program %>\" FROM page");
    }
  }

  private void assertRefused(String file) throws SQLException {
    Throwable thrown =
        catchThrowable(
            () -> read(database.larderUrl("larder.warmup.file=" + file), new Properties()));

    assertThat(thrown)
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("LRD-040 larder.warmup.file is \"" + file)
        .hasMessageContaining(FOLDER)
        .extracting("SQLState")
        .isEqualTo("22023");
    assertThat(folder).isDirectoryNotContaining(each -> !Files.isDirectory(each));
  }

  @Test
  void urlNamesNoFile() throws SQLException {
    assertRefused(folder.resolve("shell.jsp").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shell.jsp", "allowed", "allowed/../shell.jsp", "allowed/link/shell.jsp"})
  void urlNamesNoFileOutsideOfTheFolder(String file) throws Exception {
    Files.createDirectory(folder.resolve("allowed"));
    Files.createSymbolicLink(folder.resolve("allowed/link"), folder);
    System.setProperty(FOLDER, folder.resolve("allowed").toString());

    assertRefused(folder + "/" + file);
  }

  @Test
  void urlNamesAFileInTheFolder() throws Exception {
    System.setProperty(FOLDER, folder.toString());
    Path file = folder.resolve("warm");

    read(database.larderUrl("larder.warmup.file=" + file), new Properties());
    Waiting.until(Duration.ofSeconds(20), () -> "the queries were noted", () -> Files.exists(file));
  }

  @Test
  void propertyNamesAnyFile() throws Exception {
    Path file = folder.resolve("warm");
    Properties properties = new Properties();
    properties.put("larder.warmup.file", file.toString());

    read(database.larderUrl(), properties);
    Waiting.until(Duration.ofSeconds(20), () -> "the queries were noted", () -> Files.exists(file));
  }
}
