package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What functions of well-known extensions may do, behind queries and in triggers. */
@Tag("each-server")
final class KnownExtensionsTest {
  private static final String OTHER = "SELECT name FROM item";

  private TestDatabase database;
  private Connection one;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('\u00e9t\u00e9')",
        "CREATE TABLE page (id int, title text, slug text)",
        "CREATE TABLE log (id int)",
        "CREATE TABLE moment (at timestamptz)",
        "INSERT INTO moment VALUES (NULL)");
    for (String extension :
        new String[] {"pg_trgm", "pgcrypto", "uuid-ossp", "unaccent", "citext", "hstore"}) {
      database.execute("CREATE EXTENSION \"" + extension + '"');
    }
    one = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM item WHERE name % 'ete'",
        "SELECT similarity(name, 'ete') FROM item",
        "SELECT unaccent(name) FROM item",
        "SELECT encode(digest(name, 'sha256'), 'hex') FROM item",
        "SELECT hmac(name, 'key', 'sha1') FROM item",
        "SELECT uuid_generate_v5(uuid_ns_url(), name) FROM item",
        "SELECT name::citext = 'x' FROM item",
        "SELECT hstore('a', name) -> 'a' FROM item"
      })
  void whatDependsOnItsArgumentsIsCached(String sql) throws SQLException {
    fill(one, sql);
    assertThat(isHit(one, sql)).isTrue();
    assertThat(rows(one, sql)).isEqualTo(live(sql));
    run(one, "UPDATE item SET name = 'other'");
    assertThat(rows(one, sql)).isEqualTo(live(sql));
  }

  private List<String> live(String sql) throws SQLException {
    try (Connection direct = DriverManager.getConnection(database.url())) {
      return rows(direct, sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT uuid_generate_v4(), name FROM item",
        "SELECT populate_record(x, hstore('at', lower('NO' || 'W'))) FROM item, (SELECT * FROM moment) x",
        "SELECT x #= hstore('at', 'no' || right('w', length(name))) FROM item, moment x",
        "SELECT uuid_generate_v1(), name FROM item",
        "SELECT gen_salt('bf'), name FROM item",
        "SELECT gen_random_bytes(4), name FROM item"
      })
  void whatIsDrawnAnewEachTimeIsNotAndWritesNothing(String sql) throws SQLException {
    fill(one, OTHER);
    rows(one, sql);
    assertThat(isHit(one, sql)).isFalse();
    assertThat(isHit(one, OTHER)).isTrue();
  }

  @Test
  void anAlteredDictionaryIsDdl() throws SQLException {
    String sql = "SELECT unaccent(name) FROM item";
    fill(one, sql);
    run(one, "ALTER TEXT SEARCH DICTIONARY unaccent (RULES = 'unaccent')");
    assertThat(isHit(one, sql)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NEW.slug := lower(unaccent(NEW.title)); true",
        "NEW.slug := digest(NEW.title, 'md5')::text; true",
        "NEW.slug := uuid_generate_v4()::text; true",
        "IF similarity(NEW.title, OLD.title) < 0.5 THEN NEW.slug := crypt(NEW.title,"
            + " gen_salt('md5'))#END IF; true",
        "NEW.slug := note(NEW.id); true",
        "PERFORM set_limit(0.5); false",
        "INSERT INTO log VALUES (NEW.id); true",
        "EXECUTE 'INSERT INTO log VALUES (1)'; true",
        "EXECUTE 'INSERT INTO ' || lower('log VALUES (1)'); false"
      })
  void aTriggerThatCallsThemForItsRowWritesNothingElse(String body, boolean proven)
      throws SQLException {
    database.execute(
        "CREATE FUNCTION note(int) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log VALUES ($1); RETURN ''; END $$",
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            + body.replace("#", "; ")
            + "; RETURN NEW; END $$",
        "INSERT INTO page VALUES (1, 'a', '')",
        "CREATE TRIGGER fill BEFORE UPDATE ON page FOR EACH ROW EXECUTE FUNCTION fill()");
    try (Connection two = LarderProbe.connect(database, "larder.name=two")) {
      run(two, "ANALYZE page");
      LarderProbe.awaitCatalog(two);
      fill(two, OTHER);
      fill(two, "SELECT count(*) FROM log");
      run(two, "UPDATE page SET title = 'b'");
      assertThat(isHit(two, OTHER)).isEqualTo(proven);
      assertThat(rows(two, "SELECT count(*) FROM log")).isEqualTo(live("SELECT count(*) FROM log"));
    }
  }

  @Test
  void aFunctionOfUsersThatIsCalledLikeOneOfThemIsNone() throws SQLException {
    database.execute(
        "CREATE SCHEMA app",
        "CREATE FUNCTION app.unaccent(int) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO log VALUES ($1); RETURN ''; END $$",
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql SET search_path = app, public AS"
            + " $$ BEGIN NEW.slug := unaccent(NEW.id); RETURN NEW; END $$",
        "INSERT INTO page VALUES (1, 'a', '')",
        "CREATE TRIGGER fill BEFORE UPDATE ON page FOR EACH ROW EXECUTE FUNCTION fill()");
    try (Connection two = LarderProbe.connect(database, "larder.name=two")) {
      run(two, "ANALYZE page");
      LarderProbe.awaitCatalog(two);
      fill(two, "SELECT count(*) FROM log");
      run(two, "UPDATE page SET title = 'b'");
      assertThat(rows(two, "SELECT count(*) FROM log")).containsExactly("1");
    }
  }

  @Test
  void aWriteToTheTableThatTransformationsReadUnseenIsOneOfEverything() throws SQLException {
    database.execute("CREATE TABLE spatial_ref_sys (srid int, proj4text text)");
    run(one, "ANALYZE item");
    LarderProbe.awaitCatalog(one);
    fill(one, OTHER);
    run(one, "INSERT INTO spatial_ref_sys VALUES (1, '')");
    assertThat(isHit(one, OTHER)).isFalse();
    assertThat(isHit(one, OTHER)).isTrue();
  }
}
