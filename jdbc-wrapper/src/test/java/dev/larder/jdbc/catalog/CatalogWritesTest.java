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

/** What statements write, against a real catalog. */
@Tag("each-server")
class CatalogWritesTest {
  @AutoClose private static CatalogFixture catalog;

  private static final String TOUCH =
      "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$\n"
          + "-- keeps the time of the last change\n"
          + "DECLARE\n  stamp timestamptz := now();\n"
          + "BEGIN\n"
          + "  IF TG_OP = 'UPDATE' AND NEW.* IS DISTINCT FROM OLD.* THEN\n"
          + "    NEW.updated_at := stamp;\n"
          + "  ELSE\n    NEW.updated_at = coalesce(NEW.updated_at, current_timestamp);\n"
          + "  END IF;\n  RETURN NEW;\nEND; $$";

  @BeforeAll
  static void create() throws SQLException {
    catalog =
        new CatalogFixture(
            "CREATE TABLE customer (id int PRIMARY KEY, updated_at timestamptz, name text)",
            "CREATE TABLE orders (id int PRIMARY KEY,"
                + " customer int REFERENCES customer ON DELETE CASCADE ON UPDATE CASCADE)",
            "CREATE TABLE lines (id int PRIMARY KEY,"
                + " orders int REFERENCES orders ON DELETE SET NULL)",
            "CREATE TABLE notes (id int, lines int REFERENCES lines ON UPDATE CASCADE ON DELETE"
                + " RESTRICT)",
            "CREATE TABLE audit (id int, what text)",
            "CREATE TABLE other (id int)",
            TOUCH,
            "CREATE TRIGGER touching BEFORE INSERT OR UPDATE ON customer FOR EACH ROW"
                + " EXECUTE FUNCTION touch()",
            "CREATE TABLE audited (id int)",
            "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ #variable_conflict use_column\nBEGIN RETURN NEW; END $$",
            "CREATE TRIGGER logging AFTER UPDATE ON audited FOR EACH ROW EXECUTE FUNCTION log()",
            "CREATE TABLE sleepy (id int)",
            "CREATE TRIGGER asleep AFTER UPDATE ON sleepy FOR EACH ROW EXECUTE FUNCTION log()",
            "ALTER TABLE sleepy DISABLE TRIGGER asleep",
            "CREATE TABLE ruled (id int)",
            "CREATE RULE copying AS ON INSERT TO ruled DO ALSO INSERT INTO audit VALUES (1, 'x')",
            "CREATE FUNCTION counted(int) RETURNS int LANGUAGE plpgsql AS"
                + " '#variable_conflict use_column\nBEGIN RETURN $1; END'",
            "CREATE TABLE defaulted (id int DEFAULT counted(1), n int DEFAULT 1 CHECK (n > 0))",
            "CREATE TABLE constrained (id int CHECK (counted(id) > 0))",
            "CREATE DOMAIN vetted AS int CHECK (counted(VALUE) > 0)",
            "CREATE TABLE checked (v vetted)",
            "CREATE TABLE serials (id serial, key uuid DEFAULT gen_random_uuid(),"
                + " at timestamptz DEFAULT now(), d text DEFAULT upper('x'))",
            "CREATE VIEW simple AS SELECT id, name FROM customer",
            "CREATE VIEW twice AS SELECT id FROM simple",
            "CREATE VIEW replaced AS SELECT a.id FROM orders a, lines b",
            "CREATE TRIGGER instead INSTEAD OF INSERT ON replaced FOR EACH ROW EXECUTE FUNCTION"
                + " log()",
            "CREATE VIEW rewritten AS SELECT id FROM orders",
            "CREATE RULE nothing AS ON DELETE TO rewritten DO INSTEAD NOTHING",
            "CREATE MATERIALIZED VIEW totals AS SELECT count(*) FROM orders",
            "CREATE PROCEDURE work() LANGUAGE plpgsql AS"
                + " '#variable_conflict use_column\nBEGIN END'",
            "CREATE TABLE guarded (id int)",
            "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY guard ON guarded WITH CHECK (counted(id) > 0)");
  }

  private static void writes(String sql, String... tables) throws SQLException {
    assertThat(catalog.writes(sql)).as(sql).containsExactlyInAnyOrder(tables);
    assertThat(catalog.resolve(sql).bypass()).as(sql).isNotNull();
  }

