package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.PATH;
import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.query;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogRow;
import dev.larder.code.RoutineRow;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What queries read, and why some cannot be cached, in catalogs that were written by hand. */
@Tag("each-jdk")
class StatementReadsTest {
  /** A text as the server stores it: its length in memory, and then its bytes. */
  private static final String TENANT =
      "{FUNCEXPR :funcid 2077 :funcresulttype 25 :args ({CONST :consttype 25 :constisnull false"
          + " :constvalue 14 [ 56 0 0 0 97 112 112 46 84 101 110 97 110 116 ]})}";

  private final WrittenCatalog catalog = new WrittenCatalog();

  private void assertReads(String sql, String tables) {
    assertThat(catalog.reads(sql)).as(sql).isEqualTo(tables);
  }

  @Test
  void whatIsStoredBesideTablesIsNotInTheCatalog() {
    WrittenCatalog toasted = new WrittenCatalog();
    toasted.table("fat");
    String sql = "SELECT a FROM fat, pg_toast_1";
    assertThat(toasted.resolve(sql).bypass()).isNull();
    List<String> path = List.of("pg_catalog", "public", "pg_toast");
    assertThat(toasted.resolve(sql, path, Declarations.NONE).bypass())
        .isEqualTo(BypassReason.UNSUPPORTED_RELATION);
  }

