package dev.larder.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogRow;
import dev.larder.store.RowAccount;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose rows the count of a statement tells, and which nobody counts. */
class RowAccountsTest {
  private final WrittenCatalog catalog = new WrittenCatalog();
  private long item;
  private long child;
  private long whole;
  private long part;

  @BeforeEach
  void create() {
    item = catalog.table("item");
    child = catalog.table("child");
    whole = catalog.relation("public", "whole", 'p');
    part = catalog.table("part");
    catalog.rows.add(new CatalogRow.Parent(part, whole));
    catalog.rows.add(new CatalogRow.ForeignKey(child, item, 'c', 'a', false, Set.of()));
    long tree = catalog.table("tree");
    catalog.rows.add(new CatalogRow.ForeignKey(tree, tree, 'c', 'a', false, Set.of()));
    catalog.view("seen", WrittenCatalog.query(java.util.List.of(child)));
  }

  private RowAccount rows(String sql) {
    return catalog.resolve(sql).rows();
  }

  @ParameterizedTest
  @CsvSource({
    "INSERT INTO item VALUES (1), true, false, false",
    "INSERT INTO item VALUES (1) ON CONFLICT DO NOTHING, true, false, true",
    "UPDATE item SET n = 1, true, false, false",
    "COPY item FROM STDIN, true, false, false",
  })
  void theCountOfAWriteIsThatOfItsRows(
      String sql, boolean changes, boolean removes, boolean conflicts) {
    assertThat(rows(sql)).isEqualTo(new RowAccount(item, changes, removes, conflicts, Set.of()));
  }

  @Test
  void rowsThatFollowAreCountedByNobody() {
    assertThat(rows("DELETE FROM item"))
        .isEqualTo(new RowAccount(item, false, true, false, Set.of(child)));
    assertThat(rows("DELETE FROM child"))
        .isEqualTo(new RowAccount(child, false, true, false, Set.of()));
  }

  @Test
  void partitionsAreCountedAsTheWhole() {
    assertThat(rows("INSERT INTO part VALUES (1)"))
        .isEqualTo(new RowAccount(whole, true, false, false, Set.of()));
    assertThat(rows("DELETE FROM whole"))
        .isEqualTo(new RowAccount(whole, false, true, false, Set.of()));
    // A row that moves is deleted in one partition and inserted in another.
    assertThat(rows("UPDATE whole SET n = 1"))
        .isEqualTo(new RowAccount(whole, true, true, false, Set.of()));
    assertThat(rows("UPDATE part SET n = 1"))
        .isEqualTo(new RowAccount(whole, true, false, false, Set.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXPLAIN ANALYZE DELETE FROM child",
        "WITH x AS (DELETE FROM child RETURNING 1) SELECT * FROM x",
        "DELETE FROM seen",
        "TRUNCATE child",
        "WITH x AS (DELETE FROM child RETURNING 1) INSERT INTO child SELECT 1 FROM x",
      })
  void whatIsNotThePlainWriteOfOneTableIsNotCounted(String sql) {
    assertThat(rows(sql)).isEqualTo(RowAccount.uncounted(Set.of(child)));
  }

  @Test
  void aTableThatIsWrittenByWhatFollowsTooIsNotCounted() {
    RowAccount account = rows("DELETE FROM tree");
    assertThat(account.table()).isZero();
    assertThat(account.uncounted()).hasSize(1);
    assertThat(rows("INSERT INTO tree VALUES (1)").table()).isPositive();
  }

  @Test
  void aFunctionThatIsDeclaredToWriteTheTableSpoilsTheCount() {
    catalog.function("wild", 'v').add();
    long log = catalog.table("log");
    String sql = "INSERT INTO child SELECT wild()";
    assertThat(catalog.resolve(sql, WrittenCatalog.functionWrites("wild", "child")).rows())
        .isEqualTo(RowAccount.uncounted(Set.of(child)));
    assertThat(catalog.resolve(sql, WrittenCatalog.functionWrites("wild", "log")).rows())
        .isEqualTo(new RowAccount(child, true, false, false, Set.of(log)));
    assertThat(catalog.resolve(sql).rows()).isEqualTo(RowAccount.UNKNOWN);
  }

  @Test
  void aTriggerOfTheWholeThatIsDeclaredIsFollowedWhereARowMoves() {
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            whole,
            "gone",
            catalog.trigger("log_it", "BEGIN INSERT INTO x VALUES (1); END"),
            WrittenCatalog.ON_DELETE,
            false,
            null,
            null));
    Declarations declared = WrittenCatalog.triggerWrites("gone", "whole");
    assertThat(catalog.resolve("UPDATE whole SET n = 1", declared).rows())
        .isEqualTo(RowAccount.uncounted(Set.of(whole)));
    assertThat(catalog.resolve("INSERT INTO whole VALUES (1)", declared).rows())
        .isEqualTo(new RowAccount(whole, true, false, false, Set.of()));
  }

  @Test
  void aTriggerOfAPartitionThatIsDeclaredIsFollowedFromTheWhole() {
    catalog.rows.add(
        new CatalogRow.TableTrigger(
            part,
            "gone",
            catalog.trigger("log_it", "BEGIN INSERT INTO x VALUES (1); END"),
            WrittenCatalog.ON_INSERT,
            false,
            null,
            null));
    Declarations declared = WrittenCatalog.triggerWrites("gone", "whole");
    assertThat(catalog.resolve("INSERT INTO whole VALUES (1)", declared).rows())
        .isEqualTo(RowAccount.uncounted(Set.of(whole)));
    assertThat(catalog.resolve("DELETE FROM whole", declared).rows().table()).isEqualTo(whole);
  }

  @Test
  void whatMayWriteAnythingIsUnknownAndWhatWritesNothingIsNone() {
    assertThat(rows("DROP TABLE item")).isEqualTo(RowAccount.UNKNOWN);
    assertThat(rows("INSERT INTO absent VALUES (1)")).isEqualTo(RowAccount.UNKNOWN);
    assertThat(rows("SELECT 1 FROM item")).isEqualTo(RowAccount.NONE);
    assertThat(rows("VACUUM item")).isEqualTo(RowAccount.NONE);
    assertThat(catalog.resolveWithTemporary("INSERT INTO mine VALUES (1)", "mine").rows())
        .isEqualTo(RowAccount.NONE);
  }

  @Test
  void severalStatementsAreCountedByNobody() {
    assertThat(rows("DELETE FROM child; DELETE FROM child"))
        .isEqualTo(RowAccount.uncounted(Set.of(child)));
    assertThat(rows("SELECT 1 FROM item; DELETE FROM child"))
        .isEqualTo(RowAccount.uncounted(Set.of(child)));
  }

  @Test
  void aTableInTwoTreesIsAny() {
    long left = catalog.table("left_parent");
    long right = catalog.table("right_parent");
    long both = catalog.table("both_of_them");
    catalog.rows.add(new CatalogRow.Parent(both, left));
    catalog.rows.add(new CatalogRow.Parent(both, right));
    RowAccount account = rows("INSERT INTO both_of_them VALUES (1)");
    assertThat(account.table()).isZero();
    assertThat(account.uncounted()).contains(RowAccount.ANY);
  }
}
