package dev.larder.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.CrashingServer;
import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TcpProxy;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.TestServer;
import dev.larder.testing.Waiting;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of hits without a connection of the pool when something breaks, and what is said.
 */
@Tag("proof")
final class UnpooledFaultsTest {
  private static final String NAME = "SELECT name FROM item";
  private static final Duration LEASE = Duration.ofSeconds(4);

  /** For what a slow machine needs beside the lease. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final String cache = "faults-" + UUID.randomUUID();
  @AutoClose private LarderLog log;

  @BeforeEach
  void listen() {
    log = LarderLog.open();
  }

  private LazyDataSource source(int port, String database, String user, String... more) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:larder:postgresql://127.0.0.1:%d/%s?user=%s&socketTimeout=2&loginTimeout=2&larder.name=%s&larder.writers=this-jvm&larder.admission=all&larder.lazyConnections=auto&larder.lazyLease=%ds%s"
            .formatted(port, database, user, cache, LEASE.toSeconds(), String.join("", more)));
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(1_000);
    config.setValidationTimeout(500);
    return new LazyDataSource(new HikariDataSource(config));
  }

  private String lazy() {
    return LarderCaches.all().stream()
        .filter(each -> each.name().equals(cache))
        .map(LarderCache::status)
        .map(status -> String.valueOf(status.get("lazy")))
        .findFirst()
        .orElse("no cache");
  }

  private static List<String> rows(LazyDataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return LarderProbe.rows(connection, NAME);
    }
  }

  /** Returns the rows, or the SQLState of the exception. */
  private static List<String> answer(LazyDataSource source) {
    try {
      return rows(source);
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
  }

  private static boolean isUnpooled(LazyDataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      LarderProbe.rows(connection, NAME);
      return connection.toString().contains("without a connection");
    } catch (SQLException e) {
      return false;
    }
  }

  private static void awaitUnpooled(LazyDataSource source) throws SQLException {
    Waiting.until("hits without a connection", () -> isUnpooled(source));
  }

  private void isSaid(String reason) {
    assertThat(log.messages())
        .anySatisfy(line -> assertThat(line).startsWith("LRD-017").contains(reason, cache));
  }

