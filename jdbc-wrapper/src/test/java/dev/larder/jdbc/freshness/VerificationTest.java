package dev.larder.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.FaultPoint;
import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code larder.verify}: what it finds, what it must not take for a wrong row, and what follows.
 */
final class VerificationTest {
  private static final String ITEMS = "SELECT name FROM item";

  private TestDatabase database;
  private Connection past;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    past = database.connect();
    LarderProbe.run(
        past,
        "CREATE TABLE item (id int PRIMARY KEY, name text, price float8, cost numeric)",
        "CREATE TABLE other (id int PRIMARY KEY, note text)",
        "CREATE INDEX item_down ON item (id DESC)",
        "INSERT INTO item VALUES (1, 'a', 1e16, 1.0), (2, 'b', -1e16, 1.00), (3, 'c', 1, 2)",
        "INSERT INTO other VALUES (1, 'x')");
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : new Connection[] {reader, writer, past}) {
      if (connection != null) {
        connection.close();
      }
    }
    database.close();
  }

  private void connect(String... parameters) throws SQLException {
    String[] all = new String[parameters.length + 1];
    all[0] = "larder.verify=1";
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    reader = LarderProbe.connect(database, all);
    writer = LarderProbe.connect(database, all);
  }

  /** Asks until the answer has been compared with one from memory, and returns that answer. */
  private List<String> verified(String sql, String... counted) throws SQLException {
    String column = counted.length == 0 ? "verified_hits" : counted[0];
    long before = LarderProbe.count(reader, column);
    for (int i = 0; i < 20; i++) {
      List<String> rows = LarderProbe.rows(reader, sql);
      if (LarderProbe.count(reader, column) > before) {
        return rows;
      }
      LarderProbe.awaitCatalog(reader);
    }
    throw new AssertionError(column + " does not rise: " + LarderProbe.reason(reader, sql));
  }

  private List<String> quarantine(String column) throws SQLException {
    try (Statement statement = reader.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.quarantine")) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(column));
      }
      return values;
    }
  }

  @Test
  void aHitThatIsVerifiedIsAnsweredByTheDatabase() throws SQLException {
    connect();
    assertThat(verified(ITEMS)).containsExactly("a", "b", "c");
    assertThat(LarderProbe.hits(reader)).isZero();
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  @Test
  void aForeignWriterIsFoundBeforeItsRowsAreMissed() throws SQLException {
    long troubles = LarderCaches.troubles().getOrDefault("LRD-012", -1L);
    connect();
    verified(ITEMS);
    LarderProbe.run(past, "UPDATE item SET name = 'secret' WHERE id = 1");

    assertThat(verified(ITEMS, "wrong_hits")).contains("secret");
    assertThat(quarantine("table_name")).containsExactly("public.item");
    assertThat(quarantine("query")).containsExactly(ITEMS);
    assertThat(quarantine("columns")).containsExactly("name");
    assertThat(quarantine("unmatched_rows")).containsExactly("1");
    assertThat(LarderProbe.count(reader, "quarantined_tables")).isEqualTo(1);
    assertThat(LarderCaches.troubles()).containsEntry("LRD-012", troubles + 1);
  }

  @Test
  void aQuarantinedTableIsNotCachedUntilItIsReleased() throws SQLException {
    connect();
    verified(ITEMS);
    LarderProbe.run(past, "INSERT INTO item VALUES (4, 'd')");
    verified(ITEMS, "wrong_hits");

    long bypasses = LarderProbe.count(reader, "bypasses");
    assertThat(LarderProbe.rows(reader, ITEMS)).hasSize(4);
    assertThat(LarderProbe.rows(reader, "SELECT count(*) FROM item")).containsExactly("4");
    assertThat(LarderProbe.count(reader, "bypasses")).isEqualTo(bypasses + 2);
    assertThat(LarderProbe.reason(reader, ITEMS)).contains("is quarantined");
    verified("SELECT note FROM other");

    LarderProbe.run(writer, "RESET larder.quarantine");
    assertThat(verified(ITEMS)).hasSize(4);
    assertThat(quarantine("table_name")).isEmpty();
    assertThat(LarderProbe.count(reader, "wrong_hits")).isEqualTo(1);
  }

  @Test
  void changesOfTheCatalogDoNotWidenTheQuarantine() throws SQLException {
    connect();
    verified(ITEMS);
    LarderProbe.run(past, "INSERT INTO item VALUES (4, 'd')");
    verified(ITEMS, "wrong_hits");

    LarderProbe.run(writer, "CREATE TABLE third (id int)");
    LarderProbe.awaitCatalog(reader);
    verified("SELECT note FROM other");
  }

  /** As migrations do that fill a new table beside the old one. */
  @Test
  void aTableThatTakesTheNameOfAQuarantinedOneIsQuarantinedToo() throws SQLException {
    connect();
    verified(ITEMS);
    LarderProbe.run(past, "INSERT INTO item VALUES (4, 'd')");
    verified(ITEMS, "wrong_hits");
    LarderProbe.run(
        writer,
        "ALTER TABLE item RENAME TO old_item",
        "CREATE TABLE item AS SELECT * FROM old_item");
    verified(ITEMS);
    LarderProbe.run(past, "INSERT INTO item VALUES (5, 'e')");

    assertThat(verified(ITEMS, "wrong_hits")).hasSize(5);
    long bypasses = LarderProbe.count(reader, "bypasses");
    assertThat(LarderProbe.rows(reader, ITEMS)).hasSize(5);
    assertThat(LarderProbe.rows(reader, "SELECT name FROM old_item")).hasSize(4);
    assertThat(LarderProbe.count(reader, "bypasses")).isEqualTo(bypasses + 2);
    assertThat(quarantine("cached_rows")).containsExactly("4");
    LarderProbe.run(writer, "RESET larder.quarantine");
    assertThat(verified(ITEMS)).hasSize(5);
    assertThat(verified("SELECT name FROM old_item")).hasSize(4);
  }

  @Test
  void everyCacheOfTheDatabaseKeepsAwayFromTheTable() throws SQLException {
    connect();
    verified(ITEMS);
    try (Connection another = LarderProbe.connect(database)) {
      LarderProbe.fill(another, ITEMS);
      LarderProbe.run(past, "INSERT INTO item VALUES (4, 'd')");
      verified(ITEMS, "wrong_hits");

      assertThat(LarderProbe.rows(another, ITEMS)).hasSize(4);
      assertThat(LarderProbe.isHit(another, ITEMS)).isFalse();
      assertThat(LarderProbe.reason(another, ITEMS)).contains("is quarantined");
    }
  }

  @Test
  void aFunctionThatReadsMoreThanWasDeclaredIsFound() throws SQLException {
    LarderProbe.run(
        past,
        "CREATE FUNCTION note(int) RETURNS text LANGUAGE plpgsql STABLE AS"
            + " 'BEGIN RETURN (SELECT note FROM other WHERE id = $1); END'");
    connect("larder.functions.readOnly=note");
    String sql = "SELECT note(1) FROM item WHERE id = 1";
    assertThat(verified(sql)).containsExactly("x");
    LarderProbe.run(writer, "UPDATE other SET note = 'y'");

    assertThat(verified(sql, "wrong_hits")).containsExactly("y");
  }

  @Test
  void aTriggerThatWritesMoreThanWasDeclaredIsFound() throws SQLException {
    LarderProbe.run(
        past,
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN UPDATE other SET note = NEW.name; RETURN NEW; END'",
        "CREATE TRIGGER log AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION log()");
    connect("larder.triggers.writes=log=");
    verified("SELECT note FROM other");
    LarderProbe.run(writer, "UPDATE item SET name = 'z' WHERE id = 1");

    assertThat(verified("SELECT note FROM other", "wrong_hits")).containsExactly("z");
    assertThat(quarantine("table_name")).containsExactly("public.other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FOLLOW_FOREIGN_KEYS", "FOLLOW_PARTITIONS", "FOLLOW_TRIGGERS"})
  void aClosureThatIsLeftOutIsFound(String step) throws SQLException {
    LarderProbe.run(
        past,
        "CREATE TABLE child (item int REFERENCES item ON DELETE CASCADE)",
        "INSERT INTO child VALUES (3)",
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO parts VALUES (2); RETURN NULL; END'",
        "CREATE TRIGGER log AFTER INSERT ON other FOR EACH ROW EXECUTE FUNCTION log()");
    connect("larder.triggers.writes=log=parts");
    LeftOut.leaveOut(ProtocolStep.valueOf(step));
    try {
      String read = step.endsWith("KEYS") ? "SELECT * FROM child" : "SELECT * FROM parts";
      verified(read);
      LarderProbe.run(
          writer,
          switch (step) {
            case "FOLLOW_FOREIGN_KEYS" -> "DELETE FROM item WHERE id = 3";
            case "FOLLOW_PARTITIONS" -> "INSERT INTO part VALUES (1)";
            default -> "INSERT INTO other VALUES (2, 'y')";
          });
      assertThat(verified(read, "wrong_hits")).hasSize(step.endsWith("KEYS") ? 0 : 1);
    } finally {
      LeftOut.leaveOut(null);
    }
  }

  @Test
  void aCommitBetweenTheTwoReadingsOfTheVersionsIsNoWrongRow() throws SQLException {
    connect();
    verified(ITEMS);
    AtomicBoolean written = new AtomicBoolean();
    Thread self = Thread.currentThread();
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.SENDING
              && Thread.currentThread() == self
              && written.compareAndSet(false, true)) {
            try {
              LarderProbe.run(writer, "UPDATE item SET name = 'late' WHERE id = 1");
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          }
        });
    try {
      long unverifiable = LarderProbe.count(reader, "unverifiable_hits");
      assertThat(LarderProbe.rows(reader, ITEMS)).contains("late");
      assertThat(written).isTrue();
      assertThat(LarderProbe.count(reader, "unverifiable_hits")).isEqualTo(unverifiable + 1);
    } finally {
      FaultPoints.inject(null);
    }
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
    assertThat(verified(ITEMS)).contains("late");
  }

  @Test
  void anotherOrderIsNoWrongRow() throws SQLException {
    connect();
    assertThat(verified(ITEMS)).containsExactly("a", "b", "c");
    LarderProbe.run(past, "CLUSTER item USING item_down");
    assertThat(verified(ITEMS)).containsExactly("c", "b", "a");
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM item LIMIT 1",
        "SELECT name FROM item OFFSET 2",
        "SELECT name FROM item FETCH FIRST ROW ONLY",
        "SELECT string_agg(name, ',') FROM item",
        "SELECT ARRAY(SELECT name FROM item)",
        "SELECT JSON_ARRAY(SELECT name FROM item)",
        "SELECT name, row_number() OVER () FROM item",
        "SELECT DISTINCT ON (id > 0) name FROM item",
        "SELECT (SELECT i.name FROM item i LIMIT 1) FROM other",
        "SELECT sum(price) FROM item",
        "SELECT DISTINCT cost FROM item WHERE id < 3",
        "SELECT max(cost) FROM item WHERE id < 3",
        "SELECT * FROM few",
        "SELECT * FROM summed",
        "SELECT sum(price)::numeric FROM item",
        "SELECT round(sum(price)) = 0 FROM item",
        "SELECT sum(price) BETWEEN 1 AND 2 FROM item",
        "SELECT CASE sum(price) WHEN 0 THEN 'none' ELSE 'some' END FROM item",
        "SELECT - sum(price) < 0 FROM item",
        "SELECT count(*) FROM item HAVING sum(price) > 0",
        "SELECT name FROM other, (SELECT sum(price) > 0 AS name FROM item) AS positive",
        "SELECT note FROM other WHERE (SELECT sum(price) FROM item) > 0",
        "WITH total AS (SELECT sum(price) AS price FROM item) SELECT price::int FROM total",
        "SELECT max(cost)::text FROM item WHERE id < 3",
        "SELECT scale(cost) FROM item WHERE id < 3 GROUP BY cost",
        "SELECT sum > 0 FROM summed",
        "SELECT first(name) FROM item",
        "SELECT range_agg(costs) FROM spans WHERE costs <> 'empty'",
        "SELECT range_intersect_agg(costs) FROM spans",
        "SELECT lower(range_intersect_agg(costs))::text FROM spans"
      })
  void whatTheServerChoosesIsNoWrongRow(String sql) throws SQLException {
    LarderProbe.run(
        past,
        "CREATE VIEW few AS SELECT name FROM item LIMIT 2",
        "CREATE VIEW summed AS SELECT sum(price) FROM item",
        "CREATE FUNCTION first_of(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS"
            + " 'SELECT $1'",
        "CREATE AGGREGATE first(text) (SFUNC = first_of, STYPE = text)",
        "CREATE TABLE spans (id int PRIMARY KEY, costs numrange)",
        "INSERT INTO spans VALUES (1, '[1.0, 2]'), (2, '[1.00, 2.0]')",
        "CREATE INDEX spans_down ON spans (id DESC)",
        "SET max_parallel_workers_per_gather = 0");
    connect();
    List<String> before = verified(sql);
    LarderProbe.run(past, "CLUSTER item USING item_down", "CLUSTER spans USING spans_down");
    assertThat(verified(sql, "unverifiable_hits")).isNotEqualTo(before);
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  /** Texts that a collation, or the type, takes for equal are one, and the server chooses which. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT name FROM spelled",
        "SELECT name, count(*) FROM spelled GROUP BY name",
        "SELECT max(name) FROM spelled",
        "SELECT name FROM spelled UNION SELECT name FROM spelled",
        "SELECT DISTINCT word FROM spelled",
        "SELECT DISTINCT plain COLLATE loose FROM spelled",
        "SELECT plain FROM spelled GROUP BY plain COLLATE loose, plain",
        "SELECT name FROM spelled GROUP BY name UNION SELECT 'Z' COLLATE \"C\"",
        "SELECT DISTINCT padded FROM spelled",
        "SELECT name FROM spellings"
      })
  void whichOfEqualTextsIsReturnedIsNoWrongRow(String sql) throws SQLException {
    createSpellings();
    connect();
    List<String> before = verified(sql);
    LarderProbe.run(past, "CLUSTER spelled USING spelled_down");
    if (sql.endsWith(", plain")) {
      assertThat(verified(sql)).containsExactlyInAnyOrderElementsOf(before);
    } else {
      assertThat(verified(sql, "unverifiable_hits")).isNotEqualTo(before);
    }
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM spelled",
        "SELECT name, count(*) FROM spelled GROUP BY name",
        "SELECT count(DISTINCT name) FROM spelled"
      })
  void whatTheServerDoesNotChooseOfEqualTextsIsFound(String sql) throws SQLException {
    createSpellings();
    connect();
    verified(sql);
    LarderProbe.run(past, "INSERT INTO spelled VALUES (9, 'z', 'z', 'z', 'z')");
    verified(sql, "wrong_hits");
  }

  private void createSpellings() throws SQLException {
    LarderProbe.run(
        past,
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE DOMAIN word AS text COLLATE loose",
        "CREATE TABLE spelled (id int PRIMARY KEY, name text COLLATE loose, word word, plain text,"
            + " padded bpchar)",
        "CREATE VIEW spellings AS SELECT DISTINCT name FROM spelled",
        "CREATE INDEX spelled_down ON spelled (id DESC)",
        "INSERT INTO spelled VALUES (1, 'a', 'a', 'a', 'a'), (2, 'A', 'A', 'A', 'a ')");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT sum(id) FROM item",
        "SELECT count(*), sum(price) FROM item",
        "SELECT count(*) FILTER (WHERE id > 0) AS n, sum(price * 2) FROM item WHERE id <> 2",
        "SELECT item.* FROM item GROUP BY id",
        "SELECT DISTINCT name FROM item",
        "SELECT name FROM item UNION SELECT note FROM other",
        "SELECT max(name) FROM item GROUP BY id"
      })
  void whatTheServerDoesNotChooseIsFound(String sql) throws SQLException {
    connect();
    verified(sql);
    LarderProbe.run(past, "INSERT INTO item VALUES (9, 'z', 0, 0)");
    verified(sql, "wrong_hits");
  }

  @Test
  void theChangeToBinaryTransferIsNoWrongRow() throws SQLException {
    LarderProbe.run(
        past,
        "CREATE TABLE kinds (i2 int2, i4 int4, i8 int8, b bool, t text, v varchar(5), c char(5),"
            + " d date, ts timestamp, tz timestamptz, u uuid, n numeric, by bytea)",
        "INSERT INTO kinds VALUES (1, 2, 3, true, 't', 'v', 'c', '2024-02-29',"
            + " '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.789+05',"
            + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 12.50, '\\xdeadbeef'),"
            + " (NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'infinity', '-infinity', NULL, NULL,"
            + " 'NaN', NULL)",
        "INSERT INTO kinds (i4, d, ts, tz, n, by, t) VALUES"
            + " (2, '4713-01-01 BC', '4713-01-01 BC', '4713-01-02 BC', -0.5, '', ''),"
            + " (2, '0001-12-31 BC', '0001-12-31 23:59:59 BC', '0001-12-31 BC', '0.000', NULL, 'x'),"
            + " (2, '0001-01-01', '0001-01-01', '0001-01-01', 10, NULL, NULL),"
            + " (2, '1582-10-10', '1582-10-10', '1582-10-10', 1e-300, NULL, NULL),"
            + " (2, '1890-06-01', '1890-06-01', '1890-06-01 12:00', 12345678901234567890.5, '', ''),"
            + " (2, '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31', 1e300, '', '')");
    connect("prepareThreshold=2");
    boolean binary = false;
    for (int i = 0; i < 12; i++) {
      try (PreparedStatement statement =
          reader.prepareStatement("SELECT * FROM kinds WHERE i4 = ? OR i4 IS NULL")) {
        statement.setInt(1, 2);
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
          assertThat(rows.getString("n")).isEqualTo("12.50");
        }
      }
      binary |= LarderProbe.count(reader, "verified_hits") > 6;
    }
    assertThat(binary).isTrue();
    assertThat(LarderProbe.count(reader, "unverifiable_hits")).isZero();
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  @Test
  void theResultThatTheDriverReadsNowIsKeptWhereOnlyTheFormatDiffers() throws SQLException {
    LarderProbe.run(past, "CREATE TABLE seen AS SELECT 1 AS id, gen_random_uuid() AS at");
    connect("prepareThreshold=3");
    String sql = "SELECT id, at FROM seen WHERE id = ?";
    assertThat(verified("SELECT id, at FROM seen")).isNotEmpty();
    long others = LarderProbe.count(reader, "size_bytes");
    Set<Long> sizes = new TreeSet<>();
    for (int i = 0; i < 8; i++) {
      try (PreparedStatement statement = reader.prepareStatement(sql)) {
        statement.setInt(1, 1);
        statement.executeQuery().close();
      }
      sizes.add(LarderProbe.count(reader, "size_bytes") - others);
    }
    // As text, and then as sixteen bytes.
    assertThat(sizes).hasSize(2);
    assertThat(LarderProbe.count(reader, "entries")).isEqualTo(2);
    assertThat(LarderProbe.count(reader, "unverifiable_hits")).isZero();
    assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
  }

  @Test
  void onlyTheShareThatWasAskedForIsVerified() throws SQLException {
    reader = LarderProbe.connect(database, "larder.verify=0.5");
    for (int i = 0; i < 400; i++) {
      LarderProbe.rows(reader, ITEMS);
    }
    assertThat(LarderProbe.count(reader, "verified_hits")).isBetween(100L, 300L);
    assertThat(LarderProbe.hits(reader)).isBetween(100L, 300L);
  }

  @Test
  void nothingOfTheBindsIsInTheEvidence() throws SQLException {
    connect();
    String sql = "SELECT name FROM item WHERE name <> ?";
    for (int i = 0; i < 4; i++) {
      try (PreparedStatement statement = reader.prepareStatement(sql)) {
        statement.setString(1, "confidential");
        assertThat(LarderProbe.rows(statement.executeQuery())).isNotEmpty();
      }
      if (i == 2) {
        LarderProbe.run(past, "UPDATE item SET name = 'hidden' WHERE id = 1");
      }
    }
    assertThat(quarantine("query")).containsExactly(sql);
    try (Statement statement = reader.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.quarantine")) {
      assertThat(LarderProbe.rows(row).toString()).doesNotContain("confidential", "hidden");
    }
  }

  /** It may be noticed some seconds late, which is no wrong row. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE item ADD COLUMN added_%d int DEFAULT 7",
        "CREATE OR REPLACE VIEW seen AS SELECT id + %d AS id FROM item",
        "ALTER TABLE item RENAME TO item_%1$d; CREATE TABLE item AS SELECT id + 1 AS id FROM item_%1$d"
      })
  void aChangeOfTheCatalogByOthersIsNoWrongRow(String ddl) throws SQLException {
    LarderProbe.run(past, "CREATE VIEW seen AS SELECT id FROM item");
    connect();
    String sql = ddl.contains("VIEW") ? "SELECT * FROM seen" : "SELECT * FROM item";
    long before = LarderProbe.count(reader, "unverifiable_hits");
    // Where the catalog happens to be compared just then, there is no hit to be verified.
    for (int i = 1; LarderProbe.count(reader, "unverifiable_hits") == before; i++) {
      assertThat(i).isLessThan(10);
      List<String> rows = verified(sql);
      LarderProbe.run(past, String.format(ddl, i));
      assertThat(LarderProbe.rows(reader, sql)).hasSameSizeAs(rows);
      assertThat(LarderProbe.count(reader, "wrong_hits")).isZero();
      assertThat(quarantine("table_name")).isEmpty();
    }
    LarderProbe.awaitCatalog(reader);
    assertThat(verified(sql)).hasSize(3);
  }

  /** Whatever is read, somebody is to stay away from it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM parts",
        "SELECT id FROM part",
        "SELECT id FROM heirs",
        "SELECT id FROM heir",
        "SELECT id FROM ONLY heir",
        "SELECT id FROM \"Odd.Schema\".\"an.odd table\"",
        "SELECT twice FROM doubled",
        "SELECT counted(1) FROM other"
      })
  void whateverAWrongResultHasReadIsQuarantined(String sql) throws SQLException {
    LarderProbe.run(
        past,
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE heirs (id int)",
        "CREATE TABLE heir () INHERITS (heirs)",
        "CREATE SCHEMA \"Odd.Schema\"",
        "CREATE TABLE \"Odd.Schema\".\"an.odd table\" (id int)",
        "CREATE VIEW doubled AS SELECT 2 * id AS twice FROM part",
        "CREATE FUNCTION counted(int) RETURNS bigint LANGUAGE plpgsql STABLE AS"
            + " 'BEGIN RETURN (SELECT count(*) FROM item); END'");
    connect("larder.functions.readOnly=counted");
    List<String> before = verified(sql);
    LarderProbe.run(
        past,
        "INSERT INTO item VALUES (9, 'z')",
        "INSERT INTO part VALUES (1)",
        "INSERT INTO heir VALUES (1)",
        "INSERT INTO \"Odd.Schema\".\"an.odd table\" VALUES (1)");
    assertThat(verified(sql, "wrong_hits")).isNotEqualTo(before);
    assertThat(quarantine("table_name")).isNotEmpty();
    long bypasses = LarderProbe.count(reader, "bypasses");
    assertThat(LarderProbe.rows(reader, sql)).isNotEqualTo(before);
    assertThat(LarderProbe.count(reader, "bypasses")).isEqualTo(bypasses + 1);
    LarderProbe.run(writer, "RESET larder.quarantine");
    assertThat(verified(sql)).isNotEqualTo(before);
  }

  @Test
  void aResultThatIsTooLargeToKeepIsNotTakenForWrong() throws SQLException {
    connect("larder.maxResultRows=3");
    verified(ITEMS);
    LarderProbe.run(past, "INSERT INTO item VALUES (4, 'd')");
    assertThat(verified(ITEMS, "unverifiable_hits")).hasSize(4);
  }
}