  private static void unknown(String sql) throws SQLException {
    writes(sql, "UNKNOWN");
    assertThat(catalog.resolve(sql).changesSettings()).as(sql).isTrue();
    assertThat(catalog.resolve(sql).reloadsCatalog()).as(sql).isTrue();
  }

  @Test
  void insertWritesItsTable() throws SQLException {
    writes("INSERT INTO other VALUES (1)", "RELATION:other");
    writes("COPY other FROM STDIN", "RELATION:other");
    writes(
        "WITH x AS (INSERT INTO other VALUES (1) RETURNING id) SELECT * FROM x", "RELATION:other");
    assertThat(catalog.resolve("INSERT INTO other VALUES (1)").bypass())
        .isEqualTo(BypassReason.NOT_A_QUERY);
    assertThat(catalog.resolve("INSERT INTO other VALUES (1)").tables())
        .containsExactly("public.other");
  }

  @Test
  void foreignKeysCascade() throws SQLException {
    writes(
        "DELETE FROM customer",
        "RELATION:customer",
        "RELATION:orders",
        "RELATION:lines",
        "RELATION:notes");
    writes("UPDATE customer SET id = 1", "RELATION:customer", "RELATION:orders");
    writes("DELETE FROM orders", "RELATION:orders", "RELATION:lines", "RELATION:notes");
    writes("DELETE FROM lines", "RELATION:lines");
    writes("INSERT INTO customer VALUES (1)", "RELATION:customer");
  }

  @Test
  void truncateFollowsForeignKeysOnlyWithCascade() throws SQLException {
    writes("TRUNCATE orders, other", "RELATION:orders", "RELATION:other");
    writes("TRUNCATE orders CASCADE", "RELATION:orders", "RELATION:lines", "RELATION:notes");
  }

  @Test
  void triggerThatChangesTheRowOnlyWritesNothingMore() throws SQLException {
    writes(
        "INSERT INTO customer VALUES (1) ON CONFLICT (id) DO UPDATE SET name = ''",
        "RELATION:customer");
    writes(
        "INSERT INTO customer VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2",
        "RELATION:customer",
        "RELATION:orders");
  }

  @Test
  void otherTriggersMayWriteAnything() throws SQLException {
    unknown("UPDATE audited SET id = 1");
    writes("INSERT INTO audited VALUES (1)", "RELATION:audited");
    writes("UPDATE sleepy SET id = 1", "RELATION:sleepy");
  }

  @Test
  void declaredTriggersAreBelieved() throws SQLException {
    for (String name : List.of("logging", "audited.logging", "public.audited.logging")) {
      Declarations declared =
          new Declarations(Set.of(), Map.of(), Map.of(name, Set.of("public.audit")));
      ResolvedStatement resolved =
          catalog.resolve("UPDATE audited SET id = 1", CatalogFixture.PATH, declared);
      assertThat(catalog.names(resolved.writes().tags()))
          .containsExactly("RELATION:audit", "RELATION:audited");
      assertThat(resolved.changesSettings()).isFalse();
    }
    Declarations wrong = new Declarations(Set.of(), Map.of(), Map.of("logging", Set.of("absent")));
    assertThat(
            catalog
                .resolve("UPDATE audited SET id = 1", CatalogFixture.PATH, wrong)
                .writes()
                .unknown())
        .isTrue();
  }

  @Test
  void rulesMayWriteAnything() throws SQLException {
    unknown("INSERT INTO ruled VALUES (1)");
    writes("DELETE FROM ruled", "RELATION:ruled");
    unknown("DELETE FROM rewritten");
  }

  @Test
  void defaultsConstraintsDomainsAndPoliciesOfUsersMayWriteAnything() throws SQLException {
    unknown("INSERT INTO defaulted VALUES (1)");
    unknown("UPDATE constrained SET id = 1");
    unknown("INSERT INTO checked VALUES (1)");
    unknown("INSERT INTO guarded VALUES (1)");
    writes("INSERT INTO serials VALUES (1)", "RELATION:serials");
    writes("TRUNCATE defaulted", "RELATION:defaulted");
  }

  @Test
  void userFunctionInAWriteMayWriteAnything() throws SQLException {
    unknown("INSERT INTO other SELECT counted(1)");
    Declarations declared = new Declarations(Set.of(), Map.of("counted", Set.of()), Map.of());
    ResolvedStatement resolved =
        catalog.resolve("INSERT INTO other SELECT counted(1)", CatalogFixture.PATH, declared);
    assertThat(catalog.names(resolved.writes().tags())).containsExactly("RELATION:other");
  }

