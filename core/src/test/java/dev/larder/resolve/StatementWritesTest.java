package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.ON_DELETE;
import static dev.larder.resolve.WrittenCatalog.ON_INSERT;
import static dev.larder.resolve.WrittenCatalog.ON_TRUNCATE;
import static dev.larder.resolve.WrittenCatalog.ON_UPDATE;
import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.functionWrites;
import static dev.larder.resolve.WrittenCatalog.query;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static dev.larder.resolve.WrittenCatalog.triggerWrites;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements write, in catalogs that were written by hand. */
@Tag("each-jdk")
class StatementWritesTest {
  private static final String LOGGING =
      "BEGIN LOCK c; INSERT INTO public.log VALUES (1); RETURN NEW; END";
  private static final String TOUCHING = "BEGIN NEW.at := now(); RETURN NEW; END";

  private final WrittenCatalog catalog = new WrittenCatalog();

  private void assertWrites(String sql, String tables) {
    assertThat(catalog.writes(sql)).as(sql).isEqualTo(tables);
  }

  private void assertUnknown(String sql) {
    ResolvedStatement resolved = catalog.resolve(sql);
    assertThat(resolved.writes().unknown()).as(sql).isTrue();
    assertThat(resolved.changesSettings()).as(sql).isTrue();
    assertThat(resolved.reloadsCatalog()).as(sql).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO item VALUES (1) | item",
        "UPDATE item SET n = 1 | child item",
        "DELETE FROM item | child grandchild item",
        "MERGE INTO item USING x ON true WHEN MATCHED THEN DELETE | child grandchild item",
        "TRUNCATE item | item",
        "TRUNCATE item CASCADE | child grandchild item",
        "DELETE FROM child | child grandchild",
        "UPDATE child SET n = 1 | child",
        "DELETE FROM grandchild | grandchild",
        "COPY item FROM STDIN | item",
        "COPY item TO STDOUT |",
        "EXPLAIN DELETE FROM item |",
        "EXPLAIN ANALYZE DELETE FROM item | child grandchild item",
        "SELECT 1 FROM item |",
        "WITH x AS (DELETE FROM child RETURNING 1) SELECT * FROM x, item | child grandchild",
        "INSERT INTO child VALUES (1); DELETE FROM grandchild | child grandchild",
      })
  void foreignKeysAreFollowed(String sql, String expected) {
    long item = catalog.table("item");
    long child = catalog.table("child");
    long grandchild = catalog.table("grandchild");
    catalog.rows.add(new CatalogRow.ForeignKey(child, item, 'c', 'c', false, Set.of()));
    catalog.rows.add(new CatalogRow.ForeignKey(grandchild, child, 'n', 'a', false, Set.of()));
    catalog.rows.add(new CatalogRow.ForeignKey(99_999, item, 'c', 'c', false, Set.of()));
    assertWrites(sql, expected == null ? "" : expected);
    assertThat(catalog.resolve(sql).changesSettings()).isFalse();
    assertThat(catalog.resolve(sql).reloadsCatalog()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "c, DELETE FROM item, child item",
    "n, DELETE FROM item, child item",
    "d, DELETE FROM item, child item",
    "r, DELETE FROM item, item",
    "a, DELETE FROM item, item",
    "c, UPDATE item SET n = 1, child item",
    "n, UPDATE item SET n = 1, child item",
    "d, UPDATE item SET n = 1, child item",
    "r, UPDATE item SET n = 1, item",
    "c, INSERT INTO item VALUES (1), item",
  })
  void whatAForeignKeyDoesDependsOnItsAction(char action, String sql, String expected) {
    long item = catalog.table("item");
    catalog.rows.add(
        new CatalogRow.ForeignKey(catalog.table("child"), item, action, action, false, Set.of()));
    assertWrites(sql, expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET n = 1",
        "UPDATE ONLY (item) AS i SET n = 1 WHERE id = 2",
        "UPDATE ONLY item i SET n = 1 WHERE id = 2",
        "UPDATE item * SET \"ID\" = 1, n = x.id FROM x WHERE item.id = x.id",
        "UPDATE item SET n = f(1, id), m = ARRAY[1, id], o = (SELECT id, id) WHERE id = 2",
        "UPDATE item SET (n, m) = (id, id), p.id = 1, q[1, 2] = id RETURNING n, id",
        "WITH d AS (UPDATE item SET n = 1 RETURNING id, id) SELECT n, id FROM d, d AS id",
        "INSERT INTO item VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET n = excluded.id",
      })
  void anUpdateOfOtherColumnsDoesNothingToTheChild(String sql) {
    catalog.rows.add(referencing("child"));
    assertWrites(sql, "item");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET n = 1, id = 2",
        "UPDATE item SET n = id IS DISTINCT FROM 1, id = 2",
        "UPDATE item SET n = x.returning, id = 2 FROM x",
        "UPDATE item SET n = CASE WHEN (1, 2) = (2, 3) THEN 1 END, \"id\" = 2",
        "UPDATE item SET (n, id) = ROW(1, 2)",
        "UPDATE item SET (n, m[f(1, 2)], Id) = (1, 2, 3)",
        "UPDATE item SET m[(1)] = 1, (id) = 2",
        "UPDATE item AS set SET id = 1",
        "UPDATE item SET \u00e4 = 1",
        "UPDATE item SET n = 1, 5",
        "UPDATE item SET",
        "UPDATE item a b SET n = 1",
        "UPDATE seen SET n = 1",
        "MERGE INTO item USING x ON true WHEN MATCHED THEN UPDATE SET n = 1",
        "INSERT INTO item VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET n = 1, id = 2",
        "WITH a AS (INSERT INTO item VALUES (1) ON CONFLICT DO UPDATE SET n = 1 RETURNING 1)"
            + " INSERT INTO item VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET n = 1",
        "UPDATE item SET n = 1; UPDATE item SET id = 2",
        "WITH d AS (UPDATE item SET n = 1 RETURNING 1) UPDATE item SET id = 2",
      })
  void anUpdateThatMaySetTheColumnOfAKeyIsFollowed(String sql) {
    CatalogRow.ForeignKey key = referencing("child");
    catalog.rows.add(key);
    catalog.view("seen", query(List.of(key.parent())));
    assertThat(catalog.writes(sql)).as(sql).contains("child");
  }

  @ParameterizedTest
  @CsvSource({
    "NEW.at := now(); RETURN NEW;, item",
    "NEW.id := 7; RETURN NEW;, child item",
    "RETURN ROW(7);, child item",
  })
  void aTriggerBeforeEachRowMaySetTheColumnOfAKey(String body, String expected) {
    CatalogRow.ForeignKey key = referencing("child");
    catalog.rows.add(key);
    long touch = catalog.trigger("touch", "BEGIN " + body + " END");
    int type = WrittenCatalog.BEFORE_ROW | ON_UPDATE;
    catalog.rows.add(
        new CatalogRow.TableTrigger(key.parent(), "it", touch, type, false, null, null));
    assertWrites("UPDATE item SET n = 1", expected);
  }

  private CatalogRow.ForeignKey referencing(String child) {
    long item = catalog.table("item");
    return new CatalogRow.ForeignKey(catalog.table(child), item, 'a', 'c', false, Set.of("id"));
  }

  @Test
  void whatSetsNullIsAnUpdateOfTheChildAndWhatCascadesADelete() {
    long item = catalog.table("item");
    long child = catalog.table("child");
    catalog.rows.add(new CatalogRow.ForeignKey(child, item, 'n', 'a', false, Set.of()));
    catalog.rows.add(
        new CatalogRow.ForeignKey(catalog.table("of_deletes"), child, 'c', 'a', false, Set.of()));
    catalog.rows.add(
        new CatalogRow.ForeignKey(catalog.table("of_updates"), child, 'a', 'c', false, Set.of()));
    assertWrites("DELETE FROM item", "child item of_updates");
  }

  @ParameterizedTest
  @CsvSource({
    "INSERT INTO item VALUES (1), 4",
    "DELETE FROM item, 8",
    "UPDATE item SET n = 1, 16",
    "TRUNCATE item, 32",
    "COPY item FROM STDIN, 4",
  })
  void aTriggerThatIsNotProvenMayWriteAnythingWhereItFires(String sql, int event) {
    long item = catalog.table("item");
    long log = catalog.trigger("log_it", LOGGING);
    catalog.rows.add(
        new CatalogRow.TableTrigger(item, "logging", log, 1 | event, false, null, null));
    ResolvedStatement resolved = catalog.resolve(sql);
    assertThat(resolved.writes().unknown()).isTrue();
    assertThat(resolved.changesSettings()).as("its body sets nothing").isFalse();
    assertThat(resolved.reloadsCatalog()).as("its body runs no DDL").isFalse();

    WrittenCatalog others = new WrittenCatalog();
    long quiet = others.table("item");
    int all = ON_INSERT | ON_DELETE | ON_UPDATE | ON_TRUNCATE;
    others.rows.add(
        new CatalogRow.TableTrigger(
            quiet,
            "logging",
            others.trigger("log_it", LOGGING),
            1 | (all & ~event),
            false,
            null,
            null));
    assertThat(others.writes(sql)).isEqualTo("item");
  }

  @Test
  void aTriggerThatIsProvenChangesNothingMore() {
    catalog.builtin("now", 's');
    long item = catalog.table("item");
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            item, "touching", catalog.trigger("touch", TOUCHING), 23, false, null, null));
    assertWrites("UPDATE item SET n = 1", "item");
    assertThat(catalog.resolve("UPDATE item SET n = 1").changesSettings()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "tsvector_update_trigger, item",
    "RI_FKey_noaction_del, UNKNOWN",
    "moddatetime, item",
    "other, UNKNOWN"
  })
  void someTriggersOfOthersAreKnown(String function, String expected) {
    long item = catalog.table("item");
    long routine =
        switch (function) {
          case "moddatetime" -> catalog.function(function, 'v').inC("$libdir/moddatetime").add();
          case "other" -> catalog.function(function, 'v').inC("$libdir/other").add();
          default -> catalog.builtin(function, 'v');
        };
    catalog.rows.add(new CatalogRow.TableTrigger(item, "it", routine, 23, false, null, null));
    assertWrites("UPDATE item SET n = 1", expected);
  }

  @Test
  void theConditionOfATriggerIsEvaluatedToo() {
    catalog.builtin("now", 's');
    long item = catalog.table("item");
    long wild = catalog.function("wild", 'v').add();
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            item, "touching", catalog.trigger("touch", TOUCHING), 23, false, call(wild), null));
    assertWrites("UPDATE item SET n = 1", "UNKNOWN");
    assertWrites("DELETE FROM item", "item");
  }

  @ParameterizedTest
  @ValueSource(strings = {"logging", "item.logging", "public.item.logging"})
  void aDeclaredTriggerIsBelieved(String name) {
    catalog.table("log");
    long item = catalog.table("item");
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            item, "logging", catalog.trigger("log_it", LOGGING), 5, false, null, null));
    String sql = "INSERT INTO item VALUES (1)";
    assertThat(catalog.writes(sql, triggerWrites(name, "log"))).isEqualTo("item log");
    assertThat(catalog.writes(sql, triggerWrites(name, "public.log"))).isEqualTo("item log");
    assertThat(catalog.writes(sql, triggerWrites(name))).isEqualTo("item");
    assertThat(catalog.writes(sql, triggerWrites(name, "absent"))).isEqualTo("UNKNOWN");
    assertThat(catalog.writes(sql, triggerWrites("other.logging", "log"))).isEqualTo("UNKNOWN");
    assertThat(catalog.resolve(sql, triggerWrites(name, "log")).changesSettings()).isFalse();
  }

  @Test
  void whatADeclaredTriggerWritesFiresInItsTurn() {
    long log = catalog.table("log");
    long item = catalog.table("item");
    catalog.table("last");
    for (int event : new int[] {ON_INSERT, ON_UPDATE, ON_DELETE}) {
      catalog.rows.add(
          new CatalogRow.TableTrigger(
              log,
              "on_" + event,
              catalog.trigger("t" + event, LOGGING),
              1 | event,
              false,
              null,
              null));
    }
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            item, "logging", catalog.trigger("log_it", LOGGING), 5, false, null, null));
    Map<String, Set<String>> declared =
        Map.of(
            "logging", Set.of("log"),
            "on_4", Set.of("last"),
            "on_8", Set.of(),
            "on_16", Set.of());
    assertThat(
            catalog.writes(
                "INSERT INTO item VALUES (1)", new Declarations(Set.of(), Map.of(), declared)))
        .isEqualTo("item last log");
  }

  @Test
  void aDeclaredTriggerMayStillChangeSettings() {
    long item = catalog.table("item");
    long tenant =
        catalog.trigger("tenant", "BEGIN PERFORM set_config('a.b', '1', false); RETURN NEW; END");
    catalog.rows.add(new CatalogRow.TableTrigger(item, "setting", tenant, 5, false, null, null));
    ResolvedStatement resolved =
        catalog.resolve("INSERT INTO item VALUES (1)", triggerWrites("setting"));
    assertThat(resolved.writes().unknown()).isFalse();
    assertThat(resolved.changesSettings()).isTrue();
  }

  @Test
  void aTriggerOfAPartitionIsFoundUnderItsParentsName() {
    catalog.table("log");
    long whole = catalog.relation("public", "whole", 'p');
    long part = catalog.table("part");
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            part, "logging", catalog.trigger("log_it", LOGGING), 5, false, null, null));
    assertThat(catalog.writes("INSERT INTO part VALUES (1)", triggerWrites("whole.logging", "log")))
        .isEqualTo("log part whole");
    assertThat(catalog.writes("INSERT INTO whole VALUES (1)", triggerWrites("logging", "log")))
        .isEqualTo("log whole whole*");
    assertThat(catalog.writes("INSERT INTO whole VALUES (1)")).isEqualTo("UNKNOWN");
  }

  @Test
  void copiesOfTheParentsTriggersAndKeysAreFollowedOnce() {
    catalog.builtin("now", 's');
    long whole = catalog.relation("public", "whole", 'p');
    long part = catalog.table("part");
    long child = catalog.table("child");
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    long wild = catalog.trigger("log_it", LOGGING);
    catalog.rows.add(new CatalogRow.TableTrigger(part, "logging", wild, 5, true, null, null));
    catalog.rows.add(new CatalogRow.ForeignKey(child, part, 'c', 'a', true, Set.of()));
    // What makes the partition one that is looked at.
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            part, "touching", catalog.trigger("touch", TOUCHING), 31, false, null, null));
    assertWrites("INSERT INTO whole VALUES (1)", "whole whole*");
    assertWrites("DELETE FROM whole", "whole whole*");
    assertWrites("INSERT INTO part VALUES (1)", "UNKNOWN");
    assertWrites("DELETE FROM part", "child part whole");
  }

  @Test
  void anUpdateMayMoveARowToAnotherPartition() {
    long whole = catalog.relation("public", "whole", 'p');
    long part = catalog.table("part");
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            part, "logging", catalog.trigger("log_it", LOGGING), 9, false, null, null));
    assertWrites("UPDATE whole SET n = 1", "UNKNOWN");
    assertWrites("UPDATE part SET n = 1", "part whole");
    WrittenCatalog inserting = new WrittenCatalog();
    long other = inserting.relation("public", "whole", 'p');
    inserting.rows.add(
        new CatalogRow.TableTrigger(
            other, "logging", inserting.trigger("log_it", LOGGING), 5, false, null, null));
    assertThat(inserting.writes("UPDATE whole SET n = 1")).isEqualTo("UNKNOWN");
    assertThat(inserting.writes("DELETE FROM whole")).isEqualTo("whole");
  }

  @ParameterizedTest
  @CsvSource({
    "3, INSERT INTO ruled VALUES (1)",
    "2, UPDATE ruled SET n = 1",
    "4, DELETE FROM ruled"
  })
  void aRuleMayWriteAnything(char event, String sql) {
    long ruled = catalog.table("ruled");
    catalog.rows.add(new CatalogRow.Rule(ruled, event, ""));
    assertUnknown(sql);
    assertWrites("TRUNCATE ruled", "ruled");
    WrittenCatalog other = new WrittenCatalog();
    other.rows.add(new CatalogRow.Rule(other.table("ruled"), event == '4' ? '3' : '4', ""));
    assertThat(other.writes(event == '4' ? "DELETE FROM ruled" : sql)).isEqualTo("ruled");
  }

  @Test
  void whatAWriteEvaluatesMayWrite() {
    long wild = catalog.function("wild", 'v').add();
    long item = catalog.table("item");
    catalog.rows.add(new CatalogRow.Evaluated(item, call(wild)));
    assertWrites("INSERT INTO item VALUES (1)", "UNKNOWN");
    assertWrites("TRUNCATE item", "item");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)", readOnly("wild"))).isEqualTo("item");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)", functionWrites("wild")))
        .isEqualTo("item");
    WrittenCatalog plain = new WrittenCatalog();
    plain.rows.add(
        new CatalogRow.Evaluated(plain.table("item"), call(plain.builtin("lower", 'i'))));
    assertThat(plain.writes("INSERT INTO item VALUES (1)")).isEqualTo("item");
  }

  @ParameterizedTest
  @CsvSource({"a", "*", "w"})
  void theCheckOfAPolicyMayWrite(char command) {
    long wild = catalog.function("wild", 'v').add();
    long guarded = catalog.relation("public", "guarded", 'r', true);
    catalog.rows.add(new CatalogRow.Policy(guarded, command, null, call(wild), ""));
    assertWrites("INSERT INTO guarded VALUES (1)", "UNKNOWN");
  }

  @Test
  void whatIsOfAPartitionAloneCountsWhenTheWholeIsWritten() {
    long whole = catalog.relation("public", "whole", 'p');
    long part = catalog.table("part");
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    catalog.rows.add(new CatalogRow.Rule(part, '3', ""));
    assertUnknown("INSERT INTO whole VALUES (1)");
    assertWrites("DELETE FROM whole", "whole whole*");
    WrittenCatalog checked = new WrittenCatalog();
    long parent = checked.table("parent");
    long child = checked.table("child");
    checked.rows.add(new CatalogRow.Parent(child, parent));
    checked.rows.add(new CatalogRow.Evaluated(child, call(checked.function("wild", 'v').add())));
    assertThat(checked.writes("UPDATE parent SET n = 1")).isEqualTo("UNKNOWN");
  }

  @Test
  void theTypeOfAColumnThatOnlyAChildHasCountsWhenTheParentIsWritten() {
    long parent = catalog.table("parent");
    long child = catalog.table("child");
    catalog.rows.add(new CatalogRow.Parent(child, parent));
    catalog.columns(child, catalog.type("mood", 'b', 0, 0, catalog.function("wild", 'v').add()));
    assertWrites("UPDATE parent SET n = 1", "UNKNOWN");
    WrittenCatalog plain = new WrittenCatalog();
    long above = plain.table("parent");
    long below = plain.table("child");
    plain.rows.add(new CatalogRow.Parent(below, above));
    plain.columns(below, plain.type("mood", 'e', 0, 0));
    assertThat(plain.writes("UPDATE parent SET n = 1")).isEqualTo("parent parent*");
  }

  @Test
  void aWriteToAViewOfTheSettingsMayChangeThem() {
    long item = catalog.table("item");
    long settings = catalog.relation("pg_catalog", "pg_settings", 'v');
    long types = catalog.relation("pg_catalog", "pg_types", 'v');
    long inner = catalog.view("inner_settings", query(List.of(settings)));
    catalog.view("own_settings", query(List.of(inner)));
    catalog.view("allowed_settings", query(List.of(settings, item)));
    catalog.view("all_types", query(List.of(types)));
    catalog.view("described", query(List.of(types, item)));
    for (String view : List.of("pg_settings", "own_settings", "allowed_settings", "all_types")) {
      String sql = "UPDATE " + view + " SET setting = 1";
      assertUnknown(sql);
      assertThat(catalog.resolve(sql).changesSettings()).as(view).isTrue();
    }
    assertWrites("UPDATE described SET n = 1", "item");
  }

  @Test
  void aWriteToAViewIsOneToItsTables() {
    long item = catalog.table("item");
    long other = catalog.table("other");
    catalog.rows.add(
        new CatalogRow.ForeignKey(catalog.table("child"), item, 'c', 'a', false, Set.of()));
    long totals = catalog.relation("public", "totals", 'm');
    long numbers = catalog.relation("public", "numbers", 'S');
    long inner = catalog.view("inner_view", query(List.of(item)));
    catalog.view("outer_view", query(List.of(inner, other, totals, numbers)));
    assertWrites("INSERT INTO outer_view VALUES (1)", "item other");
    assertWrites("DELETE FROM outer_view", "child item other");
  }

  @Test
  void aViewThatCannotBeToldMayWriteAnything() {
    catalog.relation("public", "undefined", 'v');
    long item = catalog.table("item");
    long ruled = catalog.view("ruled", query(List.of(item)));
    catalog.rows.add(new CatalogRow.Rule(ruled, '4', ""));
    long wild = catalog.function("wild", 'v').add();
    catalog.view("calling", query(List.of(item), call(wild)));
    long defaulted = catalog.view("defaulted", query(List.of(item)));
    catalog.rows.add(new CatalogRow.Evaluated(defaulted, call(wild)));
    assertWrites("DELETE FROM undefined", "UNKNOWN");
    assertWrites("DELETE FROM ruled", "UNKNOWN");
    assertWrites("UPDATE ruled SET n = 1", "item");
    assertWrites("DELETE FROM calling", "UNKNOWN");
    assertWrites("INSERT INTO defaulted VALUES (1)", "UNKNOWN");
  }

  @Test
  void aTriggerInsteadOfTheWriteReplacesIt() {
    catalog.table("log");
    long item = catalog.table("item");
    long wild = catalog.function("wild", 'v').add();
    long below = catalog.view("below", query(List.of(item), call(wild)));
    long view = catalog.view("replaced", query(List.of(item)));
    long over = catalog.view("over", query(List.of(below)));
    long log = catalog.trigger("log_it", LOGGING);
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            view, "instead", log, 1 | ON_INSERT | WrittenCatalog.INSTEAD, false, null, null));
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            over, "beside", log, 1 | ON_INSERT | WrittenCatalog.INSTEAD, false, null, null));
    catalog.rows.add(
        new CatalogRow.TableTrigger(view, "statement", log, ON_DELETE, false, null, null));
    String insert = "INSERT INTO replaced VALUES (1)";
    assertWrites(insert, "UNKNOWN");
    assertThat(catalog.writes(insert, triggerWrites("instead", "log"))).isEqualTo("log");
    assertThat(catalog.writes("DELETE FROM replaced", triggerWrites("statement", "log")))
        .isEqualTo("item log");
    assertWrites("UPDATE replaced SET n = 1", "item");
    // The view is read all the same, and so its functions run.
    assertThat(catalog.writes("INSERT INTO over VALUES (1)", triggerWrites("beside")))
        .isEqualTo("UNKNOWN");
  }

  @Test
  void aRefreshRunsTheQuery() {
    long item = catalog.table("item");
    long wild = catalog.function("wild", 'v').add();
    long calling = catalog.view("calling", query(List.of(item), call(wild)));
    catalog.rows.add(
        new CatalogRow.View(catalog.relation("public", "plain", 'm'), query(List.of(item))));
    catalog.rows.add(
        new CatalogRow.View(
            catalog.relation("public", "direct", 'm'), query(List.of(), call(wild))));
    catalog.rows.add(
        new CatalogRow.View(catalog.relation("public", "indirect", 'm'), query(List.of(calling))));
    catalog.relation("public", "undefined", 'm');
    assertWrites("REFRESH MATERIALIZED VIEW plain", "plain");
    for (String view : List.of("direct", "indirect", "undefined", "absent")) {
      assertWrites("REFRESH MATERIALIZED VIEW " + view, "UNKNOWN");
    }
    assertThat(catalog.resolve("REFRESH MATERIALIZED VIEW plain").bypass())
        .isEqualTo(BypassReason.NOT_A_QUERY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO absent VALUES (1)",
        "UPDATE pg_catalog.pg_class SET n = 1",
        "INSERT INTO far VALUES (1)",
        "INSERT INTO whole VALUES (1)",
        "UPDATE numbers SET n = 1",
        "INSERT INTO spatial_ref_sys VALUES (1)"
      })
  void aTargetOfWhichNothingIsKnownMayBeAnything(String sql) {
    catalog.relation("pg_catalog", "pg_class", 'r');
    catalog.relation("public", "far", 'f');
    catalog.relation("public", "numbers", 'S');
    catalog.table("spatial_ref_sys");
    long whole = catalog.relation("public", "whole", 'p');
    catalog.rows.add(new CatalogRow.Parent(catalog.relation("public", "far_part", 'f'), whole));
    assertWrites(sql, "UNKNOWN");
  }
}
