package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.reason;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The known holes of other query caches, each as a test by its words. */
@Tag("each-server")
final class HolesOfThePeersTest {
  private static final String NAME = "SELECT name FROM item WHERE id = 1";
  private static final String NOTE = "SELECT note FROM other";

  private TestDatabase database;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'first'), (2, 'x')",
        "CREATE TABLE other (note text)",
        "INSERT INTO other VALUES ('n')");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  private void ddl(String... statements) throws SQLException {
    run(one, statements);
    LarderProbe.awaitCatalog(one);
  }

  @Test
  @DisplayName("1. stale between commit and invalidation")
  void staleBetweenCommitAndInvalidation() throws Exception {
    fill(one, NAME);
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 200; i++) {
        String value = "value " + i;
        two.setAutoCommit(false);
        run(two, "UPDATE item SET name = '" + value + "' WHERE id = 1");
        CountDownLatch committed = new CountDownLatch(1);
        Future<List<String>> read =
            reader.submit(
                () -> {
                  rows(one, NAME);
                  committed.await();
                  return rows(one, NAME);
                });
        two.commit();
        committed.countDown();
        assertThat(read.get()).containsExactly(value);
      }
    } finally {
      reader.shutdownNow();
    }
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  @DisplayName("2. fill after invalidation")
  void fillAfterInvalidation() throws SQLException {
    // A read that began before the write, and whose rows arrive after its commit.
    one.setAutoCommit(false);
    try (Statement slow = one.createStatement()) {
      slow.setFetchSize(1);
      try (ResultSet early = slow.executeQuery("SELECT name FROM item ORDER BY id")) {
        early.next();
        run(two, "UPDATE item SET name = 'second' WHERE id = 1");
        assertThat(early.getString(1)).isEqualTo("first");
        early.next();
      }
    }
    one.commit();
    assertThat(rows(two, "SELECT name FROM item ORDER BY id")).containsExactly("second", "x");
    assertThat(isHit(two, "SELECT name FROM item ORDER BY id")).isTrue();
  }

  @Test
  @DisplayName("3. an old snapshot published at commit")
  void anOldSnapshotPublishedAtCommit() throws SQLException {
    one.setAutoCommit(false);
    one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    rows(one, NOTE);
    run(two, "UPDATE item SET name = 'second' WHERE id = 1");
    assertThat(rows(one, NAME)).containsExactly("first");
    assertThat(rows(one, NAME)).containsExactly("first");
    one.commit();
    assertThat(rows(two, NAME)).containsExactly("second");
    assertThat(isHit(two, NAME)).isTrue();
    assertThat(rows(one, NAME)).containsExactly("second");
  }

  // 4. a lagging standby's row cached: ServersInBetweenTest has a standby.

  @Test
  @DisplayName("5. COMMIT PREPARED")
  void commitPrepared() throws SQLException {
    fill(one, NAME);
    fill(one, NOTE);
    two.setAutoCommit(false);
    run(two, "UPDATE item SET name = 'second' WHERE id = 1");
    String gid = database.name() + "_g";
    run(two, "PREPARE TRANSACTION '" + gid + "'");
    assertThat(isHit(one, NAME)).isTrue();
    two.setAutoCommit(true);
    run(two, "COMMIT PREPARED '" + gid + "'");
    assertThat(rows(one, NAME)).containsExactly("second");
    assertThat(isHit(one, NOTE)).isTrue();
  }

  @ParameterizedTest(name = "6. {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "FK cascade|CREATE TABLE child (id int REFERENCES item ON DELETE CASCADE);"
            + " INSERT INTO child VALUES (2)|SELECT count(*) FROM child|DELETE FROM item WHERE id = 2|0",
        "trigger|CREATE TABLE child (id int); CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO child VALUES (1); RETURN NEW; END $$;"
            + " CREATE TRIGGER t AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION log()"
            + "|SELECT count(*) FROM child|INSERT INTO item VALUES (3)|1",
        "rule|CREATE TABLE child (id int); CREATE RULE r AS ON INSERT TO item DO ALSO INSERT INTO child"
            + " VALUES (1)|SELECT count(*) FROM child|INSERT INTO item VALUES (3)|1",
        "TRUNCATE CASCADE|CREATE TABLE child (id int REFERENCES item); INSERT INTO child VALUES (1)"
            + "|SELECT count(*) FROM child|TRUNCATE item CASCADE|0",
        "a partition by another name|CREATE TABLE child (id int) PARTITION BY RANGE (id);"
            + " CREATE TABLE low PARTITION OF child FOR VALUES FROM (0) TO (9)"
            + "|SELECT count(*) FROM child|INSERT INTO low VALUES (1)|1",
        "the parent of a partition|CREATE TABLE parent (id int) PARTITION BY RANGE (id);"
            + " CREATE TABLE child PARTITION OF parent FOR VALUES FROM (0) TO (9)"
            + "|SELECT count(*) FROM child|INSERT INTO parent VALUES (1)|1",
        "DO|CREATE TABLE child (id int)|SELECT count(*) FROM child"
            + "|DO $$ BEGIN INSERT INTO child VALUES (1); END $$|1",
        "CALL|CREATE TABLE child (id int); CREATE PROCEDURE p() LANGUAGE sql AS 'INSERT INTO child VALUES (1)'"
            + "|SELECT count(*) FROM child|CALL p()|1",
        "a function with side effects|CREATE TABLE child (id int); CREATE FUNCTION f() RETURNS int"
            + " LANGUAGE sql AS 'INSERT INTO child VALUES (1) RETURNING id'"
            + "|SELECT count(*) FROM child|SELECT f() FROM item WHERE id = 1|1"
      })
  void writesThatTheTextDoesNotName(
      String name, String setUp, String query, String write, String after) throws SQLException {
    ddl(setUp);
    fill(one, query);
    run(two, write);
    assertThat(rows(one, query)).containsExactly(after);
    LarderProbe.awaitCatalog(one);
    fill(one, query);
    assertThat(rows(one, query)).containsExactly(after);
  }

  @Test
  @DisplayName("7. a view whose base table is written; REFRESH")
  void aViewWhoseBaseTableIsWrittenAndRefresh() throws SQLException {
    ddl(
        "CREATE VIEW v AS SELECT name FROM item WHERE id = 1",
        "CREATE VIEW w AS SELECT name FROM v",
        "CREATE MATERIALIZED VIEW m AS SELECT name FROM item WHERE id = 1");
    fill(one, "SELECT name FROM w");
    fill(one, "SELECT name FROM m");
    run(two, "UPDATE item SET name = 'second' WHERE id = 1");
    assertThat(rows(one, "SELECT name FROM w")).containsExactly("second");
    assertThat(isHit(one, "SELECT name FROM m")).isTrue();
    run(two, "REFRESH MATERIALIZED VIEW m");
    assertThat(rows(one, "SELECT name FROM m")).containsExactly("second");
    run(two, "UPDATE v SET name = 'third'");
    assertThat(rows(one, "SELECT name FROM w")).containsExactly("third");
  }

  @ParameterizedTest(name = "8. {0} outside the key")
  @ValueSource(
      strings = {
        "SET search_path = s",
        "SET TimeZone = 'Asia/Tokyo'",
        "SET DateStyle = 'ISO, DMY'",
        "SET ROLE pg_read_all_data"
      })
  void settingsOutsideTheKey(String setting) throws SQLException {
    ddl("CREATE SCHEMA s", "CREATE TABLE s.other (note text)", "GRANT USAGE ON SCHEMA s TO public");
    fill(one, NOTE);
    run(two, setting);
    assertThat(isHit(two, NOTE)).isFalse();
    assertThat(isHit(two, NOTE)).isTrue();
  }

  @Test
  @DisplayName("8. a tenant outside the key")
  void tenantOutsideTheKey() throws SQLException {
    ddl(
        "ALTER TABLE other ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY of_tenant ON other"
            + " USING (current_setting('app.tenant', true) IS DISTINCT FROM 'nobody')");
    fill(one, NOTE);
    run(two, "SET app.tenant = 'x'");
    assertThat(isHit(two, NOTE)).isFalse();
    assertThat(isHit(two, NOTE)).isTrue();
  }

  @Test
  @DisplayName("9. keys without delimiters")
  void keysWithoutDelimiters() throws SQLException {
    String sql = "SELECT CAST(? AS text) || '|' || CAST(? AS text) FROM other";
    try (PreparedStatement select = one.prepareStatement(sql)) {
      for (int round = 0; round < 2; round++) {
        for (String[] pair : new String[][] {{"a", "bc"}, {"ab", "c"}, {"abc", ""}, {"a,b", "c"}}) {
          select.setString(1, pair[0]);
          select.setString(2, pair[1]);
          try (ResultSet row = select.executeQuery()) {
            assertThat(rows(row)).containsExactly(pair[0] + "|" + pair[1]);
          }
        }
      }
    }
    assertThat(hits(one)).isEqualTo(4);
  }

  @Test
  @DisplayName("10. an overload that is immutable only in another schema")
  void anOverloadThatIsImmutableOnlyInAnotherSchema() throws SQLException {
    ddl(
        "CREATE SCHEMA pure",
        "CREATE FUNCTION pure.f(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1'",
        "CREATE FUNCTION public.f(int) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT $1 + 1'");
    String sql = "SELECT f(id) FROM item WHERE id = 1";
    for (int pass = 0; pass < 2; pass++) {
      run(one, "SET search_path = public, pure");
      assertThat(rows(one, sql)).containsExactly("2");
      run(one, "SET search_path = pure, public");
      assertThat(rows(one, sql)).containsExactly("1");
      LarderProbe.awaitCatalog(one);
    }
    LarderProbe.awaitCatalog(two);
    assertThat(rows(two, "SELECT pure.f(id) FROM item WHERE id = 1")).containsExactly("1");
    assertThat(isHit(two, "SELECT pure.f(id) FROM item WHERE id = 1")).isTrue();
  }

  @ParameterizedTest(name = "11. {0}")
  @ValueSource(
      strings = {
        "SELECT 'now'::timestamp, id FROM item",
        "SELECT 'today'::date, id FROM item",
        "SELECT date 'tomorrow', id FROM item",
        "SELECT CAST('yesterday' AS timestamptz), id FROM item",
        "SELECT id FROM item WHERE name::text::date = CURRENT_DATE"
      })
  void wordsThatReadTheClock(String sql) throws SQLException {
    database.execute("UPDATE item SET name = '2024-01-01'");
    rows(one, sql);
    assertThat(isHit(one, sql)).isFalse();
    assertThat(reason(one, sql)).contains("time of day");
  }

  @Test
  @DisplayName("11. 'today' as a bind value")
  void aBindValueThatReadsTheClock() throws SQLException {
    database.execute("CREATE TABLE d (x date)", "INSERT INTO d VALUES (current_date)");
    ddl("COMMENT ON TABLE d IS 'x'");
    try (PreparedStatement select = one.prepareStatement("SELECT x FROM d WHERE x = ?::date")) {
      for (int round = 0; round < 3; round++) {
        select.setString(1, " Today ");
        try (ResultSet row = select.executeQuery()) {
          assertThat(row.next()).isTrue();
        }
      }
    }
    assertThat(hits(one)).isZero();
  }

  @ParameterizedTest(name = "12. {0}")
  @ValueSource(
      strings = {
        "SELECT id FROM item TABLESAMPLE BERNOULLI (50)",
        "SELECT id FROM (SELECT id FROM item TABLESAMPLE SYSTEM (50)) s",
        "SELECT note FROM other WHERE EXISTS (SELECT 1 FROM item TABLESAMPLE BERNOULLI (50))",
        "WITH s AS (SELECT id FROM item TABLESAMPLE BERNOULLI (50)) SELECT count(*) FROM s",
        "SELECT id FROM sampled"
      })
  void tablesampleBelowTheTopLevel(String sql) throws SQLException {
    ddl("CREATE VIEW sampled AS SELECT id FROM item TABLESAMPLE BERNOULLI (50)");
    rows(one, sql);
    assertThat(isHit(one, sql)).isFalse();
    assertThat(reason(one, sql)).contains(sql.endsWith("sampled") ? "it reads a" : "TABLESAMPLE");
  }

  @Test
  @DisplayName("13. a table dropped and created again")
  void aTableDroppedAndCreatedAgain() throws SQLException {
    fill(one, NOTE);
    run(two, "DROP TABLE other", "CREATE TABLE other (note int)", "INSERT INTO other VALUES (42)");
    assertThat(rows(one, NOTE)).containsExactly("42");
    LarderProbe.awaitCatalog(one);
    fill(one, NOTE);
    run(two, "UPDATE other SET note = 43");
    assertThat(rows(one, NOTE)).containsExactly("43");
    two.setAutoCommit(false);
    run(
        two,
        "DROP TABLE other",
        "CREATE TABLE other (note text)",
        "INSERT INTO other VALUES ('t')");
    two.commit();
    assertThat(rows(one, NOTE)).containsExactly("t");
    LarderProbe.awaitCatalog(one);
    fill(one, NOTE);
    run(two, "UPDATE other SET note = 'u'");
    two.commit();
    assertThat(rows(one, NOTE)).containsExactly("u");
  }

  @Test
  @DisplayName("14. REVOKE, SET ROLE, row-level security")
  void revokeSetRoleAndRowLevelSecurity() throws SQLException {
    String role = database.name() + "_r";
    ddl(
        "CREATE ROLE " + role,
        "GRANT SELECT ON item TO " + role,
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON item USING (id > 1)");
    try {
      fill(one, NAME);
      run(two, "SET ROLE " + role);
      assertThat(rows(two, NAME)).isEmpty();
      assertThat(isHit(two, NAME)).isTrue();
      ddl("REVOKE SELECT ON item FROM " + role);
      assertThatThrownBy(() -> rows(two, NAME)).hasMessageContaining("permission denied");
      run(two, "RESET ROLE");
      assertThat(rows(two, NAME)).containsExactly("first");
    } finally {
      run(two, "RESET ROLE");
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  @Test
  @DisplayName("15. an array bind rendered as ?")
  void anArrayBind() throws SQLException {
    try (PreparedStatement select =
        one.prepareStatement("SELECT name FROM item WHERE id = ANY (?) ORDER BY id")) {
      for (int round = 0; round < 2; round++) {
        for (Integer[] ids : new Integer[][] {{1}, {2}, {1, 2}}) {
          Array array = one.createArrayOf("int4", ids);
          select.setArray(1, array);
          try (ResultSet row = select.executeQuery()) {
            assertThat(rows(row)).hasSize(ids.length);
          }
        }
      }
    }
    assertThat(hits(one)).isEqualTo(3);
  }

  @Test
  @DisplayName("16. a hit after an error that hides 25P02")
  void aHitAfterAnErrorThatHides25P02() throws SQLException {
    fill(one, NAME);
    one.setAutoCommit(false);
    assertThatThrownBy(() -> run(one, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> rows(one, NAME))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
    one.rollback();
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  @DisplayName("17. a byte[] or Timestamp handed out and changed by the caller")
  void whatIsHandedOutIsTheCallersOwn() throws SQLException {
    ddl(
        "CREATE TABLE v (b bytea, t timestamp)",
        "INSERT INTO v VALUES ('\\x0102', '2024-01-02 03:04:05')");
    for (int round = 0; round < 4; round++) {
      try (PreparedStatement select = one.prepareStatement("SELECT b, t FROM v");
          ResultSet row = select.executeQuery()) {
        row.next();
        byte[] bytes = row.getBytes(1);
        byte[] object = (byte[]) row.getObject(1);
        Timestamp time = row.getTimestamp(2);
        assertThat(bytes).containsExactly(1, 2);
        assertThat(object).containsExactly(1, 2);
        assertThat(time).isEqualTo(Timestamp.valueOf("2024-01-02 03:04:05"));
        bytes[0] = 9;
        object[1] = 9;
        time.setTime(0);
      }
    }
    assertThat(hits(one)).isGreaterThanOrEqualTo(2);
  }

  @Test
  @DisplayName("18. a temp table that shadows")
  void aTempTableThatShadows() throws SQLException {
    fill(one, NOTE);
    run(two, "CREATE TEMP TABLE other (note text)", "INSERT INTO other VALUES ('mine')");
    assertThat(rows(two, NOTE)).containsExactly("mine");
    assertThat(rows(two, NOTE)).containsExactly("mine");
    assertThat(rows(one, NOTE)).containsExactly("n");
    run(two, "DISCARD TEMP");
    LarderProbe.awaitCatalog(two);
    assertThat(rows(two, NOTE)).containsExactly("n");
    assertThat(isHit(two, NOTE)).as(reason(two, NOTE)).isTrue();
    run(two, "DO $$ BEGIN CREATE TEMP TABLE other (note text); END $$");
    LarderProbe.awaitCatalog(two);
    assertThat(rows(two, NOTE)).isEmpty();
    run(two, "DROP TABLE pg_temp.other");
    LarderProbe.awaitCatalog(two);
    assertThat(rows(two, NOTE)).containsExactly("n");
    fill(two, NOTE);
  }

  @Test
  @DisplayName("19. a result over the limit")
  void aResultOverTheLimit() throws SQLException {
    String sql = "SELECT i FROM item, generate_series(1, 5000) i WHERE id = 1";
    try (Connection small = LarderProbe.connect(database, "larder.maxResultBytes=4096")) {
      assertThat(rows(small, sql)).hasSize(5000);
      assertThat(isHit(small, sql)).isFalse();
      assertThat(LarderProbe.count(small, "rejections")).isEqualTo(2);
    }
    try (Connection few = LarderProbe.connect(database, "larder.maxResultRows=10")) {
      assertThat(rows(few, sql)).hasSize(5000);
      assertThat(isHit(few, sql)).isFalse();
      fill(few, NAME);
    }
  }

  @Test
  @DisplayName("20. select 1 id, 2 id; labels in another case")
  void duplicateLabelsAndLabelsInAnotherCase() throws SQLException {
    String sql = "SELECT 1 id, 2 id, name AS \"Name\" FROM item WHERE id = 1";
    fill(one, sql);
    long before = hits(one);
    try (Statement statement = one.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      assertThat(row.getInt("id")).isEqualTo(1);
      assertThat(row.getInt("ID")).isEqualTo(1);
      assertThat(row.getString("NAME")).isEqualTo("first");
      assertThat(row.findColumn("name")).isEqualTo(3);
      assertThat(row.getMetaData().getColumnLabel(2)).isEqualTo("id");
      assertThatThrownBy(() -> row.getInt("none")).isInstanceOf(SQLException.class);
    }
    assertThat(hits(one)).isEqualTo(before + 1);
  }
}
