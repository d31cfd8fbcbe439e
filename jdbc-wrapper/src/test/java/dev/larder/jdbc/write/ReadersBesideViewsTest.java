package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A STABLE function writes nothing unless what it reads calls something that writes: a view, or the
 * policy of a table. What other relations call is no matter.
 */
@Tag("regression")
final class ReadersBesideViewsTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";
  private static final String LOG = "SELECT count(*) FROM log";
  private static final String CALL = "SELECT f()";

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (id int PRIMARY KEY, v int)",
        "INSERT INTO t VALUES (1, 10)",
        "CREATE TABLE log (x int)",
        "CREATE FUNCTION logged() RETURNS int LANGUAGE sql AS"
            + " 'INSERT INTO public.log VALUES (1) RETURNING 1'",
        "CREATE VIEW logging AS SELECT logged() AS n",
        "CREATE VIEW \"Over It\" AS SELECT n FROM logging",
        "CREATE VIEW over_it AS SELECT n FROM \"Over It\"",
        "CREATE TABLE guarded (id int)",
        "INSERT INTO guarded VALUES (1)",
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON guarded USING (logged() > 0)",
        "CREATE TABLE beside (id int)",
        "INSERT INTO beside VALUES (1)",
        "ALTER TABLE beside ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON beside USING (EXISTS (SELECT FROM logging))",
        "DO $$ BEGIN CREATE ROLE larder_one LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO larder_one");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  private void define(String body) throws SQLException {
    database.execute("CREATE FUNCTION f() RETURNS bigint LANGUAGE sql STABLE AS '" + body + "'");
  }

  private Connection connect() throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            database
                .larderUrl("larder.writers=this-jvm", "larder.admission=all")
                .replace("user=postgres", "user=larder_one"));
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v::bigint FROM t WHERE id = 1",
        "SELECT count(*) FROM log",
        "SELECT nullif(current_setting(''app.tenant'', true), '''')::bigint"
      })
  void whatAViewCallsIsNoMatterToOtherReaders(String body) throws SQLException {
    define(body);
    try (Connection connection = connect()) {
      fill(connection, READ);
      rows(connection, CALL);
      assertThat(isHit(connection, READ)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(n) FROM logging",
        "SELECT count(n) FROM over_it",
        "SELECT count(n) FROM \"Over It\"",
        "SELECT count(n) FROM \"public\".\"logging\"",
        "SELECT count(*) FROM guarded",
        "SELECT count(*) FROM beside"
      })
  void whatIsReadWrites(String body) throws SQLException {
    define(body);
    try (Connection connection = connect()) {
      fill(connection, LOG);
      assertThat(rows(connection, LOG)).containsExactly("0");
      rows(connection, CALL);
      assertThat(List.of(database.queryString(LOG)))
          .isEqualTo(rows(connection, LOG))
          .isNotEqualTo(List.of("0"));
    }
  }

  /** By way of another function. */
  @Test
  void whatIsReadByWhatIsCalledWrites() throws SQLException {
    database.execute(
        "CREATE FUNCTION inner_one() RETURNS bigint LANGUAGE plpgsql STABLE AS"
            + " 'BEGIN RETURN (SELECT count(n) FROM over_it); END'");
    whatIsReadWrites("SELECT inner_one()");
  }

  /** The server cuts names that are too long. */
  @Test
  void aNameThatIsTooLongIsStillFound() throws SQLException {
    String name = "logs".repeat(15) + "abc";
    database.execute("ALTER VIEW logging RENAME TO " + name);
    whatIsReadWrites("SELECT count(n) FROM " + name + "def");
  }

  @Test
  void theNameOfAFunctionThatIsTooLongIsStillFound() throws SQLException {
    String name = "logs".repeat(15) + "abc";
    database.execute("ALTER FUNCTION logged() RENAME TO " + name);
    whatIsReadWrites("SELECT " + name + "def()");
  }

  /** Its statistics are reset by a function that is VOLATILE, and writes no table. */
  @Test
  void theViewOfStatementsIsNoMatter() throws SQLException {
    database.execute("DROP FUNCTION logged() CASCADE", "CREATE EXTENSION pg_stat_statements");
    whatAViewCallsIsNoMatterToOtherReaders("SELECT v::bigint FROM t WHERE id = 1");
  }
}
