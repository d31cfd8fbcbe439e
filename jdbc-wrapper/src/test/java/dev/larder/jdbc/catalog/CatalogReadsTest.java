package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.resolve.Declarations;
import dev.larder.resolve.ResolvedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What queries read, and why some cannot be cached, against a real catalog. */
@Tag("each-server")
class CatalogReadsTest {
  @AutoClose private static CatalogFixture catalog;

  @BeforeAll
  static void create() throws SQLException {
    catalog =
        new CatalogFixture(
            "CREATE TABLE customer (id int PRIMARY KEY, name text, tenant text)",
            "CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamptz, word text)",
            "CREATE SCHEMA other",
            "CREATE TABLE other.orders (id int)",
            "CREATE TABLE other.hidden (id int)",
            "CREATE VIEW recent AS SELECT o.id, c.name FROM orders o JOIN customer c ON c.id ="
                + " o.customer",
            "CREATE VIEW nested AS SELECT count(*) FROM recent WHERE name IS NOT NULL",
            "CREATE VIEW timed AS SELECT id FROM orders WHERE at > now()",
            "CREATE VIEW today AS SELECT id, current_date FROM orders",
            "CREATE VIEW converted AS SELECT word::date FROM orders",
            "CREATE VIEW shown AS SELECT at::date, to_char(at, 'YYYY'), date_trunc('day', at) FROM"
                + " orders",
            "CREATE VIEW beside AS SELECT at::date > at AS a, at - interval '1 day' AS b, id::money"
                + " FROM orders",
            "CREATE VIEW zoned AS SELECT at::timetz FROM orders",
            "CREATE VIEW named AS SELECT word::regclass::oid AS o FROM orders",
            "CREATE VIEW physical AS SELECT ctid FROM orders",
            "CREATE VIEW locking AS SELECT id FROM orders FOR UPDATE",
            "CREATE VIEW sampled AS SELECT id FROM orders TABLESAMPLE SYSTEM (10)",
            "CREATE VIEW drawn AS SELECT random() FROM orders",
            "CREATE MATERIALIZED VIEW totals AS SELECT customer, count(*) FROM orders GROUP BY 1",
            "CREATE FUNCTION stable_one(int) RETURNS int LANGUAGE sql STABLE AS"
                + " 'SELECT $1 FROM pg_class'",
            "CREATE FUNCTION stable_all(int) RETURNS bigint LANGUAGE plpgsql STABLE AS"
                + " 'DECLARE n bigint; BEGIN SELECT count(*) INTO n FROM orders;"
                + " RETURN stable_one(1) + n; END'",
            "CREATE FUNCTION fickle(int) RETURNS int LANGUAGE plpgsql AS"
                + " '#variable_conflict use_column\nBEGIN RETURN $1; END'",
            "CREATE FUNCTION outer_one(int) RETURNS int LANGUAGE sql STABLE AS"
                + " 'SELECT public.\"fickle\"($1)'",
            "CREATE FUNCTION hiding(int) RETURNS int LANGUAGE plpgsql STABLE AS"
                + " 'BEGIN EXECUTE ''SELECT fic'' || lower(''KLE(1)''); RETURN 1; END'",
            "CREATE FUNCTION configuring(int) RETURNS int LANGUAGE sql STABLE AS"
                + " $$ SELECT set_config('a.b', 'c', false); SELECT 1 $$",
            "CREATE FUNCTION spelled(int) RETURNS int LANGUAGE sql STABLE AS"
                + " $$ SELECT U&\"fickl\\0065\"($1) $$",
            "CREATE FUNCTION standard(int) RETURNS int LANGUAGE sql STABLE RETURN fickle($1)",
            "CREATE FUNCTION volatile_step(int, int) RETURNS int LANGUAGE plpgsql AS"
                + " '#variable_conflict use_column\nBEGIN RETURN $1; END'",
            "CREATE AGGREGATE folded(int) (SFUNC = volatile_step, STYPE = int)",
            "CREATE FUNCTION pure(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
            "CREATE FUNCTION other.pure(text) RETURNS int LANGUAGE sql STABLE AS"
                + " 'SELECT 1 FROM pg_class'",
            "CREATE FUNCTION label(customer) RETURNS text LANGUAGE sql STABLE AS 'SELECT ''x'''",
            "CREATE FUNCTION abs(text) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1 FROM pg_class'",
            "CREATE VIEW calling AS SELECT stable_one(id) FROM orders",
            "CREATE FUNCTION same(int, text) RETURNS bool LANGUAGE sql STABLE AS"
                + " 'SELECT true FROM pg_class'",
            "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = text, FUNCTION = same)",
            "CREATE VIEW compared AS SELECT id FROM orders WHERE id === 'x'",
            "CREATE AGGREGATE keep(int) (SFUNC = stable_two, STYPE = int)"
                .replace("stable_two", "int4larger"),
            "CREATE FUNCTION step(int, int) RETURNS int LANGUAGE sql STABLE AS 'SELECT $1'",
            "CREATE AGGREGATE fold(int) (SFUNC = step, STYPE = int)",
            "CREATE FUNCTION known(int) RETURNS bool LANGUAGE sql STABLE AS"
                + " 'SELECT true FROM pg_class'",
            "CREATE DOMAIN vetted AS int CHECK (known(VALUE))",
            "CREATE DOMAIN small AS int CHECK (VALUE < 10)",
            "CREATE TABLE checked (id int, v vetted)",
            "CREATE TABLE fine (id int, v small)",
            "CREATE SEQUENCE numbers",
            "CREATE TABLE rooms (id int, opens timetz, closes time)",
            "CREATE TABLE shops (id int, closes time)",
            "CREATE DOMAIN ztime AS timetz",
            "CREATE TABLE watched (id int, relation regclass)",
            "CREATE TABLE called (id int, functions regproc[])",
            "CREATE TABLE searched (id int, configuration regconfig)",
            "CREATE TABLE secret (id int, tenant text, owner text)",
            "ALTER TABLE secret ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY tenants ON secret USING (tenant = current_setting('app.Tenant', true)"
                + " AND owner = current_user AND id IN (SELECT id FROM customer))",
            "CREATE TABLE moody (id int)",
            "ALTER TABLE moody ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY moods ON moody USING (known(id))",
            "CREATE TABLE asked (id int, setting text)",
            "ALTER TABLE asked ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY asks ON asked USING (id::text = current_setting(setting))",
            "CREATE VIEW over_secret AS SELECT id FROM secret");
  }

