package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.PATH;
import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.Repeatability;
import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.InTheWay;
import dev.larder.code.RoutineRow;
import dev.larder.sql.RelationName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of relations by name and number, and when two catalogs are the same. */
class CatalogVersionTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  @Test
  void relationsAreFoundByTheirNamesThoughThereAreDotsInThem() {
    long item = catalog.table("item");
    long dotted = catalog.relation("public", "a.b", 'r');
    long schema = catalog.relation("public.a", "c", 'r');
    CatalogVersion version = catalog.catalog();
    assertThat(version.oidOf("public.item")).isEqualTo(item);
    assertThat(version.oidOf("public.a.b")).isEqualTo(dotted);
    assertThat(version.oidOf("public.a.c")).isEqualTo(schema);
    assertThat(version.oidOf("public.absent")).isNull();
    assertThat(version.oidOf("item")).isNull();
    assertThat(version.oidOf(".item")).isNull();
    assertThat(version.nameOf(item)).isEqualTo("public.item");
    assertThat(version.nameOf(99_999)).isNull();
    assertThat(version.fingerprint()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"r, public.thing", "p, public.thing", "m, public.thing", "v, ", "S, ", "f, "})
  void onlyWhatHoldsRowsIsATable(char kind, String expected) {
    long oid = catalog.relation("public", "thing", kind);
    CatalogVersion version = catalog.catalog();
    assertThat(version.tableOf(new RelationName(null, "thing"), PATH)).isEqualTo(expected);
    assertThat(version.tableOf(new RelationName("public", "thing"), List.of())).isEqualTo(expected);
    assertThat(version.tableOf(new RelationName(null, "absent"), PATH)).isNull();
    assertThat(version.tree(oid)).isEqualTo(expected == null ? Set.of() : Set.of("public.thing"));
  }

  @Test
  void theRootOfATreeStandsForIt() {
    long root = catalog.relation("public", "root", 'p');
    long north = catalog.relation("public", "north", 'p');
    long leaf = catalog.table("leaf");
    long alone = catalog.table("alone");
    catalog.rows.add(new CatalogRow.Parent(north, root));
    catalog.rows.add(new CatalogRow.Parent(leaf, north));
    CatalogVersion version = catalog.catalog();
    for (long oid : new long[] {root, north, leaf}) {
      assertThat(version.rootOf(oid)).isEqualTo(root);
    }
    assertThat(version.rootOf(alone)).isEqualTo(alone);
    assertThat(version.rootOf(99_999)).isZero();
    assertThat(version.tree(root))
        .containsExactlyInAnyOrder("public.root", "public.north", "public.leaf");
    assertThat(version.tree(alone)).containsExactly("public.alone");
  }

  @Test
  void aTableWithTwoParentsHasNoRoot() {
    long left = catalog.table("left_one");
    long right = catalog.table("right_one");
    long both = catalog.table("both_ones");
    catalog.rows.add(new CatalogRow.Parent(both, left));
    catalog.rows.add(new CatalogRow.Parent(both, right));
    CatalogVersion version = catalog.catalog();
    for (long oid : new long[] {left, right, both}) {
      assertThat(version.rootOf(oid)).isZero();
    }
  }

  @Test
  void theChildOfARootWhoseOtherChildrenHaveOtherParentsHasNoRootEither() {
    long left = catalog.table("left_one");
    long right = catalog.table("right_one");
    long both = catalog.table("both_ones");
    long single = catalog.table("single_one");
    catalog.rows.add(new CatalogRow.Parent(both, left));
    catalog.rows.add(new CatalogRow.Parent(both, right));
    catalog.rows.add(new CatalogRow.Parent(single, left));
    assertThat(catalog.catalog().rootOf(single)).isZero();
  }

  @Test
  void theRowsOfATableAreWrittenWithoutWhatFollows() {
    long item = catalog.table("item");
    catalog.rows.add(
        new CatalogRow.ForeignKey(catalog.table("child"), item, 'c', 'c', false, Set.of()));
    CatalogVersion version = catalog.catalog();
    assertThat(catalog.names(version.rowsOf("public.item", catalog.versions))).isEqualTo("item");
    assertThat(version.rowsOf("public.absent", catalog.versions)).isNull();
    assertThat(version.rowsOf("absent", catalog.versions)).isNull();
  }

  @Test
  void whatIsInTheWayIsNamed() {
    long item = catalog.table("item");
    catalog.builtin("random", 'v');
    catalog.builtin("now", 's');
    catalog.function("reading", 's').body("SELECT 1").add();
    catalog.function("pure", 'i').add();
    long log = catalog.trigger("log_it", "BEGIN INSERT INTO x VALUES (1); END");
    long touch = catalog.trigger("touch", "BEGIN NEW.at := now(); RETURN NEW; END");
    catalog.rows.add(new CatalogRow.TableTrigger(item, "logging", log, 5, false, null, null));
    catalog.rows.add(new CatalogRow.TableTrigger(item, "touching", touch, 23, false, null, null));
    CatalogVersion version = catalog.catalog();
    assertThat(
            InTheWay.routines(
                version, WrittenCatalog.analyze("SELECT reading(1), pure(1), random(), absent()")))
        .containsExactly("public.reading");
    Set<String> tables = Set.of("public.item", "public.absent");
    assertThat(InTheWay.triggers(version, tables, Set.of())).containsExactly("item.logging");
    for (String declared : List.of("logging", "item.logging")) {
      assertThat(InTheWay.triggers(version, tables, Set.of(declared))).isEmpty();
    }
    assertThat(InTheWay.triggers(version, Set.of(), Set.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT a FROM item, EXACT",
    "SELECT sum(a) FROM item, VALUES",
    "SELECT a FROM item LIMIT 1, NONE",
    "SELECT a FROM summed, NONE",
    "SELECT a FROM selected, EXACT",
    "SELECT a FROM stored, EXACT",
    "SELECT folded(a) FROM item, NONE",
    "SELECT pure(a) FROM item, EXACT",
    "SELECT a FROM secret, NONE",
    "SELECT a FROM guarded, EXACT",
  })
  void aViewThatMayChooseItsRowsIsNotRepeatable(String sql, Repeatability expected) {
    long item = catalog.table("item");
    long sum = catalog.builtin("sum", 'i');
    long pure = catalog.function("pure", 'i').add();
    catalog.function("folded", 'i').of(pure).add();
    catalog.view("summed", query(List.of(item), "{AGGREF :aggfnoid " + sum + "}"));
    catalog.view("selected", query(List.of(item)));
    catalog.rows.add(
        new CatalogRow.View(
            catalog.relation("public", "stored", 'm'),
            query(List.of(item), "{AGGREF :aggfnoid " + sum + "}")));
    catalog.rows.add(
        new CatalogRow.Policy(
            catalog.relation("public", "secret", 'r', true),
            '*',
            "{SUBLINK :subLinkType 6 :subselect <>}",
            null,
            ""));
    catalog.rows.add(
        new CatalogRow.Policy(
            catalog.relation("public", "guarded", 'r', true), '*', query(List.of(item)), null, ""));
    assertThat(
            catalog
                .catalog()
                .repeatability(
                    WrittenCatalog.shape(sql),
                    WrittenCatalog.analyze(sql),
                    catalog.resolve(sql).relations()))
        .isEqualTo(expected);
  }

  // ---- when two catalogs are the same

  private static CatalogVersion built(Consumer<CatalogBuilder> rows) {
    CatalogBuilder builder = new CatalogBuilder();
    builder.add(new CatalogRow.Table(20_000, "public", "item", 'r', false, ""));
    rows.accept(builder);
    return builder.build("");
  }

  private static void routine(CatalogBuilder rows, String name, char volatility, String source) {
    rows.add(
        new RoutineRow(
            20_001,
            "public",
            name,
            volatility,
            Set.of(),
            0,
            false,
            false,
            'o',
            "sql",
            null,
            "",
            List.of(),
            Set.of(),
            null,
            null,
            source));
  }

  /** Each differs from every other. */
  private static List<Consumer<CatalogBuilder>> contents() {
    List<Consumer<CatalogBuilder>> all = new ArrayList<>();
    all.add(rows -> {});
    all.add(rows -> rows.add(new CatalogRow.Table(20_001, "public", "other", 'r', false, "")));
    all.add(rows -> rows.add(new CatalogRow.Table(20_001, "public", "other", 'r', true, "")));
    all.add(rows -> rows.add(new CatalogRow.Table(20_001, "public", "other", 'v', false, "")));
    all.add(rows -> rows.add(new CatalogRow.Table(20_002, "public", "other", 'r', false, "")));
    all.add(
        rows ->
            rows.add(
                new CatalogRow.Columns(
                    20_000, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), "1")));
    all.add(
        rows ->
            rows.add(
                new CatalogRow.Columns(
                    20_000, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), "2")));
    all.add(rows -> rows.add(new CatalogRow.Parent(20_000, 20_001)));
    all.add(rows -> rows.add(new CatalogRow.Parent(20_001, 20_000)));
    all.add(rows -> routine(rows, "f", 'i', "1"));
    all.add(rows -> routine(rows, "f", 'i', "2"));
    all.add(rows -> routine(rows, "f", 's', "1"));
    all.add(rows -> routine(rows, "g", 'i', "1"));
    all.add(rows -> rows.add(new CatalogRow.Operator(20_001, "public", "~~~", 23, 23, 65, 16)));
    all.add(rows -> rows.add(new CatalogRow.Operator(20_001, "public", "~~~", 23, 25, 65, 16)));
    all.add(
        rows ->
            rows.add(new CatalogRow.Type(20_001, "public", "m", 'e', 0, 0, 0, List.of(), null)));
    all.add(
        rows ->
            rows.add(new CatalogRow.Type(20_001, "public", "m", 'd', 23, 0, 0, List.of(), null)));
    all.add(
        rows ->
            rows.add(
                new CatalogRow.Type(20_001, "public", "m", 'd', 23, 0, 0, List.of(), call(65))));
    all.add(rows -> rows.add(new CatalogRow.OperatorClass(65, 23, 23)));
    all.add(rows -> rows.add(new CatalogRow.Cast(40_001, 23, 25, 0, 'i', 'i')));
    all.add(rows -> rows.add(new CatalogRow.Cast(40_001, 23, 25, 0, 'b', 'i')));
    all.add(rows -> rows.add(new CatalogRow.View(20_000, query(List.of()))));
    all.add(rows -> rows.add(new CatalogRow.Rule(20_000, '2', "1")));
    all.add(rows -> rows.add(new CatalogRow.Rule(20_000, '3', "1")));
    all.add(rows -> rows.add(new CatalogRow.Rule(20_000, '3', "2")));
    all.add(rows -> rows.add(new CatalogRow.TableTrigger(20_000, "t", 65, 5, false, null, null)));
    all.add(rows -> rows.add(new CatalogRow.TableTrigger(20_000, "t", 65, 7, false, null, null)));
    all.add(rows -> rows.add(new CatalogRow.TableTrigger(20_000, "t", 65, 7, true, null, null)));
    all.add(
        rows -> rows.add(new CatalogRow.TableTrigger(20_000, "t", 65, 7, true, call(65), null)));
    all.add(rows -> rows.add(new CatalogRow.Surroundings(true, false, "")));
    all.add(rows -> rows.add(new CatalogRow.ForeignKey(20_000, 20_000, 'c', 'a', false, Set.of())));
    all.add(rows -> rows.add(new CatalogRow.ForeignKey(20_000, 20_000, 'a', 'c', false, Set.of())));
    all.add(rows -> rows.add(new CatalogRow.ForeignKey(20_000, 20_000, 'a', 'c', true, Set.of())));
    all.add(rows -> rows.add(new CatalogRow.Policy(20_000, '*', call(65), null, "a")));
    all.add(rows -> rows.add(new CatalogRow.Policy(20_000, '*', null, call(65), "a")));
    all.add(rows -> rows.add(new CatalogRow.Policy(20_000, '*', null, call(65), "b")));
    all.add(rows -> rows.add(new CatalogRow.Evaluated(20_000, call(65))));
    all.add(rows -> rows.add(new CatalogRow.DomainCheck(20_000, call(65))));
    all.add(rows -> rows.add(new CatalogRow.Surroundings(false, false, "a")));
    all.add(rows -> rows.add(new CatalogRow.Surroundings(false, false, "b")));
    return all;
  }

  @Test
  void twoCatalogsAreTheSameIfTheirRowsAre() {
    List<Consumer<CatalogBuilder>> contents = contents();
    for (int i = 0; i < contents.size(); i++) {
      for (int j = 0; j < contents.size(); j++) {
        CatalogVersion one = built(contents.get(i));
        CatalogVersion other = built(contents.get(j));
        assertThat(one.sameContent(other)).as("%s and %s", i, j).isEqualTo(i == j);
      }
    }
  }

  /** As two partitions that take each other's place: sums of hashes could be equal. */
  @Test
  void rowsThatSwapAValueSaySomethingElse() {
    assertThat(content(85_541, 85_505, 85_557, 85_509))
        .isNotEqualTo(content(85_541, 85_509, 85_557, 85_505));
    SplittableRandom random = new SplittableRandom(26);
    for (int i = 0; i < 20_000; i++) {
      long base = 16_384 + random.nextInt(1_000_000);
      long parent = base + random.nextInt(64);
      long other = parent + 1 + random.nextInt(16);
      long child = other + 1 + random.nextInt(64);
      long second = child + 1 + random.nextInt(64);
      assertThat(content(child, parent, second, other))
          .as("%s, %s, %s, %s", child, parent, second, other)
          .isNotEqualTo(content(child, other, second, parent));
    }
  }

  private static long content(long child, long parent, long second, long other) {
    return built(
            rows -> {
              rows.add(new CatalogRow.Parent(child, parent), child, parent);
              rows.add(new CatalogRow.Parent(second, other), second, other);
            })
        .content();
  }

  @Test
  void theOrderOfTheRowsDoesNotMatter() {
    CatalogVersion one =
        built(
            rows -> {
              rows.add(new CatalogRow.Table(20_001, "public", "a", 'r', false, ""));
              rows.add(new CatalogRow.Table(20_002, "public", "b", 'r', false, ""));
            });
    CatalogVersion other =
        built(
            rows -> {
              rows.add(new CatalogRow.Table(20_002, "public", "b", 'r', false, ""));
              rows.add(new CatalogRow.Table(20_001, "public", "a", 'r', false, ""));
            });
    assertThat(one.sameContent(other)).isTrue();
  }
}
