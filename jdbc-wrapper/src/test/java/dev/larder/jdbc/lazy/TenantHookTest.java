package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Row security by tenant, which a hook sets as a connection is handed out. A hook below the data
 * source above the pool would come too late for a hit: with {@code auto} no row crosses, wherever
 * it is.
 */
final class TenantHookTest {
  private static final String NOTES = "SELECT text FROM note ORDER BY id";

  private static TestDatabase database;
  private static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "a");

  @BeforeAll
  static void createNotes() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE ROLE tenants LOGIN",
        "CREATE TABLE note (id int PRIMARY KEY, tenant text, text text)",
        "INSERT INTO note VALUES (1, 'a', 'of a'), (2, 'b', 'of b')",
        "ALTER TABLE note ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON note USING (tenant = current_setting('app.tenant', true))",
        "GRANT SELECT ON note TO tenants");
  }

  @AfterAll
  static void dropNotes() throws SQLException {
    database.execute("DROP TABLE note");
    database.close();
  }

  private static HikariConfig config(String lazy) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:larder:postgresql://127.0.0.1:%d/%s?user=tenants&larder.writers=this-jvm&larder.lazyConnections=%s&larder.admission=all"
            .formatted(database.port(), database.name(), lazy));
    config.setMaximumPoolSize(2);
    return config;
  }

  /** A data source whose connections are those of {@code source}, set to the tenant. */
  private static DataSource hooked(DataSource source) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class, AutoCloseable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return withTenant(source.getConnection());
              }
              try {
                return method.invoke(source, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Connection withTenant(Connection connection) throws SQLException {
    try (Statement set = connection.createStatement()) {
      set.execute("SET app.tenant = '" + TENANT.get() + "'");
    }
    return connection;
  }

  private static List<String> notes(DataSource source, String tenant) throws SQLException {
    TENANT.set(tenant);
    try (Connection connection = source.getConnection()) {
      return LarderProbe.rows(connection, NOTES);
    }
  }

  private static void awaitCatalog(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
  }

  private static boolean crosses(DataSource source) throws SQLException {
    boolean crosses = false;
    awaitCatalog(source);
    for (int round = 0; round < 30; round++) {
      String tenant = round % 5 < 3 ? "a" : "b";
      crosses |= !notes(source, tenant).equals(List.of("of " + tenant));
    }
    return crosses;
  }

  /** HikariCP with a hook of its own. */
  private static final class HookedPool extends HikariDataSource {
    HookedPool(HikariConfig config) {
      super(config);
    }

    @Override
    public Connection getConnection() throws SQLException {
      return withTenant(super.getConnection());
    }
  }

  @Test
  void hookInAWrapperOfThePool() throws SQLException {
    try (LazyDataSource source = new LazyDataSource(hooked(new HikariDataSource(config("auto"))))) {
      assertThat(crosses(source)).isFalse();
    }
  }

  /** Why {@code auto} asks for a proof. */
  @Test
  void whoSaysThatThereIsNoHookIsBelieved() throws SQLException {
    try (LazyDataSource source = new LazyDataSource(hooked(new HikariDataSource(config("on"))))) {
      assertThat(crosses(source)).isTrue();
    }
  }

  @Test
  void hookInASubclassOfThePool() throws SQLException {
    try (LazyDataSource source = new LazyDataSource(new HookedPool(config("auto")))) {
      assertThat(crosses(source)).isFalse();
    }
  }

  @Test
  void hookBelowThePoolAboveLarder() throws SQLException {
    HikariConfig config = config("auto");
    LarderDataSource larder = new LarderDataSource();
    larder.setUrl(config.getJdbcUrl());
    larder.setProperties(new Properties());
    HikariConfig above = new HikariConfig();
    above.setDataSource(hooked(larder));
    above.setMaximumPoolSize(2);
    try (LazyDataSource source = new LazyDataSource(new HikariDataSource(above))) {
      awaitCatalog(source);
      assertThat(notes(source, "a")).isEqualTo(notes(source, "a"));
      assertThat(lazy(source)).contains("not provable");
    }
  }

  @Test
  void hookAboveBorrows() throws SQLException {
    try (LazyDataSource below = new LazyDataSource(new HikariDataSource(config("auto")))) {
      assertThat(crosses(hooked(below))).isFalse();
    }
  }

  @Test
  void aTestQueryMayBeAHook() throws SQLException {
    HikariConfig config = config("auto");
    config.setConnectionTestQuery("SELECT set_config('app.tenant', 'a', false)");
    try (LazyDataSource source = new LazyDataSource(new HikariDataSource(config))) {
      awaitCatalog(source);
      assertThat(lazy(source)).contains("not provable");
    }
  }

  private static String lazy(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString("lazy");
    }
  }
}
