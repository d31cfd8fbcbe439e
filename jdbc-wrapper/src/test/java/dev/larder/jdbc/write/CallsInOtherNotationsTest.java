package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that do not look like one: fields, operators and casts. Each has once been missed. */
@Tag("regression")
final class CallsInOtherNotationsTest {
  private static final String WRITES =
      " AS $$ BEGIN INSERT INTO secret VALUES (1); RETURN 1; END $$";

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'one'), (2, 'two')",
        "CREATE TABLE secret (id int)",
        "CREATE FUNCTION tell() RETURNS int LANGUAGE plpgsql" + WRITES,
        "CREATE FUNCTION total(text) RETURNS int LANGUAGE plpgsql" + WRITES,
        "CREATE FUNCTION negated(text) RETURNS text LANGUAGE plpgsql"
            + " AS $$ BEGIN INSERT INTO secret VALUES (1); RETURN $1; END $$",
        "CREATE OPERATOR - (RIGHTARG = text, FUNCTION = negated)",
        "CREATE DOMAIN told AS text CHECK (tell() = 1)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void isSeen(String write) throws SQLException {
    String count = "SELECT count(*) FROM secret";
    try (Connection connection = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      LarderProbe.fill(connection, count);
      String before = LarderProbe.rows(connection, count).toString();
      LarderProbe.run(connection, write);
      assertThat(LarderProbe.rows(bare, count).toString()).as(write).isNotEqualTo(before);
      assertThat(LarderProbe.rows(connection, count)).isEqualTo(LarderProbe.rows(bare, count));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN PERFORM current_setting.total FROM current_setting('app.x', true); RETURN NEW; END",
        "BEGIN NEW.name := (NEW.name).told; RETURN NEW; END",
        "DECLARE t text; BEGIN t := ('SELECT to_tsvector(tell()::text)').ts_stat; RETURN NEW; END",
        "BEGIN IF 'x' =-NEW.name THEN NEW.name := lower(NEW.name); END IF; RETURN NEW; END"
      })
  void inATrigger(String body) throws SQLException {
    database.execute(
        "CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $body$ " + body + " $body$",
        "CREATE TRIGGER follow BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION follow()");
    isSeen("INSERT INTO item VALUES (7, 'seven')");
  }

  @Test
  void whereAUsersTypeIsCalledRecord() throws SQLException {
    database.execute(
        "CREATE DOMAIN record AS int CHECK (tell() = 1)",
        "ALTER DATABASE " + database.name() + " SET search_path = public, pg_catalog",
        "CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql"
            + " AS $$ DECLARE x record; BEGIN x := 1; RETURN NULL; END $$",
        "CREATE TRIGGER follow AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION follow()");
    isSeen("INSERT INTO item VALUES (7, 'seven')");
  }
}
