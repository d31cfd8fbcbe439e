package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LarderDataSourceTest {
  private static final String CURE = "hikari.setDataSource(larderDataSource)";
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createDatabase() throws SQLException {
    database = TestDatabase.create();
    database.execute("DROP ROLE IF EXISTS bob", "CREATE ROLE bob LOGIN");
  }

  @Test
  void aWrappedDataSourceIsAskedForEveryConnection() throws SQLException {
    LarderDataSource source =
        new LarderDataSource(
            database.dataSource(), QueryCacheConfig.builder().set(CacheOptions.NAME, "x").build());
    try (Connection one = source.getConnection();
        Connection other = source.getConnection("bob", null)) {
      assertThat(query(one, "SELECT current_database()")).isEqualTo(database.name());
      assertThat(query(other, "SELECT current_user")).isEqualTo("bob");
      assertThat(query(one, "SELECT pg_backend_pid()"))
          .isNotEqualTo(query(other, "SELECT pg_backend_pid()"));
      assertThat(one.getMetaData().getURL()).startsWith("jdbc:postgresql:");
    }
  }

  @Test
  void theBeanConnectsByUrlUserAndPassword() throws SQLException {
    LarderDataSource source = new LarderDataSource();
    source.setUrl(database.larderUrl("larder.mode=all"));
    source.setPassword("any");
    Properties properties = new Properties();
    properties.setProperty("larder.name", "bean");
    properties.setProperty("ApplicationName", "app");
    source.setProperties(properties);
    assertThat(source.getUrl()).isEqualTo(database.larderUrl("larder.mode=all"));
    assertUserAndApplication(source.getConnection(), "postgres");
    source.setUser("bob");
    assertThat(source.getUser()).isEqualTo("bob");
    assertUserAndApplication(source.getConnection(), "bob");
    assertUserAndApplication(source.getConnection("postgres", "x"), "postgres");
    source.setUrl(database.url());
    assertUserAndApplication(source.getConnection(), "bob");
  }

  private static void assertUserAndApplication(Connection opened, String user) throws SQLException {
    try (Connection connection = opened) {
      assertThat(query(connection, "SELECT current_user")).isEqualTo(user);
      assertThat(query(connection, "SHOW application_name")).isEqualTo("app");
    }
  }

  @Test
  void badOptionsAreErrorsWhenConnecting() {
    LarderDataSource byUrl = new LarderDataSource();
    assertThatThrownBy(byUrl::getConnection)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("neither a data source nor a URL");
    byUrl.setUrl(database.larderUrl("larder.mod=all"));
    assertThatThrownBy(byUrl::getConnection).hasMessageContaining("Did you mean larder.mode?");

    byUrl.setUrl(database.larderUrl("larder.mode=all"));
    byUrl.setConfig(QueryCacheConfig.builder().build());
    assertThatThrownBy(byUrl::getConnection)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.mode")
        .hasMessageContaining("use one of them");

    LarderDataSource wrapping = new LarderDataSource(database.dataSource());
    Properties properties = new Properties();
    properties.setProperty("larder.maxEntries", "-1");
    wrapping.setProperties(properties);
    assertThatThrownBy(wrapping::getConnection).hasMessageContaining("larder.maxEntries is -1");
    properties.clear();
    properties.setProperty("ssl", "true");
    wrapping.setProperties(properties);
    assertThatThrownBy(wrapping::getConnection)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("set those on the wrapped data source");

    LarderDataSource memcached =
        new LarderDataSource(
            database.dataSource(),
            QueryCacheConfig.builder()
                .set(CacheOptions.WRITERS, QueryCacheConfig.Writers.MEMCACHED)
                .build());
    assertThatThrownBy(memcached::getConnection).hasMessageContaining("not on the class path");
  }

  @Test
  void aPoolWorksAbove() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(new LarderDataSource(database.dataSource()));
    assertPooled(config);

    HikariConfig byClassName = new HikariConfig();
    byClassName.setDataSourceClassName(LarderDataSource.class.getName());
    byClassName.addDataSourceProperty("url", database.larderUrl("larder.mode=all"));
    byClassName.addDataSourceProperty("user", "postgres");
    assertPooled(byClassName);

    HikariConfig byUrl = new HikariConfig();
    byUrl.setJdbcUrl(database.larderUrl("larder.mode=all"));
    assertPooled(byUrl);
  }

  private static void assertPooled(HikariConfig config) throws SQLException {
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      String pid;
      try (Connection connection = pool.getConnection()) {
        pid = query(connection, "SELECT pg_backend_pid()");
      }
      try (Connection connection = pool.getConnection()) {
        assertThat(query(connection, "SELECT pg_backend_pid()")).isEqualTo(pid);
      }
    }
  }

  @Test
  void aKnownPoolIsRefusedWithTheCure() {
    try (HikariDataSource pool = new HikariDataSource()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new LarderDataSource(pool))
          .withMessageContaining("com.zaxxer.hikari.HikariDataSource")
          .withMessageContaining(CURE)
          .withMessageContaining("jdbc:larder:postgresql:");
    }
    try (HikariDataSource extended = new HikariDataSource() {}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new LarderDataSource().setDataSource(extended))
          .withMessageContaining(CURE);
    }
    @SuppressWarnings("deprecation")
    DataSource driversOwn = new org.postgresql.ds.PGPoolingDataSource();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LarderDataSource(driversOwn))
        .withMessageContaining(CURE);
  }

  @Test
  void anUnknownPoolIsRefusedOnceItKeepsAConnection() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    try (HikariDataSource pool = new HikariDataSource(config)) {
      LarderDataSource source = new LarderDataSource(new WrappingDataSource(pool));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(source::getConnection)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("WrappingDataSource")
            .hasMessageContaining("open after close()")
            .hasMessageContaining(CURE)
            .extracting("SQLState")
            .isEqualTo("0A000");
      }
    }
  }

  @Test
  void anUnknownDataSourceThatDoesNotPoolIsWrapped() throws SQLException {
    LarderDataSource source = new LarderDataSource(new WrappingDataSource(database.dataSource()));
    try (Connection connection = source.getConnection()) {
      assertThat(connection.getClass().getPackageName()).isEqualTo("dev.larder.jdbc.statement");
      assertThat(query(connection, "SELECT current_database()")).isEqualTo(database.name());
    }
    try (Connection connection = source.getConnection()) {
      assertThat(query(connection, "SELECT current_database()")).isEqualTo(database.name());
    }
  }

  @Test
  void twoLardersAreOneTooMany() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LarderDataSource(new LarderDataSource(database.dataSource())))
        .withMessageContaining("already");
  }

  @Test
  void itUnwrapsToItselfAndToWhatItWraps() throws SQLException {
    DataSource below = database.dataSource();
    LarderDataSource source = new LarderDataSource(below);
    assertThat(source.unwrap(LarderDataSource.class)).isSameAs(source);
    assertThat(source.unwrap(org.postgresql.ds.PGSimpleDataSource.class)).isSameAs(below);
    assertThat(source.isWrapperFor(org.postgresql.ds.PGSimpleDataSource.class)).isTrue();
    assertThat(source.isWrapperFor(HikariDataSource.class)).isFalse();
    assertThat(new LarderDataSource().isWrapperFor(HikariDataSource.class)).isFalse();
    assertThatThrownBy(() -> new LarderDataSource().unwrap(HikariDataSource.class))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void loginTimeoutAndLogWriterGoToWhatItWraps() throws SQLException {
    DataSource below = new WrappingDataSource(database.dataSource());
    LarderDataSource source = new LarderDataSource(below);
    source.setLoginTimeout(7);
    assertThat(below.getLoginTimeout()).isEqualTo(7);
    assertThat(source.getLoginTimeout()).isEqualTo(7);
    PrintWriter writer = new PrintWriter(System.err, false);
    source.setLogWriter(writer);
    assertThat(below.getLogWriter()).isSameAs(source.getLogWriter()).isSameAs(writer);

    LarderDataSource byUrl = new LarderDataSource();
    byUrl.setUrl(database.larderUrl());
    byUrl.setLoginTimeout(3);
    assertThat(byUrl.getLoginTimeout()).isEqualTo(3);
    assertThat(byUrl.options(null, null).properties()).containsEntry("loginTimeout", "3");
    byUrl.getConnection().close();
    assertThat(byUrl.getParentLogger().getName()).isEqualTo("dev.larder");
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** A data source of a library that Larder has never heard of. */
  private static final class WrappingDataSource implements DataSource {
    private final DataSource below;
    private PrintWriter logWriter;

    private WrappingDataSource(DataSource below) {
      this.below = below;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return below.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return below.getConnection(user, password);
    }

    @Override
    public PrintWriter getLogWriter() {
      return logWriter;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
      logWriter = out;
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
      below.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
      return below.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getLogger("wrapping");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      return below.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
      return below.isWrapperFor(type);
    }
  }
}
