package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogRow;
import dev.larder.code.BuiltinRoutines;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the bodies of routines tell of a call: DDL, writes, settings and targets. */
class RoutineBodiesTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  /** What a call of f() does: d for DDL, w for a write, s for a change of settings. */
  private String effects(WrittenCatalog of) {
    ResolvedStatement resolved = of.resolve("SELECT f()");
    // What is declared to write nothing may still change settings.
    ResolvedStatement believed = of.resolve("SELECT f()", readOnly("f", "g"));
    return (resolved.reloadsCatalog() ? "d" : "")
        + (resolved.writes().unknown() ? "w" : "")
        + (believed.changesSettings() ? "s" : "");
  }

  private String effects(char volatility, String language, @Nullable String body) {
    WrittenCatalog made = new WrittenCatalog();
    made.builtin("pg_reload_conf", 'v');
    made.builtin("set_config", 'v');
    made.function("f", volatility).language(language).body(body).add();
    return effects(made);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "v | sql | SELECT 1 | ''",
        "s | sql | SELECT 1 | ''",
        "i | sql | SELECT 1 | ''",
        "s | plpgsql | BEGIN EXECUTE x; RETURN 1; END | dws",
        "v | plpgsql | BEGIN DO x; END | dws",
        "s | plpgsql | BEGIN ALTER TABLE x ADD y int; END | ''",
        "v | plpgsql | BEGIN ALTER TABLE x ADD y int; END | dw",
        "v | plpgsql | BEGIN CREATE TABLE x (); END | dws",
        "v | plpgsql | BEGIN CREATE/**/TEMP TABLE x (); END | dws",
        "v | plpgsql | BEGIN INSERT INTO pg_temp_3.x VALUES (1); END | ws",
        "v | plpgsql | BEGIN INSERT INTO x VALUES ('create'); END | dw",
        "v | plpgsql | BEGIN INSERT INTO x VALUES (temper); END | w",
        "v | plpgsql | BEGIN INSERT INTO x VALUES (NEW.temp, temporary); END | w",
        "v | plpgsql | BEGIN CREATE OR REPLACE TEMP VIEW x AS SELECT 1; END | dws",
        "v | plpgsql | BEGIN DROP TABLE x; END | dw",
        "v | plpgsql | BEGIN GRANT a TO b; END | dw",
        "v | plpgsql | BEGIN PERFORM recreate_it(); END | ''",
        "v | plpgsql | BEGIN PERFORM re_create(); END | ''",
        "v | plpgsql | BEGIN PERFORM creates(); END | ''",
        "v | plpgsql | BEGIN INSERT INTO x VALUES (1) ON CONFLICT DO NOTHING; END | w",
        "v | plpgsql | BEGIN INSERT INTO x VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 1; END | w",
        "v | sql | SELECT a INTO x FROM y | dw",
        "v | sql | SELECT a INTO TEMP x FROM y | dws",
        "v | sql | INSERT INTO x VALUES (1) | w",
        "v | sql | MERGE INTO x USING y ON true WHEN MATCHED THEN DELETE | w",
        "v | plpgsql | BEGIN SELECT a INTO x FROM y; END | ''",
        "v | sql | SELECT (1)into x | dw",
        "v | plpgsql | BEGIN SET a.b = 1; END | ws",
        "v | plpgsql | BEGIN RESET a.b; END | ws",
        "v | plpgsql | BEGIN IF x THEN SET a.b = 1; END IF; END | ws",
        "v | plpgsql | BEGIN UPDATE x SET a = 1; END | w",
        "v | sql | SET a.b = 1 | ws",
        "v | plpgsql | BEGIN /* x */SET a.b = 1; END | ws",
        "v | plpgsql | BEGIN PERFORM pg_reload_conf(); END | ws",
        "v | plpgsql | BEGIN UPDATE pg_settings SET setting = 1; END | ws",
        "v | sql | UPDATE pg_catalog.\"pg_settings\" AS s SET setting = 1 | ws",
        "s | sql | SELECT set_config('a', 'b', false) | ws",
        "v | sql | DISCARD ALL | dws",
        "s | sql | SELECT u&\"f\"() | dws",
        "v | plpython3u | none | dws",
        "s | plpython3u | none | ws",
        "i | plpython3u | none | ''",
        "v | c | none | dw",
        "s | c | none | w",
        "i | c | none | ''",
      })
  void aBodyShowsWhatACallMayDo(
      char volatility, String language, @Nullable String body, String expected) {
    assertThat(effects(volatility, language, body)).isEqualTo(expected);
  }

  @Test
  void settingsMayBeSetBehindACommentOfALine() {
    assertThat(effects('v', "plpgsql", "BEGIN --x\nSET a.b = 1; END")).isEqualTo("ws");
    assertThat(effects('v', "plpgsql", "BEGIN --x\rRESET a.b; END")).isEqualTo("ws");
    assertThat(effects('v', "plpgsql", "BEGIN --x\nUPDATE a SET b = 1; END")).isEqualTo("w");
  }

  @ParameterizedTest
  @CsvSource({
    "$libdir/pg_trgm, v, s",
    "$libdir/pg_trgm, s, ''",
    "$libdir/citext, v, ''",
    "$libdir/fuzzystrmatch, v, ''",
    "$libdir/hstore, v, ''",
    "$libdir/pgcrypto, v, ''",
    "$libdir/unaccent, v, ''",
    "$libdir/uuid-ossp, v, ''",
    "$libdir/vector, v, ''",
    "$libdir/autoinc, v, ''",
    "$libdir/insert_username, v, ''",
    "$libdir/moddatetime, v, ''",
    "$internal/textrecv, v, ''",
    "$libdir/postgis-3, v, ''",
    "$libdir/postgis-3.4, v, ''",
    "$libdir/postgis, v, dw",
    "$libdir/postgis-3.4.1, v, dw",
    "x$libdir/postgis-3, v, dw",
    "$libdir/postgis_topology-3, v, dw",
    "$libdir/postgis_raster-3, v, dw",
    "$libdir/dblink, v, dw",
    "$libdir/refint, v, dw",
    "$libdir/tablefunc, v, dw",
    "$libdir/other, v, dw",
    "/tmp/hstore, v, dw"
  })
  void aLibraryIsKnownByItsFile(String library, char volatility, String expected) {
    catalog.function("f", volatility).inC(library).add();
    assertThat(effects(catalog)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT g()",
        "SELECT public.\"g\"()",
        "SELECT  G (1)",
        "SELECT h()",
        "BEGIN k; END"
      })
  void whatABodyCallsItDoes(String body) {
    catalog.function("g", 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("h", 's').body("SELECT g()").add();
    catalog.function("k", 's').body("SELECT h()").add();
    catalog.function("f", 's').body(body).add();
    assertThat(effects(catalog)).isEqualTo("dws");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT gg()", "SELECT ag()", "SELECT g1()", "SELECT g$()", "SELECT 1"})
  void whatItDoesNotNameItDoesNotCall(String body) {
    catalog.function("g", 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("f", 's').body(body).add();
    assertThat(effects(catalog)).isEmpty();
  }

  @Test
  void whatItCallsMayBeHarmless() {
    catalog.function("g", 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("pure", 'i').add();
    catalog.function("f", 's').body("SELECT pure()").add();
    assertThat(effects(catalog)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"f, h, k, g", "g, k, h, f", "h, f, g, k", "k, g, f, h"})
  void whatIsCalledIsFollowedInAnyOrder(String first, String second, String third, String last) {
    for (String name : List.of(first, second, third, last)) {
      switch (name) {
        case "f" -> catalog.function("f", 's').body("SELECT h()").add();
        case "h" -> catalog.function("h", 's').body("SELECT k()").add();
        case "k" -> catalog.function("k", 's').body("SELECT g()").add();
        default ->
            catalog.function("g", 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
      }
    }
    assertThat(effects(catalog)).isEqualTo("dws");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFunctionThatCallsAnAggregateDoesWhatThatDoes(boolean before) {
    if (before) {
      catalog.function("f", 's').body("SELECT fold(a) FROM x").add();
    }
    long step = catalog.function("step", 's').body("SELECT g()").add();
    catalog.function("fold", 'i').of(step).add();
    catalog.function("g", 's').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    if (!before) {
      catalog.function("f", 's').body("SELECT fold(a) FROM x").add();
    }
    assertThat(effects(catalog)).isEqualTo("dws");
  }

  @Test
  void theFirstRoutineOfADatabaseIsAUsers() {
    long first = 16_384;
    catalog
        .function("g", 'v')
        .numbered(first)
        .language("plpgsql")
        .body("BEGIN EXECUTE x; END")
        .add();
    catalog.function("f", 's').body("SELECT g()").add();
    assertThat(effects(catalog)).isEqualTo("dws");
    assertThat(catalog.writes("SELECT g()")).isEqualTo("UNKNOWN");
    assertThat(catalog.writes("SELECT g()", readOnly("g"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE a ADD b int",
        "ANALYSE a",
        "ANALYZE a",
        "CLUSTER a",
        "COMMENT ON TABLE a IS 'b'",
        "CREATE TABLE a ()",
        "DISCARD PLANS",
        "DO 'BEGIN END'",
        "DROP TABLE a",
        "EXECUTE a",
        "GRANT a TO b",
        "IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c",
        "LOAD 'a'",
        "PREPARE a AS SELECT 1",
        "REASSIGN OWNED BY a TO b",
        "REINDEX TABLE a",
        "REVOKE a FROM b",
        "SECURITY LABEL ON TABLE a IS 'b'",
        "VACUUM a",
      })
  void everyCommandThatChangesTheCatalogIsSeen(String command) {
    for (String language : List.of("sql", "plpgsql")) {
      assertThat(effects('v', language, command.toLowerCase(Locale.ROOT))).contains("d");
      assertThat(effects('v', language, "BEGIN " + command + "; END")).contains("d");
    }
  }

  @Test
  void aNameThatIsNoWordMayStandInAnyBody() {
    catalog.function("1 2", 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("f", 's').body("OPEN c").add();
    assertThat(effects(catalog)).isEqualTo("dws");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g h | SELECT \"g h\"() | dws",
        "G\"H | SELECT \"G\"\"H\"() | dws",
        "2g-h | SELECT \"2g-h\"() | dws",
        "É é | SELECT \"É é\"() | dws",
        "g h | SELECT h() | ''"
      })
  void aNameInQuotesStandsWhereItsWordsDo(String name, String body, String expected) {
    catalog.function(name, 'v').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("f", 's').body(body).add();
    assertThat(effects(catalog)).isEqualTo(expected);
  }

  @Test
  void whatTheServersFunctionsDoIsAskedForByName() {
    Set<String> names = BuiltinRoutines.withEffects();
    assertThat(names).contains("query_to_xml", "ts_stat", "set_config", "pg_reload_conf");
    for (String name : names) {
      WrittenCatalog made = new WrittenCatalog();
      made.builtin(name, 'v');
      ResolvedStatement call = made.resolve("SELECT " + name + "('x')");
      assertThat(call.writes().unknown() || call.changesSettings()).as(name).isTrue();
    }
  }

  @Test
  void aFunctionOfTheServersThatRunsQueriesDoesAll() {
    catalog.builtin("query_to_xml", 'v');
    catalog.builtin("lower", 'i');
    catalog.function("f", 's').body("SELECT query_to_xml('x')").add();
    assertThat(effects(catalog)).isEqualTo("dws");
    WrittenCatalog other = new WrittenCatalog();
    other.builtin("query_to_xml", 'v');
    other.builtin("lower", 'v');
    other.function("f", 's').body("SELECT lower('x')").add();
    assertThat(effects(other)).isEmpty();
  }

  @Test
  void anAggregateDoesWhatItsPartsDo() {
    long g = catalog.function("g", 's').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    catalog.function("f", 'i').of(g).add();
    assertThat(effects(catalog)).isEqualTo("dws");
    WrittenCatalog other = new WrittenCatalog();
    long reading = other.function("g", 's').add();
    other.function("f", 'i').of(reading).add();
    assertThat(effects(other)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"operator", "cast", "view", "domain", "default", "trigger", "type"})
  void whatRunsHiddenAnyRoutineMayReach(String way) {
    long g = catalog.function("g", 's').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    long type = catalog.type("mood", 'd', 23, 0);
    switch (way) {
      case "operator" -> catalog.operator("~~~", 23, 23, g, 16);
      case "cast" -> catalog.rows.add(new CatalogRow.Cast(40_001, 23, type, g, 'f', 'i'));
      case "view" -> catalog.view("calling", WrittenCatalog.query(List.of(), call(g)));
      case "domain" -> catalog.rows.add(new CatalogRow.DomainCheck(type, call(g)));
      case "default" -> catalog.function("h", 'i').defaults(call(g)).add();
      case "trigger" ->
          catalog.rows.add(
              new CatalogRow.TableTrigger(catalog.table("t"), "t", g, 5, false, null, null));
      default -> catalog.type("other", 'b', 0, 0, g);
    }
    catalog.function("f", 's').add();
    // What only writes run, or only what reads a view, does not make a query one that writes.
    boolean reached = !way.equals("trigger") && !way.equals("view");
    assertThat(effects(catalog)).isEqualTo(reached ? "dws" : "s");
    assertThat(catalog.resolve("SELECT f()").changesSettings()).isEqualTo(reached);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT n FROM calling", "TABLE over_it", "SELECT h()"})
  void aRoutineReachesWhatItReads(String body) {
    long g = catalog.function("g", 's').language("plpgsql").body("BEGIN EXECUTE x; END").add();
    long calling = catalog.view("calling", WrittenCatalog.query(List.of(), call(g)));
    catalog.view("over_it", WrittenCatalog.query(List.of(calling)));
    catalog.function("h", 's').body("SELECT n FROM over_it").add();
    catalog.function("f", 's').body(body).add();
    assertThat(effects(catalog)).isEqualTo("dws");
    assertThat(catalog.resolve("SELECT f()").changesSettings()).isTrue();
  }

  @Test
  void theCatalogMayChangeBehindARule() {
    catalog.function("g", 'v').language("plpgsql").body("BEGIN CREATE TABLE x (); END").add();
    catalog.function("f", 'v').add();
    assertThat(effects(catalog)).isEqualTo("w");
    WrittenCatalog ruled = new WrittenCatalog();
    ruled.rows.add(new CatalogRow.Rule(ruled.table("t"), '3', ""));
    ruled.function("f", 'v').add();
    assertThat(effects(ruled)).isEqualTo("w");
    WrittenCatalog both = new WrittenCatalog();
    both.rows.add(new CatalogRow.Rule(both.table("t"), '3', ""));
    both.function("g", 'v').language("plpgsql").body("BEGIN CREATE TABLE x (); END").add();
    both.function("f", 'v').add();
    assertThat(effects(both)).isEqualTo("dw");
  }

  @Test
  void whatWritesNothingMayChangeSettings() {
    catalog.function("set_limit", 'v').inC("$libdir/pg_trgm").add();
    catalog.function("f", 's').body("SELECT set_limit(0.1)").add();
    catalog.function("g", 's').body("SELECT 1").add();
    ResolvedStatement call = catalog.resolve("SELECT f()");
    assertThat(call.writes().isEmpty()).isTrue();
    assertThat(call.changesSettings()).isTrue();
    assertThat(catalog.resolve("SELECT g()").changesSettings()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1 | false",
        "INSERT INTO x VALUES (1) | false",
        "SELECT steady() | false",
        "SELECT setting() | true",
        "SELECT inC() | true",
        "CREATE INDEX x ON y (z) | true",
        "SET a.b = 1 | true",
      })
  void whatIsDeclaredNowhereIsBelievedByItsBodyAlone(String body, boolean expected) {
    catalog.function("steady", 'v').body("SELECT 2").add();
    catalog.function("setting", 'v').body("SET a.b = 2").add();
    catalog.function("inC", 's').inC("$libdir/other").add();
    catalog.function("f", 'v').body("OPEN c; " + body).add(); // So that it is not understood.
    ResolvedStatement call = catalog.resolve("SELECT f()");
    assertThat(call.writes().unknown()).isTrue();
    assertThat(call.changesSettings()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"trigger", "trigger in C", "event trigger", "rule", "view"})
  void whatIsDeclaredNowhereMayReachWhatRunsHidden(String way) {
    assertThat(changesSettings("")).isFalse();
    assertThat(changesSettings(way)).isTrue();
  }

  private static boolean changesSettings(String hidden) {
    WrittenCatalog made = new WrittenCatalog();
    long table = made.table("t");
    long set = made.function("g", 'v').body("SET a.b = 1").add();
    long inC = made.function("h", 'v').inC("$libdir/other").add();
    made.function("f", 'v').body("OPEN c; INSERT INTO t VALUES (1)").add();
    switch (hidden) {
      case "trigger" ->
          made.rows.add(new CatalogRow.TableTrigger(table, "t", set, 5, false, null, null));
      case "trigger in C" ->
          made.rows.add(new CatalogRow.TableTrigger(table, "t", inC, 5, false, null, null));
      case "event trigger" -> made.rows.add(new CatalogRow.Surroundings(true, false, ""));
      case "rule" -> made.rows.add(new CatalogRow.Rule(table, '3', ""));
      case "view" -> made.view("calling", WrittenCatalog.query(List.of(), call(inC)));
      default -> {}
    }
    ResolvedStatement call = made.resolve("SELECT f()");
    assertThat(call.writes().unknown()).isTrue();
    return call.changesSettings();
  }

  @Test
  void settingsMayBeSetBehindAView() {
    long set = catalog.builtin("set_config", 'v');
    catalog.view("setting", WrittenCatalog.query(List.of(), call(set)));
    catalog.function("f", 's').body("SELECT x FROM setting").add();
    assertThat(catalog.resolve("SELECT f()").changesSettings()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO item VALUES (1) | item",
        "MERGE INTO item USING x ON true | item",
        "DELETE FROM ONLY item | item",
        "UPDATE public.item SET n = 1 | public.item",
        "TRUNCATE TABLE item | item",
        "TRUNCATE item | item",
        "SELECT * FROM item | ''",
        "reupdate item | ''",
        "INSERT INTO absent VALUES (1) | ''",
      })
  void theTargetsOfABodyAreSuggested(String body, String expected) {
    catalog.table("item");
    catalog.function("f", 'v').language("plpgsql").body("BEGIN " + body + "; LOCK c; END").add();
    Undeclared undeclared = catalog.undeclared("SELECT f()", Declarations.NONE);
    assertThat(undeclared.writes()).isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
  }
}
