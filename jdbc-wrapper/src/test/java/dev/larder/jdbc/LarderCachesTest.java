package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LarderCachesTest {
  private static final String OF_BOOK = "SELECT price FROM book WHERE id = 1";
  private static final String OF_SHELF = "SELECT count(*) FROM shelf";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private TestDatabase database;
  private Connection connection;
  private LarderCache cache;
  private final List<LarderCache> watched = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE book (id int PRIMARY KEY, price int)",
        "INSERT INTO book VALUES (1, 8)",
        "CREATE TABLE shelf (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE shelf_low PARTITION OF shelf FOR VALUES FROM (0) TO (100)");
    LarderCaches.Watch watch = LarderCaches.watch(watched::add);
    connection =
        database.connectThroughLarder("larder.writers=this-jvm", "larder.name=" + database.name());
    watch.close();
    cache = named(LarderCaches.all());
    untilHit(OF_BOOK);
    untilHit(OF_SHELF);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    database.close();
  }

  private LarderCache named(List<LarderCache> caches) {
    return caches.stream().filter(c -> c.name().equals(database.name())).findFirst().orElseThrow();
  }

  private long hits() {
    return (Long) cache.status().get("hits");
  }

  private long read(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private boolean isHit(String sql) throws SQLException {
    long before = hits();
    read(sql);
    return hits() > before;
  }

  private void untilHit(String sql) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!isHit(sql)) {
      assertThat(System.nanoTime()).as("no hit: %s", cache.queries()).isLessThan(deadline);
    }
  }

  @Test
  void aNewCacheIsShownToWatchers() {
    assertThat(named(watched)).isEqualTo(cache).hasSameHashCodeAs(cache);
    assertThat(cache.database()).matches("\\d+/\\d+");
    assertThat(cache.config().get(CacheOptions.NAME)).isEqualTo(database.name());
  }

  @Test
  void statusIsThatOfTheSqlCommands() throws SQLException {
    assertThat(cache.status()).containsEntry("enabled", true);
    assertThat((Long) cache.status().get("entries")).isEqualTo(2);
    assertThat(cache.tables())
        .extracting(row -> row.get("table_name"))
        .contains("public.book", "public.shelf");
    assertThat(cache.queries()).extracting(row -> row.get("query")).hasSize(2);
    assertThat(cache.savedTime()).isGreaterThan(Duration.ZERO);
  }

  @Test
  void bypassesAreCountedByTheirReasons() throws SQLException {
    assertThat(cache.bypasses()).containsEntry("time", 0L);
    read("SELECT count(*) FROM book WHERE now() IS NOT NULL");
    assertThat(cache.bypasses()).containsEntry("time", 1L);
    cache.resetStatistics();
    assertThat(cache.bypasses()).containsEntry("time", 0L);
    assertThat(hits()).isZero();
  }

  @Test
  void switchedOffItAnswersNothing() throws SQLException {
    cache.enabled(false);
    assertThat(cache.enabled()).isFalse();
    assertThat(isHit(OF_BOOK)).isFalse();
    cache.enabled(true);
    assertThat(isHit(OF_BOOK)).isTrue();
  }

  @Test
  void writeThatIsMadeWhileItIsOffInvalidates() throws SQLException {
    cache.enabled(false);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE book SET price = 9");
    }
    cache.enabled(true);
    assertThat(read(OF_BOOK)).isEqualTo(9);
  }

  @Test
  void clearedTableIsReadAgainAndOthersAreNot() throws SQLException {
    database.execute("UPDATE book SET price = 9");
    assertThat(read(OF_BOOK)).isEqualTo(8);
    assertThat(cache.clearTable("public.book")).isTrue();
    assertThat(read(OF_BOOK)).isEqualTo(9);
    assertThat(isHit(OF_SHELF)).isTrue();
    assertThat(cache.clearTable("public.nothing")).isFalse();
  }

  @Test
  void clearedPartitionIsReadAgainThroughItsParent() throws SQLException {
    database.execute("INSERT INTO shelf VALUES (1)");
    assertThat(cache.clearTable("public.shelf_low")).isTrue();
    assertThat(read(OF_SHELF)).isEqualTo(1);
  }

  @Test
  void clearedQueryIsForgotten() throws SQLException {
    String text =
        (String)
            cache.queries().stream()
                .map(row -> row.get("query"))
                .filter(query -> String.valueOf(query).contains("book"))
                .findFirst()
                .orElseThrow();
    assertThat(cache.clearQuery(text)).isEqualTo(1);
    assertThat(cache.clearQuery(text)).isZero();
    assertThat(isHit(OF_BOOK)).isFalse();
    assertThat(isHit(OF_SHELF)).isTrue();
  }

  @Test
  void clearForgetsEverything() throws SQLException {
    cache.clear();
    assertThat(cache.status()).containsEntry("entries", 0L);
    assertThat(isHit(OF_BOOK)).isFalse();
  }
}
