package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.watch.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write of something unknown invalidates everything, but only one that may have run DDL has the
 * catalog compared with the database, during which nothing is cached.
 */
final class CatalogReloadTest {
  private static final String LOG = "SELECT count(*) FROM log";

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE log (what text, created_at timestamptz DEFAULT now())",
        "CREATE TABLE item (id int, name text)",
        "CREATE TABLE made (id int)",
        "CREATE FUNCTION log_it(text) RETURNS int LANGUAGE sql"
            + " AS 'INSERT INTO log (what) VALUES ($1); SELECT 1'",
        "CREATE FUNCTION log_in_turn() RETURNS int LANGUAGE plpgsql"
            + " AS 'BEGIN PERFORM log_it(''x''); RETURN 1; END'",
        "CREATE FUNCTION log_row() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log (what) VALUES (TG_OP) ON CONFLICT DO NOTHING;"
            + " RETURN NULL; END'");
  }

  @AfterEach
  void drop() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  private void connect() throws SQLException {
    reader = LarderProbe.connect(database);
    writer = LarderProbe.connect(database);
    awaitCatalog(writer);
  }

  private static Catalog catalog(Connection connection) throws SQLException {
    return connection.unwrap(CachingConnection.class).physical().cache().database().catalog();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO item VALUES (1, 'x')",
        "SELECT log_it('x')",
        "SELECT log_in_turn()",
        "DO NOTHING; INSERT INTO item VALUES (1, 'x')",
        "BEGIN; INSERT INTO item VALUES (1, 'x'); COMMIT"
      })
  void whatRunsNoDdlLeavesTheCatalogAlone(String write) throws SQLException {
    database.execute(
        "CREATE TRIGGER log AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION log_row()");
    connect();
    fill(reader, LOG);
    long before = catalog(writer).version();

    run(writer, write.replace("DO NOTHING; ", "").split("; ", -1));

    assertThat(catalog(writer).version()).isEqualTo(before);
    assertThat(catalog(writer).current()).isNotNull();
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FUNCTION act() RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " CREATE TRIGGER log AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_row();"
            + " RETURN 1; END $$",
        "CREATE FUNCTION act() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREA' ||"
            + " 'TE TRIGGER log AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_row()';"
            + " RETURN 1; END $$",
        "CREATE FUNCTION act() RETURNS int LANGUAGE sql AS $$"
            + "CREATE/**/TRIGGER log AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_row();"
            + " SELECT 1 $$",
        "CREATE FUNCTION inner_act() RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " CREATE TRIGGER log AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_row();"
            + " RETURN 1; END $$;"
            + "CREATE FUNCTION act() RETURNS int LANGUAGE sql AS 'SELECT \"inner_act\"()'",
        "CREATE FUNCTION act_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " CREATE TRIGGER log AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_row();"
            + " RETURN NULL; END $$;"
            + "CREATE TRIGGER act AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION act_row();"
            + "CREATE FUNCTION act() RETURNS int LANGUAGE sql AS"
            + " 'INSERT INTO item VALUES (1, ''x''); SELECT 1'"
      })
  void whatMayRunDdlHasTheCatalogCompared(String ddl) throws SQLException {
    database.execute(ddl);
    connect();
    fill(reader, LOG);
    run(writer, "SELECT act()");
    awaitCatalog(writer);
    fill(reader, LOG);

    run(writer, "INSERT INTO made VALUES (1)");

    assertThat(rows(reader, LOG)).containsExactly("1");
  }
}