  @Test
  void aTableIsFoundAlongTheSearchPathOrInItsSchema() {
    catalog.table("orders");
    catalog.relation("other", "orders", 'r');
    catalog.relation("other", "hidden", 'r');
    assertThat(catalog.resolve("SELECT 1 FROM orders").tables()).containsExactly("public.orders");
    assertThat(
            catalog
                .resolve("SELECT 1 FROM orders", List.of("pg_catalog", "other"), Declarations.NONE)
                .tables())
        .containsExactly("other.orders");
    assertThat(catalog.resolve("SELECT 1 FROM other.orders").tables()).contains("other.orders");
    assertReads("SELECT 1 FROM other.hidden", "hidden");
    assertReads("SELECT 1 FROM hidden", "UNKNOWN_RELATION");
    assertReads("SELECT 1", "NO_TABLE");
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT 1 FROM other.missing, UNKNOWN_RELATION",
    "SELECT 1 FROM o.missing, UNKNOWN_RELATION",
    "SELECT f.missing FROM orders f, orders",
    "SELECT other.pure(1) FROM orders, orders",
    "SELECT other.pure FROM orders, orders",
    "SELECT other.mood FROM orders, orders",
    "SELECT public.pure FROM orders, orders",
  })
  void aNameThatAKnownSchemaDoesNotHoldIsOfWhatWasJustCreated(String sql, String expected) {
    catalog.table("orders");
    catalog.relation("other", "known", 'r');
    catalog.function("other", "pure", 'i').add();
    catalog.rows.add(
        new CatalogRow.Type(catalog.oid(), "other", "mood", 'e', 0, 0, 0, List.of(), null));
    assertReads(sql, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "r, thing",
    "p, thing",
    "m, thing",
    "S, UNSUPPORTED_RELATION",
    "f, UNSUPPORTED_RELATION",
    "v, UNSUPPORTED_RELATION"
  })
  void onlyWhatSomebodyAnnouncesIsCached(char kind, String expected) {
    catalog.relation("public", "thing", kind);
    assertReads("SELECT 1 FROM thing", expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pg_catalog.pg_class", "pg_class", "information_schema.tables"})
  void whatBelongsToTheServerIsNot(String relation) {
    catalog.relation("pg_catalog", "pg_class", 'r');
    catalog.relation("information_schema", "tables", 'v');
    assertReads("SELECT 1 FROM " + relation, "UNSUPPORTED_RELATION");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ctid FROM orders",
        "SELECT o.xmin FROM orders o",
        "SELECT (o).cmax FROM orders o",
        "SELECT 1 FROM orders, pg_toast.pg_toast_1"
      })
  void systemColumnsAndToastAreNot(String sql) {
    catalog.table("orders");
    assertReads(sql, "UNSUPPORTED_RELATION");
    assertReads("SELECT tableoid FROM orders", "orders");
  }

  @Test
  void aViewReadsItsTablesThroughOthers() {
    long customer = catalog.table("customer");
    long orders = catalog.table("orders");
    long inner = catalog.view("inner_view", query(List.of(0L, customer, orders)));
    // Before PostgreSQL 16 a view stands in its own definition.
    long self = catalog.oid();
    catalog.rows.add(new CatalogRow.Table(self, "public", "outer_view", 'v', false, ""));
    catalog.rows.add(new CatalogRow.View(self, query(List.of(self, inner))));
    assertReads("SELECT 1 FROM outer_view", "customer orders");
    ResolvedStatement resolved = catalog.resolve("SELECT 1 FROM outer_view");
    assertThat(resolved.tables()).containsExactlyInAnyOrder("public.customer", "public.orders");
    assertThat(resolved.relations()).containsExactlyInAnyOrder(self, inner, customer, orders);
    assertThat(resolved.locks()).isEqualTo(resolved.relations());
  }

  @Test
  void aViewOverWhatIsNotKnownIsNotCached() {
    catalog.view("broken", query(List.of(99_999L)));
    assertReads("SELECT 1 FROM broken", "UNKNOWN_RELATION");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{SQLVALUEFUNCTION :op 1 :type 1082} | TIME",
        "{COERCEVIAIO :arg {VAR :varattno 1} :resulttype 1082} | TIME",
        "{COERCEVIAIO :arg {VAR :varattno 1} :resulttype 23} | orders",
        "{VAR :varno 1 :varattno -1} | UNSUPPORTED_RELATION",
        "{FUNCEXPR :funcid 5000 :funcresulttype 701} | VOLATILE_FUNCTION",
        "{OPEXPR :opno 96 :opfuncid 65} | orders",
      })
  void whatAViewComputesDecidesToo(String expression, String expected) {
    catalog.builtin("random", 'v');
    long orders = catalog.table("orders");
    catalog.view("computed", query(List.of(orders), expression));
    assertReads("SELECT 1 FROM computed", expected.equals("orders") ? reads65() : expected);
  }

  /** The function behind = is IMMUTABLE, which the catalog has to say. */
  private String reads65() {
    catalog.rows.add(
        new RoutineRow(
            65,
            "pg_catalog",
            "int4eq",
            'i',
            java.util.Set.of(),
            0,
            false,
            false,
            'o',
            "internal",
            null,
            "",
            List.of(),
            java.util.Set.of(),
            null,
            null,
            ""));
    return "orders";
  }

  @Test
  void aMaterializedViewIsReadItself() {
    long orders = catalog.table("orders");
    long totals = catalog.relation("public", "totals", 'm');
    catalog.rows.add(new CatalogRow.View(totals, query(List.of(orders))));
    assertReads("SELECT 1 FROM totals", "totals");
  }

  @Test
  void everyIdentifierThatIsARelationCounts() {
    long customer = catalog.table("customer");
    long orders = catalog.table("orders");
    assertReads("SELECT (x).customer FROM orders", "customer orders");
    ResolvedStatement resolved = catalog.resolve("SELECT (x).customer FROM orders");
    assertThat(resolved.relations()).containsExactlyInAnyOrder(customer, orders);
    assertThat(resolved.locks()).containsExactly(orders);
  }

  @Test
  void aRelationIsLockedEvenIfItWasSeenBeforeByThatWhichDoesNotLock() {
    long orders = catalog.table("orders");
    long secret = catalog.relation("public", "secret", 'r', true);
    catalog.rows.add(new CatalogRow.Policy(secret, '*', query(List.of(orders)), null, ""));
    for (String from : List.of("secret, orders", "orders, secret")) {
      ResolvedStatement resolved = catalog.resolve("SELECT 1 FROM " + from);
      assertThat(resolved.locks()).as(from).containsExactlyInAnyOrder(orders, secret);
    }
    assertThat(catalog.resolve("SELECT 1 FROM secret").locks()).containsExactly(secret);
  }

  @Test
  void policiesPutWhatTheyReadIntoTheTagsAndTheirSettingsIntoTheKey() {
    long customer = catalog.table("customer");
    long secret = catalog.relation("public", "secret", 'r', true);
    catalog.rows.add(
        new CatalogRow.Policy(secret, 'r', query(List.of(customer), TENANT), null, ""));
    assertReads("SELECT 1 FROM secret", "customer secret");
    assertThat(catalog.resolve("SELECT 1 FROM secret").keySettings()).containsExactly("app.tenant");
  }

  @ParameterizedTest
  @CsvSource({"*, customer secret", "r, customer secret", "w, secret", "a, secret"})
  void onlyPoliciesForReadingCount(char command, String expected) {
    long customer = catalog.table("customer");
    long secret = catalog.relation("public", "secret", 'r', true);
    catalog.rows.add(new CatalogRow.Policy(secret, command, query(List.of(customer)), null, ""));
    catalog.rows.add(new CatalogRow.Policy(secret, 'r', null, query(List.of(customer)), ""));
    assertReads("SELECT 1 FROM secret", expected);
  }

  @Test
  void policiesOfATableWithoutRowSecurityAreNotApplied() {
    long customer = catalog.table("customer");
    long open = catalog.relation("public", "open_table", 'r', false);
    catalog.rows.add(new CatalogRow.Policy(open, '*', query(List.of(customer)), null, ""));
    assertReads("SELECT 1 FROM open_table", "open_table");
  }

  @Test
  void policiesThatDependOnMoreForbidCaching() {
    long known = catalog.function("known", 's').language("plpgsql").body("RETURN 1").add();
    long moody = catalog.relation("public", "moody", 'r', true);
    catalog.rows.add(new CatalogRow.Policy(moody, '*', call(known), null, ""));
    long asked = catalog.relation("public", "asked", 'r', true);
    catalog.rows.add(
        new CatalogRow.Policy(
            asked, '*', "{FUNCEXPR :funcid 2077 :args ({VAR :varattno 1})}", null, ""));
    long looped = catalog.relation("public", "looped", 'r', true);
    catalog.rows.add(new CatalogRow.Policy(looped, '*', query(List.of(looped)), null, ""));
    for (String table : List.of("moody", "asked", "looped")) {
      assertReads("SELECT 1 FROM " + table, "ROW_SECURITY");
    }
    assertThat(catalog.resolve("SELECT 1 FROM moody", readOnly("known")).bypass())
        .isEqualTo(BypassReason.ROW_SECURITY);
  }

  @Test
  void aSettingOfTheServersThatAViewReadsForbidsCaching() {
    long orders = catalog.table("orders");
    catalog.view("tenants", query(List.of(orders), TENANT));
    catalog.view("plain", query(List.of(orders), TENANT.replace(" 46 ", " 95 ")));
    assertReads("SELECT 1 FROM tenants", "orders");
    assertThat(catalog.resolve("SELECT 1 FROM tenants").keySettings())
        .containsExactly("app.tenant");
    assertReads("SELECT 1 FROM plain", "BUILTIN_FUNCTION");
  }

  @Test
  void partitionsThatAreForeignTablesAreNotCached() {
    long whole = catalog.relation("public", "whole", 'p');
    long part = catalog.relation("public", "part", 'f');
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    assertReads("SELECT 1 FROM whole", "UNSUPPORTED_RELATION");
  }

  @Test
  void temporarySchemasAreNot() {
    catalog.table("orders");
    assertReads("SELECT pg_temp.f() FROM orders", "TEMPORARY_TABLE");
    assertReads("SELECT 1 FROM orders, pg_temp_3.x", "TEMPORARY_TABLE");
    assertThat(catalog.resolve("SELECT pg_temp.f()").writes().unknown()).isTrue();
  }

  @Test
  void severalStatementsAreTheirUnionAndNotCached() {
    catalog.table("orders");
    catalog.table("customer");
    ResolvedStatement both = catalog.resolve("SELECT 1 FROM orders; SELECT 1 FROM customer");
    assertThat(both.bypass()).isEqualTo(BypassReason.MULTIPLE_STATEMENTS);
    assertThat(both.tables()).containsExactlyInAnyOrder("public.orders", "public.customer");
    assertThat(both.locks()).hasSize(2);
    assertThat(both.writes().isEmpty()).isTrue();
    assertThat(both.taintsSession()).isFalse();
    ResolvedStatement none = catalog.resolve("-- nothing");
    assertThat(none.bypass()).isEqualTo(BypassReason.NOT_A_QUERY);
    assertThat(none.writes().isEmpty()).isTrue();
  }

  @Test
  void whatOneStatementOfATextDoesTheTextDoes() {
    catalog.table("orders");
    ResolvedStatement text =
        catalog.resolve(
            "SELECT 1 FROM orders; CREATE TEMP TABLE mine (x int); ANALYZE; SELECT 1 FROM orders");
    assertThat(text.taintsSession()).isTrue();
    assertThat(text.reloadsCatalog()).isTrue();
    assertThat(text.changesSettings()).isFalse();
    assertThat(catalog.resolve("SELECT 1; DO ''; SELECT 1").changesSettings()).isTrue();
    assertThat(catalog.resolve("SELECT 1", PATH, Declarations.NONE).taintsSession()).isFalse();
  }
}
