package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Hits without a connection show what a connection of the pool would show, as its user now is. */
@Tag("regression")
final class PoolCredentialsTest {
  private static final String NOTES = "SELECT id FROM note ORDER BY id";

  private TestDatabase database;
  private String many;
  private String few;
  private HikariDataSource pool;
  private LazyDataSource source;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    many = database.name() + "_many";
    few = database.name() + "_few";
    database.execute(
        "CREATE TABLE note (id int PRIMARY KEY, tenant text)",
        "INSERT INTO note SELECT i, CASE WHEN i > 6 THEN '"
            + few
            + "' END"
            + " FROM generate_series(1, 9) i",
        "ALTER TABLE note ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON note USING (current_user = '" + many + "' OR tenant = current_user)",
        "CREATE ROLE " + many + " LOGIN PASSWORD 'a'",
        "CREATE ROLE " + few + " LOGIN PASSWORD 'b'",
        "GRANT SELECT ON note TO " + many + ", " + few,
        "GRANT pg_read_all_data TO " + many + ", " + few,
        "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() TO PUBLIC");
  }

  @AfterEach
  void close() throws SQLException {
    source.close();
    database.execute("DROP OWNED BY " + many + ", " + few, "DROP ROLE " + many, "DROP ROLE " + few);
    database.close();
  }

  private void use(HikariConfig config) throws SQLException {
    config.setMaximumPoolSize(2);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    source = new LazyDataSource(pool);
    try (Connection connection = pool.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    for (int attempt = 0; attempt < 3; attempt++) {
      try (Connection connection = source.getConnection()) {
        LarderProbe.fill(connection, NOTES);
      }
    }
  }

  private HikariConfig byUrl() {
    HikariConfig config = new HikariConfig();
    String url = database.larderUrl("larder.writers=this-jvm", "larder.lazyConnections=auto");
    config.setJdbcUrl(url.replaceFirst("user=[^&]*&", ""));
    config.setUsername(many);
    config.setPassword("a");
    return config;
  }

  private int notes() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return LarderProbe.rows(connection, NOTES).size();
    }
  }

  private long unpooledHits() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return LarderProbe.count(connection, "unpooled_hits");
    }
  }

  private void assertUnpooled(boolean expected) throws SQLException {
    long before = unpooledHits();
    notes();
    assertThat(unpooledHits() > before).isEqualTo(expected);
  }

  @Test
  void userOfThePoolHasChanged() throws SQLException {
    use(byUrl());
    assertThat(notes()).isEqualTo(9);
    assertUnpooled(true);
    pool.setCredentials(Credentials.of(few, "b"));
    pool.getHikariPoolMXBean().softEvictConnections();
    assertThat(notes()).isEqualTo(3);
    try (Connection connection = source.getConnection()) {
      LarderProbe.fill(connection, NOTES);
    }
    notes();
    assertUnpooled(true);
    assertThat(notes()).isEqualTo(3);
  }

  /** The pool hands out connections of both: what a hit would be nobody knows. */
  @Test
  void userHasChangedAndOldConnectionsStay() throws SQLException {
    use(byUrl());
    assertUnpooled(true);
    pool.setUsername(few);
    pool.setPassword("b");
    assertUnpooled(false);
    assertUnpooled(false);
    try (Connection first = source.getConnection();
        Connection second = source.getConnection()) {
      assertThat(LarderProbe.rows(first, NOTES)).hasSize(9);
      assertThat(LarderProbe.rows(second, NOTES)).hasSize(3);
    }
    pool.getHikariPoolMXBean().softEvictConnections();
    assertThat(notes()).isEqualTo(3);
  }

  @Test
  void passwordIsProvedAnewByAConnection() throws SQLException {
    use(byUrl());
    pool.setPassword("a");
    assertUnpooled(true);
    pool.setPassword("another");
    long before = unpooledHits();
    assertThat(notes()).isEqualTo(9);
    assertThat(unpooledHits()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void suspendedPoolServesNobody() throws Exception {
    HikariConfig config = byUrl();
    config.setAllowPoolSuspension(true);
    use(config);
    assertUnpooled(true);
    pool.getHikariPoolMXBean().suspendPool();
    CompletableFuture<Integer> waits =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return notes();
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
    Assertions.assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS));
    pool.getHikariPoolMXBean().resumePool();
    assertThat(waits.get(30, TimeUnit.SECONDS)).isEqualTo(9);
    notes();
    assertUnpooled(true);
  }

  @Test
  void userOfTheDataSourceBelowHasChanged() throws SQLException {
    PGSimpleDataSource below = new PGSimpleDataSource();
    below.setUrl(database.url());
    below.setUser(many);
    below.setPassword("a");
    use(above(below));
    assertUnpooled(true);
    below.setUser(few);
    below.setPassword("b");
    pool.getHikariPoolMXBean().softEvictConnections();
    assertThat(notes()).isEqualTo(3);
  }

  /** A subclass may ask somebody for the user each time. */
  @Test
  void dataSourceThatMayChooseTheUserProvesNothing() throws SQLException {
    PGSimpleDataSource below =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1;

          @Override
          public Connection getConnection() throws SQLException {
            return getConnection(many, "a");
          }
        };
    below.setUrl(database.url());
    use(above(below));
    assertUnpooled(false);
  }

  private static HikariConfig above(PGSimpleDataSource below) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(
        new LarderDataSource(
            below,
            QueryCacheConfig.of(
                Map.of("larder.writers", "this-jvm", "larder.lazyConnections", "auto"))));
    return config;
  }
}