  private static void reads(String sql, String... tables) throws SQLException {
    ResolvedStatement resolved = catalog.resolve(sql);
    assertThat(resolved.bypass()).as(sql).isNull();
    assertThat(catalog.names(resolved.readTags())).as(sql).containsExactlyInAnyOrder(tables);
    assertThat(resolved.writes().isEmpty()).as(sql).isTrue();
  }

  private static void bypasses(String sql, BypassReason reason) {
    assertThat(catalog.resolve(sql).bypass()).as(sql).isEqualTo(reason);
  }

  @Test
  void tableIsItsOwnTag() throws SQLException {
    reads("SELECT id FROM customer", "RELATION:customer");
    reads("TABLE customer", "RELATION:customer");
    assertThat(catalog.resolve("SELECT id FROM customer").tables())
        .containsExactly("public.customer");
  }

  @Test
  void viewReadsItsTablesThroughOtherViews() throws SQLException {
    reads("SELECT * FROM nested", "RELATION:customer", "RELATION:orders");
    ResolvedStatement resolved = catalog.resolve("SELECT * FROM nested");
    assertThat(resolved.relations()).hasSize(4).isEqualTo(resolved.locks());
    assertThat(resolved.tables()).containsExactlyInAnyOrder("public.customer", "public.orders");
  }

  @Test
  void materializedViewIsReadItself() throws SQLException {
    reads("SELECT * FROM totals", "RELATION:totals");
  }

