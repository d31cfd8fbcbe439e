package dev.larder.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database with the table {@code book} of three books, on the one server of these tests, and what
 * {@code SHOW larder.cache} says of it. The cache lives as long as this is open.
 */
final class AdoptionDatabase implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final String url;
  private final Connection observer;

  private AdoptionDatabase(String url) throws SQLException {
    this.url = url;
    this.observer = DriverManager.getConnection(larderUrl());
  }

  static AdoptionDatabase create() throws SQLException {
    String name = "adoption_" + NAMES.incrementAndGet();
    execute(Server.POSTGRES.url(), "CREATE DATABASE " + name);
    String url = Server.POSTGRES.url().replace("/postgres?", "/" + name + "?");
    execute(
        url, "CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL, price numeric NOT NULL)");
    execute(
        url, "INSERT INTO book VALUES (1, 'Emma', 8), (2, 'Persuasion', 9), (3, 'Ulysses', 12)");
    return new AdoptionDatabase(url);
  }

  /** Returns the driver's URL. */
  String url() {
    return url;
  }

  /** Returns Larder's URL. */
  String larderUrl() {
    return url.replace("jdbc:postgresql:", "jdbc:larder:postgresql:") + "&larder.writers=this-jvm";
  }

  /** Returns the first column of the first row, as a connection without a cache sees it. */
  String directly(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Returns the count of hits so far. */
  long hits() throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }

  /** Returns what {@code SHOW larder.queries} says, a line a query. */
  String queries() throws SQLException {
    StringBuilder text = new StringBuilder();
    try (Statement statement = observer.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        text.append(row.getString("query")).append(": hits ").append(row.getLong("hits"));
        text.append(", misses ").append(row.getLong("misses"));
        text.append(", bypassed because ").append(row.getString("bypass_reason")).append('\n');
      }
    }
    return text.toString();
  }

  /** Runs {@code read} until it is answered from the cache; fails when it never is. */
  <T> T untilHit(Callable<T> read) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      long before = hits();
      T answer = read.call();
      if (hits() > before) {
        return answer;
      }
      assertThat(System.nanoTime()).as("no hit: %s", queries()).isLessThan(deadline);
    }
  }

  /** Runs {@code read} and asserts that it is answered from the cache. */
  <T> T asHit(Callable<T> read) throws Exception {
    long before = hits();
    T answer = read.call();
    assertThat(hits()).as("no hit: %s", queries()).isGreaterThan(before);
    return answer;
  }

  /** Runs {@code read} and asserts that it is answered by the server. */
  <T> T asMiss(Callable<T> read) throws Exception {
    long before = hits();
    T answer = read.call();
    assertThat(hits()).as("a hit: %s", queries()).isEqualTo(before);
    return answer;
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    observer.close();
  }

  private static final class Server {
    static final Postgres POSTGRES = start();

    private static Postgres start() {
      try {
        return Postgres.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
