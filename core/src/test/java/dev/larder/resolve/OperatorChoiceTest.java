package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.INT4;
import static dev.larder.resolve.WrittenCatalog.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which operators of users the server may choose for operands of its own types. */
final class OperatorChoiceTest {
  private static final long BOOLEAN = 16;
  private static final long BYTES = 17;
  private static final long VARCHAR = 1043;
  private static final long FLOAT8 = 701;
  private static final long ANY_ELEMENT = 2283;
  private static final long INT_ARRAY = 1007;

  private final WrittenCatalog catalog = new WrittenCatalog();
  private long word;
  private long mood;
  private long wild;

  @BeforeEach
  void create() {
    catalog.table("plain");
    catalog.columns(catalog.table("item"), word = catalog.type("word", 'b', 0, 0));
    mood = catalog.type("mood", 'e', 0, 0);
    wild = catalog.function("wild", 'v').add();
    servers("=", INT4, INT4);
    servers("=", TEXT, TEXT);
    servers("=", BYTES, BYTES);
    servers("=", FLOAT8, FLOAT8);
    servers("~~", TEXT, TEXT);
    cast(INT4, FLOAT8);
    cast(VARCHAR, TEXT);
  }

  private void servers(String symbol, long left, long right) {
    catalog.rows.add(
        new CatalogRow.Operator(
            500 + left + right, "pg_catalog", symbol, left, right, 65, BOOLEAN));
  }

  private void cast(long source, long target) {
    long oid = Math.max(source, target) < 16_384 ? 9_000 : 40_001;
    catalog.rows.add(new CatalogRow.Cast(oid, source, target, 0, 'b', 'i'));
  }

  private long type(String name) {
    return switch (name) {
      case "word" -> word;
      case "mood" -> mood;
      case "int" -> INT4;
      case "text" -> TEXT;
      case "bytea" -> BYTES;
      case "varchar" -> VARCHAR;
      case "float" -> FLOAT8;
      case "any" -> ANY_ELEMENT;
      case "int[]" -> INT_ARRAY;
      case "none" -> 0;
      case "range" -> catalog.type("span", 'r', INT4, 0);
      case "domain" -> catalog.type("small", 'd', INT4, 0);
      case "row" -> catalog.type("pair", 'c', 0, 0);
      case "word[]" -> catalog.type("_word", 'b', 0, word);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private boolean mayCompareColumns(String symbol) {
    return catalog.catalog().usersOperators().mayCompareColumns(symbol);
  }

  @ParameterizedTest
  @CsvSource({
    "=, word, word, plain, false",
    "=, word, text, plain, false",
    "=, text, word, plain, false",
    "=, word, int, OPERATOR, false",
    "=, word, varchar, OPERATOR, true",
    "=, word, any, OPERATOR, true",
    "=, int, text, OPERATOR, true",
    "=, varchar, varchar, OPERATOR, true",
    "=, any, any, OPERATOR, true",
    "=, none, word, OPERATOR, true",
    "=, range, range, OPERATOR, true",
    "=, domain, domain, OPERATOR, true",
    "=, row, row, OPERATOR, true",
    "=, word[], word[], OPERATOR, true",
    "=, mood, mood, plain, true",
    "=, mood, text, plain, true",
    "~~, word, int[], OPERATOR, false",
    "~~, varchar, int[], OPERATOR, true",
    "@@, word, word, OPERATOR, false",
    "@@, word, text, OPERATOR, true",
  })
  void itIsChosenByTheTypesOfBothOperands(
      String symbol, String left, String right, String read, boolean comparesColumns) {
    catalog.operator(symbol, type(left), type(right), wild, BOOLEAN);
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a " + symbol + " b")).isEqualTo(read);
    if (left.equals("word") && right.equals("word")) {
      assertThat(catalog.reads("SELECT 1 FROM item WHERE a " + symbol + " b"))
          .isEqualTo("OPERATOR");
    }
    assertThat(mayCompareColumns(symbol)).isEqualTo(comparesColumns);
  }

  @ParameterizedTest
  @CsvSource({
    "text, none, plain, false",
    "text, int, OPERATOR, true",
    "bytea, none, plain, false",
    "text, bytea, OPERATOR, false",
    "varchar, none, OPERATOR, true",
    "int, none, plain, false",
    "int, float, plain, false",
  })
  void anImplicitCastLetsValuesOfTheServerChooseItWhereTheServerHasNone(
      String first, String second, String read, boolean comparesColumns) {
    cast(type(first), word);
    if (!second.equals("none")) {
      cast(type(second), word);
    }
    catalog.operator("=", word, word, wild, BOOLEAN);
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a = b")).isEqualTo(read);
    assertThat(mayCompareColumns("=")).isEqualTo(comparesColumns);
  }

  @Test
  void aCastFromAnEnumeratedTypeDoesToo() {
    cast(mood, word);
    catalog.operator("=", word, word, wild, BOOLEAN);
    assertThat(mayCompareColumns("=")).isTrue();
  }

  @Test
  void anAssignmentCastChoosesNone() {
    catalog.rows.add(new CatalogRow.Cast(40_002, VARCHAR, word, 0, 'b', 'a'));
    catalog.operator("=", word, word, wild, BOOLEAN);
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a = b")).isEqualTo("plain");
    assertThat(mayCompareColumns("=")).isFalse();
  }

  @Test
  void theResultOfAnOperatorThatIsNotChosenIsNoOperand() {
    long pure = catalog.function("pure", 'i').add();
    servers("+", TEXT, TEXT);
    catalog.operator("+", word, word, pure, word);
    catalog.operator("#", INT4, INT4, pure, word);
    catalog.operator("=", word, word, wild, BOOLEAN);
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a + 1 = b")).isEqualTo("plain");
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a # 1 = b")).isEqualTo("OPERATOR");
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a # 1 + b = c")).isEqualTo("OPERATOR");
  }
}