  @Test
  void anyIdentifierThatIsARelationCounts() throws SQLException {
    reads("SELECT a[customer] FROM orders", "RELATION:customer", "RELATION:orders");
  }

  @Test
  void searchPathDecidesWhichRelationANameMeans() throws SQLException {
    List<String> otherFirst = List.of("pg_catalog", "other", "public");
    ResolvedStatement here = catalog.resolve("SELECT id FROM orders");
    ResolvedStatement there =
        catalog.resolve("SELECT id FROM orders", otherFirst, Declarations.NONE);
    assertThat(there.readTags()).hasSize(1).doesNotContainAnyElementsOf(here.readTags());
    assertThat(there.tables()).containsExactly("other.orders");
    assertThat(catalog.resolve("SELECT x.id FROM other.hidden x").bypass()).isNull();
    bypasses("SELECT id FROM hidden", BypassReason.UNKNOWN_RELATION);
  }

  @Test
  void missingRelationOfAKnownSchemaIsUnknown() {
    bypasses("SELECT id FROM other.created_just_now, orders", BypassReason.UNKNOWN_RELATION);
  }

  @Test
  void noTableIsBypassed() {
    bypasses("SELECT 1", BypassReason.NO_TABLE);
  }

  @Test
  void whatNobodyAnnouncesIsUnsupported() {
    for (String relation :
        List.of(
            "numbers",
            "pg_class",
            "pg_catalog.pg_stat_user_tables",
            "information_schema.tables",
            "physical",
            "locking",
            "sampled")) {
      bypasses("SELECT * FROM " + relation, BypassReason.UNSUPPORTED_RELATION);
    }
    bypasses("SELECT xmin FROM orders", BypassReason.UNSUPPORTED_RELATION);
    bypasses("SELECT x.ctid FROM orders x", BypassReason.UNSUPPORTED_RELATION);
    assertThat(catalog.resolve("SELECT tableoid FROM orders").bypass()).isNull();
  }

  @Test
  void clockIsReadByFunctionsKeywordsAndConversions() {
    bypasses("SELECT id FROM orders WHERE at > now()", BypassReason.TIME);
    bypasses("SELECT id FROM orders WHERE at > pg_catalog.now()", BypassReason.TIME);
    bypasses("SELECT id FROM orders WHERE at > current_timestamp", BypassReason.TIME);
    bypasses("SELECT age(at) FROM orders", BypassReason.TIME);
    bypasses("SELECT clock_timestamp() FROM orders", BypassReason.TIME);
    bypasses("SELECT date(word) FROM orders", BypassReason.TIME);
    for (String view : List.of("timed", "today", "converted")) {
      bypasses("SELECT * FROM " + view, BypassReason.TIME);
    }
  }

  @Test
  void objectsThatMayBeTemporaryAreShownByTheCatalog() throws SQLException {
    bypasses("SELECT id FROM watched", BypassReason.UNSUPPORTED_RELATION);
    bypasses("SELECT id FROM called", BypassReason.UNSUPPORTED_RELATION);
    reads("SELECT configuration FROM searched", "RELATION:searched");
  }

  @Test
  void timeWithZoneFromTimeDependsOnTheDay() throws SQLException {
    bypasses("SELECT id FROM rooms WHERE opens > closes", BypassReason.TIME);
    bypasses("SELECT timezone('UTC', opens) FROM rooms", BypassReason.TIME);
    bypasses("SELECT closes AT TIME ZONE 'Europe/Berlin' FROM rooms", BypassReason.TIME);
    bypasses("SELECT coalesce(opens, '12:00') FROM rooms", BypassReason.TIME);
    bypasses("SELECT timetz_pl_interval(closes, '1 hour') FROM shops", BypassReason.TIME);
    bypasses("SELECT closes AT TIME ZONE 'Europe/Berlin' FROM shops", BypassReason.TIME);
    bypasses("SELECT '12:00'::ztime FROM orders", BypassReason.OPERATOR);
    reads("SELECT max(closes), count(*) FROM shops WHERE closes > '12:00'", "RELATION:shops");
    reads(
        "SELECT max(at) AT TIME ZONE 'UTC' FROM orders, shops",
        "RELATION:orders",
        "RELATION:shops");
    assertThat(catalog.resolve("SELECT * FROM rooms WHERE id = 1").bypass()).isNull();
    assertThat(catalog.resolve("SELECT opens FROM rooms").bypass()).isNull();
    assertThat(catalog.resolve("SELECT timezone('UTC', at) FROM orders").bypass()).isNull();
  }

