package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.PidRewritingProxy;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema that is switched at every checkout costs no round trip, and means what it means now. */
@Tag("regression")
final class SearchPathTest {
  private static final String NAME = "SELECT name FROM item";

  private TestDatabase database;
  private PidRewritingProxy proxy;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('public')",
        "CREATE SCHEMA a",
        "CREATE TABLE a.item (name text)",
        "INSERT INTO a.item VALUES ('a')",
        "CREATE SCHEMA b",
        "CREATE TABLE b.item (name text)",
        "INSERT INTO b.item VALUES ('b')");
    proxy = new PidRewritingProxy(database.port(), false);
    two = LarderProbe.connect(database);
    String url = database.larderUrl("larder.writers=this-jvm");
    one = DriverManager.getConnection(url.replace(":" + database.port(), ":" + proxy.port()));
    LarderProbe.awaitCatalog(one);
    // Larder's own connections go where the newest one goes: not through the proxy that counts.
    LarderProbe.connect(database).close();
  }

  @AfterEach
  void close() throws Exception {
    one.close();
    two.close();
    proxy.close();
    database.close();
  }

  private void use(String schema, boolean bySql) throws SQLException {
    if (bySql) {
      run(one, "SET search_path TO " + schema);
    } else {
      one.setSchema(schema);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSchemaThatWasSetBeforeCostsNoFurtherQuestion(boolean bySql) throws SQLException {
    for (int round = 0; round < 2; round++) {
      for (String schema : new String[] {"a", "b"}) {
        use(schema, bySql);
        assertThat(rows(one, NAME)).containsExactly(schema);
      }
    }
    long before = proxy.roundTrips();
    long hits = hits(one);
    for (int round = 0; round < 10; round++) {
      for (String schema : new String[] {"a", "b"}) {
        use(schema, bySql);
        assertThat(rows(one, NAME)).containsExactly(schema);
      }
    }
    assertThat(proxy.roundTrips() - before).as("only the SETs themselves").isEqualTo(20);
    assertThat(hits(one)).isEqualTo(hits + 20);
    run(two, "UPDATE a.item SET name = 'new'");
    use("a", bySql);
    assertThat(rows(one, NAME)).containsExactly("new");
    use("b", bySql);
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void whatOneSessionLearnedAnotherKnows() throws SQLException {
    run(two, "SET search_path TO a");
    fill(two, NAME);
    rows(one, NAME);
    long before = proxy.roundTrips();
    use("a", true);
    assertThat(isHit(one, NAME)).isTrue();
    assertThat(proxy.roundTrips() - before).isEqualTo(1);
  }

  @Test
  void aRollbackUndoesWhatWasKnownToo() throws SQLException {
    use("a", true);
    fill(one, NAME);
    use("b", true);
    fill(one, NAME);
    one.setAutoCommit(false);
    use("a", true);
    assertThat(rows(one, NAME)).containsExactly("a");
    one.rollback();
    assertThat(rows(one, NAME)).containsExactly("b");
    run(one, "SET LOCAL search_path TO a");
    assertThat(rows(one, NAME)).containsExactly("a");
    one.commit();
    assertThat(rows(one, NAME)).containsExactly("b");
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void aSchemaThatIsCreatedLaterCountsFromThenOn() throws SQLException {
    run(two, "SET search_path TO later, public");
    run(one, "SET search_path TO later, public");
    fill(one, NAME);
    assertThat(rows(two, NAME)).containsExactly("public");
    database.execute("CREATE ROLE later_" + database.name());
    try (Connection three = LarderProbe.connect(database);
        Statement create = three.createStatement()) {
      create.execute("CREATE SCHEMA later");
      create.execute("CREATE TABLE later.item (name text)");
      create.execute("INSERT INTO later.item VALUES ('later')");
      LarderProbe.awaitCatalog(three);
      assertThat(rows(one, NAME)).containsExactly("later");
      fill(one, NAME);
      create.execute("UPDATE later.item SET name = 'latest'");
      assertThat(rows(one, NAME)).containsExactly("latest");
      assertThat(rows(two, NAME)).containsExactly("latest");
      fill(two, NAME);
      run(two, "UPDATE item SET name = 'last'");
      assertThat(rows(one, NAME)).containsExactly("last");
    } finally {
      database.execute("DROP ROLE later_" + database.name());
    }
  }

  @Test
  void aSchemaCreatedInATransactionCountsForItsSessionToo() throws SQLException {
    use("later", true);
    two.setAutoCommit(false);
    run(
        two,
        "SET search_path TO later",
        "CREATE SCHEMA later",
        "CREATE TABLE later.item (name text)",
        "INSERT INTO item VALUES ('mine')");
    assertThat(rows(two, NAME)).containsExactly("mine");
    two.commit();
    LarderProbe.awaitCatalog(two);
    assertThat(rows(one, NAME)).containsExactly("mine");
    fill(one, NAME);
    run(two, "UPDATE item SET name = 'changed'");
    two.commit();
    assertThat(rows(one, NAME)).containsExactly("changed");
  }

  @Test
  void aRightThatIsGrantedLaterCountsFromThenOn() throws SQLException {
    String role = database.name() + "_p";
    database.execute(
        "CREATE ROLE " + role,
        "GRANT SELECT ON item, a.item TO " + role,
        "COMMENT ON SCHEMA a IS 'no usage yet'");
    try {
      run(one, "SET ROLE " + role, "SET search_path TO a, public");
      rows(one, NAME);
      fill(one, NAME);
      assertThat(rows(one, NAME)).containsExactly("public");
      run(two, "GRANT USAGE ON SCHEMA a TO " + role);
      LarderProbe.awaitCatalog(two);
      assertThat(rows(one, NAME)).containsExactly("a");
      fill(one, NAME);
      run(two, "UPDATE a.item SET name = 'new'");
      assertThat(rows(one, NAME)).containsExactly("new");
    } finally {
      run(one, "RESET ROLE");
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET search_path = b; %s",
        "BEGIN; SET LOCAL search_path = b; %s; COMMIT",
        "BEGIN; SET LOCAL search_path = public; COMMIT; SET ROLE NONE; SET search_path = b; %s",
        "RESET search_path; SET search_path = b; TABLE item; %s",
        "SELECT set_config('search_path', 'b', false); %s"
      })
  void aWriteBehindAPathThatIsSetInTheSameTextIsSeen(String text) throws SQLException {
    run(one, "SET search_path = a");
    fill(two, "SELECT name FROM b.item");
    run(one, text.formatted("UPDATE item SET name = 'new'"));
    assertThat(rows(two, "SELECT name FROM b.item")).containsExactly("new");
  }

  @Test
  void aWriteBehindTheEndOfATransactionThatHadAPathOfItsOwnIsSeen() throws SQLException {
    run(one, "SET search_path = b");
    fill(two, "SELECT name FROM b.item");
    run(one, "BEGIN", "SET LOCAL search_path = a");
    run(one, "COMMIT; UPDATE item SET name = 'new'");
    assertThat(rows(two, "SELECT name FROM b.item")).containsExactly("new");
  }

  @Test
  void aWriteBehindAPathThatIsSetInTheSameBatchIsSeen() throws SQLException {
    run(one, "SET search_path = a");
    fill(two, "SELECT name FROM b.item");
    try (Statement batch = one.createStatement()) {
      batch.addBatch("SET search_path = b");
      batch.addBatch("UPDATE item SET name = 'new'");
      batch.executeBatch();
    }
    assertThat(rows(two, "SELECT name FROM b.item")).containsExactly("new");
  }

  @Test
  void aSettingInTheSameTextThatChangesNoNamesLeavesTheOthersCached() throws SQLException {
    fill(two, "SELECT name FROM a.item");
    run(one, "SET search_path = b");
    fill(one, NAME);
    run(one, "SET statement_timeout = '1min'; UPDATE item SET name = 'new'");
    assertThat(isHit(two, "SELECT name FROM a.item")).isTrue();
    assertThat(rows(one, NAME)).containsExactly("new");
  }
}
