package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.DATE;
import static dev.larder.resolve.WrittenCatalog.INT4;
import static dev.larder.resolve.WrittenCatalog.TEXT;
import static dev.larder.resolve.WrittenCatalog.TIMETZ;
import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.query;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static dev.larder.resolve.WrittenCatalog.triggerWrites;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogRow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs without the text showing it: behind types, casts, and what functions take. */
class HiddenTypesTest {
  private static final long INTERNAL = 2281;
  private static final long BYTES = 17;
  private static final String CLOCK = "{SQLVALUEFUNCTION :op 1 :type 1082}";

  private final WrittenCatalog catalog = new WrittenCatalog();
  private long item;
  private long plain;
  private long wild;

  @BeforeEach
  void create() {
    item = catalog.table("item");
    plain = catalog.table("plain");
    wild = catalog.function("wild", 'v').add();
  }

  private void assertHidden(String sql) {
    assertThat(catalog.reads(sql)).as(sql).isEqualTo("OPERATOR");
    assertThat(catalog.writes(sql)).as(sql).isEqualTo("UNKNOWN");
    assertThat(catalog.resolve(sql, readOnly("wild")).bypass()).as(sql).isNull();
  }

  private void assertPlain(String sql) {
    assertThat(catalog.reads(sql)).as(sql).isEqualTo("plain");
    assertThat(catalog.writes(sql)).as(sql).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"input", "class", "operator", "check", "cast", "base", "element", "row"})
  void theTypeOfAColumnRunsWhatBelongsToIt(String way) {
    long type = catalog.oid();
    if (way.equals("row")) {
      catalog.rows.add(
          new CatalogRow.Columns(
              type + 50, Set.of(type + 1), Set.of(), Set.of(), Set.of(), Set.of(), ""));
    }
    catalog.rows.add(
        new CatalogRow.Type(
            type,
            "public",
            "mood",
            way.equals("check") ? 'd' : 'b',
            way.equals("base") ? type + 1 : way.equals("check") ? INT4 : 0,
            way.equals("element") ? type + 1 : 0,
            way.equals("row") ? type + 50 : 0,
            way.equals("input") ? List.of(wild) : List.of(),
            null));
    catalog.rows.add(
        new CatalogRow.Type(
            type + 1,
            "public",
            "inner_mood",
            'b',
            0,
            0,
            0,
            Set.of("base", "element", "row").contains(way) ? List.of(wild) : List.of(),
            null));
    switch (way) {
      case "class" -> catalog.rows.add(new CatalogRow.OperatorClass(wild, type, type));
      case "operator" ->
          catalog.rows.add(new CatalogRow.Operator(40_000, "public", "~~~", type, INT4, wild, 16));
      case "check" -> catalog.rows.add(new CatalogRow.DomainCheck(type, call(wild)));
      case "cast" -> catalog.rows.add(new CatalogRow.Cast(40_001, type, INT4, wild, 'f', 'i'));
      default -> {}
    }
    catalog.columns(item, type);
    assertHidden("SELECT 1 FROM item");
    assertHidden("SELECT x::mood FROM plain");
    assertPlain("SELECT 1 FROM plain");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)")).isEqualTo("UNKNOWN");
    assertThat(catalog.writes("INSERT INTO plain VALUES (1)")).isEqualTo("plain");
  }

  @Test
  void theFirstTypeOfADatabaseIsAUsers() {
    long first = 16_384;
    catalog.rows.add(
        new CatalogRow.Type(first, "public", "mood", 'b', 0, 0, 0, List.of(wild), null));
    catalog.columns(item, first);
    assertHidden("SELECT 1 FROM item");
    assertPlain("SELECT 1 FROM plain");
  }

  @Test
  void theColumnsOfAViewCountToo() {
    long mood = catalog.type("mood", 'b', 0, 0, wild);
    long view = catalog.view("seen", query(List.of(plain)));
    catalog.columns(view, mood);
    assertHidden("SELECT 1 FROM seen");
    assertThat(catalog.writes("DELETE FROM seen")).isEqualTo("UNKNOWN");
    assertPlain("SELECT 1 FROM plain");
  }

  @Test
  void theDefaultOfADomainIsEvaluatedByWritesAlone() {
    long domain = catalog.oid();
    catalog.rows.add(
        new CatalogRow.Type(domain, "public", "code", 'd', INT4, 0, 0, List.of(), call(wild)));
    long checked = catalog.type("checked", 'b', 0, 0, wild);
    long other = catalog.oid();
    String made = "{COERCETODOMAIN :resulttype " + checked + "}";
    catalog.rows.add(
        new CatalogRow.Type(other, "public", "other_code", 'd', INT4, 0, 0, List.of(), made));
    long harmless = catalog.oid();
    catalog.rows.add(
        new CatalogRow.Type(harmless, "public", "third_code", 'd', INT4, 0, 0, List.of(), null));
    catalog.columns(plain, domain);
    catalog.columns(item, other);
    catalog.columns(catalog.table("third"), harmless);
    assertPlain("SELECT 1 FROM plain");
    assertThat(catalog.writes("INSERT INTO plain VALUES (1)")).isEqualTo("UNKNOWN");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)")).isEqualTo("UNKNOWN");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)", readOnly("wild"))).isEqualTo("item");
    assertThat(catalog.writes("INSERT INTO third VALUES (1)")).isEqualTo("third");
  }

  @Test
  void aDomainThatIsCheckedWithoutAFunctionOfAUsersIsPlain() {
    long int4gt = catalog.builtin("int4gt", 'i');
    long domain = catalog.type("small", 'd', INT4, 0);
    catalog.rows.add(
        new CatalogRow.DomainCheck(domain, "{OPEXPR :opno 521 :opfuncid " + int4gt + "}"));
    catalog.columns(plain, domain);
    assertPlain("SELECT x::small FROM plain");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CLOCK,
        "{FUNCEXPR :funcid 2077 :args ({VAR :varattno 1})}",
        "{FUNCEXPR :funcid 2077 :args ({CONST :consttype 25 :constisnull false"
            + " :constvalue 7 [ 28 0 0 0 97 46 98 ]})}"
      })
  void aCheckThatIsNoFunctionMayForbidCachingAndWritesNothing(String check) {
    long domain = catalog.type("small", 'd', INT4, 0);
    catalog.rows.add(new CatalogRow.DomainCheck(domain, check));
    catalog.columns(item, domain);
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertThat(catalog.writes("INSERT INTO item VALUES (1)")).isEqualTo("item");
    assertPlain("SELECT 1 FROM plain");
  }

  @Test
  void anExpressionThatMakesValuesOfADomainRunsItsCheck() {
    long domain = catalog.type("code", 'd', INT4, 0);
    catalog.rows.add(new CatalogRow.DomainCheck(domain, call(wild)));
    long outer = catalog.type("outer_code", 'd', INT4, 0);
    catalog.rows.add(
        new CatalogRow.DomainCheck(outer, "{COERCETODOMAIN :resulttype " + domain + "}"));
    catalog.columns(item, outer);
    catalog.view("seen", query(List.of(plain), "{COERCETODOMAIN :resulttype " + domain + "}"));
    assertHidden("SELECT 1 FROM item");
    assertThat(catalog.reads("SELECT 1 FROM seen")).isEqualTo("FUNCTION");
    assertThat(catalog.writes("SELECT 1 FROM seen")).isEqualTo("UNKNOWN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"function", "operator"})
  void castsCountWhereARoutineOfAUsersMayReturnTheType(String way) {
    long pair = catalog.type("pair", 'c', 0, 0);
    catalog.rows.add(new CatalogRow.Cast(40_001, pair, INT4, wild, 'f', 'i'));
    long pure = catalog.function("make", 'i').add();
    catalog.operator("#@#", INT4, INT4, pure, pair);
    assertPlain("SELECT 1 + 1 FROM plain");
    assertHidden(
        way.equals("function") ? "SELECT make(1)::int FROM plain" : "SELECT 1 #@# 1 FROM plain");
  }

  @Test
  void castsCountForACallInTheNotationOfAColumnToo() {
    long pair = catalog.type("pair", 'c', 0, 0);
    catalog.rows.add(new CatalogRow.Cast(40_001, pair, INT4, wild, 'f', 'i'));
    catalog.function("half", 'i').takes(INT4, false).add();
    catalog.function("other", 'i').takes(TEXT, true).add();
    assertHidden("SELECT (p.id).half FROM plain p");
    assertHidden("SELECT p.other FROM plain p");
  }

  @ParameterizedTest
  @CsvSource({"25, 1082, true", "1082, 25, false", "25, 23, false"})
  void aCastByTextToADateReadsTheClockWhereverItIsApplied(long from, long to, boolean reads) {
    catalog.rows.add(new CatalogRow.Cast(40_001, from, to, 0, 'i', 'i'));
    assertThat(catalog.reads("SELECT 1 FROM plain")).isEqualTo(reads ? "OPERATOR" : "plain");
    assertThat(catalog.writes("INSERT INTO plain VALUES (1)")).isEqualTo("plain");
  }

  @Test
  void aCastByTextOfAUsersTypeCountsWhereTheTypeDoes() {
    long mood = catalog.type("mood", 'e', 0, 0);
    catalog.rows.add(new CatalogRow.Cast(40_001, mood, DATE, 0, 'i', 'i'));
    catalog.columns(item, mood);
    catalog.function("make", 'i').add();
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertThat(catalog.reads("SELECT make(1) FROM plain")).isEqualTo("OPERATOR");
    assertPlain("SELECT 1 FROM plain");
    WrittenCatalog binary = new WrittenCatalog();
    binary.columns(binary.table("item"), binary.type("mood", 'e', 0, 0));
    binary.rows.add(new CatalogRow.Cast(40_001, 20_001, DATE, 0, 'b', 'i'));
    assertThat(binary.reads("SELECT 1 FROM item")).isEqualTo("item");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCastBetweenTwoTypesOfUsersCountsWhereEitherIs(boolean byFunction) {
    long mood = catalog.type("mood", 'e', 0, 0);
    long moment = catalog.type("moment", 'd', DATE, 0);
    catalog.rows.add(
        new CatalogRow.Cast(
            40_001, mood, moment, byFunction ? wild : 0, byFunction ? 'f' : 'i', 'i'));
    catalog.columns(item, mood);
    catalog.columns(catalog.table("other"), moment);
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertThat(catalog.reads("SELECT 1 FROM other")).isEqualTo("OPERATOR");
    assertPlain("SELECT 1 FROM plain");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCastToATypeOfAUsersCountsWhereThatIs(boolean byFunction) {
    long moment = catalog.type("moment", 'd', DATE, 0);
    catalog.rows.add(
        new CatalogRow.Cast(
            40_001, TEXT, moment, byFunction ? wild : 0, byFunction ? 'f' : 'i', 'i'));
    catalog.columns(item, moment);
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertPlain("SELECT 1 FROM plain");
  }

  @Test
  void aFunctionOfTheServersMayRunAnywhereToo() {
    catalog.rows.add(
        new CatalogRow.Cast(40_001, INT4, TEXT, catalog.builtin("obscure", 's'), 'f', 'i'));
    assertThat(catalog.reads("SELECT 1 FROM plain")).isEqualTo("OPERATOR");
    assertThat(catalog.writes("INSERT INTO plain VALUES (1)")).isEqualTo("plain");
  }

  @Test
  void theSettingsOfAnOperatorForTypesOfTheServerArePartOfTheKeyWhereItIsWrittenOnly() {
    long similar = catalog.function("similar_to", 's').inC("$libdir/pg_trgm").add();
    catalog.rows.add(new CatalogRow.OperatorClass(similar, TEXT, TEXT));
    catalog.operator("%%", TEXT, TEXT, similar, 16);
    assertPlain("SELECT 1 FROM plain");
    assertThat(catalog.resolve("SELECT 1 FROM plain").keySettings()).isEmpty();
    assertThat(catalog.resolve("SELECT 1 FROM plain WHERE a %% b").keySettings())
        .contains("pg_trgm.similarity_threshold");
  }

  @Test
  void aCastBetweenTypesOfTheServerMayRunAnywhere() {
    catalog.rows.add(new CatalogRow.Cast(40_001, INT4, TEXT, wild, 'f', 'i'));
    assertHidden("SELECT 1 FROM plain");
    assertThat(catalog.writes("DELETE FROM plain")).isEqualTo("UNKNOWN");
    assertThat(catalog.writes("ANALYZE plain")).isEqualTo("UNKNOWN");
    WrittenCatalog harmless = new WrittenCatalog();
    harmless.table("plain");
    harmless.rows.add(
        new CatalogRow.Cast(40_001, INT4, TEXT, harmless.function("pure", 'i').add(), 'f', 'i'));
    assertThat(harmless.reads("SELECT 1 FROM plain")).isEqualTo("plain");
    assertThat(harmless.writes("ANALYZE plain")).isEmpty();
  }

  /** As PostGIS has it: texts and bytes become a shape, and one of each is compared as that. */
  private long shape(long ofText) {
    long pure = catalog.function("pure", 'i').inC("$libdir/shapes").add();
    long shape = catalog.type("shape", 'b', 0, 0, pure);
    long equal = catalog.function("equal", 'i').inC("$libdir/shapes").types(shape).add();
    catalog.operator("=", shape, shape, equal, 16);
    catalog.rows.add(
        new CatalogRow.Cast(40_010, TEXT, shape, ofText == 0 ? pure : ofText, 'f', 'i'));
    catalog.rows.add(new CatalogRow.Cast(40_011, BYTES, shape, pure, 'f', 'i'));
    return shape;
  }

  @Test
  void aCastOfAUsersTypeDoesNotRunForValuesOfTheServersTypes() {
    long shape = shape(0);
    long other = catalog.type("other", 'b', 0, 0);
    catalog.rows.add(new CatalogRow.Cast(40_012, other, shape, wild, 'f', 'i'));
    catalog.columns(item, other);
    assertPlain("SELECT 1 FROM plain WHERE id = 1");
    assertThat(catalog.writes("DELETE FROM plain WHERE id = 1")).isEqualTo("plain");
    assertHidden("SELECT 1 FROM plain WHERE id = CAST('a' AS other)");
    assertHidden("SELECT 1 FROM plain WHERE upper(name) = pure('a')");
    assertThat(catalog.writes("DELETE FROM plain WHERE id = 'a'::other")).isEqualTo("UNKNOWN");
    assertHidden("SELECT 1 FROM item WHERE id = 1");
    assertThat(catalog.writes("DELETE FROM item WHERE id = 1")).isEqualTo("UNKNOWN");
  }

  @Test
  void aCastOfAServersTypeRunsForItsValues() {
    shape(wild);
    assertHidden("SELECT 1 FROM plain WHERE id = 1");
    assertThat(catalog.writes("DELETE FROM plain WHERE id = 1")).isEqualTo("UNKNOWN");
  }

  @ParameterizedTest
  @CsvSource({"2205, 26, 16", "26, 2205, 16", "26, 26, 2205"})
  void anOperatorInCOfTypesThatShowTheCatalogIsNotCached(long left, long right, long result) {
    long same = catalog.function("same", 'i').inC("$libdir/oids").types(2205L, 26L).add();
    catalog.operator("===", left, right, same, result);
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE id === 'other'")).isEqualTo("OPERATOR");
    assertPlain("SELECT 1 FROM plain WHERE id = 1");
  }

  @Test
  void theInputOfATypeThatASuperuserMadeWritesNothing() {
    long input = catalog.function("mood_in", 'v').inC("$libdir/moods").add();
    catalog.columns(item, catalog.type("mood", 'b', 0, 0, input));
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertThat(catalog.writes("SELECT 1 FROM item")).isEmpty();
    assertThat(catalog.writes("INSERT INTO item VALUES (1)")).isEqualTo("item");
  }

  @Test
  void anOperatorClassForTypesOfTheServerMayRunAnywhere() {
    catalog.rows.add(new CatalogRow.OperatorClass(wild, INT4, INT4));
    assertHidden("SELECT 1 FROM plain");
  }

  @ParameterizedTest
  @CsvSource({"c, true, plain", "c, false, OPERATOR", "plpgsql, true, OPERATOR"})
  void aFunctionInCThatOnlyAnIndexCanCallCountsForNothing(
      String language, boolean internal, String expected) {
    long penalty =
        catalog
            .function("penalty", 'v')
            .inC("$libdir/any")
            .language(language)
            .arguments(internal ? INTERNAL : INT4)
            .add();
    catalog.rows.add(new CatalogRow.OperatorClass(penalty, INT4, INT4));
    assertThat(catalog.reads("SELECT 1 FROM plain")).isEqualTo(expected);
  }

  @Test
  void comparisonsOfTimesWithTimeZoneReadNoClockWhereTheServerRunsThem() {
    long compare = catalog.builtin("timetz_cmp", 'i', TIMETZ);
    catalog.rows.add(new CatalogRow.OperatorClass(compare, TIMETZ, TIMETZ));
    long mine = catalog.function("mine", 'i').arguments(TIMETZ).add();
    catalog.operator("=~=", TIMETZ, TIMETZ, mine, 16);
    assertPlain("SELECT 1 FROM plain");
    assertThat(catalog.reads("SELECT timetz_cmp(a, b) FROM plain")).isEqualTo("TIME");
    assertThat(catalog.reads("SELECT mine(a) FROM plain")).isEqualTo("TIME");
    assertThat(catalog.reads("SELECT 1 FROM plain WHERE a =~= b")).isEqualTo("OPERATOR");
  }

  @Test
  void aFunctionRunsWhatBelongsToTheTypesThatItTakesAndReturns() {
    long mood = catalog.type("mood", 'b', 0, 0, wild);
    catalog.function("moody", 'i').types(mood).add();
    catalog.function("plainly", 'i').types(INT4).add();
    assertThat(catalog.reads("SELECT moody(1) FROM plain")).isEqualTo("FUNCTION");
    assertThat(catalog.writes("SELECT moody(1) FROM plain")).isEqualTo("UNKNOWN");
    assertThat(catalog.resolve("SELECT moody(1) FROM plain", readOnly("wild")).bypass()).isNull();
    assertPlain("SELECT plainly(1) FROM plain");
  }

  @Test
  void aDefaultArgumentRunsWhatBelongsToTheTypesThatItMakes() {
    long domain = catalog.type("code", 'd', INT4, 0);
    catalog.rows.add(new CatalogRow.DomainCheck(domain, call(wild)));
    catalog.function("f", 'i').defaults("{COERCETODOMAIN :resulttype " + domain + "}").add();
    assertThat(catalog.reads("SELECT f() FROM plain")).isEqualTo("FUNCTION");
    assertThat(catalog.writes("SELECT f() FROM plain")).isEqualTo("UNKNOWN");
  }

  @Test
  void aFunctionInAViewRunsItsPartsToo() {
    long dated = catalog.function("dated", 'i').defaults(CLOCK).add();
    catalog.view("seen", query(List.of(plain), call(dated)));
    assertThat(catalog.reads("SELECT 1 FROM seen")).isEqualTo("TIME");
    assertThat(catalog.writes("SELECT 1 FROM seen")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "cast, s, true",
    "class, s, true",
    "operator, s, true",
    "class, i, true",
    "operator, i, true"
  })
  void whatADeclaredTriggerRunsHiddenMayChangeSettings(
      String way, char volatility, boolean changes) {
    long sets =
        catalog.function("sets", volatility).body("SELECT set_config('a', 'b', false)").add();
    long mood = catalog.type("mood", 'e', 0, 0);
    switch (way) {
      case "cast" -> catalog.rows.add(new CatalogRow.Cast(40_001, INT4, mood, sets, 'f', 'i'));
      case "class" -> catalog.rows.add(new CatalogRow.OperatorClass(sets, mood, mood));
      default -> catalog.operator("~~~", mood, INT4, sets, 16);
    }
    long log = catalog.trigger("log_it", "BEGIN INSERT INTO log VALUES (1); RETURN NEW; END");
    catalog.rows.add(new CatalogRow.TableTrigger(plain, "logging", log, 5, false, null, null));
    ResolvedStatement insert =
        catalog.resolve("INSERT INTO plain VALUES (1)", triggerWrites("logging"));
    assertThat(insert.writes().unknown()).isFalse();
    assertThat(insert.changesSettings()).isEqualTo(changes);
  }

  @Test
  void whatFunctionsOfWhichNothingIsKnownDoIsNotKnown() {
    catalog.columns(item, catalog.type("mood", 'b', 0, 0, 99_999L));
    assertThat(catalog.reads("SELECT 1 FROM item")).isEqualTo("OPERATOR");
    assertThat(catalog.writes("SELECT 1 FROM item")).isEqualTo("UNKNOWN");
  }

  @Test
  void whatAViewUsesOfWhichNothingIsKnownMayBeAnything() {
    catalog.view("calling", query(List.of(plain), "{OPEXPR :opno 521 :opfuncid 99999}"));
    catalog.view("sorting", query(List.of(plain), "{SORTGROUPCLAUSE :eqop 99998}"));
    for (String view : List.of("calling", "sorting")) {
      assertThat(catalog.reads("SELECT 1 FROM " + view)).isEqualTo("FUNCTION");
      assertThat(catalog.writes("SELECT 1 FROM " + view)).isEqualTo("UNKNOWN");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mood, e, 0, 0, plain",
    "word, b, 0, 0, plain",
    "label, d, 25, 0, plain",
    "moment, d, 1114, 0, TIME",
    "moments, r, 1114, 0, TIME",
    "numbers, r, 23, 0, plain",
    "holder, c, 0, 0, TIME",
    "texts, b, 0, 25, plain",
    "days, b, 0, 1082, TIME",
    "unknowns, b, 0, 99999, TIME",
    "anything, p, 0, 0, TIME",
  })
  void aTextThatBecomesATypeOfAUsersMayReadTheClock(
      String name, char kind, long base, long element, String expected) {
    catalog.type(name, kind, base, element);
    for (String sql :
        List.of(
            "SELECT x::" + name + " FROM plain",
            "SELECT cast(x AS " + name + ") FROM plain",
            "SELECT " + name + "(x) FROM plain")) {
      assertThat(catalog.reads(sql)).as(sql).isEqualTo(expected);
    }
    assertPlain("SELECT 'x'::" + name + " FROM plain");
  }

  @ParameterizedTest
  @CsvSource({"c, true", "e, false"})
  void aFunctionOfARowIsCalledLikeAColumnOfIt(char kind, boolean row) {
    long type = catalog.type("kind", kind, 0, 0);
    long domain = catalog.type("over", 'd', type, 0);
    catalog.function("noise", 's').takes(domain, false).add();
    assertThat(catalog.reads("SELECT p.noise FROM plain p")).isEqualTo(row ? "FUNCTION" : "plain");
  }

  @Test
  void soIsOneOfATypeThatARowIsCastTo() {
    long type = catalog.type("kind", 'c', 0, 0);
    long pure = catalog.function("pure", 'i').add();
    catalog.rows.add(new CatalogRow.Cast(40_001, type, INT4, pure, 'f', 'i'));
    catalog.function("noise", 's').takes(INT4, false).add();
    catalog.rows.add(
        new CatalogRow.Cast(40_001, catalog.type("mood", 'e', 0, 0), TEXT, pure, 'f', 'i'));
    catalog.function("sound", 's').takes(TEXT, false).add();
    assertThat(catalog.reads("SELECT p.noise FROM plain p")).isEqualTo("FUNCTION");
    assertThat(catalog.reads("SELECT p.sound FROM plain p")).isEqualTo("plain");
  }
}
