package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resolve.Declarations;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.TableTag;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the catalog says of statements against what the server does: the statement runs in a
 * transaction, and {@code pg_locks} tells every relation that it read or wrote, whatever the way.
 */
@Tag("each-server")
class CatalogOracleTest {
  private static final Declarations DECLARED =
      new Declarations(
          Set.of("reader"),
          Map.of(),
          Map.of("logging", Set.of("audit"), "redirect", Set.of("base")));

  private static CatalogFixture catalog;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    catalog =
        new CatalogFixture(
            "CREATE TABLE base (id int PRIMARY KEY, name text)",
            "CREATE TABLE child (id int PRIMARY KEY,"
                + " base int REFERENCES base ON DELETE CASCADE ON UPDATE CASCADE)",
            "CREATE TABLE grandchild (id int PRIMARY KEY,"
                + " child int DEFAULT 1 REFERENCES child ON DELETE SET NULL ON UPDATE SET DEFAULT)",
            "CREATE TABLE audit (what text)",
            "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN INSERT INTO audit VALUES (TG_OP); RETURN NULL; END $$",
            "CREATE TRIGGER logging AFTER INSERT OR DELETE ON grandchild"
                + " FOR EACH STATEMENT EXECUTE FUNCTION log()",
            "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$",
            "CREATE TRIGGER touching BEFORE UPDATE ON base FOR EACH ROW EXECUTE FUNCTION touch()",
            "CREATE VIEW over_base AS SELECT id, name FROM base WHERE id > 0",
            "CREATE VIEW joined AS SELECT o.id, c.id AS child FROM over_base o"
                + " LEFT JOIN child c ON c.base = o.id",
            "CREATE VIEW deep AS SELECT count(*) AS n, (SELECT max(what) FROM audit) FROM joined",
            "CREATE FUNCTION redirected() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN INSERT INTO base VALUES (NEW.id); RETURN NEW; END $$",
            "CREATE TRIGGER redirect INSTEAD OF INSERT ON joined"
                + " FOR EACH ROW EXECUTE FUNCTION redirected()",
            "CREATE MATERIALIZED VIEW summary AS SELECT count(*) AS n FROM joined",
            "CREATE TABLE events (id int, held date,"
                + " base int REFERENCES base ON DELETE CASCADE ON UPDATE CASCADE)"
                + " PARTITION BY RANGE (held)",
            "CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO"
                + " ('2024-02-01') PARTITION BY LIST (id)",
            "CREATE TABLE events_1a PARTITION OF events_1 FOR VALUES IN (1, 2)",
            "CREATE TABLE events_1b PARTITION OF events_1 DEFAULT",
            "CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM ('2024-02-01') TO"
                + " ('2024-03-01')",
            "CREATE TRIGGER logging AFTER UPDATE ON events FOR EACH ROW EXECUTE FUNCTION log()",
            "CREATE TABLE animals (id int PRIMARY KEY)",
            "CREATE TABLE cats (claws int) INHERITS (animals)",
            "CREATE TABLE tigers (stripes int) INHERITS (cats)",
            "CREATE TABLE secret (id int, owner text)",
            "ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
            "CREATE POLICY own ON secret USING (id IN (SELECT id FROM child))",
            "CREATE TABLE ruled (id int)",
            "CREATE RULE copied AS ON INSERT TO ruled DO ALSO INSERT INTO audit VALUES ('r')",
            "CREATE FUNCTION reader() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 1::bigint'",
            "INSERT INTO base SELECT i, 'n' FROM generate_series(1, 3) i",
            "INSERT INTO child SELECT i, i FROM generate_series(1, 3) i",
            "INSERT INTO grandchild SELECT i, i FROM generate_series(1, 3) i",
            "INSERT INTO events SELECT i, '2024-01-15', i FROM generate_series(1, 3) i",
            "INSERT INTO events VALUES (1, '2024-02-15', 1)",
            "INSERT INTO secret VALUES (1, 'x')",
            "INSERT INTO tigers VALUES (1, 2, 3)",
            "CREATE ROLE plain",
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO plain");
    connection = catalog.database.connect();
    connection.setAutoCommit(false);
  }

  @AfterAll
  static void drop() throws SQLException {
    connection.close();
    catalog.database.execute("DROP OWNED BY plain", "DROP ROLE plain");
    catalog.close();
  }

