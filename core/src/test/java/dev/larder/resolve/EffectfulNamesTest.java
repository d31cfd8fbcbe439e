package dev.larder.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EffectfulNamesTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  private boolean onlyReads(String sql) {
    return catalog.onlyReads(sql, Declarations.NONE);
  }

  @Test
  void aQueryOfPlainTablesAndFunctionsOnlyReads() {
    catalog.table("item");
    catalog.builtin("lower", 'i');
    catalog.builtin("now", 's');
    catalog.function("pure", 'i').add();

    assertThat(onlyReads("SELECT lower(name), pure(id), now() FROM item WHERE id = 1")).isTrue();
  }

  @Test
  void aCallOfWhatMayWriteDoesNot() {
    catalog.table("item");
    catalog.function("wild", 'v').add();
    catalog.builtin("set_config", 'v');
    catalog.builtin("query_to_xml", 'v');

    assertThat(onlyReads("SELECT wild(id) FROM item")).isFalse();
    assertThat(onlyReads("SELECT \"wild\" (id) FROM item")).isFalse();
    assertThat(onlyReads("SELECT (item).wild FROM item")).isFalse();
    assertThat(onlyReads("SELECT set_config('a.b', 'c', false)")).isFalse();
    assertThat(onlyReads("SELECT query_to_xml('SELECT 1', true, true, '')")).isFalse();
    assertThat(onlyReads("SELECT id FROM item")).isTrue();
  }

  @Test
  void aViewThatCallsWhatMayWriteDoesNot() {
    long item = catalog.table("item");
    long wild = catalog.function("wild", 'v').add();
    long inner =
        catalog.view("noted", WrittenCatalog.query(List.of(item), WrittenCatalog.call(wild)));
    catalog.view("outer_noted", WrittenCatalog.query(List.of(inner)));

    assertThat(onlyReads("SELECT id FROM noted")).isFalse();
    assertThat(onlyReads("SELECT id FROM outer_noted")).isFalse();
    assertThat(onlyReads("SELECT id FROM item")).isTrue();
  }

  @Test
  void anOperatorWhoseFunctionMayWriteDoesNotNorAKeywordThatStandsForIt() {
    catalog.table("item");
    long wild = catalog.function("wild_like", 'v').add();
    catalog.operator("~~", WrittenCatalog.TEXT, WrittenCatalog.TEXT, wild, 16);

    assertThat(onlyReads("SELECT id FROM item WHERE name ~~ 'a'")).isFalse();
    assertThat(onlyReads("SELECT id FROM item WHERE name LIKE 'a'")).isFalse();
    assertThat(onlyReads("SELECT id FROM item WHERE name = 'a'")).isTrue();
  }

  @Test
  void aFunctionThatAKeywordMayStandForDoesNot() {
    catalog.table("item");
    catalog.function("timezone", 'v').add();

    assertThat(onlyReads("SELECT made AT TIME ZONE 'UTC' FROM item")).isFalse();
    assertThat(onlyReads("SELECT made FROM item")).isTrue();
  }

  @Test
  void aTypeWhoseInputMayWriteDoesNot() {
    long item = catalog.table("item");
    long wild = catalog.function("wild_in", 'v').add();
    long type = catalog.type("strange", 'b', 0, 0, wild);
    catalog.columns(item, type);
    catalog.table("other");

    assertThat(onlyReads("SELECT CAST('a' AS strange)")).isFalse();
    assertThat(onlyReads("SELECT id FROM item")).isFalse();
    assertThat(onlyReads("SELECT id FROM other")).isTrue();
  }

  @Test
  void anAggregateThatIsDeclaredToWriteDoesNot() {
    catalog.table("item");
    long pure = catalog.function("pure", 'i').add();
    catalog.function("keep", 'i').of(pure).add();

    assertThat(onlyReads("SELECT keep(id) FROM item")).isTrue();
    assertThat(
            catalog.onlyReads(
                "SELECT keep(id) FROM item", WrittenCatalog.functionWrites("keep", "item")))
        .isFalse();
  }
}
