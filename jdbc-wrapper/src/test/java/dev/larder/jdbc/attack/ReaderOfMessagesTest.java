package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody reads logs and exceptions, and looks for credentials. */
class ReaderOfMessagesTest {
  private static final String SECRET = "hunter2";

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
  }

  /** Returns all that a log would hold of an exception. */
  private static String trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "larder.feed.url=jdbc:postgresql://h/db?password=hunter2%zz",
        "larder.feed.url=%zzhunter2",
        "larder.feed.url=%h2hunter2",
        "larder.feed.url=hunter2",
        "larder.feed.urll=%zzhunter2",
        "larder.feed.url:hunter2",
        "larder.memcached.encryptionKey=%zzhunter2",
        "larder.memcached.encryptionKey=hunter2",
        "larder.memcached.encryptionKey:hunter2",
        "larder.name=bob:hunter2@h",
        "larder.feed.password=hunter2",
      })
  void badOptionOfAUrlShowsNoCredential(String option) {
    Throwable thrown =
        catchThrowable(() -> DriverManager.getConnection(database.larderUrl(option)));

    assertThat(thrown).isInstanceOf(SQLException.class).hasMessageStartingWith("LRD-040");
    assertThat(trace(thrown)).doesNotContain(SECRET).doesNotContain("\"%h");
  }

  @ParameterizedTest
  @CsvSource({
    "larder.feed.url, hunter2",
    "larder.feed.url, postgresql://bob:hunter2@h/db",
    "larder.memcached.encryptionKey, hunter2",
    "larder.memcached.servers, bob:hunter2@cache:11211",
  })
  void badPropertyShowsNoCredential(String name, String value) {
    Properties properties = new Properties();
    properties.put(name, value);
    LarderDataSource source = new LarderDataSource();
    source.setUrl(database.larderUrl());
    source.setProperties(properties);

    Throwable thrown = Objects.requireNonNull(catchThrowable(source::getConnection));

    assertThat(thrown).hasMessageStartingWith("LRD-040");
    assertThat(trace(thrown)).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:larder:nobody://bob:hunter2@h/db",
        "jdbc:larder:nobody://bob:a?hunter2@h/db?x=1",
        "jdbc:larder:nobody:thin:scott/hunter2@h/db",
        "jdbc:larder:nobody://h/db?password=hunter2",
      })
  void urlOfNoDriverIsShownWithoutCredentials(String url) {
    Throwable thrown = catchThrowable(() -> DriverManager.getConnection(url));

    assertThat(thrown).hasMessageStartingWith("LRD-046").hasMessageContaining("h/db");
    assertThat(trace(thrown)).doesNotContain(SECRET);
  }

  @Test
  void lineOfAValueForgesNoLine() {
    Throwable thrown =
        catchThrowable(
            () -> DriverManager.getConnection(database.larderUrl("larder.name=a%0ALRD-012%20b")));

    assertThat(thrown).hasMessageContaining("a\\nLRD-012 b");
  }
}
