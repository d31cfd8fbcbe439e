package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.memcached.client.MemcachedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Two instances that share nothing but a real PostgreSQL and a real memcached, and a table of one
 * row. A fresh memcached and fresh instances for each test.
 */
abstract class TwoInstances {
  static final String READ = "SELECT v FROM t WHERE id = 1";

  /** Of a request to memcached. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Of all tests of this JVM, with which it ends. */
  static final PostgresServer postgres = startServer();

  Memcached memcached;
  LarderInstance one;
  LarderInstance two;
  Connection first;
  Connection second;

  /** Of the driver alone. */
  Connection outside;

  private static PostgresServer startServer() {
    try {
      return PostgresServer.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    startServers();
    outside = postgres.connect();
    undoWhatIsPrepared();
    run(outside, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    run(outside, "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a')");
    one = new LarderInstance(url());
    two = new LarderInstance(url());
    first = one.connect();
    second = two.connect();
  }

  /** What a test that fails has prepared would hold the next one up. */
  private void undoWhatIsPrepared() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = outside.createStatement();
        ResultSet rows = statement.executeQuery("SELECT gid FROM pg_prepared_xacts")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    for (String name : names) {
      run(outside, "ROLLBACK PREPARED '" + name + "'");
    }
  }

  @AfterEach
  void end() throws Exception {
    one.close();
    two.close();
    outside.close();
    memcached.close();
  }

  /** Starts what is to be started before the instances. */
  void startServers() throws Exception {
    memcached = Memcached.start();
  }

  /** Returns the URL of both instances. */
  String url() {
    return url("failCommit");
  }

  static String urlOf(String servers) {
    return "jdbc:larder:postgresql://127.0.0.1:"
        + postgres.port()
        + "/postgres?user=postgres&larder.writers=memcached&larder.backend=memcached"
        // On one machine a database may be as fast as memcached.
        + "&larder.admission=all"
        + "&larder.memcached.servers="
        + servers;
  }

  final String url(String onUnreachable, String... more) {
    return urlOf(MemcachedServer.text(memcached.address()))
        // A machine that does other things, too, is no memcached that does not answer.
        + "&larder.memcached.timeout="
        + TIMEOUT.toMillis()
        + "ms"
        + "&larder.memcached.onUnreachable="
        + onUnreachable
        + (more.length == 0 ? "" : "&" + String.join("&", more));
  }
}
