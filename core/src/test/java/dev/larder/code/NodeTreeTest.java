package dev.larder.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.Repeatability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in expressions as the server stores them. */
class NodeTreeTest {
  private static String setting(long function, String constant) {
    return "{FUNCEXPR :funcid "
        + function
        + " :funcresulttype 25 :funcretset false :args ({CONST :consttype 25 :consttypmod -1"
        + " :constlen -1 :constbyval false :constisnull false :location 9 "
        + constant
        + "}) :location 1}";
  }

  @Test
  void everyKindOfCallIsACall() {
    NodeTree tree =
        NodeTree.parse(
            "{FUNCEXPR :funcid 1} {OPEXPR :opno 96 :opfuncid 2 :opresulttype 16}"
                + " {WINDOWFUNC :winfnoid 3} {AGGREF :aggfnoid 4 :aggtype 20}"
                + " {SCALARARRAYOPEXPR :opno 97 :opfuncid 5 :hashfuncid 6 :negfuncid 7}"
                + " {ARRAYCOERCEEXPR :elemfuncid 8} {X :funcid 0}");
    assertThat(tree.routines()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(tree.operators()).containsExactlyInAnyOrder(96L, 97L);
  }

  @Test
  void operatorsAreThoseOfSortingAndComparingRowsToo() {
    NodeTree tree =
        NodeTree.parse(
            "{SORTGROUPCLAUSE :tleSortGroupRef 1 :eqop 96 :sortop 97 :nulls_first false}"
                + " {ROWCOMPAREEXPR :rctype 1 :opnos (o 98 99) :opfamilies (o 1976)}");
    assertThat(tree.operators()).containsExactlyInAnyOrder(96L, 97L, 98L, 99L);
    assertThat(tree.routines()).isEmpty();
  }

  @Test
  void relationsAreThoseOfTheRangeTables() {
    NodeTree tree =
        NodeTree.parse(
            "({QUERY :rtable ({RANGETBLENTRY :rtekind 0 :relid 20000 :relkind r}"
                + " {RANGETBLENTRY :rtekind 1 :subquery {QUERY :rtable"
                + " ({RANGETBLENTRY :rtekind 0 :relid 20001})}})})");
    assertThat(tree.relations()).containsExactlyInAnyOrder(20_000L, 20_001L);
  }

  @Test
  void typesThatAreMadeOfTextsAreToldFromDomainsThatAreChecked() {
    NodeTree tree =
        NodeTree.parse(
            "{COERCEVIAIO :arg {VAR :varno 1} :resulttype 1082}"
                + " {COERCETODOMAIN :arg {VAR :varno 1} :resulttype 20000}"
                + " {RELABELTYPE :arg {VAR :varno 1} :resulttype 20001}"
                + " {RANGETBLFUNCTION :funccoltypes (o 1083 1114)} {TABLEFUNC :coltypes (o 1184)}"
                + " {JSONRETURNING :typid 1266} {OTHER :typid 1267}");
    assertThat(tree.convertedTypes()).containsExactlyInAnyOrder(1082L, 1083L, 1114L, 1184L, 1266L);
    assertThat(tree.checkedTypes()).containsExactly(20_000L);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "8, true", "9, false", "14, false"})
  void theClockIsReadByTheFirstValueFunctions(int op, boolean clock) {
    assertThat(NodeTree.parse("{SQLVALUEFUNCTION :op " + op + " :type 1082}").readsClock())
        .isEqualTo(clock);
    assertThat(NodeTree.parse("{OTHER :op " + op + " :type 1082}").readsClock()).isFalse();
  }

  @Test
  void aPathOfJsonMayTakeTheOffsetOfTheDay() {
    assertThat(
            NodeTree.parse("{TARGETENTRY :expr {JSONEXPR :op 2 :path_spec {CONST}}}").readsClock())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1, false", "0, false", "-6, false", "-1, true", "-7, true"})
  void systemColumnsButTableoidAreFound(int column, boolean system) {
    NodeTree tree = NodeTree.parse("{VAR :varno 1 :varattno " + column + " :vartype 23}");
    assertThat(tree.unsupported()).isEqualTo(system);
  }

  @Test
  void oneClockOrSystemColumnIsEnough() {
    assertThat(NodeTree.parse("{VAR :varattno -1} {VAR :varattno 1}").unsupported()).isTrue();
    assertThat(NodeTree.parse("{SQLVALUEFUNCTION :op 1} {SQLVALUEFUNCTION :op 10}").readsClock())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "{QUERY :hasForUpdate true}, true",
    "{QUERY :hasForUpdate false}, false",
    "{RANGETBLENTRY :tablesample {TABLESAMPLECLAUSE :tsmhandler 1}}, true",
    "{RANGETBLENTRY :tablesample <>}, false",
  })
  void locksAndSamplesAreNotSupported(String text, boolean unsupported) {
    assertThat(NodeTree.parse(text).unsupported()).isEqualTo(unsupported);
  }

