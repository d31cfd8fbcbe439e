package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.MatrixTable;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's internals are what Larder takes them for in other versions of the driver too. */
@Tag("proof")
class DriverVersionsTest {
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    MatrixTable.create(database);
    database.execute(
        "CREATE TABLE item (id int)",
        "INSERT INTO item VALUES (1)",
        "CREATE TABLE part (f float8)",
        "INSERT INTO part VALUES (1)");
  }

  @ParameterizedTest
  @CsvSource({
    "42.2.29, prepareThreshold=-1",
    "42.5.6, prepareThreshold=1",
    "42.7.0, preferQueryMode=simple",
    "42.7.11, prepareThreshold=-1"
  })
  void replayEqualsLiveWithOlderDrivers(String version, String mode) throws Exception {
    List<String> found;
    try (URLClassLoader isolated =
        new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader())) {
      found = probe(DriverVersionProbe.class, isolated).apply(database.url() + "&" + mode);
    }

    assertThat(found.get(0)).isEqualTo(version);
    assertThat(Long.parseLong(found.get(1))).isGreaterThan(MatrixTable.queryColumns() * 500L);
    assertThat(found.get(2)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.2.29", "42.5.6", "42.7.0", "42.7.11"})
  void queriesAreCachedWithOlderDrivers(String version) throws Exception {
    try (URLClassLoader isolated =
        new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader())) {
      List<String> found = probe(DriverVersionQuery.class, isolated).apply(database.url());

      assertThat(found).containsExactly("not bypassed", "hit", "[1]", "extensions", "hit again");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.2.29", "42.5.6", "42.7.0", "42.7.11"})
  void formatsAreThoseOfTheDriverAloneWithOlderDrivers(String version) throws Exception {
    try (URLClassLoader isolated =
        new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader())) {
      List<String> found = probe(DriverVersionFormats.class, isolated).apply(database.url());

      assertThat(found.get(0)).isEqualTo(found.get(1)).contains("[1], [1.0]");
      assertThat(found.get(2)).isEqualTo("hits");
    }
  }

  @Test
  void aDriverWithoutWhatReplayNeedsIsUsedWithoutCache() throws Exception {
    List<String> found =
        without("dev.larder.jdbc.driver.DriverInternals", DriverVersionQuery.class, database.url());

    assertThat(found)
        .containsExactly(
            BypassReason.DRIVER.description(), "no hit", "[1]", "extensions", "no hit");
  }

  @Test
  void driverWithoutWhatReplayNeedsIsUnsupportedAndNamed() throws Exception {
    List<String> found =
        without("org.postgresql.jdbc.PgResultSet", DriverVersionProbe.class, database.url());

    assertThat(found.get(0)).isEqualTo("unsupported");
    assertThat(found.get(1))
        .contains("PostgreSQL JDBC Driver 42.7.0", "nothing is cached", "PgResultSet");
  }

  /** Runs a probe in a class path that lacks a class which replay needs. */
  static List<String> without(
      String missing, Class<? extends Function<String, List<String>>> probe, String url)
      throws Exception {
    try (URLClassLoader lacking =
        new URLClassLoader(classPath("42.7.0"), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(missing)) {
              throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
          }
        }) {
      return probe(probe, lacking).apply(url);
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<String, List<String>> probe(Class<?> probe, ClassLoader loader)
      throws ReflectiveOperationException {
    return (Function<String, List<String>>)
        Class.forName(probe.getName(), true, loader).getConstructor().newInstance();
  }

  /** This class path with another driver. */
  private static URL[] classPath(String version) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!Path.of(entry).getFileName().toString().startsWith("postgresql-4")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Path driver = Path.of("target", "drivers", "postgresql-" + version + ".jar");
    assertThat(driver).exists();
    urls.add(driver.toUri().toURL());
    return urls.toArray(new URL[0]);
  }
}
