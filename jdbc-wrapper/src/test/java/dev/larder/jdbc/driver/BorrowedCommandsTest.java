package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the query caches of pgpool-II and MySQL were asked with is answered by Larder. */
final class BorrowedCommandsTest {
  private static final String NAME = "SELECT name FROM item";
  private static final String STATUS = "SHOW STATUS LIKE 'Qcache%'";

  private TestDatabase database;
  private Connection one;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
    one = LarderProbe.connect(database, "larder.maxBytes=1MB", "larder.maxEntries=500");
    run(one, "RESET larder.statistics");
    fill(one, NAME);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    database.close();
  }

  @Test
  void poolCacheHasTheColumnsOfPgpool() throws SQLException {
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery("SHOW pool_cache")) {
      assertThat(columns(row.getMetaData()))
          .containsExactly(
              "num_cache_hits text",
              "num_selects text",
              "cache_hit_ratio text",
              "num_hash_entries text",
              "used_hash_entries text",
              "num_cache_entries text",
              "used_cache_entries_size text",
              "free_cache_entries_size text",
              "fragment_cache_entries_size text");
      assertThat(row.next()).isTrue();
      assertThat(row.getLong("num_cache_hits")).isEqualTo(count(one, "hits")).isPositive();
      assertThat(row.getLong("num_selects")).isEqualTo(count(one, "misses")).isPositive();
      assertThat(row.getString("cache_hit_ratio")).matches("[01]\\.\\d\\d");
      assertThat(row.getInt("num_hash_entries")).isEqualTo(500);
      assertThat(row.getInt("used_hash_entries")).isEqualTo(1);
      assertThat(row.getInt("num_cache_entries")).isEqualTo(1);
      assertThat(row.getLong("used_cache_entries_size"))
          .isEqualTo(count(one, "size_bytes"))
          .isPositive();
      assertThat(row.getLong("free_cache_entries_size"))
          .isEqualTo((1L << 20) - count(one, "size_bytes"));
      assertThat(row.getInt("fragment_cache_entries_size")).isZero();
      assertThat(row.next()).isFalse();
    }
  }

  @Test
  void statusHasTheVariablesOfMysql() throws SQLException {
    rows(one, "SELECT now(), name FROM item");
    Map<String, Long> variables = variables(STATUS);
    assertThat(variables.keySet())
        .containsExactly(
            "Qcache_free_blocks",
            "Qcache_free_memory",
            "Qcache_hits",
            "Qcache_inserts",
            "Qcache_lowmem_prunes",
            "Qcache_not_cached",
            "Qcache_queries_in_cache",
            "Qcache_total_blocks");
    assertThat(variables)
        .containsEntry("Qcache_hits", count(one, "hits"))
        .containsEntry("Qcache_inserts", count(one, "admissions"))
        .containsEntry("Qcache_not_cached", count(one, "bypasses") + count(one, "rejections"))
        .containsEntry("Qcache_lowmem_prunes", 0L)
        .containsEntry("Qcache_queries_in_cache", 1L)
        .containsEntry("Qcache_free_memory", (1L << 20) - count(one, "size_bytes"));
    assertThat(variables.get("Qcache_hits")).isPositive();
    assertThat(variables.get("Qcache_not_cached")).isPositive();
  }

  @Test
  void patternChoosesAmongTheVariables() throws SQLException {
    assertThat(variables("SHOW GLOBAL STATUS LIKE 'qcache_HITS'").keySet())
        .containsExactly("Qcache_hits");
    assertThat(variables("SHOW SESSION STATUS LIKE 'Qcache\\_free%'").keySet())
        .containsExactly("Qcache_free_blocks", "Qcache_free_memory");
    assertThat(variables("SHOW STATUS LIKE 'Qcache.hits'")).isEmpty();
  }

  private Map<String, Long> variables(String sql) throws SQLException {
    Map<String, Long> variables = new LinkedHashMap<>();
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        variables.put(row.getString("Variable_name"), row.getLong("Value"));
      }
    }
    return variables;
  }

  @Test
  void resetForgetsEveryResultAndKeepsTheCounts() throws SQLException {
    run(one, "RESET QUERY CACHE");
    assertThat(count(one, "entries")).isZero();
    assertThat(count(one, "hits")).isPositive();
    assertThat(isHit(one, NAME)).isFalse();
  }

  @Test
  void flushForgetsWhatIsDeadAndKeepsWhatIsAlive() throws SQLException {
    run(one, "CREATE TABLE other (id int)");
    LarderProbe.awaitCatalog(one);
    String other = "SELECT id FROM other";
    fill(one, NAME);
    fill(one, other);
    run(one, "FLUSH QUERY CACHE");
    assertThat(isHit(one, NAME)).isTrue();
    assertThat(isHit(one, other)).isTrue();
    run(one, "UPDATE item SET name = 'second'");
    run(one, "FLUSH QUERY CACHE");
    assertThat(count(one, "entries")).isEqualTo(1);
    assertThat(isHit(one, other)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHOW pool_cache", STATUS})
  void answersArePreparedDescribedAndExecutedWithoutTheServer(String sql) throws SQLException {
    one.setAutoCommit(false);
    assertThatThrownBy(() -> run(one, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    try (PreparedStatement statement = one.prepareStatement(sql)) {
      ResultSetMetaData described = statement.getMetaData();
      assertThat(statement.getParameterMetaData().getParameterCount()).isZero();
      assertThat(statement.execute()).isTrue();
      assertThat(columns(statement.getResultSet().getMetaData()))
          .isEqualTo(columns(described))
          .isNotEmpty();
      assertThat(rows(statement.executeQuery())).isNotEmpty();
      assertThat(statement).hasToString(sql);
      assertThatThrownBy(statement::executeUpdate).hasMessageContaining("none was expected");
    }
    one.rollback();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESET QUERY CACHE", "FLUSH QUERY CACHE"})
  void commandsAreDescribedWithoutBeingCarriedOut(String sql) throws SQLException {
    try (PreparedStatement statement = one.prepareStatement(sql)) {
      assertThat(statement.getMetaData()).isNull();
      assertThat(statement.getParameterMetaData().getParameterCount()).isZero();
      assertThat(count(one, "entries")).isEqualTo(1);
      assertThat(statement.execute()).isFalse();
      assertThat(statement.executeUpdate()).isZero();
      statement.addBatch();
      assertThat(statement.executeBatch()).containsExactly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW status",
        "SHOW STATUS LIKE 'Threads%'",
        "SHOW pool_nodes",
        "RESET QUERY CACHE; SELECT 1",
        "FLUSH TABLES"
      })
  void serverStillRefusesEverythingElse(String sql) throws SQLException {
    assertThatThrownBy(() -> run(one, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isIn("42601", "42704"));
    assertThat(count(one, "entries")).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHOW pool_cache", STATUS, "RESET QUERY CACHE", "FLUSH QUERY CACHE"})
  void serverItselfHasNoSuchStatement(String sql) {
    assertThatThrownBy(() -> database.execute(sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isIn("42601", "42704"));
  }

  private static List<String> columns(ResultSetMetaData metaData) throws SQLException {
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      columns.add(metaData.getColumnLabel(i) + ' ' + metaData.getColumnTypeName(i));
    }
    return columns;
  }
}