  @ParameterizedTest
  @CsvSource({
    "{QUERY :limitCount <> :groupClause <> :hasWindowFuncs false}, EXACT",
    "{QUERY :limitCount {CONST :consttype 20}}, NONE",
    "{QUERY :limitOffset {CONST :consttype 20}}, NONE",
    "{QUERY :hasWindowFuncs true}, NONE",
    "{QUERY :hasDistinctOn true}, NONE",
    "{QUERY :groupClause ({SORTGROUPCLAUSE :eqop 96})}, VALUES",
    "{QUERY :distinctClause ({SORTGROUPCLAUSE :eqop 96})}, VALUES",
    "{QUERY :setOperations {SETOPERATIONSTMT :op 0}}, VALUES",
    "{QUERY :hasWindowFuncs true :groupClause ({X :eqop 96})}, NONE",
    "{SUBLINK :subLinkType 6}, NONE",
    "{SUBLINK :subLinkType 4}, EXACT",
    "{SUBLINK :subLinkType 6} {SUBLINK :subLinkType 4}, NONE",
  })
  void whatMayChooseRowsIsNotRepeatable(String text, Repeatability expected) {
    assertThat(NodeTree.parse(text).repeatability()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {2077, 3294})
  void settingsAreReadByTheirNames(long function) {
    NodeTree tree =
        NodeTree.parse(setting(function, ":constvalue 9 [ 36 0 0 0 97 46 66 -61 -87 ]"));
    assertThat(tree.settings()).containsExactly("a.b\u00e9");
    assertThat(tree.readsUnknownSetting()).isFalse();
    assertThat(tree.routines()).isEmpty();
  }

  @Test
  void oneSettingMayBeReadTwice() {
    String call = setting(2077, ":constvalue 7 [ 28 0 0 0 97 46 98 ]");
    NodeTree tree = NodeTree.parse("(" + call + " " + call + ")");
    assertThat(tree.settings()).containsExactly("a.b");
    assertThat(tree.readsUnknownSetting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{FUNCEXPR :funcid 2077 :args ({VAR :varno 1 :varattno 2})}",
        "{FUNCEXPR :funcid 2077 :args ({CONST :consttype 25 :constisnull true :constvalue <>})}",
        "{FUNCEXPR :funcid 3294 :args ({FUNCEXPR :funcid 871 :args ({CONST :consttype 25"
            + " :constisnull false :constvalue 7 [ 28 0 0 0 97 46 98 ]})})}"
      })
  void aSettingWhoseNameIsComputedIsUnknown(String text) {
    assertThat(NodeTree.parse(text).readsUnknownSetting()).isTrue();
    String known = setting(2077, ":constvalue 7 [ 28 0 0 0 97 46 98 ]");
    assertThat(NodeTree.parse(text + " " + known).readsUnknownSetting()).isTrue();
    assertThat(NodeTree.parse(known + " " + text).readsUnknownSetting()).isTrue();
  }

  @Test
  void namesThatLookLikeFieldsAreNone() {
    NodeTree tree =
        NodeTree.parse(
            "{RANGETBLENTRY :eref {ALIAS :aliasname a\\ :funcid\\ 1 :colnames (\"\\{X\" \"b:funcid"
                + " 2\")} :relid 20000 :name \\:relid 5}");
    assertThat(tree.routines()).isEmpty();
    assertThat(tree.relations()).containsExactly(20_000L);
  }

  @Test
  void aBracketInANameClosesNothing() {
    NodeTree tree =
        NodeTree.parse("{COERCEVIAIO :arg {VAR :name a\\}b\\{ :varno 1} :resulttype 1082}");
    assertThat(tree.convertedTypes()).containsExactly(1_082L);
  }

  @Test
  void nothingIsFoundInNothing() {
    for (String text : new String[] {"", "<>", "{", "{X", "\\", "} } :funcid <>"}) {
      NodeTree tree = NodeTree.parse(text);
      assertThat(tree.routines()).as(text).isEmpty();
      assertThat(tree.unsupported()).as(text).isFalse();
    }
  }
}
