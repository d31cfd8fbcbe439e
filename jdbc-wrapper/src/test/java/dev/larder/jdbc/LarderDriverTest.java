package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.CacheOptions;
import dev.larder.Option;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.delegate.DelegatingConnection;
import dev.larder.testing.Waiting;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
class LarderDriverTest {
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createDatabase() throws SQLException {
    database = TestDatabase.create();
  }

  @Test
  void theServiceFileAndTheModuleNameTheDriver() {
    assertThat(ServiceLoader.load(Driver.class)).hasAtLeastOneElementOfType(LarderDriver.class);
  }

  @Test
  void driverManagerConnects() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.larderUrl())) {
      assertThat(currentDatabase(connection)).isEqualTo(database.name());
    }
    try (Connection connection =
        DriverManager.getConnection(
            database.larderUrl().replace("?user=postgres", ""), "postgres", "")) {
      assertThat(currentDatabase(connection)).isEqualTo(database.name());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:larder:postgresql://127.0.0.1:<port>/<name>",
        "jdbc:larder:postgresql://127.0.0.1:<port>/<name>?",
        "jdbc:larder:postgresql://127.0.0.1:<port>/<name>?larder.mode=all",
        "jdbc:larder:postgresql://127.0.0.1:<port>/<name>?larder.mode=all&ApplicationName=a%20b",
        "jdbc:larder:postgresql://127.0.0.1:<port>/<name>?ApplicationName=a&larder.mode=all",
        "jdbc:larder:postgresql://127.0.0.1:1,127.0.0.1:<port>/<name>?targetServerType=primary",
        "jdbc:larder:postgresql://127.0.0.1:<port>/?PGDBNAME=<name>",
        "jdbc:larder:postgresql:<name>?PGHOST=127.0.0.1&PGPORT=<port>",
        "jdbc:larder:postgresql:///?PGHOST=127.0.0.1&PGPORT=<port>&PGDBNAME=<name>",
        "jdbc:larder:postgresql://?PGHOST=127.0.0.1&PGPORT=<port>&PGDBNAME=<name>",
        "jdbc:larder:postgresql:?PGHOST=127.0.0.1&PGPORT=<port>&PGDBNAME=<name>",
        "jdbc:larder:p6spy:postgresql://127.0.0.1:<port>/<name>?larder.mode=all"
      })
  void everyFormOfTheDriversUrlConnects(String form) throws SQLException {
    String url =
        form.replace("<port>", Integer.toString(database.port()))
            .replace("<name>", database.name());
    Properties properties = new Properties();
    properties.setProperty("user", "postgres");
    assertThat(new LarderDriver().acceptsURL(url)).isTrue();
    try (Connection connection = new LarderDriver().connect(url, properties)) {
      assertThat(connection.getClass().getPackageName()).isEqualTo("dev.larder.jdbc.statement");
      assertThat(currentDatabase(connection)).as(url).isEqualTo(database.name());
    }
  }

  @Test
  void aHostlessUrlGoesToTheDriversDefaults() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "postgres");
    properties.setProperty("PGHOST", "127.0.0.1");
    properties.setProperty("PGPORT", Integer.toString(database.port()));
    properties.setProperty("PGDBNAME", database.name());
    for (String rest : List.of("postgresql:", "postgresql://", "postgresql:///")) {
      try (Connection connection = new LarderDriver().connect("jdbc:larder:" + rest, properties);
          Connection direct = new org.postgresql.Driver().connect("jdbc:" + rest, properties)) {
        assertThat(currentDatabase(connection)).as(rest).isEqualTo(currentDatabase(direct));
      }
    }
  }

  @Test
  void foreignUrlsAreLeftToOthers() throws SQLException {
    LarderDriver driver = new LarderDriver();
    for (String url :
        List.of(
            database.url(),
            "jdbc:larder",
            "jdbc:larderx:postgresql:db",
            "JDBC:LARDER:postgresql:db",
            " jdbc:larder:postgresql:db",
            "larder:postgresql:db",
            "")) {
      assertThat(driver.acceptsURL(url)).as(url).isFalse();
      assertThat(driver.connect(url, new Properties())).as(url).isNull();
    }
    assertThatThrownBy(() -> driver.connect(null, new Properties()))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> driver.acceptsURL(null)).isInstanceOf(SQLException.class);
  }

  @Test
  void theDriverBelowSeesNoOptionAndEverythingElseAsGiven() throws SQLException {
    RecordingDriver recording = new RecordingDriver();
    DriverManager.registerDriver(recording);
    try {
      Properties properties = new Properties();
      properties.setProperty("larder.maxEntries", "10");
      properties.setProperty("ApplicationName", "a b");
      String parameters = "&a=%20b&c&&larder.mode=all&d=";
      String url =
          database.larderUrl().replace("jdbc:larder:", "jdbc:larder:recording:") + parameters;
      try (Connection connection = DriverManager.getConnection(url, properties)) {
        assertThat(currentDatabase(connection)).isEqualTo(database.name());
      }
      // Larder's own connection may be opened by it, too.
      assertThat(recording.urls)
          .containsOnly(database.url().replace("jdbc:", "jdbc:recording:") + "&a=%20b&c&&d=");
      assertThat(recording.properties.get(0)).isEqualTo(Map.of("ApplicationName", "a b"));
      assertThat(properties).hasSize(2);
    } finally {
      DriverManager.deregisterDriver(recording);
    }
  }

  @Test
  void aConnectionThatCannotBeWrappedIsClosed() throws SQLException {
    RecordingDriver opaque =
        new RecordingDriver() {
          @Override
          Connection link(Connection connection) {
            return new OpaqueConnection(super.link(connection));
          }
        };
    DriverManager.registerDriver(opaque);
    try {
      String url = database.larderUrl().replace("jdbc:larder:", "jdbc:larder:recording:");
      assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
      assertThat(opaque.connections).hasSize(1);
      assertThat(opaque.connections.get(0).isClosed()).isTrue();
    } finally {
      DriverManager.deregisterDriver(opaque);
    }
  }

  @Test
  void badOptionsAreErrors() {
    assertThatThrownBy(() -> connect("larder.maxBytes=none"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.maxBytes is \"none\"")
        .extracting("SQLState")
        .isEqualTo("22023");
    assertThatThrownBy(() -> connect("larder.writer=this-jvm"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.writers");
    assertThatThrownBy(() -> connect("larder.writers=memcached"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("class path");
  }

  @Test
  void aConnectionThatStartsSwitchedOffIsWrapped() throws SQLException {
    try (Connection connection = connect("larder.enabled=false")) {
      assertThat(connection.getClass().getPackageName()).isEqualTo("dev.larder.jdbc.statement");
      assertThat(currentDatabase(connection)).isEqualTo(database.name());
    }
  }

  @Test
  void theDriversOwnErrorsComeThrough() {
    assertThatThrownBy(
            () -> DriverManager.getConnection("jdbc:larder:postgresql://127.0.0.1:1/db?user=u"))
        .isInstanceOf(org.postgresql.util.PSQLException.class)
        .extracting("SQLState")
        .isEqualTo("08001");
  }

  @Test
  void aUrlThatNobodyTakesIsAnErrorThatSaysWhatToDoAndHidesTheParameters() {
    for (String url :
        List.of("jdbc:larder:", "jdbc:larder:nosuch://h/db", "jdbc:larder:larder:postgresql:db")) {
      assertThatThrownBy(() -> new LarderDriver().connect(url + "?password=secret", null))
          .as(url)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(
              "LRD-046 no JDBC driver takes jdbc:" + url.substring("jdbc:larder:".length()))
          .hasMessageContaining("org.postgresql.Driver")
          .hasMessageNotContaining("secret")
          .extracting("SQLState")
          .isEqualTo("08001");
    }
    assertThatThrownBy(() -> new LarderDriver().connect("jdbc:larder:larder:postgresql:db", null))
        .hasMessageContaining("Write the prefix jdbc:larder: once.");
  }

  @Test
  void aDriverThatIsNotRegisteredIsFoundAsAService() throws SQLException {
    org.postgresql.Driver.deregister();
    try (Connection connection = connect("larder.mode=all")) {
      assertThat(DriverManager.drivers()).noneMatch(org.postgresql.Driver.class::isInstance);
      assertThat(currentDatabase(connection)).isEqualTo(database.name());
    } finally {
      org.postgresql.Driver.register();
    }
  }

  @Test
  void theDriverCanBeDeregisteredAndRegistered() throws SQLException {
    assertThat(LarderDriver.isRegistered()).isTrue();
    LarderDriver.deregister();
    try {
      LarderDriver.deregister();
      assertThat(LarderDriver.isRegistered()).isFalse();
      assertThat(DriverManager.drivers()).noneMatch(LarderDriver.class::isInstance);
      assertThatThrownBy(() -> DriverManager.getConnection(database.larderUrl()))
          .hasMessageContaining("No suitable driver");
    } finally {
      LarderDriver.register();
      LarderDriver.register();
    }
    assertThat(DriverManager.drivers().filter(LarderDriver.class::isInstance)).hasSize(1);
  }

  @Test
  void propertyInfoListsLardersOptionsAndTheDriversProperties() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("larder.name", "shop");
    properties.setProperty("ApplicationName", "app");
    DriverPropertyInfo[] infos =
        new LarderDriver().getPropertyInfo(database.larderUrl("larder.mode=demand"), properties);
    Map<String, DriverPropertyInfo> byName =
        Arrays.stream(infos).collect(Collectors.toMap(info -> info.name, Function.identity()));
    for (Option<?> property : CacheOptions.all()) {
      assertThat(byName.get(property.key()).description).isEqualTo(property.description());
      assertThat(byName.get(property.key()).required).isFalse();
    }
    assertThat(byName.get("larder.mode").value).isEqualTo("demand");
    assertThat(byName.get("larder.mode").choices).containsExactly("all", "demand", "observe");
    assertThat(byName.get("larder.name").value).isEqualTo("shop");
    assertThat(byName.get("larder.unwrap").value).isNull();
    assertThat(byName.get("ApplicationName").value).isEqualTo("app");
    assertThat(byName.get("user").value).isEqualTo("postgres");
    assertThat(new LarderDriver().getPropertyInfo("jdbc:larder:", null))
        .hasSameSizeAs(CacheOptions.all());
  }

  @Test
  void theVersionComesFromTheBuild() {
    LarderDriver driver = new LarderDriver();
    assertThat(driver.toString()).matches("Larder \\d+\\.\\d+\\.\\d+.*");
    assertThat(driver.toString())
        .startsWith("Larder " + driver.getMajorVersion() + '.' + driver.getMinorVersion() + '.');
    assertThat(Version.parse("12.34.5-rc1")).isEqualTo(new Version(12, 34, "12.34.5-rc1"));
    assertThat(Version.parse("${project.version}")).isEqualTo(new Version(0, 0, "unknown"));
    assertThat(driver.jdbcCompliant()).isFalse();
    assertThat(driver.getParentLogger().getName()).isEqualTo("dev.larder");
  }

  @Test
  void lardersOwnConnectionsUseTheSameUrlAndCredentials() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("password", "secret");
    properties.setProperty("ApplicationName", "own");
    ConnectionFactory own =
        LarderOptions.of(database.url() + "&larder.mode=all", properties).factory();
    assertThat(own.toString()).doesNotContain("secret");
    try (Connection one = own.connect();
        Connection other = own.connect()) {
      assertThat(one).isNotSameAs(other).isInstanceOf(org.postgresql.PGConnection.class);
      assertThat(one.getClientInfo("ApplicationName")).isEqualTo("own");
    }
  }

  @Test
  void onlyLardersOwnConnectionsGiveAServerUpThatStopsAnswering() throws Exception {
    RecordingDriver recording = new RecordingDriver();
    DriverManager.registerDriver(recording);
    try (TestDatabase unknown = TestDatabase.create();
        Connection connection =
            DriverManager.getConnection(
                unknown.larderUrl().replace("jdbc:larder:", "jdbc:larder:recording:"));
        Statement statement = connection.createStatement()) {
      assertThat(connection.getNetworkTimeout()).isZero();
      Waiting.until(
          "the catalog is read on a connection of its own",
          () -> {
            statement.executeQuery("SELECT * FROM pg_am WHERE false").close();
            return recording.properties.contains(Map.of("socketTimeout", "60"));
          });
      assertThat(recording.properties.get(0)).isEmpty();
    } finally {
      DriverManager.deregisterDriver(recording);
    }
  }

  @Test
  void theApplicationsOwnSocketTimeoutCounts() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/db?user=u";
      ConnectionFactory own = LarderOptions.of(url + "&socketTimeout=1", null).factory();
      assertThatThrownBy(own::connectUnattended)
          .hasRootCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  private static Connection connect(String... parameters) throws SQLException {
    return DriverManager.getConnection(database.larderUrl(parameters));
  }

  private static String currentDatabase(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT current_database()")) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** A link of a chain of drivers that keeps what it was given. */
  private static class RecordingDriver implements Driver {
    private static final String PREFIX = "jdbc:recording:";

    final List<String> urls = Collections.synchronizedList(new ArrayList<>());
    final List<Connection> connections = Collections.synchronizedList(new ArrayList<>());
    final List<Map<?, ?>> properties = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      if (!acceptsURL(url)) {
        return null;
      }
      urls.add(url);
      properties.add(Map.copyOf(info));
      return link(
          new org.postgresql.Driver().connect("jdbc:" + url.substring(PREFIX.length()), info));
    }

    Connection link(Connection connection) {
      connections.add(connection);
      return connection;
    }

    @Override
    public boolean acceptsURL(String url) {
      return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 0;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getLogger("recording");
    }
  }

  /** A connection of a library that hides the driver's. */
  private static final class OpaqueConnection extends DelegatingConnection {
    private final Connection connection;

    private OpaqueConnection(Connection connection) {
      this.connection = connection;
    }

    @Override
    protected Connection delegate() {
      return connection;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("hides it");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }

  @Test
  void aConnectionForPhysicalReplicationRunsItsCommands() throws SQLException {
    String[] options = {"replication=true", "preferQueryMode=simple", "assumeMinServerVersion=9.4"};
    try (Connection connection = database.connectThroughLarder(options);
        Statement statement = connection.createStatement();
        ResultSet system = statement.executeQuery("IDENTIFY_SYSTEM")) {
      assertThat(system.next()).isTrue();
      assertThat(system.getString("systemid")).isNotEmpty();
    }
  }
}
