package dev.larder.jdbc.caching;

import static dev.larder.jdbc.caching.LarderProbe.fill;
import static dev.larder.jdbc.caching.LarderProbe.hits;
import static dev.larder.jdbc.caching.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.sql.BypassReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What PostgreSQL's own regression tests write and applications seldom do: what depends on its
 * tables alone is a hit with the server's answer, and what stands next to it in kind is none.
 */
final class ServersGrammarTest {
  private static final String[] SCHEMA = {
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
    "CREATE TYPE spot AS (x int, label text)",
    "CREATE FUNCTION odd(int) RETURNS bool LANGUAGE sql AS 'SELECT random() >= 0 AND $1 > 0'",
    "CREATE DOMAIN odd_int AS int CHECK (odd(VALUE))",
    "CREATE DOMAIN small AS int CHECK (VALUE < 100)",
    "CREATE TABLE moods (id int PRIMARY KEY, m mood[], s spot[], d small[])",
    "CREATE TABLE oddities (id int PRIMARY KEY, o odd_int[])",
    "INSERT INTO moods VALUES (1, '{sad,ok}', ARRAY[ROW(1, 'a')::spot], '{1,2}'),"
        + " (2, '{happy}', '{}', NULL)",
    "INSERT INTO oddities VALUES (1, '{1,3}')"
  };

  private static TestDatabase database;
  private static Connection larder;
  private static Connection direct;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(SCHEMA);
    larder = LarderProbe.connect(database);
    direct = database.connect();
  }

  @AfterAll
  static void close() throws SQLException {
    larder.close();
    direct.close();
    database.close();
  }

  static Stream<String> cached() {
    return CACHED.lines();
  }

  static Stream<String> bypassed() {
    return BYPASSED.lines();
  }

  @ParameterizedTest
  @MethodSource("cached")
  void isAHitWithTheServersAnswer(String sql) throws SQLException {
    fill(larder, sql);
    long before = hits(larder);
    List<String> answer = rows(larder, sql);
    assertThat(hits(larder)).isEqualTo(before + 1);
    assertThat(answer).isEqualTo(rows(direct, sql)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("bypassed")
  void reachesTheServerForAReason(String line) throws SQLException {
    int bar = line.indexOf('|');
    String sql = line.substring(bar + 1).trim();
    LarderProbe.run(larder, "RESET larder.statistics");
    long before = hits(larder);
    HiddenCallsTest.outcome(larder, sql);
    HiddenCallsTest.outcome(larder, sql);
    assertThat(hits(larder)).isEqualTo(before);
    BypassReason reason = BypassReason.valueOf(line.substring(0, bar).trim());
    assertThat(LarderProbe.reason(larder, sql)).contains(": " + reason.description() + ",");
  }

  private static final String CACHED =
      """
      select id from moods order by id
      select id, m, s, d from moods order by id
      select m[1], array_length(m, 1), 'sad' = any (m), m @> '{ok}' from moods order by id
      select id from moods where m = '{happy}'::mood[] or d = '{1,2}'
      select unnest(m) from moods order by 1
      """;

  private static final String BYPASSED =
      """
      OPERATOR | select id from oddities
      OPERATOR | select id, '{1}'::odd_int[] from moods
      """;
}
