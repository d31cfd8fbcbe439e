package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Larder logs and shows, and what it does not. */
@Tag("each-jdk")
final class LogTest {
  private static final String SECRET = "s3cr3t";

  private LarderLog log;

  private TestDatabase database;

  @BeforeEach
  void listen() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)", "INSERT INTO item VALUES (1, 'a')");
    log = LarderLog.open();
  }

  @AfterEach
  void close() throws SQLException {
    log.close();
    database.close();
  }

  @Test
  void aCacheTellsItsEffectiveSettingsOnce() throws SQLException {
    String url = database.larderUrl("larder.name=told", "larder.maxResultRows=10");
    for (int i = 0; i < 3; i++) {
      DriverManager.getConnection(url).close();
    }

    assertThat(log.messages())
        .filteredOn(text -> text.startsWith("Larder cache for"))
        .singleElement()
        .asString()
        .contains(
            "larder.name=told", "larder.maxResultRows=10", "larder.timeToLive=5s", "of cluster ")
        .doesNotContain("Optional", "null");
    assertThat(log.messages()).filteredOn(text -> text.startsWith("LRD-002")).hasSize(1);
  }

  @Test
  void nothingSecretIsLoggedThrownOrShown() throws SQLException {
    String url = database.larderUrl("password=" + SECRET, "larder.writers=this-jvm");
    StringBuilder shown = new StringBuilder();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("SELECT id FROM item WHERE name = ?")) {
      LarderProbe.awaitCatalog(connection);
      for (int i = 0; i < 2; i++) {
        prepared.setString(1, SECRET);
        LarderProbe.rows(prepared.executeQuery());
        for (String sql :
            List.of(
                "SELECT id FROM item WHERE name = '" + SECRET + "'",
                "SELECT id FROM item WHERE name = $$" + SECRET + "$$",
                "SELECT id FROM item WHERE name = E'" + SECRET + "\\n'",
                "SELECT id /* " + SECRET + " */ FROM item -- " + SECRET,
                "SELECT id FROM item WHERE name = 'now " + SECRET + "'",
                "SELECT set_config('app.token', '" + SECRET + "', false) FROM item")) {
          LarderProbe.rows(statement.executeQuery(sql));
        }
        for (String sql :
            List.of(
                "SET app.token = '" + SECRET + "'",
                "ALTER ROLE postgres PASSWORD '" + SECRET + "'",
                "INSERT INTO item VALUES (1, '" + SECRET + "')",
                "SELECT id FROM item WHERE name = '" + SECRET)) {
          try {
            statement.execute(sql);
          } catch (SQLException expected) {
            assertThat(expected.getSQLState()).isIn("23505", "42601", "42704");
          }
        }
      }
      for (String show : List.of("cache", "tables", "queries")) {
        try (ResultSet rows = statement.executeQuery("SHOW larder." + show)) {
          shown.append(LarderProbe.rows(rows));
        }
      }
      CachingConnection caching = connection.unwrap(CachingConnection.class);
      shown.append(connection).append(statement).append(caching.physical());
      shown.append(caching.physical().state().tracker()).append(caching.physical().cache());
      shown.append(caching.physical().cache().config());
    } finally {
      database.execute("ALTER ROLE postgres PASSWORD NULL");
    }
    assertThat(shown.toString()).contains("FROM item").doesNotContain(SECRET);
    assertThatThrownBy(() -> DriverManager.getConnection(url + "&larder.maxBytes=few").close())
        .message()
        .doesNotContain(SECRET);
    for (LogRecord entry : log.records()) {
      assertThat(entry.getMessage()).doesNotContain(SECRET);
      assertThat(String.valueOf(entry.getThrown())).doesNotContain(SECRET);
    }
  }

  private long serializableLines() {
    return log.messages().stream().filter(text -> text.startsWith("LRD-016")).count();
  }

  /** Runs a query in three transactions one after the other. */
  private static void read(Connection connection) throws SQLException {
    LarderProbe.awaitCatalog(connection);
    connection.setAutoCommit(false);
    for (int i = 0; i < 3; i++) {
      try (Statement statement = connection.createStatement()) {
        LarderProbe.rows(statement.executeQuery("SELECT name FROM item"));
      }
      connection.commit();
    }
  }

  @Test
  void aPoolThatMakesConnectionsSerializableIsNamedOnceForEachCache() throws SQLException {
    for (String name : List.of("one", "one", "two")) {
      try (Connection connection =
          DriverManager.getConnection(database.larderUrl("larder.name=" + name))) {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        read(connection);
      }
      assertThat(serializableLines()).isEqualTo(name.equals("one") ? 1 : 2);
    }
    assertThat(log.messages())
        .filteredOn(text -> text.startsWith("LRD-016"))
        .allSatisfy(text -> assertThat(text).contains("SERIALIZABLE", "READ COMMITTED"));
  }

  @Test
  void aServerThatMakesSessionsSerializableIsNamed() throws SQLException {
    String url = database.larderUrl("options=-c%20default_transaction_isolation=serializable");
    try (Connection connection = DriverManager.getConnection(url)) {
      read(connection);
    }
    assertThat(serializableLines()).isEqualTo(1);
  }

  @Test
  void singleTransactionsThatAreSerializableAreNotNamed() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.larderUrl())) {
      LarderProbe.awaitCatalog(connection);
      for (int i = 0; i < 3; i++) {
        // As Spring does around a method with @Transactional(isolation = SERIALIZABLE).
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          LarderProbe.rows(statement.executeQuery("SELECT name FROM item"));
          connection.commit();
          connection.setAutoCommit(true);
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
          statement.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
          LarderProbe.rows(statement.executeQuery("SELECT name FROM item"));
          statement.execute("COMMIT");
        }
      }
    }
    assertThat(serializableLines()).isZero();
  }
}
