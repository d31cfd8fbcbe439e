package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;

/** Rare ways to write and to see a table, after which no outdated result of it may be used. */
final class StalenessHolesTest {
  private static final String LONG = "/* larder:stale=10m */ SELECT name FROM item WHERE id = 1";
  private static final String PLAIN = "SELECT name FROM item WHERE id = 1";
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'old'), (2, 'other')",
        "CREATE TABLE line (id int PRIMARY KEY, item int REFERENCES item ON DELETE CASCADE)",
        "INSERT INTO line VALUES (1, 1)",
        "CREATE TABLE part (id int, name text) PARTITION BY LIST (id)",
        "CREATE TABLE part1 PARTITION OF part FOR VALUES IN (1)",
        "CREATE TABLE part2 PARTITION OF part FOR VALUES IN (2)",
        "INSERT INTO part VALUES (1, 'old'), (2, 'other')",
        "CREATE TABLE member (name text PRIMARY KEY)",
        "INSERT INTO member VALUES ('me')",
        "CREATE TABLE guarded (id int)",
        "INSERT INTO guarded VALUES (1)",
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE guarded FORCE ROW LEVEL SECURITY",
        "CREATE POLICY p ON guarded USING (EXISTS (SELECT FROM member))",
        "CREATE VIEW both_of AS SELECT item.name FROM item, member WHERE id = 1",
        "CREATE FUNCTION see() RETURNS text LANGUAGE sql STABLE"
            + " AS 'SELECT name FROM item WHERE id = 1'",
        "CREATE FUNCTION called() RETURNS text LANGUAGE plpgsql VOLATILE"
            + " AS 'BEGIN RETURN (SELECT name FROM item WHERE id = 1); END'",
        "CREATE TABLE made (id int, name text DEFAULT see())",
        "CREATE VIEW shown AS SELECT id, name AS own,"
            + " (SELECT name FROM item WHERE id = 1) AS name FROM made",
        "INSERT INTO made VALUES (7, 'x')",
        "CREATE TABLE copied (id int, name text)",
        "CREATE FUNCTION copy() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN NEW.name := see(); RETURN NEW; END'",
        "CREATE TRIGGER copy BEFORE INSERT ON copied FOR EACH ROW EXECUTE FUNCTION copy()");
    reader = connect();
    writer = connect();
    LarderProbe.awaitCatalog(reader);
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  private Connection connect(String... more) throws SQLException {
    String[] all = new String[more.length + 2];
    all[0] = "larder.admission=all";
    all[1] = "larder.name=" + database.name() + more.length;
    System.arraycopy(more, 0, all, 2, more.length);
    return LarderProbe.connect(database, all);
  }

  private void outdate() throws SQLException {
    LarderProbe.fill(reader, LONG);
    run(writer, UPDATE);
    assertThat(rows(reader, LONG)).containsExactly("old");
  }

  @Test
  void ownWritesThatAnotherSessionCommitsAreSeen() throws SQLException {
    LarderProbe.fill(reader, LONG);
    String gid = "g" + database.name();
    run(reader, "BEGIN", UPDATE, "PREPARE TRANSACTION '" + gid + "'");
    run(writer, "COMMIT PREPARED '" + gid + "'");
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @Test
  void ownWritesThatTheDriverCommitsAreSeen() throws SQLException {
    LarderProbe.fill(reader, LONG);
    reader.setAutoCommit(false);
    var objects = reader.unwrap(PGConnection.class).getLargeObjectAPI();
    long oid = objects.createLO();
    run(reader, UPDATE);
    objects.open(oid, true).close(); // It commits.
    assertThat(rows(writer, PLAIN)).containsExactly("new");
    assertThat(rows(reader, LONG)).containsExactly("new");
    reader.commit();
  }

  @Test
  @SuppressWarnings("deprecation")
  void whatAFastpathCallHasReadIsNotTakenBack() throws SQLException {
    outdate();
    reader.setAutoCommit(false);
    Fastpath fastpath = reader.unwrap(PGConnection.class).getFastpathAPI();
    try (Statement statement = writer.createStatement();
        ResultSet oid = statement.executeQuery("SELECT 'called'::regproc::oid::int")) {
      oid.next();
      fastpath.addFunction("called", oid.getInt(1));
    }
    assertThat(fastpath.getData("called", new FastpathArg[0])).asString().isEqualTo("new");
    reader.rollback();
    assertThat(rows(reader, LONG)).containsExactly("new");
    reader.rollback();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT see()",
        "SELECT called()",
        "SELECT 1; SELECT name FROM item",
        "PREPARE q AS SELECT name FROM item; EXECUTE q",
        "SELECT * FROM both_of",
        "TABLE item",
        "WITH w AS (SELECT * FROM item) SELECT * FROM w",
        "SELECT query_to_xml('SELECT * FROM item', true, true, '')",
        "UPDATE item SET name = name WHERE id = 1 RETURNING name",
        "SELECT item FROM item",
        "INSERT INTO made VALUES (1) RETURNING name",
        "WITH w AS (INSERT INTO made VALUES (1) RETURNING name) SELECT * FROM w",
        "INSERT INTO copied VALUES (1) RETURNING name",
        "UPDATE shown SET own = 'y' RETURNING name",
        "BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT name FROM item; COMMIT; FETCH ALL FROM c",
      })
  void whatWasSeenIsNotTakenBack(String sql) throws SQLException {
    outdate();
    run(reader, sql);
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @Test
  void whatSqlPreparedWasSeenIsNotTakenBack() throws SQLException {
    run(reader, "PREPARE q AS SELECT name FROM item WHERE id = 1");
    outdate();
    assertThat(rows(reader, "EXECUTE q")).containsExactly("new");
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @Test
  void whatACopyHasReadIsNotTakenBack() throws Exception {
    outdate();
    reader
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyOut("COPY item TO STDOUT", new StringWriter());
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @Test
  void whatADeclaredTriggerHasReadIsNotTakenBack() throws SQLException {
    try (Connection declared = connect("larder.triggers.writes=copy=copied")) {
      LarderProbe.fill(declared, LONG);
      run(writer, UPDATE);
      assertThat(rows(declared, "INSERT INTO copied VALUES (1) RETURNING name"))
          .containsExactly("new");
      assertThat(rows(declared, LONG)).containsExactly("new");
    }
  }

  @Test
  void aRowThatTheDriverReadsAnewIsNotTakenBack() throws SQLException {
    LarderProbe.fill(reader, LONG);
    try (Statement statement =
            reader.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet row = statement.executeQuery("SELECT id, name FROM item WHERE id = 1")) {
      row.next();
      run(writer, UPDATE);
      assertThat(rows(reader, LONG)).containsExactly("old");
      row.refreshRow();
      assertThat(row.getString(2)).isEqualTo("new");
      assertThat(rows(reader, LONG)).containsExactly("new");
    }
  }

  @Test
  void whatCascadesIsSeen() throws SQLException {
    String lines = "/* larder:stale=10m */ SELECT count(*) FROM line WHERE item = 1";
    LarderProbe.fill(reader, lines);
    run(reader, "DELETE FROM item WHERE id = 1");
    assertThat(rows(reader, lines)).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part|part1",
        "part1|part",
        "part|part WHERE id = 1",
        "part1|part1",
      })
  void partitionsAreNotTakenBack(String tables) throws SQLException {
    String old =
        "/* larder:stale=10m */ SELECT name FROM " + tables.split("\\|")[0] + " WHERE id = 1";
    LarderProbe.fill(reader, old);
    run(writer, "UPDATE part SET name = 'new' WHERE id = 1");
    assertThat(rows(reader, old)).containsExactly("old");
    assertThat(rows(reader, "SELECT name FROM " + tables.split("\\|")[1])).contains("new");
    assertThat(rows(reader, old)).containsExactly("new");
  }

  @Test
  void aDirectWriteOfAPartitionIsSeen() throws SQLException {
    String old = "/* larder:stale=10m */ SELECT name FROM part WHERE id = 1";
    LarderProbe.fill(reader, old);
    run(reader, "UPDATE part1 SET name = 'new' WHERE id = 1");
    assertThat(rows(reader, old)).containsExactly("new");
  }

  @Test
  void aBatchIsSeen() throws SQLException {
    LarderProbe.fill(reader, LONG);
    try (PreparedStatement batch =
        reader.prepareStatement("UPDATE item SET name = ? WHERE id = ?")) {
      for (int id = 1; id < 3; id++) {
        batch.setString(1, "new");
        batch.setInt(2, id);
        batch.addBatch();
      }
      batch.executeBatch();
    }
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESET larder.cache", "SELECT larder.purge('item')"})
  void whatIsForgottenIsNotUsed(String sql) throws SQLException {
    outdate();
    run(writer, sql);
    assertThat(rows(reader, LONG)).containsExactly("new");
  }

  @Test
  void aSettingOfTheTransactionEndsWithIt() throws SQLException {
    LarderProbe.fill(reader, PLAIN);
    reader.setAutoCommit(false);
    try {
      run(reader, "SET LOCAL larder.staleness = '10m'");
    } catch (SQLException refused) {
      assertThat(refused.getMessage()).contains("larder");
    }
    reader.commit();
    reader.setAutoCommit(true);
    LarderProbe.fill(reader, PLAIN);
    run(writer, UPDATE);
    assertThat(rows(reader, PLAIN)).containsExactly("new");
  }

  @Test
  void aSettingEndsWithAllSettings() throws SQLException {
    run(reader, "SET larder.staleness = '10m'", "DISCARD ALL");
    LarderProbe.fill(reader, PLAIN);
    run(writer, UPDATE);
    assertThat(rows(reader, PLAIN)).containsExactly("new");
  }

  @Test
  void aLongTimeIsUnderstood() throws SQLException {
    run(reader, "SET larder.staleness = '999999999h'");
    LarderProbe.fill(reader, PLAIN);
    run(writer, UPDATE);
    assertThat(rows(reader, PLAIN)).containsExactly("old");
  }

  @Test
  void tablesOfPoliciesMustBeDeclaredToo() throws SQLException {
    try (Connection declared = connect("larder.tables.staleness=guarded=10m")) {
      database.execute(
          "CREATE ROLE r" + database.name(),
          "GRANT SELECT ON guarded, member TO r" + database.name());
      LarderProbe.awaitCatalog(declared);
      run(declared, "SET ROLE r" + database.name());
      LarderProbe.fill(declared, "SELECT count(*) FROM guarded");
      run(writer, "DELETE FROM member");
      assertThat(rows(declared, "SELECT count(*) FROM guarded")).containsExactly("0");
    } finally {
      database.execute("DROP OWNED BY r" + database.name(), "DROP ROLE r" + database.name());
    }
  }

  @Test
  void tablesOfViewsMustBeDeclaredToo() throws SQLException {
    try (Connection declared =
        connect("larder.tables.staleness=item=10m,both_of=10m", "assumeMinServerVersion=9.0")) {
      LarderProbe.fill(declared, "SELECT * FROM both_of");
      run(writer, "DELETE FROM member");
      assertThat(rows(declared, "SELECT * FROM both_of")).isEmpty();
      LarderProbe.fill(declared, PLAIN);
      run(writer, UPDATE);
      assertThat(rows(declared, PLAIN)).containsExactly("old");
    }
  }

  @Test
  void writesThroughAnotherCacheAreOwnToo() throws SQLException {
    outdate();
    try (Connection other = connect("larder.timeToLive=1h")) {
      run(other, "UPDATE item SET name = 'newer' WHERE id = 1");
      assertThat(rows(other, LONG)).containsExactly("newer");
    }
  }
}