  @Test
  void stableBuiltinsThatDependOnKeySettingsAreCacheable() throws SQLException {
    reads(
        "SELECT to_char(at, 'x'), date_trunc('day', at), timezone('UTC', at), concat(id, word),"
            + " json_agg(id), jsonb_build_object(id, at), to_tsvector(word), format('%s', id),"
            + " array_to_string(array_agg(id), ','), row_to_json(o), extract(year from at),"
            + " generate_series(at, at, '1 day'), upper(word), count(*), current_user"
            + " FROM orders o",
        "RELATION:orders");
    reads("SELECT * FROM shown", "RELATION:orders");
  }

  @Test
  void whatIsBehindOperatorsAndCastsOfTheServersDependsOnKeySettingsOnly() throws SQLException {
    reads(
        "SELECT date_eq_timestamptz(at::date, at), timestamptz_pl_interval(at, '1 day'), money(id),"
            + " timestamp(at), time(at), xml('<a/>'), textanycat('x', id), ts_match_tt(word, word),"
            + " id::money, word::xml, at::date > at, at - interval '1 day'"
            + " FROM orders",
        "RELATION:orders");
    reads("SELECT * FROM beside", "RELATION:orders");
    for (String call : List.of("timetz(at)", "at::timetz")) {
      bypasses("SELECT " + call + " FROM orders", BypassReason.TIME);
    }
    bypasses("SELECT * FROM zoned", BypassReason.TIME);
    bypasses("SELECT * FROM named", BypassReason.BUILTIN_FUNCTION);
    bypasses("SELECT age(at) FROM orders", BypassReason.TIME);
    for (String call : List.of("date_in('2020-01-01')", "timetz_in('12:00', 0, 0)")) {
      bypasses("SELECT " + call + ", id FROM orders", BypassReason.BUILTIN_FUNCTION);
    }
  }

  @Test
  void volatileBuiltinsAreNotCacheableAndWriteNothing() throws SQLException {
    bypasses("SELECT random() FROM orders", BypassReason.VOLATILE_FUNCTION);
    bypasses("SELECT nextval('numbers') FROM orders", BypassReason.VOLATILE_FUNCTION);
    bypasses("SELECT pg_sleep(1) FROM orders", BypassReason.VOLATILE_FUNCTION);
    bypasses("SELECT * FROM drawn", BypassReason.VOLATILE_FUNCTION);
    bypasses("SELECT lo_get(id) FROM orders", BypassReason.LARGE_OBJECT);
    assertThat(catalog.writes("SELECT random(), lo_get(id) FROM orders")).isEmpty();
  }

  @Test
  void otherStableBuiltinsAreNotCacheable() {
    for (String call :
        List.of(
            "current_setting('x')",
            "pg_relation_size('orders')",
            "to_regclass('orders')",
            "has_table_privilege('orders', 'x')",
            "txid_current()",
            "pg_column_size(id)",
            "json_populate_record(null, null)",
            "pg_get_viewdef('recent')")) {
      assertThat(catalog.resolve("SELECT " + call + " FROM orders").bypass())
          .as(call)
          .isIn(BypassReason.BUILTIN_FUNCTION, BypassReason.VOLATILE_FUNCTION);
    }
  }

  @Test
  void functionsThatRunQueriesMayWriteAnything() {
    ResolvedStatement resolved = catalog.resolve("SELECT query_to_xml('x', true, true, '')");
    assertThat(resolved.writes().unknown()).isTrue();
    assertThat(resolved.changesSettings()).isTrue();
    assertThat(catalog.resolve("SELECT set_config('a', 'b', false)").changesSettings()).isTrue();
  }

