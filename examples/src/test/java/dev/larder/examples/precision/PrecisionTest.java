package dev.larder.examples.precision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/precision.md} says what happens to each statement of the corpus: whether it is
 * cached, and if not why; and for each write what it takes out of the cache. Whatever survives a
 * write is compared with the server's answer.
 */
final class PrecisionTest {
  private static final String REWRITE = "larder.docs.rewrite";
  private static final String COMMAND =
      "./mvnw -pl examples -am test -Dtest=PrecisionTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -D"
          + REWRITE
          + "=true";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static Postgres postgres;
  private static Connection larder;
  private static Connection direct;

  @BeforeAll
  static void fill() throws IOException, SQLException {
    postgres = Postgres.start();
    direct = DriverManager.getConnection(postgres.url());
    try (Statement statement = direct.createStatement()) {
      statement.execute(Corpus.SCHEMA);
    }
    larder =
        DriverManager.getConnection(
            postgres.larderUrl() + "&larder.triggers.writes=orders.audit_orders=audit_log");
    untilHit(Corpus.READS.get(0));
  }

  @AfterAll
  static void stop() throws IOException, SQLException {
    larder.close();
    direct.close();
    postgres.close();
  }

  @Test
  void thePageSaysWhatHappens() throws IOException, SQLException {
    StringBuilder text = new StringBuilder(HEAD);
    List<Sql> cached = new ArrayList<>();
    for (Sql read : Corpus.READS) {
      read.run(larder);
      boolean hit = isHit(read);
      if (hit) {
        cached.add(read);
      }
      String outcome = hit ? "hit" : "bypass: " + reason(read);
      text.append("| %s | `%s` | %s |%n".formatted(read.name(), read.text(), outcome));
    }
    text.append(WRITES);
    for (Sql write : Corpus.WRITES) {
      List<String> gone = goneAfter(write, cached);
      text.append(
          "| %s | `%s` | %s | %d of %d |%n"
              .formatted(
                  write.name(),
                  write.text(),
                  gone(gone, cached),
                  cached.size() - gone.size(),
                  cached.size()));
    }
    Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/precision.md");
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(page, text);
    }
    assertThat(text.toString())
        .as("rewrite it with: %s", COMMAND)
        .isEqualTo(Files.readString(page));
  }

  private static final String HEAD =
      """
      # Precision

      <!-- Generated from the corpus in examples; PrecisionTest says how to rewrite it. -->

      This page shows which statements of Hibernate, jOOQ and pgbench are cached, and which results
      each write invalidates. They run on a small shop with an `updated_at` trigger, audit triggers,
      views and foreign keys. `larder.triggers.writes=orders.audit_orders=audit_log` declares the
      trigger `audit_orders`. The same trigger on `supplier` is not declared.

      ## Reads

      | from | statement | the second execution |
      |---|---|---|
      """;
  private static final String WRITES =
      """

      ## Writes

      | from | statement | invalidates | still cached |
      |---|---|---|---|
      """;

  /** Returns the reads that {@code write} takes out of the cache. */
  private static List<String> goneAfter(Sql write, List<Sql> cached) throws SQLException {
    for (Sql read : cached) {
      untilHit(read);
    }
    write.run(larder);
    List<String> gone = new ArrayList<>();
    for (Sql read : cached) {
      long before = count("hits");
      List<String> rows = read.run(larder);
      boolean survived = count("hits") > before;
      assertThat(rows).as("%s after %s", read.name(), write.name()).isEqualTo(read.run(direct));
      if (!survived) {
        gone.add(read.name());
      }
    }
    return gone;
  }

  /** Runs {@code read} until it is a hit: while the catalog is being read none is. */
  private static void untilHit(Sql read) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!isHit(read)) {
      assertThat(System.nanoTime()).as(read.name()).isLessThan(deadline);
    }
  }

  private static String gone(List<String> gone, List<Sql> cached) {
    if (gone.isEmpty()) {
      return "nothing";
    }
    return gone.size() == cached.size() ? "everything" : String.join("; ", gone);
  }

  private static boolean isHit(Sql read) throws SQLException {
    long before = count("hits");
    read.run(larder);
    return count("hits") > before;
  }

  private static long count(String column) throws SQLException {
    try (Statement statement = larder.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  private static String reason(Sql read) throws SQLException {
    String probe = compact(read.text());
    try (Statement statement = larder.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (compact(row.getString("query")).equals(probe)) {
          return row.getString("bypass_reason");
        }
      }
    }
    throw new AssertionError("not in SHOW larder.queries: " + read.name());
  }

  /** Returns the text without white space and literals, as shapes are told apart. */
  private static String compact(String sql) {
    return sql.replaceAll("'[^']*'", "?").replaceAll("\\s+|;", "");
  }
}
