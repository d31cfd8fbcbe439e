package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hook above the data source above the pool gives each transaction its tenant: hits need no
 * connection then either, and the connection that something else needs has the tenant first.
 */
@Tag("regression")
final class TenantAboveThePoolTest {
  private static final String NOTES = "SELECT text FROM note ORDER BY id";

  private TestDatabase database;
  private HikariDataSource pool;
  private LazyDataSource source;

  @BeforeEach
  void readAsBothTenants() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE ROLE above LOGIN",
        "CREATE TABLE note (id int PRIMARY KEY, tenant text, text text)",
        "CREATE TABLE said (name text)",
        "INSERT INTO note VALUES (1, 'a', 'of a'), (2, 'b', 'of b')",
        "ALTER TABLE note ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON note USING (coalesce(tenant = current_setting('app.tenant', true), true))",
        "GRANT ALL ON note, said TO above");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:larder:postgresql://127.0.0.1:%d/%s?user=above&larder.writers=this-jvm&larder.lazyConnections=auto&larder.admission=all"
            .formatted(database.port(), database.name()));
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(250);
    pool = new HikariDataSource(config);
    source = new LazyDataSource(pool);
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    for (int round = 0; round < 3; round++) {
      assertThat(notes("a")).containsExactly("of a");
      assertThat(notes("b")).containsExactly("of b");
    }
  }

  @AfterEach
  void drop() throws SQLException {
    source.close();
    database.execute("DROP OWNED BY above", "DROP ROLE above");
    database.close();
  }

  private List<String> notes(String tenant) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      setLocal(connection, tenant);
      List<String> rows = LarderProbe.rows(connection, NOTES);
      connection.commit();
      return rows;
    }
  }

  private static void setLocal(Connection connection, String tenant) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL app.tenant = '" + tenant + "'");
    }
  }

  /** Returns what {@code action} returns while the pool has no connection left. */
  private <T> T withoutConnections(Callable<T> action) throws Exception {
    try (Connection taken = pool.getConnection()) {
      assertThat(taken.isClosed()).isFalse();
      return action.call();
    }
  }

  @Test
  void setLocalAndAHit() throws Exception {
    assertThat(withoutConnections(() -> notes("a"))).containsExactly("of a");
    assertThat(withoutConnections(() -> notes("b"))).containsExactly("of b");
  }

  /** No session is there that has had the tenant, so that the next one has it first. */
  @Test
  void whatAnEvictedConnectionHadIsHadByTheNext() throws Exception {
    assertThat(withoutConnections(() -> notes("a"))).containsExactly("of a");
    Connection evicted;
    try (Connection pooled = pool.getConnection()) {
      evicted = pooled.unwrap(CachingConnection.class);
    }
    pool.getHikariPoolMXBean().softEvictConnections();
    Waiting.until("the connection is closed", evicted::isClosed);
    assertThat(notes("a")).containsExactly("of a");
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NOTES)).isEmpty();
    }
    assertThat(notes("a")).containsExactly("of a");
    assertThat(withoutConnections(() -> notes("b"))).containsExactly("of b");
  }

  @Test
  void setConfigPreparedAndAHit() throws Exception {
    List<String> rows =
        withoutConnections(
            () -> {
              try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement set =
                    connection.prepareStatement("select set_config(?, ?, true)")) {
                  set.setString(1, "app.tenant");
                  set.setString(2, "b");
                  try (ResultSet row = set.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getString("set_config")).isEqualTo("b");
                    assertThat(row.next()).isFalse();
                  }
                }
                List<String> read = LarderProbe.rows(connection, NOTES);
                connection.rollback();
                return read;
              }
            });
    assertThat(rows).containsExactly("of b");
  }

  @Test
  void whatASetReturns() throws Exception {
    withoutConnections(
        () -> {
          try (Connection connection = source.getConnection();
              Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            assertThat(statement.execute("set local app.tenant to 'a';")).isFalse();
            assertThat(statement.getUpdateCount()).isZero();
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            assertThat(statement.executeUpdate("SET LOCAL app.tenant = 'b'")).isZero();
            assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of b");
            connection.rollback();
            return true;
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "autocommit"})
  void theTenantEndsWithItsTransaction(String end) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      setLocal(connection, "a");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
      switch (end) {
        case "commit" -> connection.commit();
        case "rollback" -> connection.rollback();
        default -> connection.setAutoCommit(true);
      }
      assertThat(connection.toString()).contains("without a connection");
      assertThat(LarderProbe.rows(connection, NOTES)).isEmpty();
      assertThat(connection.toString()).doesNotContain("without a connection");
    }
  }

  /** To one for whom it was never set, the policy shows all rows. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theTenantThatHasEndedIsEmptyAndNotUnset(boolean autoCommit) throws SQLException {
    pool.getHikariConfigMXBean().setMaximumPoolSize(2);
    try (Connection other = pool.getConnection();
        Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(other, "SHOW app.tenant")).containsExactly("");
      connection.setAutoCommit(false);
      setLocal(connection, "a");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
      connection.commit();
      assertThat(connection.toString()).contains("without a connection");
      connection.setAutoCommit(autoCommit);
      assertThat(LarderProbe.rows(connection, NOTES)).isEmpty();
      assertThat(LarderProbe.rows(connection, "SHOW app.tenant")).containsExactly("");
    }
  }

  @Test
  void theConnectionThatIsBorrowedHasTheTenant() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      setLocal(connection, "b");
      setLocal(connection, "a");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
      statement.execute("INSERT INTO said SELECT current_setting('app.tenant')");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
      connection.commit();
      assertThat(LarderProbe.rows(connection, NOTES)).isEmpty();
      assertThat(LarderProbe.rows(connection, "SELECT name FROM said")).containsExactly("a");
    }
  }

  @Test
  void aSavepointIsSetAfterTheTenant() throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      setLocal(connection, "a");
      var savepoint = connection.setSavepoint();
      setLocal(connection, "b");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of b");
      connection.rollback(savepoint);
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
      connection.rollback();
    }
  }

  /** As the driver says: a transaction has begun. */
  @Test
  void readOnlyCannotBeSetAfterTheTenant() throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      setLocal(connection, "a");
      assertThatThrownBy(() -> connection.setReadOnly(true))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25001"));
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET LOCAL app.other = 'x'",
        "SET app.tenant = 'a'",
        "SET LOCAL search_path = 'public'",
        "SELECT set_config('app.tenant', 'a', false)"
      })
  void somethingElseNeedsAConnection(String text) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertThat(connection.toString()).contains("without a connection");
      statement.execute(text);
      assertThat(connection.toString()).doesNotContain("without a connection");
      connection.rollback();
    }
  }

  @Test
  void aTenantOfTheSessionIsSeen() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET app.tenant = 'a'");
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
    }
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of a");
    }
  }
}