  @Test
  void immutableUserFunctionIsTrusted() throws SQLException {
    reads("SELECT pure(id) FROM orders", "RELATION:orders");
    reads("SELECT keep(id) FROM orders", "RELATION:orders");
  }

  @Test
  void stableFunctionsThatOnlyReadAreNotCachedAndWriteNothing() {
    for (String sql :
        List.of(
            "SELECT stable_one(id) FROM orders",
            "SELECT * FROM calling",
            "SELECT fold(id) FROM orders",
            "SELECT stable_all(id) FROM orders")) {
      ResolvedStatement resolved = catalog.resolve(sql);
      assertThat(resolved.bypass()).as(sql).isEqualTo(BypassReason.FUNCTION);
      assertThat(resolved.writes().isEmpty()).as(sql).isTrue();
      assertThat(resolved.changesSettings()).as(sql).isFalse();
      assertThat(resolved.reloadsCatalog()).as(sql).isFalse();
    }
  }

  @Test
  void otherUserFunctionsMayWriteAnything() {
    for (String call :
        List.of("fickle", "outer_one", "hiding", "configuring", "spelled", "standard", "folded")) {
      ResolvedStatement resolved = catalog.resolve("SELECT " + call + "(id) FROM orders");
      assertThat(resolved.bypass()).as(call).isEqualTo(BypassReason.FUNCTION);
      assertThat(resolved.writes().unknown()).as(call).isTrue();
      boolean anything = call.equals("hiding") || call.equals("spelled");
      assertThat(resolved.reloadsCatalog()).as(call).isEqualTo(anything);
      // A body in the form of the standard is no text that is read.
      assertThat(resolved.changesSettings())
          .as(call)
          .isEqualTo(anything || List.of("configuring", "standard").contains(call));
    }
  }

  @Test
  void overloadThatIsImmutableOnlyInAnotherSchema() {
    String sql = "SELECT pure(word) FROM public.orders";
    assertThat(catalog.resolve(sql).bypass()).isNull();
    List<String> both = List.of("pg_catalog", "public", "other");
    assertThat(catalog.resolve(sql, both, Declarations.NONE).bypass())
        .isEqualTo(BypassReason.FUNCTION);
    bypasses("SELECT other.pure(word) FROM orders", BypassReason.FUNCTION);
  }

  @Test
  void userOverloadOfABuiltinCounts() {
    bypasses("SELECT abs(id) FROM orders", BypassReason.FUNCTION);
    assertThat(catalog.resolve("SELECT pg_catalog.abs(id) FROM orders").bypass()).isNull();
  }

  @Test
  void attributeStyleCallIsACall() {
    bypasses("SELECT c.label FROM customer c", BypassReason.FUNCTION);
    bypasses("SELECT c.pg_column_size FROM customer c", BypassReason.BUILTIN_FUNCTION);
  }

  @Test
  void declaredFunctionsAreBelieved() throws SQLException {
    Declarations readOnly =
        new Declarations(Set.of("stable_one", "public.step"), Map.of(), Map.of());
    for (String sql :
        List.of(
            "SELECT stable_one(id) FROM orders",
            "SELECT * FROM calling",
            "SELECT fold(id) FROM orders")) {
      ResolvedStatement resolved = catalog.resolve(sql, CatalogFixture.PATH, readOnly);
      assertThat(resolved.bypass()).as(sql).isNull();
      assertThat(resolved.writes().isEmpty()).as(sql).isTrue();
    }
    Declarations writes =
        new Declarations(Set.of(), Map.of("stable_one", Set.of("other.hidden")), Map.of());
    ResolvedStatement resolved =
        catalog.resolve("SELECT stable_one(id) FROM orders", CatalogFixture.PATH, writes);
    assertThat(resolved.bypass()).isEqualTo(BypassReason.FUNCTION);
    assertThat(catalog.names(resolved.writes().tags())).containsExactly("RELATION:hidden");
    assertThat(resolved.changesSettings()).isFalse();
  }

