package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is cached, what is not and why, and which entries outlive which write: the decisions that
 * are promised, statement by statement, at a real server.
 */
final class DecisionTableTest {
  private static TestDatabase database;
  private static Connection one;
  private static Connection two;

  @BeforeAll
  static void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric, at timestamptz, doc oid)",
        "INSERT INTO item SELECT i, 'item ' || i, i, '2024-01-01' FROM generate_series(1, 5) i",
        "CREATE TABLE part (id int REFERENCES item ON DELETE CASCADE, n int)",
        "INSERT INTO part VALUES (1, 1)",
        "CREATE TABLE other (id int, note text)",
        "INSERT INTO other VALUES (1, 'n')",
        "CREATE TABLE whole (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE high PARTITION OF whole FOR VALUES FROM (10) TO (20)",
        "CREATE TABLE audited (id int)",
        "CREATE TABLE audit (id int)",
        "CREATE TABLE ruled (id int)",
        "CREATE RULE also AS ON INSERT TO ruled DO ALSO INSERT INTO audit VALUES (NEW.id)",
        "CREATE RULE instead AS ON DELETE TO ruled DO INSTEAD DELETE FROM other WHERE id = OLD.id",
        "CREATE TABLE quiet (id int)",
        "CREATE RULE nothing AS ON UPDATE TO quiet DO INSTEAD NOTHING",
        "CREATE FOREIGN DATA WRAPPER void",
        "CREATE SERVER far FOREIGN DATA WRAPPER void",
        "CREATE FOREIGN TABLE distant (id int) SERVER far",
        "CREATE TABLE stamped (id int, updated_at timestamptz)",
        "CREATE VIEW cheap AS SELECT id, name FROM item WHERE price < 3",
        "CREATE MATERIALIZED VIEW total AS SELECT count(*) AS n FROM item",
        "CREATE SEQUENCE numbers",
        "CREATE FUNCTION pure(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1'",
        "CREATE FUNCTION stable(int) RETURNS int STABLE LANGUAGE sql AS"
            + " 'SELECT $1 FROM pg_class LIMIT 1'",
        "CREATE FUNCTION defined(int) RETURNS int STABLE SECURITY DEFINER LANGUAGE sql AS"
            + " 'SELECT $1 FROM pg_class LIMIT 1'",
        "CREATE FUNCTION wild(int) RETURNS int LANGUAGE plpgsql AS"
            + " '#variable_conflict use_column\nBEGIN RETURN $1; END'",
        "CREATE PROCEDURE work() LANGUAGE plpgsql AS $$ #variable_conflict use_column\n"
            + " BEGIN INSERT INTO other VALUES (2, 'p'); END $$",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO audit VALUES (NEW.id); RETURN NEW; END $$",
        "CREATE TRIGGER log AFTER INSERT ON audited FOR EACH ROW EXECUTE FUNCTION log()",
        "CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.updated_at := now(); RETURN NEW; END $$",
        "CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON stamped FOR EACH ROW EXECUTE FUNCTION stamp()",
        "CREATE OPERATOR ~~~ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)",
        "CREATE FUNCTION eq(int, int) RETURNS bool STABLE LANGUAGE sql AS 'SELECT $1 = $2'",
        "CREATE OPERATOR ~== (LEFTARG = int, RIGHTARG = int, FUNCTION = eq)");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterAll
  static void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  @BeforeEach
  void forget() throws SQLException {
    LarderProbe.awaitCatalog(one);
    run(one, "RESET larder.statistics");
  }

  // ---- what is cached

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT name FROM item WHERE id = 1",
        "VALUES ((SELECT count(*) FROM item))",
        "TABLE other",
        "WITH c AS (SELECT id FROM item) SELECT count(*) FROM c",
        "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 3)"
            + " SELECT count(*) FROM r, other",
        "SELECT id FROM item UNION SELECT id FROM other",
        "SELECT name FROM cheap",
        "SELECT n FROM total",
        "SELECT id FROM whole",
        "SELECT id FROM low",
        "SELECT id FROM item LIMIT 1",
        "SELECT DISTINCT ON (name) id FROM item ORDER BY name",
        "SELECT DISTINCT ON ((SELECT count(*) FROM other WHERE other.id = item.id)) count(*)"
            + " FROM item GROUP BY id",
        "SELECT count(*) FILTER (WHERE id > 1), sum(price) OVER () FROM item GROUP BY price",
        "SELECT pure(id) FROM item",
        "SELECT id FROM item WHERE id ~~~ 1",
        "SELECT to_char(price, '9D9'), date_trunc('day', at) FROM item",
        "SELECT current_user, id FROM item",
        "SELECT CAST('2024-01-01' AS date), id FROM item",
        "SELECT tableoid::int, id FROM low",
        "SELECT i.name, p.*, o.* FROM item i JOIN part p USING (id) LEFT JOIN other o ON o.id = i.id",
        "SELECT id FROM item, LATERAL (SELECT n FROM part WHERE part.id = item.id) x",
        "SELECT name /* a comment */ FROM item -- another",
        "/* trace 4711 */ SELECT id FROM other"
      })
  void isCached(String sql) throws SQLException {
    rows(one, sql);
    assertThat(isHit(one, sql)).as(String.valueOf(reasons())).isTrue();
    assertThat(isHit(two, sql)).isTrue();
    List<String> live;
    try (Connection plain = database.connect()) {
      live = rows(plain, sql);
    }
    assertThat(rows(one, sql)).isEqualTo(live);
  }

  // ---- what is not, and why

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NO_TABLE|SELECT 1",
        "NO_TABLE|VALUES (1)",
        "UNSUPPORTED_RELATION|SELECT last_value FROM numbers",
        "UNSUPPORTED_RELATION|SELECT ctid FROM item",
        "UNSUPPORTED_RELATION|SELECT xmin, id FROM item",
        "UNSUPPORTED_RELATION|SELECT relname FROM pg_class",
        "UNSUPPORTED_RELATION|SELECT table_name FROM information_schema.tables",
        "UNSUPPORTED_RELATION|SELECT count(*) FROM pg_stat_activity, item",
        "VOLATILE_FUNCTION|SELECT random(), id FROM item",
        "VOLATILE_FUNCTION|SELECT gen_random_uuid(), id FROM item",
        "TIME|SELECT now(), id FROM item",
        "TIME|SELECT clock_timestamp(), id FROM item",
        "TIME|SELECT CURRENT_DATE, id FROM item",
        "TIME|SELECT id FROM item WHERE at > LOCALTIMESTAMP",
        "TIME|SELECT 'now'::timestamp, id FROM item",
        "TIME|SELECT name::date FROM item WHERE id < 0",
        "FUNCTION|SELECT stable(id) FROM item",
        "BUILTIN_FUNCTION|SELECT jsonb_path_exists_tz(to_jsonb(name), '$') FROM item",
        "FUNCTION|SELECT defined(id) FROM item",
        "BUILTIN_FUNCTION|SELECT pg_backend_pid(), id FROM item",
        "OPERATOR|SELECT id FROM item WHERE id ~== 1",
        "ROW_LOCK|SELECT id FROM item FOR UPDATE",
        "ROW_LOCK|SELECT id FROM item FOR NO KEY UPDATE SKIP LOCKED",
        "ROW_LOCK|SELECT id FROM item FOR KEY SHARE",
        "TABLE_SAMPLE|SELECT id FROM item TABLESAMPLE BERNOULLI (50)",
        "LARGE_OBJECT|SELECT lo_get(doc) FROM item WHERE id < 0",
        "HINT|/* larder:off */ SELECT id FROM item",
        "HINT|/*NO QUERY CACHE*/ SELECT id FROM item",
        "WRITES|WITH w AS (INSERT INTO other VALUES (3, 'w') RETURNING id) SELECT id FROM w",
        "WRITES|INSERT INTO other VALUES (4, 'x') RETURNING id",
        "UNSUPPORTED_RELATION|SELECT id FROM distant",
        "LARGE_OBJECT|SELECT doc FROM item",
        "NOT_A_QUERY|EXECUTE nothing",
        "NOT_A_QUERY|LISTEN channel",
        "CURSOR|FETCH ALL FROM nothing",
        "NOT_A_QUERY|SHOW TimeZone",
        "NOT_A_QUERY|EXPLAIN SELECT id FROM item"
      })
  void isNotCachedBecause(BypassReason reason, String sql) throws SQLException {
    tryTwice(sql);
    assertThat(hits(one)).isZero();
    if (isQuery(sql) && reason != BypassReason.WRITES) {
      assertThat(reasons()).containsValue(reason.description());
    }
  }

  /** Only queries are looked up, and counted. */
  private static boolean isQuery(String sql) {
    String text = sql.replaceAll("/\\*.*?\\*/ ?", "");
    return text.startsWith("SELECT") || text.startsWith("VALUES") || text.startsWith("WITH");
  }

  private static void tryTwice(String sql) throws SQLException {
    for (int i = 0; i < 2; i++) {
      try (Statement statement = one.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        // No such cursor, no such prepared statement, no handler of the foreign data wrapper.
        assertThat(e.getSQLState()).isIn("34000", "26000", "55000");
      }
      LarderProbe.awaitCatalog(one);
    }
  }

  private static Map<String, String> reasons() throws SQLException {
    Map<String, String> reasons = new TreeMap<>();
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        reasons.put(row.getString("query"), String.valueOf(row.getString("bypass_reason")));
      }
    }
    return reasons;
  }

  // ---- which entries outlive which write

  /** A query that rests on all columns, as all do that have more than {@code count}. */
  private static final String WHOLE = "SELECT count(*), max(1) FROM ";

  private static final List<String> TABLES =
      List.of(
          "item", "part", "other", "low", "high", "whole", "total", "cheap", "audit", "stamped",
          "ruled", "quiet");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other|UPDATE other SET note = 'm'",
        "other|INSERT INTO other VALUES (9, 'i') RETURNING id",
        "other|DELETE FROM other WHERE id = 9",
        "other|MERGE INTO other o USING item i ON o.id = i.id WHEN MATCHED THEN UPDATE SET note = 'x'",
        "other|WITH w AS (INSERT INTO other VALUES (5, 'c') RETURNING id) SELECT id FROM w",
        "other|TRUNCATE other",
        "part|INSERT INTO part VALUES (2, 2)",
        "item cheap part|DELETE FROM item WHERE id = 5",
        "item cheap|UPDATE item SET price = 4 WHERE id = 4",
        "item cheap|INSERT INTO item VALUES (7, 'seven', 7)",
        "item cheap|UPDATE cheap SET name = 'view' WHERE id = 1",
        "item cheap part|TRUNCATE item CASCADE",
        "low whole|INSERT INTO low VALUES (1)",
        "high whole|DELETE FROM high",
        "low high whole|INSERT INTO whole VALUES (2)",
        "total|REFRESH MATERIALIZED VIEW total",
        "audit|INSERT INTO audit VALUES (1)",
        "stamped|INSERT INTO stamped VALUES (1)",
        "audit|INSERT INTO audited VALUES (1)",
        "EVERYTHING|DO $$ BEGIN NULL; END $$",
        "EVERYTHING|CALL work()",
        "EVERYTHING|SELECT wild(1)",
        "NOTHING|CREATE TABLE another (id int)",
        "EVERYTHING|SELECT id INTO yet FROM other",
        "other|ALTER TABLE other ADD more int",
        "other|GRANT SELECT ON other TO public",
        "EVERYTHING|INSERT INTO ruled VALUES (1)",
        "EVERYTHING|DELETE FROM ruled",
        "ruled|UPDATE ruled SET id = 2",
        "EVERYTHING|UPDATE quiet SET id = 2",
        "EVERYTHING|PREPARE p AS UPDATE other SET note = 'p'; EXECUTE p",
        "NOTHING|PREPARE p AS SELECT id FROM other",
        "NOTHING|DEALLOCATE ALL",
        "NOTHING|DISCARD ALL",
        "NOTHING|BEGIN; SET LOCAL work_mem = '5MB'; COMMIT",
        "NOTHING|UNLISTEN channel",
        "other|VACUUM FULL other",
        "EVERYTHING|DROP FOREIGN TABLE IF EXISTS no_such_table",
        "NOTHING|EXPLAIN ANALYZE SELECT id FROM other",
        "NOTHING|BEGIN; DECLARE c CURSOR FOR SELECT id FROM other; FETCH ALL FROM c; COMMIT",
        "NOTHING|ANALYZE other",
        "NOTHING|COMMENT ON TABLE other IS 'a'",
        "NOTHING|CREATE INDEX ON item (id)",
        "other|CREATE INDEX ON other (note)",
        "NOTHING|VACUUM other",
        "NOTHING|LOCK TABLE other IN ACCESS SHARE MODE",
        "NOTHING|NOTIFY channel",
        "NOTHING|LISTEN channel",
        "NOTHING|SET work_mem = '5MB'",
        "NOTHING|SHOW work_mem",
        "NOTHING|EXPLAIN UPDATE other SET note = 'e'",
        "other|EXPLAIN ANALYZE UPDATE other SET note = 'e'",
        "NOTHING|SELECT id FROM other FOR UPDATE",
        "NOTHING|SELECT nextval('numbers')",
        "NOTHING|BEGIN; SELECT 1; COMMIT",
        "other stamped|UPDATE other SET note = 'm'; DELETE FROM stamped",
        "NOTHING|CREATE TEMP TABLE mine (x int)"
      })
  void aWriteInvalidates(String invalidated, String write) throws SQLException {
    for (String table : TABLES) {
      fill(one, WHOLE + table);
    }
    try (Connection writer = LarderProbe.connect(database)) {
      if (write.startsWith("LOCK")) {
        run(writer, "BEGIN", write, "COMMIT");
      } else {
        run(writer, write);
      }
    }
    LarderProbe.awaitCatalog(one);
    List<String> gone = new ArrayList<>();
    for (String table : TABLES) {
      if (!isHit(one, WHOLE + table)) {
        gone.add(table);
      }
    }
    List<String> expected =
        switch (invalidated) {
          case "NOTHING" -> List.of();
          case "EVERYTHING" -> TABLES;
          default -> List.of(invalidated.split(" ", -1));
        };
    assertThat(gone).containsExactlyInAnyOrderElementsOf(expected);
  }
}
