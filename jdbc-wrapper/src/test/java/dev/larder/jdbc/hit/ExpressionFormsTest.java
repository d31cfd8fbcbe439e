package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of expressions, each in several places: none troubles Larder, and none is a write. */
final class ExpressionFormsTest {
  private static final String[] PLACES = {
    "SELECT %s FROM t WHERE id = 1",
    "SELECT id FROM t WHERE %s IS NOT NULL AND id = 1",
    "SELECT id FROM t WHERE EXISTS (SELECT %s FROM t u WHERE u.id = t.id)",
    "SELECT (SELECT max(id) FROM t u WHERE %s IS NOT NULL) FROM t WHERE id = 1",
    "SELECT id FROM t WHERE id = 1 ORDER BY %s",
    "SELECT count(*) FROM t GROUP BY %s ORDER BY 1",
    "SELECT t.id FROM t JOIN (SELECT id, %s AS x FROM t) u ON u.id = t.id WHERE t.id = 1",
    "SELECT CASE WHEN %s IS NULL THEN 1 ELSE 2 END FROM t WHERE id = 1",
  };

  private static TestDatabase database;
  private static Connection connection;

  @BeforeAll
  static void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (id int PRIMARY KEY, name text, made timestamp, doc jsonb, ids int[])",
        "INSERT INTO t VALUES (1, ' a ', '2020-02-03', '{\"a\": [1]}', '{1,2}')");
    connection = LarderProbe.connect(database);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trim(both from name)",
        "trim(leading from name)",
        "trim(trailing from name)",
        "trim(from name)",
        "trim(name)",
        "trim(both ' ' from name)",
        "trim(' ' from name)",
        "btrim(name)",
        "substring(name from 1 for 2)",
        "substring(name, 1)",
        "position('a' in name)",
        "overlay(name placing 'x' from 1)",
        "extract(year from made)",
        "cast(id as text)",
        "id::text",
        "coalesce(name, 'x')",
        "nullif(name, 'x')",
        "greatest(id, 2)",
        "case id when 1 then 'a' end",
        "case when id = 1 then 'a' end",
        "name || 'x'",
        "doc -> 'a'",
        "doc ->> 'a'",
        "doc #> '{a}'",
        "doc @> '{}'",
        "ids[1]",
        "array[id, 2]",
        "id in (1, 2)",
        "id = any(ids)",
        "id = any(array[1, 2])",
        "name like 'a%'",
        "name ilike 'a%'",
        "name similar to 'a'",
        "name ~ 'a'",
        "id between 1 and 2",
        "not id = 1",
        "-id",
        "id is distinct from 2",
        "(id = 1) is true",
        "row(id, name) is null",
        "made at time zone 'UTC'",
        "made + interval '1 day'",
        "date_trunc('day', made)",
        "name collate \"C\"",
        "md5(name)",
        "convert_to(name, 'UTF8')",
        "upper(lower(name))",
        "jsonb_build_object('a', id)",
        "(select 1)",
        "exists (select 1 from t x)",
      })
  void itIsNoTroubleAndNoWrite(String form) throws SQLException {
    long before = LarderProbe.count(connection, "writes_of_everything");
    try (LarderLog log = LarderLog.open()) {
      for (String place : PLACES) {
        try {
          rows(connection, place.replace("%s", form));
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(place).startsWith("42"); // Not everywhere is it allowed.
        }
      }
      assertThat(log.messages()).noneMatch(message -> message.contains("LRD-009"));
    }
    assertThat(LarderProbe.count(connection, "writes_of_everything")).isEqualTo(before);
  }
}
