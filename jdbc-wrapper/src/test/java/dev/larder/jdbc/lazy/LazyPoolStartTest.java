package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections of a pool whose first statements run while the catalog is still read: nobody knows
 * what these statements set. The log warns only of what does not pass by itself.
 */
final class LazyPoolStartTest {
  private static final String NAME = "SELECT name FROM item";

  private LarderLog log;
  private TestDatabase database;
  private LazyDataSource source;

  /** While it has a lock, the catalog cannot be read. */
  private Connection bare;

  @BeforeEach
  void holdTheCatalog() throws SQLException {
    log = LarderLog.open();
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
    bare = database.connect();
    bare.setAutoCommit(false);
    LarderProbe.run(bare, "LOCK TABLE pg_catalog.pg_policy IN ACCESS EXCLUSIVE MODE");
  }

  @AfterEach
  void close() throws SQLException {
    bare.close();
    source.close();
    database.close();
    log.close();
  }

  private void start(int connections, Consumer<HikariConfig> more) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        database.larderUrl(
            "larder.writers=this-jvm", "larder.admission=all", "larder.lazyConnections=auto"));
    config.setMaximumPoolSize(connections);
    more.accept(config);
    source = new LazyDataSource(new HikariDataSource(config));
  }

  private boolean isUnpooled() throws SQLException {
    try (Connection connection = source.getConnection()) {
      assertThat(LarderProbe.rows(connection, NAME)).containsExactly("first");
      return connection.toString().contains("without a connection");
    }
  }

  private void awaitUnpooled() throws SQLException {
    Waiting.until("hits without a connection", this::isUnpooled);
  }

  private List<String> warnings() {
    return log.messages().stream().filter(line -> line.startsWith("LRD-017")).toList();
  }

  /** Uses so many connections at once, which have then run a query each. */
  private void useAtOnce(int connections) throws SQLException {
    List<Connection> open = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      open.add(source.getConnection());
    }
    for (Connection each : open) {
      assertThat(LarderProbe.rows(each, NAME)).containsExactly("first");
    }
    for (Connection each : open) {
      each.close();
    }
  }

  private void nothingIsSaid(int connections, Consumer<HikariConfig> more) throws SQLException {
    start(connections, more);
    for (int i = 0; i < 3; i++) {
      useAtOnce(connections);
      assertThat(isUnpooled()).isFalse();
    }
    bare.rollback();
    awaitUnpooled();
    assertThat(warnings()).isEmpty();
  }

  @Test
  void nothingIsSaidOfAPlainStart() throws SQLException {
    nothingIsSaid(1, config -> {});
  }

  /** Hits need no connection although only one of them is used again. */
  @Test
  void nothingIsSaidOfConnectionsThatAreUsedAtOnce() throws SQLException {
    nothingIsSaid(5, config -> {});
  }

  @Test
  void nothingIsSaidOfConnectionsWithoutAutocommit() throws SQLException {
    nothingIsSaid(1, config -> config.setAutoCommit(false));
  }

  @Test
  void nothingIsSaidOfConnectionsThatThePoolSetsUp() throws SQLException {
    nothingIsSaid(
        2,
        config -> {
          config.setConnectionInitSql("SELECT set_config('app.zone', 'north', false)");
          config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
          config.setReadOnly(true);
        });
  }

  @Test
  void nothingIsSaidWhileTheCatalogArrives() throws Exception {
    start(4, config -> {});
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            threads.submit(
                () -> {
                  awaitUnpooled();
                  return null;
                }));
      }
      useAtOnce(2);
      bare.rollback();
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void anotherIsolationLevelIsSaidOnceAndNothingElse() throws SQLException {
    start(2, config -> config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"));
    useAtOnce(2);
    bare.rollback();
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    useAtOnce(2);
    assertThat(isUnpooled()).isFalse();
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("transactions have another isolation level than READ COMMITTED");
  }

  @Test
  void whatTheApplicationSetsMeanwhileIsSeen() throws SQLException {
    start(1, config -> {});
    try (Connection connection = source.getConnection()) {
      LarderProbe.run(connection, "SET app.tenant = 'b'");
    }
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("the application has set something on a connection");
    bare.rollback();
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    assertThat(isUnpooled()).isFalse();
    assertThat(isUnpooled()).isFalse();
  }

  @Test
  void aTransactionThatIsLeftOpenIsLookedAtWhenItsConnectionIsUsedAgain() throws SQLException {
    start(1, config -> config.setAutoCommit(false));
    try (Connection connection = source.getConnection()) {
      LarderProbe.run(connection, "SET app.tenant = 'b'");
      connection.commit();
      LarderProbe.rows(connection, NAME); // Whatever that sets is not known before its end.
    }
    assertThat(warnings()).isEmpty();
    bare.rollback();
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    assertThat(isUnpooled()).isFalse();
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("settings of a connection have changed");
  }
}
