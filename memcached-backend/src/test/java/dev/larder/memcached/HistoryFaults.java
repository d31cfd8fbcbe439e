package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What goes wrong in a {@link HistoryRun}. For one thread. */
final class HistoryFaults {
  /** Something bad, and its end. */
  enum Fault {
    VERSION_SERVER_IS_KILLED(true),
    ENTRY_SERVER_IS_KILLED(true),
    VERSION_SERVER_HANGS(true),
    EVERYTHING_IS_FLUSHED(false),
    STORM_OF_EVICTIONS(true),
    ONE_JVM_IS_CUT_OFF(true),
    ONE_JVM_IS_NOT_ANSWERED(true),
    SESSIONS_ARE_TERMINATED(false),
    JVM_IS_KILLED(false),
    JVM_IS_KILLED_WHILE_ITS_COMMIT_WAITS(false);

    /** Whether it takes some time, in which reads are measured. */
    private final boolean lasts;

    Fault(boolean lasts) {
      this.lasts = lasts;
    }

    boolean lasts() {
      return lasts;
    }
  }

  private final HistoryRun history;
  private final List<Memcached> servers;
  private final List<TornProxy> ways;
  private final Connection outside;
  private final Connection settling;
  private final Random random;
  private final long outageMillis;

  /**
   * Creates them.
   *
   * @param servers the version server first
   * @param ways those of one of the JVMs to the servers
   * @param outside of the driver alone
   * @param settling of a Larder in this JVM, for what the dead have prepared
   * @param outageMillis how long a JVM is cut off
   */
  HistoryFaults(
      HistoryRun history,
      List<Memcached> servers,
      List<TornProxy> ways,
      Connection outside,
      Connection settling,
      Random random,
      long outageMillis) {
    this.history = history;
    this.servers = servers;
    this.ways = ways;
    this.outside = outside;
    this.settling = settling;
    this.random = random;
    this.outageMillis = outageMillis;
  }

  /** Has {@code fault} happen, and end. */
  void happen(Fault fault) throws Exception {
    switch (fault) {
      case VERSION_SERVER_IS_KILLED -> killAndStart(servers.get(0));
      case ENTRY_SERVER_IS_KILLED -> killAndStart(servers.get(1 + random.nextInt(2)));
      case VERSION_SERVER_HANGS -> {
        servers.get(0).suspend();
        Waiting.pass(Duration.ofSeconds(5));
        servers.get(0).resume();
      }
      case EVERYTHING_IS_FLUSHED -> {
        for (Memcached server : servers) {
          server.ask("flush_all");
        }
      }
      case STORM_OF_EVICTIONS -> storm();
      case ONE_JVM_IS_CUT_OFF -> {
        ways.forEach(TornProxy::cut);
        outage();
      }
      case ONE_JVM_IS_NOT_ANSWERED -> {
        ways.forEach(TornProxy::silence);
        outage();
      }
      case SESSIONS_ARE_TERMINATED ->
          run(
              outside,
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE application_name LIKE 'jvm%' AND random() < 0.7");
      case JVM_IS_KILLED -> {
        HistoryRun.Client victim = anyone();
        history.kill(victim);
        replace(victim);
      }
      case JVM_IS_KILLED_WHILE_ITS_COMMIT_WAITS -> killWhileCommitWaits();
      default -> throw new IllegalStateException(fault.name());
    }
  }

  private static void killAndStart(Memcached server) throws Exception {
    server.kill();
    Waiting.pass(Duration.ofMillis(700));
    server.restart();
  }

  /** Long enough for bounded staleness to be seen. */
  private void outage() throws InterruptedException {
    Waiting.pass(Duration.ofMillis(outageMillis));
    ways.forEach(TornProxy::mend);
  }

  /** Stores so much, in sizes like those of versions, that they are evicted. */
  private void storm() throws Exception {
    String before = String.valueOf(servers.get(0).stats().get("evictions"));
    try (Socket socket =
        new Socket(servers.get(0).address().getAddress(), servers.get(0).address().getPort())) {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < 200_000; i++) {
        String value = "x".repeat(40 + i % 200);
        String line =
            "set storm" + i % 40_000 + " 0 0 " + value.length() + " noreply\r\n" + value + "\r\n";
        out.write(line.getBytes(StandardCharsets.US_ASCII));
      }
      out.write("version\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('V');
    }
    assertThat(servers.get(0).stats().get("evictions")).isNotEqualTo(before);
  }

  private HistoryRun.Client anyone() {
    return history.clients().get(random.nextInt(history.clients().size()));
  }

  /** Launches another JVM, and ends what the dead one has prepared: nobody else would. */
  private void replace(HistoryRun.Client dead) throws Exception {
    history.launch(dead.place(), dead.url(), dead.writes());
    awaitAnswer(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + dead.name() + "'",
        "0");
    for (String transaction : prepared(dead)) {
      boolean done = false;
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!done) {
        try {
          run(settling, "COMMIT PREPARED '" + transaction + "'");
          done = true;
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as("%s", e).isEqualTo("40001");
          assertThat(System.nanoTime()).as("%s", e).isLessThan(deadline);
        }
      }
    }
  }

  private List<String> prepared(HistoryRun.Client dead) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = outside.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE '" + dead.name() + "-%'")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /**
   * A commit that waits for a standby that is not there goes on after its client has died, and
   * becomes visible long after.
   */
  private void killWhileCommitWaits() throws Exception {
    run(outside, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    run(outside, "SELECT pg_reload_conf()");
    try {
      String waiting =
          "SELECT coalesce(min(application_name), '') FROM pg_stat_activity"
              + " WHERE wait_event = 'SyncRep' AND application_name LIKE 'jvm%'";
      awaitOther(waiting, "");
      String name = String.valueOf(ask(outside, waiting));
      HistoryRun.Client victim =
          history.clients().stream()
              .filter(client -> client.name().equals(name))
              .findAny()
              .orElseThrow();
      history.kill(victim);
      Waiting.pass(Duration.ofMillis(500));
      assertThat(
              ask(
                  outside,
                  "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                      + " AND application_name = '"
                      + name
                      + "'"))
          .as("it outlives its client")
          .isEqualTo("1");
      run(outside, "ALTER SYSTEM RESET synchronous_standby_names");
      run(outside, "SELECT pg_reload_conf()");
      replace(victim);
    } finally {
      run(outside, "ALTER SYSTEM RESET synchronous_standby_names");
      run(outside, "SELECT pg_reload_conf()");
    }
  }

  private void awaitAnswer(String sql, String answer) throws Exception {
    Waiting.until(sql, () -> answer.equals(ask(outside, sql)));
  }

  private void awaitOther(String sql, String answer) throws Exception {
    Waiting.until(sql, () -> !answer.equals(ask(outside, sql)));
  }
}
