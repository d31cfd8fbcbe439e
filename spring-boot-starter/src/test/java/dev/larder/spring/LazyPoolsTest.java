package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LazyDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Pools other than HikariCP, too: with a hook below no row crosses, and without one hits go on. */
class LazyPoolsTest {
  private static final String NOTES = "SELECT text FROM note ORDER BY id";
  private static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "a");

  private static ShopDatabase database;

  /** A pool of two connections that waits for one for a short time. */
  enum Pool {
    HIKARI {
      @Override
      DataSource open(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(300);
        return pool;
      }
    },
    TOMCAT {
      @Override
      DataSource open(String url) {
        PoolProperties properties = new PoolProperties();
        properties.setUrl(url);
        properties.setDriverClassName("dev.larder.jdbc.LarderDriver");
        properties.setMaxActive(2);
        properties.setMaxWait(300);
        return new org.apache.tomcat.jdbc.pool.DataSource(properties);
      }
    },
    DBCP {
      @Override
      DataSource open(String url) {
        BasicDataSource pool = new BasicDataSource();
        pool.setUrl(url);
        pool.setMaxTotal(2);
        pool.setMaxWait(java.time.Duration.ofMillis(300));
        return pool;
      }
    };

    abstract DataSource open(String url);
  }

  @BeforeAll
  static void createNotes() throws SQLException {
    database = ShopDatabase.empty();
    database.execute("CREATE ROLE lazy_tenants LOGIN");
    database.execute("CREATE TABLE note (id int PRIMARY KEY, tenant text, text text)");
    database.execute("INSERT INTO note VALUES (1, 'a', 'of a'), (2, 'b', 'of b')");
    database.execute("ALTER TABLE note ENABLE ROW LEVEL SECURITY");
    database.execute(
        "CREATE POLICY own ON note USING (tenant = current_setting('app.tenant', true))");
    database.execute("GRANT SELECT ON note TO lazy_tenants");
    database.execute("CREATE TABLE price (id int PRIMARY KEY, amount int)");
    database.execute("INSERT INTO price VALUES (1, 10), (2, 20)");
    database.execute("GRANT SELECT ON price TO lazy_tenants");
  }

  private static String url(String lazy) {
    return database.larderUrl().replace("user=postgres", "user=lazy_tenants")
        + "&larder.writers=this-jvm&larder.admission=all&larder.lazyConnections="
        + lazy;
  }

  /** Says whose rows a connection may see as it hands it out. */
  private static final class Hooked extends DelegatingDataSource {
    Hooked(DataSource pool) {
      super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      try (Statement set = connection.createStatement()) {
        set.execute("SET app.tenant = '" + TENANT.get() + "'");
      }
      return connection;
    }
  }

  private static List<String> texts(DataSource source, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static void read(DataSource source) throws Exception {
    ShopDatabase.untilHit(source, () -> texts(source, "SELECT amount FROM price WHERE id = 1"));
  }

  @ParameterizedTest
  @EnumSource
  void noRowCrossesWhereAHookIsBelow(Pool pool) throws Exception {
    try (LazyDataSource source = new LazyDataSource(new Hooked(pool.open(url("auto"))))) {
      read(source);
      for (int round = 0; round < 30; round++) {
        TENANT.set(round % 5 < 3 ? "a" : "b");
        assertThat(texts(source, NOTES)).containsExactly("of " + TENANT.get());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRowCrossesWhereAHookIsAbove(Pool pool) throws Exception {
    try (LazyDataSource source = new LazyDataSource(pool.open(url("on")))) {
      DataSource hooked = new Hooked(source);
      read(source);
      for (int round = 0; round < 30; round++) {
        TENANT.set(round % 5 < 3 ? "a" : "b");
        assertThat(texts(hooked, NOTES)).containsExactly("of " + TENANT.get());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void hitsGoOnWhileThePoolIsExhausted(Pool pool) throws Exception {
    DataSource below = pool.open(url("on"));
    try (LazyDataSource source = new LazyDataSource(below)) {
      for (int round = 0; round < 4; round++) {
        read(source);
      }
      try (Connection one = below.getConnection();
          Connection other = below.getConnection()) {
        assertThat(one).isNotSameAs(other);
        assertThat(texts(source, "SELECT amount FROM price WHERE id = 1")).containsExactly("10");
        assertThatThrownBy(() -> texts(source, "SELECT amount FROM price WHERE id = 2"))
            .isInstanceOf(SQLException.class);
      }
    }
  }

  /** Tomcat's pool opens itself again where it is asked for a connection after its end. */
  @ParameterizedTest
  @EnumSource
  void aPoolThatIsClosedAnswersAsItDoesAlone(Pool pool) throws Exception {
    DataSource below = pool.open(url("on"));
    try (LazyDataSource source = new LazyDataSource(below)) {
      for (int round = 0; round < 4; round++) {
        read(source);
      }
      below.getClass().getMethod("close").invoke(below);
      String sql = "SELECT amount FROM price WHERE id = 1";
      if (pool == Pool.TOMCAT) {
        assertThat(texts(below, sql)).containsExactly("10");
        assertThat(texts(source, sql)).containsExactly("10");
      } else {
        assertThatThrownBy(() -> texts(below, sql)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> texts(source, sql)).isInstanceOf(SQLException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void endOfTheDataSourceIsThatOfThePool(Pool pool) throws Exception {
    String name = "ending-" + pool;
    try (LazyDataSource source =
        new LazyDataSource(pool.open(url("on") + "&ApplicationName=" + name))) {
      read(source);
      assertThat(sessions(name)).isNotEqualTo("0");
    }
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!sessions(name).equals("0")) {
      assertThat(System.nanoTime()).as("sessions are left").isLessThan(deadline);
    }
  }

  private static String sessions(String name) throws SQLException {
    try (Connection connection = java.sql.DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + name + "'")) {
      row.next();
      return row.getString(1);
    }
  }
}
