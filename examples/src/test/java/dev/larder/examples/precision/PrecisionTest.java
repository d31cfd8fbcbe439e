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
  private static Connection byKey;
  private static Connection direct;

  @BeforeAll
  static void fill() throws IOException, SQLException {
    postgres = Postgres.start();
    direct = DriverManager.getConnection(postgres.url());
    try (Statement statement = direct.createStatement()) {
      statement.execute(Corpus.SCHEMA);
    }
    String url = postgres.larderUrl() + "&larder.radar=off"; // The schema was written past Larder.
    larder = DriverManager.getConnection(url + "&larder.invalidation=table");
    byKey = DriverManager.getConnection(url + "&larder.name=by-key&larder.invalidation=key");
    untilHit(larder, Corpus.READS.get(0));
  }

  @AfterAll
  static void stop() throws IOException, SQLException {
    larder.close();
    byKey.close();
    direct.close();
    postgres.close();
  }

  @Test
  void thePageSaysWhatHappens() throws IOException, SQLException {
    StringBuilder text = new StringBuilder(HEAD);
    List<Sql> cached = new ArrayList<>();
    for (Sql read : Corpus.READS) {
      read.run(larder);
      boolean hit = isHit(larder, read);
      read.run(byKey);
      if (hit) {
        cached.add(read);
      }
      String outcome = hit ? "hit" : "bypass: " + told(larder, read, "bypass_reason");
      String rows = hit ? told(byKey, read, "depends_on").replace("public.", "") : "";
      text.append("| %s | `%s` | %s | %s |%n".formatted(read.name(), read.text(), outcome, rows));
    }
    // What the rows of a result show is kept under tags that are there when it is read again.
    try (Statement statement = byKey.createStatement()) {
      statement.execute("RESET larder.cache");
    }
    text.append(WRITES);
    for (Sql write : Corpus.WRITES) {
      text.append(row(write, cached));
    }
    Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/precision.md");
    String written = Files.readString(page);
    int others = written.indexOf("\n## Forms of other generators\n"); // Another test's.
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(page, text + written.substring(others));
    }
    assertThat(text + written.substring(others))
        .as("rewrite it with: %s", COMMAND)
        .isEqualTo(Files.readString(page));
  }

  private static String row(Sql write, List<Sql> cached) throws SQLException {
    for (Sql read : cached) {
      untilHit(larder, read);
      untilHit(byKey, read);
    }
    write.run(byKey);
    List<String> gone = gone(larder, write, cached);
    List<String> goneByKey = gone(byKey, write, cached);
    assertThat(gone).as(write.name()).containsAll(goneByKey);
    List<String> kept = new ArrayList<>(gone);
    kept.removeAll(goneByKey);
    return "| %s | `%s` | %s | %d of %d | %s |%n"
        .formatted(
            write.name(),
            write.text(),
            names(gone, cached),
            cached.size() - gone.size(),
            cached.size(),
            names(kept, cached));
  }

  private static final String HEAD =
      """
      # Precision

      <!-- Generated from the corpus in examples; PrecisionTest says how to rewrite it. -->

      This page shows which statements of Hibernate, jOOQ and pgbench are cached, and which results
      each write invalidates. They run on a small shop with an `updated_at` trigger, audit triggers,
      views and foreign keys. The audit trigger of `orders` inserts into `audit_log`, as its body
      says. That of `supplier` does so by dynamic SQL, and is not declared. What the last columns
      say holds with `larder.invalidation=key`: see [invalidation.md](invalidation.md).

      ## Reads

      | from | statement | the second execution | by key, the result depends on |
      |---|---|---|---|
      """;
  private static final String WRITES =
      """

      ## Writes

      | from | statement | invalidates | still cached | by key, of what it invalidates is kept |
      |---|---|---|---|---|
      """;

  /** Returns the reads that {@code write} has taken out of the cache of {@code reader}. */
  private static List<String> gone(Connection reader, Sql write, List<Sql> cached)
      throws SQLException {
    List<String> gone = new ArrayList<>();
    for (Sql read : cached) {
      long hits = count(reader, "hits");
      long misses = count(reader, "misses");
      List<String> rows;
      do { // While the catalog is being read it is neither.
        rows = read.run(reader);
      } while (count(reader, "hits") == hits && count(reader, "misses") == misses);
      boolean survived = count(reader, "hits") > hits;
      assertThat(rows).as("%s after %s", read.name(), write.name()).isEqualTo(read.run(direct));
      if (!survived) {
        gone.add(read.name());
      }
    }
    return gone;
  }

  /** Runs {@code read} until it is a hit: while the catalog is being read none is. */
  private static void untilHit(Connection reader, Sql read) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!isHit(reader, read)) {
      assertThat(System.nanoTime()).as(read.name()).isLessThan(deadline);
    }
  }

  private static String names(List<String> some, List<Sql> all) {
    if (some.isEmpty()) {
      return "nothing";
    }
    return some.size() == all.size() ? "everything" : String.join("; ", some);
  }

  private static boolean isHit(Connection reader, Sql read) throws SQLException {
    long before = count(reader, "hits");
    read.run(reader);
    return count(reader, "hits") > before;
  }

  private static long count(Connection reader, String column) throws SQLException {
    try (Statement statement = reader.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  private static String told(Connection reader, Sql read, String column) throws SQLException {
    String probe = compact(read.text());
    try (Statement statement = reader.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (compact(row.getString("query")).equals(probe)) {
          return row.getString(column);
        }
      }
    }
    throw new AssertionError("not in SHOW larder.queries: " + read.name());
  }

  /** Returns the text without white space and literals, as shapes are told apart. */
  private static String compact(String sql) {
    return sql.replaceAll("'[^']*'|\\b\\d[\\d.]*\\b", "?").replaceAll("\\s+|;", "");
  }
}