  private static Duration timeUntil(String what, Waiting.Condition<RuntimeException> condition) {
    long begun = System.nanoTime();
    Waiting.until(what, condition);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Test
  void aServerThatIsFrozenEndsThemWithTheLease() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        TcpProxy proxy = new TcpProxy(database.port());
        LazyDataSource source = source(proxy.port(), database.name(), "postgres")) {
      database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      awaitUnpooled(source);
      proxy.freeze();
      proxy.loseAnswersTo("");
      assertThat(rows(source)).containsExactly("first");
      Duration served =
          timeUntil("no hits any more", () -> !answer(source).equals(List.of("first")));
      assertThat(served).isLessThan(LEASE.plus(SLACK));
      isSaid("the server does not answer");
      proxy.loseAnswersTo(null);
      awaitUnpooled(source);
      assertThat(lazy()).isEqualTo("on");
      assertThat(rows(source)).containsExactly("first");
    }
  }

  @Test
  void aServerThatIsKilledLeavesNoRowThatItHasLost(@TempDir Path directory) throws Exception {
    try (CrashingServer server = CrashingServer.start(directory);
        LazyDataSource source = source(server.port(), "postgres", "postgres")) {
      try (Connection connection = source.getConnection()) {
        LarderProbe.run(
            connection,
            "CREATE UNLOGGED TABLE item (name text)",
            "INSERT INTO item VALUES ('lost')");
      }
      awaitUnpooled(source);
      server.crashAndStart();
      Duration served = timeUntil("the rows are gone", () -> answer(source).isEmpty());
      assertThat(served).isLessThan(LEASE.plus(SLACK));
      awaitUnpooled(source);
      assertThat(rows(source)).isEmpty();
    }
  }

  @Test
  void aFailoverBehindACutNetworkIsSeenWithinTheLease(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("primary");
    try (TestServer primary = TestServer.startIn(data);
        TcpProxy proxy = new TcpProxy(primary.port());
        LazyDataSource source = source(proxy.port(), "postgres", "postgres")) {
      Path copy;
      try (Connection writer = connect(primary)) {
        LarderProbe.run(
            writer, "CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
        copy = ServersInBetweenTest.backUp(writer, data, directory.resolve("standby"));
      }
      awaitUnpooled(source);
      try (TestServer standby = TestServer.startFrom(copy);
          Connection other = connect(standby)) {
        proxy.freeze();
        LarderProbe.rows(other, "SELECT pg_promote()");
        LarderProbe.run(other, "UPDATE item SET name = 'second'");
        proxy.leadTo(standby.port());
        Duration served =
            timeUntil("the new primary's rows", () -> answer(source).equals(List.of("second")));
        assertThat(served).isLessThan(LEASE.plus(SLACK));
        awaitUnpooled(source);
        assertThat(rows(source)).containsExactly("second");
      }
    }
  }

  private static Connection connect(TestServer server) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
  }

  @Test
  void withoutASlotToDecodeWithHitsTakeAConnectionOfThePool() throws Exception {
    String role = "scarce_" + Math.floorMod(cache.hashCode(), 1_000_000);
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(
          "CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 2",
          "CREATE TABLE item (name text)",
          "INSERT INTO item VALUES ('first')",
          "GRANT SELECT ON item TO " + role);
      try (LazyDataSource source = source(database.port(), database.name(), role)) {
        Waiting.until("the reason", () -> answer(source).size() == 1 && lazy().contains("53300"));
        assertThat(rows(source)).containsExactly("first");
        isSaid("SQLState 53300");
        database.execute("ALTER ROLE " + role + " CONNECTION LIMIT -1");
        awaitUnpooled(source);
        assertThat(lazy()).isEqualTo("on");
      }
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  /** As behind a network that lets no more connections through, and says nothing. */
  @Test
  void aConnectionToDecodeWithThatDoesNotOpenHoldsNobodyUp() throws Exception {
    String forEver = "&socketTimeout=0&loginTimeout=0&ApplicationName=held-up";
    try (TestDatabase database = TestDatabase.create();
        TcpProxy proxy = new TcpProxy(database.port());
        LazyDataSource source = source(proxy.port(), database.name(), "postgres", forEver)) {
      database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      try (Connection pooled = source.unwrap(HikariDataSource.class).getConnection()) {
        LarderProbe.awaitCatalog(pooled);
      }
      proxy.loseAnswersTo("held-up");
      assertTimeoutPreemptively(
          SLACK,
          () -> {
            for (int i = 0; i < 3; i++) {
              assertThat(rows(source)).containsExactly("first");
            }
          });
      isSaid("SQLState 08001");
      proxy.loseAnswersTo(null);
      awaitUnpooled(source);
    }
  }

  @Test
  void whatIsSetOnAConnectionThatWaitedForTheSessionIsSeen() throws Exception {
    String forEver = "&socketTimeout=0&loginTimeout=0&ApplicationName=held-up";
    try (TestDatabase database = TestDatabase.create();
        TcpProxy proxy = new TcpProxy(database.port());
        LazyDataSource source = source(proxy.port(), database.name(), "postgres", forEver)) {
      database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      HikariDataSource pool = source.unwrap(HikariDataSource.class);
      pool.setMaximumPoolSize(2);
      try (Connection one = pool.getConnection();
          Connection other = pool.getConnection()) {
        assertThat(one).isNotSameAs(other);
        LarderProbe.awaitCatalog(one);
      }
      proxy.loseAnswersTo("held-up");
      try (Connection early = source.getConnection()) {
        isSaid("SQLState 08001");
        proxy.loseAnswersTo(null);
        awaitUnpooled(source);
        LarderProbe.run(early, "SET app.tenant = 'b'");
      }
      assertThat(isUnpooled(source)).isFalse();
      isSaid("the application has set something on a connection");
    }
  }

  @Test
  void aConnectionThatDeviatesEndsThemUntilItIsGone() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        LazyDataSource source = source(database.port(), database.name(), "postgres")) {
      database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      awaitUnpooled(source);
      try (Connection connection = source.getConnection()) {
        LarderProbe.run(connection, "SET app.tenant = 'b'");
      }
      assertThat(isUnpooled(source)).isFalse();
      isSaid("the application has set something on a connection");
      source.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
      awaitUnpooled(source);
    }
  }

  @Test
  void aClosedPoolAnswersNothing() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        LazyDataSource source = source(database.port(), database.name(), "postgres")) {
      database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
      awaitUnpooled(source);
      source.unwrap(HikariDataSource.class).close();
      assertThatThrownBy(() -> rows(source)).isInstanceOf(SQLException.class);
      assertThat(lazy()).isIn("the data source is closed", "no cache");
    }
  }
}
