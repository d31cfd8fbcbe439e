package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a commit costs more than with the driver alone, counted on the wire: two round trips to
 * memcached at most, and one to the database.
 */
@NeedsProgram(Program.MEMCACHED)
class RoundTripsTest extends TwoInstances {
  private static final String MARK = "/* counted */";

  private final MemcachedTurns remote = new MemcachedTurns();
  private final PostgresTurns shared = new PostgresTurns(MARK);
  private final PostgresTurns direct = new PostgresTurns(MARK);
  private CountingProxy toMemcached;
  private CountingProxy toPostgres;
  private CountingProxy toPostgresDirectly;
  private LarderInstance counted;

  @BeforeEach
  void connect() throws Exception {
    run(outside, "CREATE TABLE u (id int PRIMARY KEY, v text); INSERT INTO u VALUES (1, 'a')");
    InetSocketAddress server = new InetSocketAddress("127.0.0.1", postgres.port());
    toMemcached = new CountingProxy(memcached.address(), remote);
    toPostgres = new CountingProxy(server, shared);
    toPostgresDirectly = new CountingProxy(server, direct);
    counted =
        new LarderInstance(
            url()
                .replace(
                    MemcachedServer.text(memcached.address()),
                    MemcachedServer.text(toMemcached.address()))
                .replace(
                    "127.0.0.1:" + postgres.port() + "/",
                    MemcachedServer.text(toPostgres.address()) + "/"));
  }

  @AfterEach
  void disconnect() throws Exception {
    counted.close();
    toMemcached.close();
    toPostgres.close();
    toPostgresDirectly.close();
  }

  /** A way to write. */
  private enum Way {
    /** Its own transaction. */
    AUTOCOMMIT(1) {
      @Override
      void write(Connection connection, String value) throws SQLException {
        run(connection, update("t", value));
      }
    },
    TRANSACTION(2) {
      @Override
      void write(Connection connection, String value) throws SQLException {
        connection.setAutoCommit(false);
        run(connection, update("t", value));
        run(connection, update("u", value));
        connection.commit();
        connection.setAutoCommit(true);
      }
    },
    TRANSACTION_BY_TEXT(2) {
      @Override
      void write(Connection connection, String value) throws SQLException {
        run(connection, "BEGIN");
        run(connection, update("t", value));
        run(connection, update("u", value));
        run(connection, "COMMIT");
      }
    },
    BATCH_IN_A_TRANSACTION(1) {
      @Override
      void write(Connection connection, String value) throws SQLException {
        connection.setAutoCommit(false);
        try (var batch = connection.createStatement()) {
          batch.addBatch(update("t", value + "1"));
          batch.addBatch(update("t", value));
          batch.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
      }
    };

    private final int tables;

    Way(int tables) {
      this.tables = tables;
    }

    abstract void write(Connection connection, String value) throws SQLException;

    private static String update(String table, String value) {
      return "UPDATE " + table + " SET v = '" + value + "' " + MARK;
    }
  }

  @ParameterizedTest
  @EnumSource
  void commitAddsTwoRoundTripsToMemcachedAndOneToTheDatabaseAtMost(Way way) throws Exception {
    Connection writer = counted.connect();
    askUntilHit(writer, READ);
    askUntilHit(writer, "SELECT v FROM u WHERE id = 1");
    // Until everything is prepared, and the versions of both tables are there.
    for (int i = 0; i < 10; i++) {
      way.write(writer, "x" + i);
    }
    askUntilHit(writer, READ);
    askUntilHit(writer, "SELECT v FROM u WHERE id = 1");
    askUntilHit(second, READ);

    int before = shared.count();
    // A mark and a look at each table and a look at the catalog; then a swap of each table.
    remote.expect(2 * way.tables + 1, way.tables);
    way.write(writer, "b");
    assertThat(remote.end()).as("requests").isEqualTo(3 * way.tables + 1);
    int toDatabase = shared.count() - before;

    assertThat(askUntilHit(second, READ)).isEqualTo("b");
    assertThat(count(writer, "outages")).as("but for the first").isEqualTo(1);
    assertThat(toDatabase).isBetween(1, inVain(way) + 1);
  }

  /** Returns how many round trips to the database the driver alone makes. */
  private int inVain(Way way) throws SQLException {
    String url =
        "jdbc:postgresql://"
            + MemcachedServer.text(toPostgresDirectly.address())
            + "/postgres?user=postgres";
    try (Connection writer = DriverManager.getConnection(url)) {
      for (int i = 0; i < 10; i++) {
        way.write(writer, "y" + i);
      }
      int before = direct.count();
      way.write(writer, "c");
      return direct.count() - before;
    }
  }
}
