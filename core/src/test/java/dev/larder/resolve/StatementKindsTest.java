package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.PATH;
import static dev.larder.resolve.WrittenCatalog.functionWrites;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogRow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls, DDL and the like do: to the rows, the catalog and the session's settings. */
class StatementKindsTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  /** What it writes, and whether it reloads the catalog, changes settings, taints the session. */
  private void assertDoes(String sql, String writes, String effects) {
    ResolvedStatement resolved = catalog.resolve(sql);
    assertThat(catalog.names(resolved.writes())).as(sql).isEqualTo(writes);
    String found =
        (resolved.reloadsCatalog() ? "r" : "")
            + (resolved.changesSettings() ? "s" : "")
            + (resolved.taintsSession() ? "t" : "");
    assertThat(found).as(sql).isEqualTo(effects);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE x (id int) | '' | r | NOT_A_QUERY",
        "CREATE TABLE item (id int) | UNKNOWN | rs | NOT_A_QUERY",
        "CREATE TABLE x (id int REFERENCES item) | UNKNOWN | rs | NOT_A_QUERY",
        "ALTER TABLE item ADD COLUMN more int | item | r | NOT_A_QUERY",
        "ALTER TABLE item ADD COLUMN more int, DISABLE TRIGGER ALL | UNKNOWN | rs | NOT_A_QUERY",
        "SELECT id INTO x FROM item | UNKNOWN | rs | WRITES",
        "DROP TABLE item | UNKNOWN | rs | NOT_A_QUERY",
        "GRANT SELECT ON item TO a | item | r | NOT_A_QUERY",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO a | UNKNOWN | rs | NOT_A_QUERY",
        "CREATE ROLE a | EVERYWHERE | rs | NOT_A_QUERY",
        "DO 'x' | EVERYWHERE | rs | NOT_A_QUERY",
        "CALL absent() | EVERYWHERE | rs | NOT_A_QUERY",
        "EXECUTE p | UNKNOWN | rs | NOT_A_QUERY",
        "gibberish | UNKNOWN | rs | UNPARSED",
        "ANALYZE item | '' | r | NOT_A_QUERY",
        "CREATE INDEX ON item (id) | '' | r | NOT_A_QUERY",
        "COMMENT ON TABLE item IS 'x' | '' | r | NOT_A_QUERY",
        "CREATE TEMP TABLE x (id int) | '' | t | NOT_A_QUERY",
        "CREATE TEMP TABLE x AS SELECT wild() | UNKNOWN | t | NOT_A_QUERY",
        "VACUUM item | '' | r | NOT_A_QUERY",
        "SET x.y = 1 | '' | '' | NOT_A_QUERY",
        "BEGIN | '' | '' | NOT_A_QUERY",
        "LOCK TABLE item | '' | '' | NOT_A_QUERY",
        "DECLARE c CURSOR FOR SELECT id FROM item | '' | '' | CURSOR",
        "DECLARE c CURSOR FOR SELECT wild() | UNKNOWN | '' | CURSOR",
        "EXPLAIN SELECT id FROM item | '' | '' | NOT_A_QUERY",
        "EXPLAIN SELECT wild() FROM item | UNKNOWN | '' | NOT_A_QUERY",
        "EXPLAIN EXECUTE p | UNKNOWN | rs | NOT_A_QUERY",
        "COPY item TO PROGRAM 'x' | UNKNOWN | rs | NOT_A_QUERY",
        "COPY (SELECT wild()) TO STDOUT | UNKNOWN | '' | NOT_A_QUERY",
        "DELETE FROM item | item | '' | NOT_A_QUERY",
        "SELECT 1 FROM item FOR UPDATE | '' | '' | ROW_LOCK",
        "WITH x AS (DELETE FROM item RETURNING 1) SELECT * FROM x | item | '' | WRITES",
        "EXPLAIN SELECT setting() FROM item | UNKNOWN | s | NOT_A_QUERY",
        "DECLARE c CURSOR FOR SELECT setting() | UNKNOWN | s | CURSOR",
        "CREATE TEMP TABLE x AS SELECT setting() | UNKNOWN | st | NOT_A_QUERY",
        "COPY (SELECT setting()) TO STDOUT | UNKNOWN | s | NOT_A_QUERY",
        "SELECT setting() FROM item | UNKNOWN | s | FUNCTION",
        "CALL setting() | UNKNOWN | s | NOT_A_QUERY",
        "SELECT wild() FROM item | UNKNOWN | '' | FUNCTION",
        "DELETE FROM item; CREATE TABLE x (id int) | item | r | MULTIPLE_STATEMENTS",
        "PREPARE p AS DELETE FROM item | '' | '' | NOT_A_QUERY",
        "PREPARE p AS SELECT wild() | '' | '' | NOT_A_QUERY",
      })
  void eachKindOfStatementHasItsEffects(
      String sql, String writes, String effects, BypassReason reason) {
    catalog.table("item");
    catalog.function("wild", 'v').add();
    catalog.function("setting", 'v').body("SET x.y = 1").add();
    assertDoes(sql, writes, effects);
    assertThat(catalog.resolve(sql).bypass()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE INDEX ON item (id) | UNKNOWN | rs",
        "REFRESH MATERIALIZED VIEW totals | UNKNOWN | rs",
        "CREATE TEMP TABLE x (id int) | UNKNOWN | rst",
        "DROP TABLE mine | UNKNOWN | rs",
        "DELETE FROM item | item | ''",
        "VACUUM item | UNKNOWN | rs",
        "CHECKPOINT | '' | ''",
      })
  void eventTriggersFireForDdl(String sql, String writes, String effects) {
    catalog.table("item");
    catalog.rows.add(
        new CatalogRow.View(
            catalog.relation("public", "totals", 'm'), WrittenCatalog.query(List.of())));
    catalog.rows.add(new CatalogRow.Surroundings(true, false, ""));
    assertDoes(sql, writes, effects);
    assertThat(catalog.resolveWithTemporary("DROP TABLE mine", "mine").writes().unknown()).isTrue();
    assertThat(catalog.resolveWithTemporary("ANALYZE mine", "mine").writes().unknown()).isTrue();
  }

  @Test
  void aTemporaryTableIsNobodyElses() {
    catalog.table("item");
    catalog.function("wild", 'v').add();
    catalog.function("pure", 'i').add();
    catalog.builtin("lower", 'i');
    assertThat(catalog.resolveWithTemporary("DROP TABLE mine", "mine").writes().isEmpty()).isTrue();
    assertThat(catalog.resolveWithTemporary("DROP TABLE mine", "mine").reloadsCatalog()).isFalse();
    assertThat(catalog.resolveWithTemporary("DROP TABLE mine, item", "mine").writes().unknown())
        .isTrue();
    assertThat(catalog.resolveWithTemporary("DROP TABLE mine CASCADE", "mine").writes().unknown())
        .isTrue();
    assertThat(
            catalog.resolveWithTemporary("ALTER TABLE mine ADD x int", "mine").writes().unknown())
        .isTrue();
    assertThat(catalog.resolveWithTemporary("ANALYZE mine", "mine").reloadsCatalog()).isFalse();
    assertThat(catalog.resolveWithTemporary("ANALYZE item", "mine").reloadsCatalog()).isTrue();
    assertThat(
            catalog
                .resolveWithTemporary("CREATE INDEX ON mine (lower(x))", "mine")
                .reloadsCatalog())
        .isFalse();
    assertThat(
            catalog.resolveWithTemporary("CREATE INDEX ON mine (pure(x))", "mine").reloadsCatalog())
        .isTrue();
    assertThat(
            catalog.resolveWithTemporary("INSERT INTO mine VALUES (1)", "mine").writes().isEmpty())
        .isTrue();
    // Where a table of that name is visible too, which of them is meant is not certain.
    assertThat(
            catalog.resolveWithTemporary("INSERT INTO item VALUES (1)", "item").writes().isEmpty())
        .isFalse();
    assertThat(
            catalog
                .resolveWithTemporary("INSERT INTO public.mine VALUES (1)", "mine")
                .writes()
                .unknown())
        .isTrue();
  }

  @Test
  void indexesAndStatisticsRunWhatBelongsToTheTypes() {
    long item = catalog.table("item");
    catalog.table("other");
    long wild = catalog.function("wild", 'v').add();
    long mood = catalog.type("mood", 'b', 0, 0, wild);
    catalog.columns(item, mood);
    assertDoes("ANALYZE item", "UNKNOWN", "rs");
    assertDoes("ANALYZE other", "", "r");
    assertDoes("ANALYZE", "UNKNOWN", "rs");
  }

  @Test
  void aCallIsKnownWhereEveryRoutineOfItIsDeclared() {
    catalog.table("item");
    catalog.builtin("lower", 'i');
    catalog.function("work", 'v').add();
    catalog.function("other", "work", 'v').add();
    assertDoes("CALL work()", "UNKNOWN", "");
    assertThat(catalog.writes("CALL work()", functionWrites("work", "item"))).isEqualTo("item");
    assertThat(catalog.writes("CALL work()", readOnly("work"))).isEmpty();
    assertThat(catalog.writes("CALL public.work()", readOnly("public.work"))).isEmpty();
    assertThat(catalog.writes("CALL lower('x')", readOnly("lower"))).isEqualTo("EVERYWHERE");
    assertThat(catalog.writes("CALL absent(work())", readOnly("work"))).isEqualTo("EVERYWHERE");
    assertThat(catalog.writes("CALL U&\"work\"(work())", readOnly("work"))).isEqualTo("EVERYWHERE");
    assertThat(
            catalog.names(
                catalog.resolve("CALL work()", List.of("elsewhere"), readOnly("work")).writes()))
        .isEqualTo("EVERYWHERE");
    assertThat(catalog.resolve("CALL work()", functionWrites("work")).bypass())
        .isEqualTo(BypassReason.NOT_A_QUERY);
    assertThat(catalog.resolve("CALL work()", PATH, functionWrites("work")).changesSettings())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT set_config('a', 'b', true) FROM item", "SELECT reload() FROM item"})
  void aQueryThatChangesSettingsIsNotCached(String sql) {
    catalog.table("item");
    catalog.builtin("set_config", 'v');
    catalog.function("reload", 'v').inC("$libdir/pg_trgm").add();
    assertThat(catalog.resolve(sql).bypass()).isNotNull();
    assertThat(catalog.resolve(sql, readOnly("reload")).changesSettings()).isTrue();
  }

  @Test
  void aQueryIsNotCachedForASettingThatTheBodyOfADeclaredFunctionSets() {
    catalog.table("item");
    catalog.function("become", 'v').body("SELECT set_config('a.b', 'c', false)").add();
    ResolvedStatement setting = catalog.resolve("SELECT become() FROM item", readOnly("become"));
    assertThat(setting.bypass()).isEqualTo(BypassReason.FUNCTION);
    assertThat(setting.writes().isEmpty()).isTrue();
  }

  @Test
  void whatMakesAStatementWriteAnythingIsNamed() {
    catalog.table("log");
    long item = catalog.table("item");
    String body = "BEGIN INSERT INTO log SELECT 1 FROM x; UPDATE absent SET n = 1; END";
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            item, "logging", catalog.trigger("log_it", body), 5, false, null, null));
    catalog.function("wild", 'v').language("plpgsql").body(body).add();
    catalog.builtin("query_to_xml", 'v');
    Undeclared trigger = undeclared("INSERT INTO item VALUES (1)", Declarations.NONE);
    assertThat(trigger).isEqualTo(new Undeclared("INSERT item", true, "logging", List.of("log")));
    assertThat(trigger.culprit()).isEqualTo("trigger logging");
    assertThat(trigger.declaration()).isEqualTo("larder.triggers.writes=logging=log");
    Undeclared call = undeclared("SELECT 1; SELECT wild()", Declarations.NONE);
    assertThat(call).isEqualTo(new Undeclared("a call", false, "wild", List.of("log")));
    assertThat(call.culprit()).isEqualTo("function wild");
    assertThat(undeclared("SELECT wild()", readOnly("wild"))).isNull();
    assertThat(undeclared("SELECT query_to_xml('x')", Declarations.NONE)).isNull();
    assertThat(undeclared("DROP TABLE item", Declarations.NONE)).isNull();
    assertThat(new Undeclared("a call", false, "f", List.of()).declaration())
        .isEqualTo("larder.functions.writes=f=<its tables>");
  }

  private Undeclared undeclared(String sql, Declarations declarations) {
    return catalog.undeclared(sql, declarations);
  }
}