  @Test
  void writeToAViewWritesItsTable() throws SQLException {
    writes("INSERT INTO twice VALUES (1)", "RELATION:customer");
    writes(
        "DELETE FROM twice",
        "RELATION:customer",
        "RELATION:orders",
        "RELATION:lines",
        "RELATION:notes");
    unknown("INSERT INTO replaced VALUES (1)");
    Declarations declared =
        new Declarations(Set.of(), Map.of(), Map.of("replaced.instead", Set.of("other")));
    ResolvedStatement resolved =
        catalog.resolve("INSERT INTO replaced VALUES (1)", CatalogFixture.PATH, declared);
    assertThat(catalog.names(resolved.writes().tags())).containsExactly("RELATION:other");
  }

  @Test
  void refreshWritesTheMaterializedView() throws SQLException {
    writes("REFRESH MATERIALIZED VIEW totals", "RELATION:totals");
  }

  @Test
  void unknownTargetMayBeAnything() throws SQLException {
    unknown("INSERT INTO created_just_now VALUES (1)");
    unknown("UPDATE pg_class SET relname = 'x'");
  }

  @Test
  void ddlReloadsTheCatalogAndInvalidatesEverything() throws SQLException {
    for (String sql :
        List.of(
            "CREATE TABLE x AS SELECT * FROM other",
            "ALTER TABLE other ADD x int CHECK (x > 0)",
            "ALTER TABLE guarded ADD x int",
            "DROP TABLE other",
            "GRANT SELECT ON simple TO public",
            "ALTER ROLE postgres SET x.y = 1")) {
      unknown(sql);
    }
    ResolvedStatement analyze = catalog.resolve("ANALYZE other");
    assertThat(analyze.writes().isEmpty()).isTrue();
    assertThat(analyze.reloadsCatalog()).isTrue();
    assertThat(analyze.changesSettings()).isFalse();
  }

  @Test
  void ddlOfOneTableReloadsTheCatalogAndWritesThatTable() throws SQLException {
    for (String sql : List.of("ALTER TABLE other ADD x int", "GRANT SELECT ON other TO public")) {
      writes(sql, "RELATION:other");
      assertThat(catalog.resolve(sql).reloadsCatalog()).as(sql).isTrue();
    }
  }

  @Test
  void callsAreUnknownUnlessDeclared() throws SQLException {
    unknown("CALL work()");
    unknown("DO 'x'");
    unknown("EXECUTE prepared");
    unknown("gibberish");
    Declarations declared = new Declarations(Set.of(), Map.of("work", Set.of("other")), Map.of());
    ResolvedStatement resolved = catalog.resolve("CALL work()", CatalogFixture.PATH, declared);
    assertThat(catalog.names(resolved.writes().tags())).containsExactly("RELATION:other");
    assertThat(resolved.bypass()).isEqualTo(BypassReason.NOT_A_QUERY);
  }

  @Test
  void utilityStatementsWriteNothing() throws SQLException {
    for (String sql : List.of("SET x.y = 1", "CHECKPOINT", "EXPLAIN SELECT abs(id) FROM other")) {
      writes(sql);
      assertThat(catalog.resolve(sql).reloadsCatalog()).isFalse();
    }
    // The planner calls what is STABLE.
    unknown("EXPLAIN SELECT counted(id) FROM other");
    unknown("EXPLAIN EXECUTE prepared");
    ResolvedStatement temporary = catalog.resolve("CREATE TEMPORARY TABLE x (id int)");
    assertThat(temporary.taintsSession()).isTrue();
    assertThat(temporary.writes().isEmpty()).isTrue();
  }

  @Test
  void severalStatementsAreTheirUnion() throws SQLException {
    String sql = "INSERT INTO other VALUES (1); DELETE FROM lines; SELECT 1";
    writes(sql, "RELATION:other", "RELATION:lines");
    assertThat(catalog.resolve(sql).bypass()).isEqualTo(BypassReason.MULTIPLE_STATEMENTS);
    unknown("INSERT INTO other VALUES (1); CREATE TABLE x (id int)");
    assertThat(catalog.resolve("").bypass()).isEqualTo(BypassReason.NOT_A_QUERY);
  }
}