  /** Runs {@code sql}, takes it back, and returns the locks that it took by relation. */
  private static Map<Long, Set<String>> locks(String sql) throws SQLException {
    Map<Long, Set<String>> locks = new HashMap<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL ROLE " + (sql.startsWith("REFRESH") ? "postgres" : "plain"));
      statement.execute(sql);
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT l.relation, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation"
                  + " WHERE l.pid = pg_backend_pid() AND l.relation >= 16384"
                  + " AND c.relkind IN ('r', 'p', 'v', 'm')")) {
        while (rows.next()) {
          locks
              .computeIfAbsent(rows.getLong(1), oid -> new HashSet<>())
              .add(rows.getString(2).replace("Lock", ""));
        }
      }
    } finally {
      connection.rollback();
    }
    return locks;
  }

  private static boolean isWrite(Set<String> modes) {
    return !Set.of("AccessShare", "RowShare").containsAll(modes);
  }

  private static ResolvedStatement resolve(String sql) {
    return catalog.resolve(sql, CatalogFixture.PATH, DECLARED);
  }

  private static String kind(long oid) throws SQLException {
    return catalog.database.queryString("SELECT relkind FROM pg_class WHERE oid = " + oid);
  }

  private static List<TableTag> readTagsOf(long oid) throws SQLException {
    return resolve("SELECT 1 FROM " + catalog.name(oid)).readTags();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM base",
        "SELECT * FROM over_base",
        "SELECT * FROM deep",
        "TABLE joined",
        "SELECT * FROM summary, audit",
        "SELECT * FROM events",
        "SELECT * FROM events WHERE held = '2024-01-15' AND id = 1",
        "SELECT * FROM events_1",
        "SELECT * FROM events_1a JOIN events_2 USING (id)",
        "SELECT * FROM animals",
        "SELECT * FROM cats",
        "SELECT * FROM ONLY animals",
        "SELECT * FROM secret",
        "SELECT reader() FROM base",
        "WITH c AS (SELECT id FROM child) SELECT * FROM c, over_base",
        "SELECT (SELECT max(n) FROM deep) FROM events_2 ORDER BY (SELECT count(*) FROM secret)"
      })
  void everyRelationThatTheServerLocksForAQueryIsRead(String sql) throws SQLException {
    ResolvedStatement resolved = resolve(sql);
    Map<Long, Set<String>> locks = locks(sql);

    assertThat(locks).isNotEmpty();
    assertThat(resolved.bypass()).isNull();
    assertThat(locks.values()).as("no writes").noneMatch(CatalogOracleTest::isWrite);
    for (long oid : locks.keySet()) {
      if (kind(oid).equals("v")) {
        assertThat(resolved.relations()).contains(oid);
      } else {
        String write = kind(oid).equals("m") ? "REFRESH MATERIALIZED VIEW " : "INSERT INTO ";
        List<TableTag> written = resolve(write + catalog.name(oid)).writes().tags();
        assertThat(Collections.disjoint(written, resolved.readTags()))
            .as("a write to %s is not seen", catalog.name(oid))
            .isFalse();
      }
    }
    Set<Long> sure = new HashSet<>(resolved.locks());
    sure.removeIf(oid -> oid < 0);
    assertThat(locks.keySet()).as("locks are not taken").containsAll(sure);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO base VALUES (10, 'x')",
        "UPDATE base SET name = 'y'",
        "UPDATE base SET id = id + 100",
        "DELETE FROM base",
        "DELETE FROM base WHERE id = 1",
        "INSERT INTO child VALUES (10, 1)",
        "UPDATE child SET id = id + 100 WHERE id = 2",
        "DELETE FROM child",
        "INSERT INTO grandchild VALUES (10, 1)",
        "TRUNCATE base CASCADE",
        "TRUNCATE audit, grandchild",
        "TRUNCATE events",
        "INSERT INTO over_base VALUES (10, 'x')",
        "DELETE FROM over_base",
        "UPDATE over_base SET id = id + 100",
        "INSERT INTO joined VALUES (10)",
        "REFRESH MATERIALIZED VIEW summary",
        "INSERT INTO events VALUES (1, '2024-01-20', 1)",
        "UPDATE events SET held = '2024-02-20'",
        "UPDATE events SET id = id + 100",
        "DELETE FROM events",
        "DELETE FROM events_1",
        "UPDATE events_1a SET base = 2",
        "UPDATE animals SET id = 2",
        "DELETE FROM cats",
        "INSERT INTO tigers VALUES (4, 4, 4)",
        "INSERT INTO ruled VALUES (1)",
        "UPDATE secret SET owner = 'y'",
        "INSERT INTO audit SELECT name FROM over_base",
        "WITH d AS (DELETE FROM child RETURNING id) INSERT INTO audit SELECT id::text FROM d",
        "MERGE INTO base b USING child c ON b.id = c.base WHEN MATCHED THEN DELETE",
        "INSERT INTO base VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET id = 77"
      })
  void everyRelationThatTheServerLocksToWriteIsWritten(String sql) throws SQLException {
    ResolvedStatement resolved = resolve(sql);
    Map<Long, Set<String>> locks = locks(sql);
    locks.values().removeIf(modes -> !isWrite(modes));

    assertThat(locks).isNotEmpty();
    assertThat(resolved.bypass()).isNotNull();
    assertThat(resolved.writes().unknown())
        .as("only the rule is unknown")
        .isEqualTo(sql.contains("ruled"));
    for (long oid : locks.keySet()) {
      if (!resolved.writes().unknown() && !kind(oid).equals("v")) {
        assertThat(Collections.disjoint(resolved.writes().tags(), readTagsOf(oid)))
            .as("%s is written", catalog.name(oid))
            .isFalse();
      }
    }
  }
}
