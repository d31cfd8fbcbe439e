package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hits without a connection of the pool, under HikariCP, and what makes them need one. */
final class LazyDataSourceTest {
  private static final String NAME = "SELECT name FROM item WHERE id = 1";

  /** Those of the pool: Larder's own connection has another name. */
  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = '%s' AND pid <> pg_backend_pid()"
          + " AND query LIKE '%%item%%'";

  private TestDatabase database;
  private HikariDataSource pool;
  private LazyDataSource source;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'one'), (2, 'two'), (3, NULL)");
    use("larder.lazyConnections=auto");
  }

  @AfterEach
  void close() throws SQLException {
    source.close();
    database.close();
  }

  private void use(String... options) throws SQLException {
    if (source != null) {
      source.close();
    }
    HikariConfig config = new HikariConfig();
    List<String> all = new ArrayList<>(List.of(options));
    all.add("larder.writers=this-jvm");
    config.setJdbcUrl(database.larderUrl(all.toArray(String[]::new)));
    config.setMaximumPoolSize(2);
    config.setConnectionTimeout(300);
    pool = new HikariDataSource(config);
    source = new LazyDataSource(pool);
    try (Connection connection = pool.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
  }

  /** Has {@code sql} in the cache, and the session of the pool known. */
  private void fill(String sql) throws SQLException {
    for (int attempt = 0; attempt < 3; attempt++) {
      try (Connection connection = source.getConnection()) {
        LarderProbe.fill(connection, sql);
      }
    }
  }

  private List<String> rows(String sql) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return LarderProbe.rows(connection, sql);
    }
  }

  private String shown(String column) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString(column);
    }
  }

  /** Runs {@code check} while all connections of the pool are taken. */
  private void exhausted(Check check) throws SQLException {
    try (Connection one = pool.getConnection();
        Connection other = pool.getConnection()) {
      assertThat(one).isNotSameAs(other);
      check.run();
    }
  }

  @FunctionalInterface
  private interface Check {
    void run() throws SQLException;
  }

  @Test
  void hitNeedsNoConnectionAndMissWaitsForOne() throws SQLException {
    fill(NAME);
    assertThat(shown("lazy")).isEqualTo("on");
    exhausted(
        () -> {
          assertThat(rows(NAME)).containsExactly("one");
          assertThatThrownBy(() -> rows("SELECT name FROM item WHERE id = 2"))
              .isInstanceOf(SQLTransientConnectionException.class);
        });
    assertThat(rows("SELECT name FROM item WHERE id = 2")).containsExactly("two");
    assertThat(Long.parseLong(shown("unpooled_hits"))).isPositive();
  }

  @Test
  void connectionsThatAreBorrowedAreCountedByWhy() throws SQLException {
    assertThat(rows(NAME)).containsExactly("one"); // Nothing is known of the pool yet.
    assertThat(Long.parseLong(shown("borrows_at_once"))).isPositive();
    fill(NAME);
    long missed = Long.parseLong(shown("borrows_no_hit"));
    long otherwise = Long.parseLong(shown("borrows_otherwise"));
    assertThat(rows(NAME)).containsExactly("one");
    assertThat(rows("SELECT name FROM item WHERE id = 2")).containsExactly("two");
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      LarderProbe.run(connection, "UPDATE item SET name = 'dos' WHERE id = 2");
    }
    assertThat(shown("borrows_no_hit")).isEqualTo(String.valueOf(missed + 1));
    assertThat(shown("borrows_otherwise")).isEqualTo(String.valueOf(otherwise + 1));
  }

  /** The session is asked for one more setting then, which is unset. */
  @Test
  void aQueryThatReadsASettingEndsNothing() throws SQLException {
    try (Connection connection = source.getConnection()) {
      LarderProbe.run(
          connection,
          "CREATE VIEW mine AS SELECT name FROM item"
              + " WHERE name IS DISTINCT FROM current_setting('app.owner', true)");
      LarderProbe.awaitCatalog(connection);
    }
    fill("SELECT name FROM item");
    fill("SELECT name FROM mine");
    exhausted(() -> assertThat(rows("SELECT name FROM item")).hasSize(3));
  }

  @Test
  void preparedHitNeedsNoConnection() throws SQLException {
    fill(NAME);
    String sql = "SELECT name FROM item WHERE id = ?";
    for (int round = 0; round < 4; round++) {
      assertThat(name(sql, 2)).isEqualTo("two");
    }
    exhausted(() -> assertThat(name(sql, 2)).isEqualTo("two"));
  }

  private String name(String sql, int id) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setInt(1, id);
      try (ResultSet row = select.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getStatement()).isSameAs(select);
        assertThat(row.getStatement().getConnection()).isSameAs(connection);
        return row.getString("name");
      }
    }
  }

  @Test
  void manyFetchSizesNeedNoConnection() throws SQLException {
    fill(NAME);
    exhausted(
        () -> {
          for (int size = 0; size < 20; size++) {
            try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
              statement.setFetchSize(size);
              try (ResultSet row = statement.executeQuery(NAME)) {
                assertThat(row.getFetchSize()).isEqualTo(size);
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).isEqualTo("one");
              }
            }
          }
        });
  }

  @Test
  void writeIsSeenByTheNextHit() throws SQLException {
    fill(NAME);
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      LarderProbe.run(connection, "UPDATE item SET name = 'uno' WHERE id = 1");
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("uno");
    }
    assertThat(rows(NAME)).containsExactly("uno");
    exhausted(() -> assertThat(rows(NAME)).containsExactly("uno"));
  }

  @Test
  void ownWritesOfATransactionAreSeenByItAlone() throws SQLException {
    fill(NAME);
    try (Connection writer = source.getConnection()) {
      writer.setAutoCommit(false);
      assertThat(LarderProbe.rows(writer, NAME)).containsExactly("one");
      LarderProbe.run(writer, "UPDATE item SET name = 'uno' WHERE id = 1");
      assertThat(LarderProbe.rows(writer, NAME)).containsExactly("uno");
      assertThat(rows(NAME)).containsExactly("one");
      writer.rollback();
      assertThat(LarderProbe.rows(writer, NAME)).containsExactly("one");
      writer.setAutoCommit(true);
    }
  }

  @Test
  void transactionOfHitsNeedsNoConnection() throws SQLException {
    fill(NAME);
    exhausted(this::readInATransaction);
  }

  private void readInATransaction() throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        assertThat(statement.getMaxRows() + statement.getQueryTimeout()).isZero();
        assertThat(statement.getFetchSize()).isZero();
      }
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      connection.commit();
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
    }
  }

  @Test
  void borrowedConnectionIsSetUpAsThisOne() throws SQLException {
    fill(NAME);
    try (Connection connection = source.getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      assertThatThrownBy(() -> LarderProbe.run(connection, "DELETE FROM item"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
      connection.rollback();
    }
    assertThat(rows("SELECT count(*) FROM item")).containsExactly("3");
  }

  @Test
  void levelCannotBeChangedAfterAHit() throws SQLException {
    fill(NAME);
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      assertThatThrownBy(
              () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25001"));
      connection.rollback();
    }
  }

  @Test
  void settingThatIsLeftInThePoolEndsIt() throws SQLException {
    fill(NAME);
    try (Connection connection = source.getConnection()) {
      LarderProbe.run(connection, "SET app.tenant = 'b'");
    }
    assertThat(shown("lazy")).contains("has set something");
    try (Connection connection = source.getConnection()) {
      LarderProbe.run(connection, "RESET app.tenant");
    }
  }

  @Test
  void closedRowsAndConnectionsSaySo() throws SQLException {
    fill(NAME);
    Connection connection = source.getConnection();
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery(NAME);
    connection.close();
    assertThatThrownBy(rows::next)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"));
    assertThat(statement.isClosed()).isTrue();
    assertThatThrownBy(() -> statement.executeQuery(NAME)).isInstanceOf(SQLException.class);
    assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
  }

  @Test
  void nothingIsServedOnceThePoolIsClosed() throws SQLException {
    fill(NAME);
    pool.close();
    assertThatThrownBy(() -> rows(NAME)).isInstanceOf(SQLException.class);
  }

  @Test
  void hitsGoOnWhenThePoolHasShrunkToNothing() throws SQLException {
    fill(NAME);
    pool.getHikariPoolMXBean().softEvictConnections();
    Waiting.until(
        "the connections are closed",
        () -> database.queryString(SESSIONS.formatted(database.name())).equals("0"));
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("one");
      assertThat(connection.toString()).contains("without a connection");
    }
  }

  @Test
  void whileTheServerIsNotHeardEveryStatementNeedsAConnection() throws SQLException {
    use("larder.lazyConnections=auto", "larder.lazyLease=1ms");
    fill(NAME);
    assertThat(shown("lazy")).isEqualTo("on");
    exhausted(
        () ->
            assertThatThrownBy(() -> rows(NAME))
                .isInstanceOf(SQLTransientConnectionException.class));
  }

  @Test
  void aPoolWithAnotherIsolationLevelIsLeftAlone() throws SQLException {
    use("larder.lazyConnections=auto");
    fill(NAME);
    database.execute(
        "ALTER DATABASE "
            + database.name()
            + " SET default_transaction_isolation = 'serializable'");
    use("larder.lazyConnections=auto");
    try (Connection connection = source.getConnection()) {
      LarderProbe.rows(connection, NAME);
    }
    assertThat(shown("lazy")).contains("isolation level");
  }

  @Test
  void offUnlessAskedFor() throws SQLException {
    use();
    fill(NAME);
    assertThat(shown("lazy")).contains("is off");
    assertThat(shown("unpooled_hits")).isEqualTo("0");
  }

  @Test
  void whatADriverKnowsOfItsDatabaseNeedsNoConnection() throws SQLException {
    fill(NAME);
    try (Connection pooled = pool.getConnection();
        Connection connection = source.getConnection()) {
      DatabaseMetaData expected = pooled.getMetaData();
      DatabaseMetaData metaData = connection.getMetaData();
      assertThat(metaData.getConnection()).isSameAs(connection);
      assertThat(known(metaData)).isEqualTo(known(expected));
      assertThat(connection.toString()).contains("without a connection");
      assertThat(metaData.getMaxColumnsInTable()).isEqualTo(expected.getMaxColumnsInTable());
      try (ResultSet tables = metaData.getTables(null, "public", "item", null)) {
        assertThat(tables.next()).isTrue();
      }
      assertThat(connection.toString()).doesNotContain("without a connection");
      assertThat(known(connection.getMetaData())).isEqualTo(known(expected));
    }
  }

  private static List<Object> known(DatabaseMetaData metaData) throws SQLException {
    return List.of(
        metaData.getURL(),
        metaData.getUserName(),
        metaData.getDatabaseProductName(),
        metaData.getDatabaseProductVersion(),
        metaData.getDatabaseMajorVersion(),
        metaData.getDatabaseMinorVersion(),
        metaData.getDriverName(),
        metaData.getDriverVersion(),
        metaData.getDriverMajorVersion(),
        metaData.getDriverMinorVersion(),
        metaData.getJDBCMajorVersion(),
        metaData.getJDBCMinorVersion());
  }

  @Test
  void metadataThatNeedTheServerBorrowAConnection() throws SQLException {
    fill(NAME);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(NAME)) {
      assertThat(connection.toString()).contains("without a connection");
      assertThat(rows.getMetaData().getColumnLabel(1)).isEqualTo("name");
      assertThat(connection.toString()).contains("without a connection");
      assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("text");
      assertThat(connection.toString()).doesNotContain("without a connection");
      assertThat(rows.getMetaData().isNullable(1)).isEqualTo(ResultSetMetaData.columnNullable);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("one");
    }
  }
}
