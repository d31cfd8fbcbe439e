package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three JVMs write and read ({@link HistoryClient}) on one PostgreSQL and three memcached servers,
 * the third JVM by ways that can be cut, while everything fails in turn; none may read what is
 * older than what was known, and after each fault each of them has hits again within ten seconds.
 *
 * <p>{@code -Dlarder.history.seconds=600} goes on, with another order of the faults each time;
 * {@code -Dlarder.history.seed} repeats one.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class SharedHistoryTest extends TwoInstances {
  private static final long SECONDS = Long.getLong("larder.history.seconds", 0);
  private static final long SEED = Long.getLong("larder.history.seed", System.nanoTime());
  private static final int JVMS = 3;
  private static final String SHARED = ".*remote_hits=[1-9].*";
  private static final String BY_TABLE = "&larder.invalidation=table";

  private final Random random = new Random(SEED);
  private final List<Memcached> servers = new ArrayList<>();
  private final List<TornProxy> ways = new ArrayList<>();

  @TempDir private Path directory;

  /** Which servers each JVM uses, in the words of its URL, and what else is in there. */
  private String more = "&larder.memcached.onUnreachable=failCommit";

  @Override
  void startServers() throws Exception {
    // With hardly any memory: versions and entries are evicted when others come.
    memcached = Memcached.start("-m", "1", "-I", "512k");
    servers.addAll(List.of(memcached, Memcached.start(), Memcached.start()));
    for (Memcached server : servers) {
      ways.add(new TornProxy(server.address()));
    }
  }

  @AfterEach
  void stopServers() throws Exception {
    for (TornProxy way : ways) {
      way.close();
    }
    servers.forEach(Memcached::close);
  }

  @BeforeEach
  void createTables() throws Exception {
    run(outside, "CREATE TABLE a (id int PRIMARY KEY, n bigint)");
    run(outside, "INSERT INTO a SELECT i, 0 FROM generate_series(0, 3) i");
    // Each row of b is the only one of its list, and refers to the row of a with its number.
    run(outside, "CREATE TABLE b (id int PRIMARY KEY, mirror int NOT NULL REFERENCES a, n bigint)");
    run(outside, "CREATE INDEX ON b (mirror)");
    run(outside, "INSERT INTO b SELECT i, i, 0 FROM generate_series(0, 3) i");
    run(
        outside,
        "CREATE PROCEDURE count_up(which int) LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id ="
            + " which'");
    run(
        outside,
        "CREATE FUNCTION counted_up(which int) RETURNS bigint LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id = which"
            + " RETURNING n'");
  }

  @Override
  String url() {
    return url(0);
  }

  /** Returns the URL of the JVM at {@code place}; the last one's ways can be cut. */
  private String url(int place) {
    Stream<InetSocketAddress> addresses =
        place == JVMS - 1
            ? ways.stream().map(TornProxy::address)
            : servers.stream().map(Memcached::address);
    List<String> texts = addresses.map(MemcachedServer::text).toList();
    return urlOf(String.join(",", texts))
        + "&larder.memcached.versionServer="
        + texts.get(0)
        + "&larder.memcached.timeout=500ms"
        + more;
  }

  @Test
  void noReadIsOlderThanWhatWasKnown() throws Exception {
    more += BY_TABLE;
    List<String> said = check(0, true, Arrays.asList(HistoryFaults.Fault.values()));
    assertThat(said).as("results are shared").anyMatch(line -> line.matches(SHARED));
  }

  @Test
  void noRowIsOlderThanWhatWasKnown() throws Exception {
    List<String> said = check(0, true, Arrays.asList(HistoryFaults.Fault.values()));
    assertThat(said)
        .as("rows stay through writes of others")
        .anyMatch(line -> line.matches(".*writes_by_key=[1-9].*"));
    assertThat(said).as("results are shared").anyMatch(line -> line.matches(SHARED));
  }

  @Test
  void polledRowsAreBehindByThePeriodAndOneRoundTripAtMost() throws Exception {
    more += "&larder.memcached.nearCache=polled(50ms)";
    List<String> unused =
        check(
            550,
            true,
            List.of(
                HistoryFaults.Fault.VERSION_SERVER_IS_KILLED,
                HistoryFaults.Fault.EVERYTHING_IS_FLUSHED,
                HistoryFaults.Fault.ONE_JVM_IS_NOT_ANSWERED));
  }

  @Test
  void polledVersionsAreBehindByThePeriodAndOneRoundTripAtMost() throws Exception {
    more += BY_TABLE + "&larder.memcached.nearCache=polled(50ms)";
    List<String> said =
        check(
            550,
            true,
            List.of(
                HistoryFaults.Fault.VERSION_SERVER_IS_KILLED,
                HistoryFaults.Fault.EVERYTHING_IS_FLUSHED,
                HistoryFaults.Fault.ONE_JVM_IS_NOT_ANSWERED));
    assertThat(said)
        .as("the check can fail")
        .anyMatch(line -> line.matches(".* [1-9]\\d* ms behind.*"));
  }

  @Test
  void boundedStalenessIsKept() throws Exception {
    more = "&larder.memcached.onUnreachable=boundedStaleness&larder.memcached.maxStaleness=3s";
    // Only the one that is cut off writes, so that nobody tells the others.
    List<String> said =
        check(
            4_000,
            false,
            List.of(
                HistoryFaults.Fault.ONE_JVM_IS_CUT_OFF,
                HistoryFaults.Fault.VERSION_SERVER_IS_KILLED,
                HistoryFaults.Fault.ONE_JVM_IS_NOT_ANSWERED));
    assertThat(said)
        .as("the check can fail")
        .anyMatch(line -> line.matches(".* [1-9]\\d{2,} ms behind.*"));
  }

  private List<String> check(long allowedMillis, boolean allWrite, List<HistoryFaults.Fault> faults)
      throws Exception {
    System.out.println("history: seed " + SEED + " (-Dlarder.history.seed)");
    Path known = Files.createFile(directory.resolve("known"));
    try (HistoryRun run = new HistoryRun(known, SEED, allowedMillis)) {
      try {
        for (int place = 0; place < JVMS; place++) {
          run.launch(place, url(place), allWrite || place == JVMS - 1);
        }
        run.awaitUse("start");
        torment(run, new ArrayList<>(faults));
        return run.end();
      } catch (AssertionError e) {
        print(
            "SELECT application_name, state, wait_event, xact_start, query FROM pg_stat_activity");
        print("SELECT * FROM pg_prepared_xacts");
        print("SELECT pid, locktype, mode, transactionid, granted FROM pg_locks");
        throw e;
      }
    }
  }

  private void torment(HistoryRun run, List<HistoryFaults.Fault> order) throws Exception {
    long outageMillis = more.contains("maxStaleness") ? 6_000 : 2_000;
    HistoryFaults faults =
        new HistoryFaults(run, servers, ways, outside, first, random, outageMillis);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    do {
      Collections.shuffle(order, random);
      for (HistoryFaults.Fault fault : order) {
        if (fault.lasts()) {
          run.measure(fault.name(), () -> faults.happen(fault));
        } else {
          faults.happen(fault);
        }
        run.awaitUse(fault.name());
      }
    } while (System.nanoTime() < end);
  }

  private void print(String sql) throws SQLException {
    try (Statement statement = outside.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        StringBuilder line = new StringBuilder("history:");
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          line.append(" | ").append(rows.getString(i));
        }
        System.out.println(line);
      }
    }
  }
}
