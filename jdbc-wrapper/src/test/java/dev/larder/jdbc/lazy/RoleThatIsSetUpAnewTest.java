package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The user of a pool gets other settings by {@code ALTER ROLE … SET}, and the pool's connections
 * are evicted: hits without a connection show what a new connection would.
 */
@Tag("regression")
final class RoleThatIsSetUpAnewTest {
  private static final String NOTES = "SELECT id FROM note";

  private TestDatabase database;
  private String user;
  private HikariDataSource pool;
  private LazyDataSource source;
  private Connection other;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    user = database.name() + "_app";
    database.execute(
        "CREATE ROLE " + user + " LOGIN",
        "CREATE ROLE " + user + "_two",
        "GRANT " + user + "_two TO " + user,
        "GRANT pg_read_all_data TO " + user + ", " + user + "_two",
        "CREATE TABLE note (id int PRIMARY KEY, owner text)",
        "INSERT INTO note VALUES (1, '" + user + "'), (2, '" + user + "_two')",
        "CREATE SCHEMA two",
        "CREATE TABLE two.note (id int PRIMARY KEY)",
        "INSERT INTO two.note VALUES (2)",
        "CREATE POLICY own ON note USING (owner = current_user)",
        "ALTER TABLE note ENABLE ROW LEVEL SECURITY",
        "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() TO PUBLIC");
    HikariConfig config = new HikariConfig();
    String url = database.larderUrl("larder.writers=this-jvm", "larder.lazyConnections=auto");
    config.setJdbcUrl(url.replace("user=postgres", "user=" + user));
    config.setUsername(user);
    config.setMaximumPoolSize(1);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    source = new LazyDataSource(pool);
    other = LarderProbe.connect(database, "larder.lazyConnections=auto");
    learn();
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    source.close();
    database.execute(
        "DROP OWNED BY " + user + ", " + user + "_two", "DROP ROLE " + user + ", " + user + "_two");
    database.close();
  }

  private void learn() throws SQLException {
    for (int attempt = 0; attempt < 3; attempt++) {
      LarderProbe.awaitCatalog(other);
      try (Connection connection = source.getConnection()) {
        LarderProbe.fill(connection, NOTES);
      }
    }
    long before = LarderProbe.count(other, "unpooled_hits");
    assertThat(notes()).containsExactly("1");
    assertThat(LarderProbe.count(other, "unpooled_hits")).isGreaterThan(before);
  }

  private List<String> notes() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return LarderProbe.rows(connection, NOTES);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ALTER ROLE %1$s SET role = '%1$s_two'",
    "ALTER ROLE %1$s SET search_path = two",
    "ALTER DATABASE %2$s SET search_path = two",
    "ALTER ROLE %1$s IN DATABASE %2$s SET search_path = two"
  })
  void hitsShowWhatANewConnectionWould(String change) throws SQLException {
    LarderProbe.run(other, change.formatted(user, database.name()));
    learn(); // The connection that is open has what it had.
    pool.getHikariPoolMXBean().softEvictConnections();

    assertThat(notes()).containsExactly("2");
  }
}