  @Test
  void userOperatorsCastsAndDomainsAreChecked() {
    bypasses("SELECT id FROM orders WHERE id === 'x'", BypassReason.OPERATOR);
    assertThat(catalog.resolve("SELECT id FROM orders WHERE id OPERATOR(public.===) 'x'").bypass())
        .isNotNull();
    bypasses("SELECT * FROM compared", BypassReason.FUNCTION);
    bypasses("SELECT id::vetted FROM orders", BypassReason.OPERATOR);
    bypasses("SELECT v FROM checked", BypassReason.OPERATOR);
    assertThat(catalog.resolve("SELECT v::small FROM fine").bypass()).isNull();
  }

  @Test
  void userCastsCountWhereATypeOfTheirsMayOccur() throws SQLException {
    try (CatalogFixture casts =
        new CatalogFixture(
            "CREATE TYPE pair AS (a int, b int)",
            "CREATE FUNCTION unpair(pair) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'",
            "CREATE CAST (pair AS int) WITH FUNCTION unpair(pair)",
            "CREATE FUNCTION make(int) RETURNS pair LANGUAGE sql IMMUTABLE AS 'SELECT"
                + " row(1,2)::pair'",
            "CREATE TABLE paired (id int, p pair)",
            "CREATE TABLE plain (id int)")) {
      for (String sql :
          List.of(
              "SELECT p::int FROM paired",
              "SELECT row(1, 2)::pair FROM plain",
              "SELECT make(id)::int FROM plain")) {
        // A conversion to a composite type is refused before its casts are looked at.
        assertThat(casts.resolve(sql).bypass())
            .as(sql)
            .isEqualTo(
                sql.contains("::pair")
                    ? BypassReason.TIME
                    : sql.contains("make") ? BypassReason.FUNCTION : BypassReason.OPERATOR);
      }
      assertThat(casts.resolve("SELECT id FROM plain").bypass()).isNull();
      casts.alter("CREATE CAST (text AS date) WITH INOUT AS IMPLICIT");
      assertThat(casts.resolve("SELECT id FROM plain").bypass()).isEqualTo(BypassReason.OPERATOR);
    }
  }

  @Test
  void policiesPutTheirSettingsIntoTheKey() throws SQLException {
    for (String sql : List.of("SELECT id FROM secret", "SELECT id FROM over_secret")) {
      reads(sql, "RELATION:customer", "RELATION:secret");
      assertThat(catalog.resolve(sql).keySettings()).containsExactly("app.tenant");
    }
    ResolvedStatement resolved = catalog.resolve("SELECT id FROM secret");
    assertThat(resolved.relations()).hasSize(2);
    assertThat(resolved.locks()).as("policies do not apply to everybody").hasSize(1);
  }

  @Test
  void policiesThatDependOnMoreAreBypassed() {
    bypasses("SELECT id FROM asked", BypassReason.ROW_SECURITY);
    assertThat(catalog.resolve("SELECT id FROM moody").bypass())
        .isIn(BypassReason.ROW_SECURITY, BypassReason.FUNCTION);
    Declarations readOnly = new Declarations(Set.of("known"), Map.of(), Map.of());
    assertThat(catalog.resolve("SELECT id FROM moody", CatalogFixture.PATH, readOnly).bypass())
        .isEqualTo(BypassReason.ROW_SECURITY);
  }

  @Test
  void tableDroppedAndCreatedAgainHasAnotherTag() throws SQLException {
    catalog.alter("CREATE TABLE phoenix (id int)");
    ResolvedStatement before = catalog.resolve("SELECT id FROM phoenix");
    catalog.alter("DROP TABLE phoenix", "CREATE TABLE phoenix (id int)");
    ResolvedStatement after = catalog.resolve("SELECT id FROM phoenix");
    assertThat(before.readTags()).hasSize(1);
    assertThat(after.readTags()).hasSize(1).doesNotContainAnyElementsOf(before.readTags());
  }
}
