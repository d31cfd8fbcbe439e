package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.INT4;
import static dev.larder.resolve.WrittenCatalog.PATH;
import static dev.larder.resolve.WrittenCatalog.TEXT;
import static dev.larder.resolve.WrittenCatalog.TIME;
import static dev.larder.resolve.WrittenCatalog.TIMETZ;
import static dev.larder.resolve.WrittenCatalog.call;
import static dev.larder.resolve.WrittenCatalog.functionWrites;
import static dev.larder.resolve.WrittenCatalog.query;
import static dev.larder.resolve.WrittenCatalog.readOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogRow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the routines, operators and times in a query do to it. */
class StatementCallsTest {
  private final WrittenCatalog catalog = new WrittenCatalog();
  private long orders;

  @BeforeEach
  void create() {
    orders = catalog.table("orders");
  }

  private void assertReads(String sql, String tables) {
    assertThat(catalog.reads(sql)).as(sql).isEqualTo(tables);
  }

  @Test
  void volatilityDecidesOfUsersFunctions() {
    catalog.function("pure", 'i').add();
    catalog.function("reading", 's').add();
    catalog.function("wild", 'v').add();
    assertReads("SELECT pure(1) FROM orders", "orders");
    assertReads("SELECT reading(1) FROM orders", "FUNCTION");
    assertReads("SELECT wild(1) FROM orders", "FUNCTION");
    assertThat(catalog.writes("SELECT pure(1) FROM orders")).isEmpty();
    assertThat(catalog.writes("SELECT reading(1) FROM orders")).isEmpty();
    assertThat(catalog.writes("SELECT wild(1) FROM orders")).isEqualTo("UNKNOWN");
  }

  @Test
  void everyVisibleOverloadCounts() {
    catalog.function("pure", 'i').add();
    catalog.function("other", "pure", 's').add();
    assertReads("SELECT pure(1) FROM orders", "orders");
    assertReads("SELECT other.pure(1) FROM orders", "FUNCTION");
    assertReads("SELECT public.pure(1) FROM orders", "orders");
    assertThat(
            catalog
                .resolve(
                    "SELECT pure(1) FROM orders", List.of("public", "other"), Declarations.NONE)
                .bypass())
        .isEqualTo(BypassReason.FUNCTION);
  }

  @Test
  void aFunctionThatItsSchemaLacksMayBeAnything() {
    catalog.function("other", "known", 'i').add();
    catalog.rows.add(
        new CatalogRow.Type(catalog.oid(), "other", "mood", 'e', 0, 0, 0, List.of(), null));
    assertReads("SELECT other.known(1) FROM orders", "orders");
    assertReads("SELECT elsewhere.mystery(1) FROM orders", "FUNCTION");
    assertThat(catalog.writes("SELECT elsewhere.mystery(1) FROM orders")).isEqualTo("UNKNOWN");
    // What the server has not, it refuses; and a type or table may stand before a bracket, too.
    assertReads("SELECT pg_catalog.mystery(1) FROM orders", "orders");
    assertReads("SELECT other.mood(1) FROM orders", "orders");
    assertThat(catalog.writes("INSERT INTO public.orders(id) VALUES (1)")).isEqualTo("orders");
  }

  @ParameterizedTest
  @CsvSource({
    "now(), TIME",
    "clock_timestamp(), TIME",
    "random(), VOLATILE_FUNCTION",
    "lo_get(1), LARGE_OBJECT",
    "loread(1), LARGE_OBJECT",
    "lowrite(1), LARGE_OBJECT",
    "to_char(a), orders",
    "lower(a), orders",
    "pg_relation_size(a), BUILTIN_FUNCTION",
    "query_to_xml(a), BUILTIN_FUNCTION",
    "age(a; b), orders",
    "age(a), TIME",
    "pg_catalog.current_date(), TIME",
  })
  void functionsOfTheServerAreJudgedOneByOne(String call, String expected) {
    for (String name : List.of("now", "to_char", "pg_relation_size", "age", "query_to_xml")) {
      catalog.builtin(name, 's');
    }
    for (String name : List.of("clock_timestamp", "random", "lo_get", "loread", "lowrite")) {
      catalog.builtin(name, 'v');
    }
    catalog.builtin("lower", 'i');
    assertReads("SELECT " + call.replace(';', ',') + " FROM orders", expected);
  }

  @Test
  void functionsOfTheServersThatRunQueriesMayWriteAnything() {
    catalog.builtin("query_to_xml", 'v');
    catalog.builtin("set_config", 'v');
    catalog.builtin("random", 'v');
    ResolvedStatement running = catalog.resolve("SELECT query_to_xml('x')");
    assertThat(running.writes().unknown()).isTrue();
    assertThat(running.reloadsCatalog()).isTrue();
    ResolvedStatement setting = catalog.resolve("SELECT set_config('a', 'b', false) FROM orders");
    assertThat(setting.writes().isEmpty()).isTrue();
    assertThat(setting.changesSettings()).isTrue();
    assertThat(setting.bypass()).isNotNull();
    ResolvedStatement drawing = catalog.resolve("SELECT random() FROM orders");
    assertThat(drawing.writes().isEmpty()).isTrue();
    assertThat(drawing.changesSettings()).isFalse();
  }

  @Test
  void whatIsDeclaredIsBelieved() {
    catalog.function("reading", 's').add();
    catalog.function("wild", 'v').add();
    catalog.table("log");
    String sql = "SELECT reading(1), wild(1) FROM orders";
    assertThat(catalog.resolve(sql, readOnly("reading")).bypass()).isEqualTo(BypassReason.FUNCTION);
    assertThat(catalog.resolve(sql, readOnly("reading", "public.wild")).bypass()).isNull();
    assertThat(catalog.writes(sql, readOnly("reading", "public.wild"))).isEmpty();
    assertThat(catalog.writes(sql, readOnly("other.wild"))).isEqualTo("UNKNOWN");
    for (String name : List.of("wild", "public.wild")) {
      assertThat(catalog.writes(sql, functionWrites(name, "log"))).isEqualTo("log");
      assertThat(catalog.writes(sql, functionWrites(name, "public.log"))).isEqualTo("log");
      assertThat(catalog.writes(sql, functionWrites(name))).isEmpty();
      assertThat(catalog.writes(sql, functionWrites(name, "absent"))).isEqualTo("UNKNOWN");
    }
    assertThat(catalog.resolve(sql, functionWrites("wild")).bypass())
        .isEqualTo(BypassReason.FUNCTION);
  }

  @Test
  void aDeclarationDoesNotReachTheServersOwn() {
    catalog.builtin("random", 'v');
    catalog.builtin("query_to_xml", 'v');
    assertThat(catalog.resolve("SELECT random() FROM orders", readOnly("random")).bypass())
        .isEqualTo(BypassReason.VOLATILE_FUNCTION);
    assertThat(catalog.writes("SELECT query_to_xml(1)", functionWrites("query_to_xml")))
        .isEqualTo("UNKNOWN");
  }

  @Test
  void anAggregateIsWhatItConsistsOf() {
    long pure = catalog.function("pure", 'i').add();
    long wild = catalog.function("wild", 'v').add();
    catalog.function("keep", 'i').of(pure).add();
    catalog.function("fold", 'i').of(pure, wild).add();
    assertReads("SELECT keep(a) FROM orders", "orders");
    assertReads("SELECT fold(a) FROM orders", "FUNCTION");
    assertThat(catalog.writes("SELECT fold(a) FROM orders")).isEqualTo("UNKNOWN");
    for (String declared : List.of("fold", "public.fold", "wild")) {
      ResolvedStatement resolved =
          catalog.resolve("SELECT fold(a) FROM orders", readOnly(declared));
      assertThat(resolved.bypass()).as(declared).isNull();
      assertThat(resolved.writes().isEmpty()).as(declared).isTrue();
    }
  }

  @Test
  void aDefaultArgumentRunsWithTheFunctionWhateverIsDeclaredOfThat() {
    long wild = catalog.function("wild", 'v').add();
    catalog.function("sum_of", 'i').defaults(call(wild)).add();
    catalog.function("dated", 'i').defaults("{SQLVALUEFUNCTION :op 1 :type 1082}").add();
    assertReads("SELECT sum_of(1) FROM orders", "FUNCTION");
    assertReads("SELECT dated() FROM orders", "TIME");
    assertThat(catalog.writes("SELECT sum_of(1) FROM orders", readOnly("sum_of")))
        .isEqualTo("UNKNOWN");
    assertThat(catalog.resolve("SELECT sum_of(1) FROM orders", readOnly("sum_of")).bypass())
        .isEqualTo(BypassReason.FUNCTION);
  }

  @Test
  void aFunctionCanBeCalledInTheNotationOfAColumn() {
    catalog.function("label", 's').takes(orders, true).add();
    catalog.function("noise", 's').takes(INT4, false).add();
    catalog.function("two", 's').add();
    catalog.function("harmless", 'i').takes(orders, true).add();
    assertReads("SELECT o.label FROM orders o", "FUNCTION");
    assertReads("SELECT o.noise FROM orders o", "orders");
    assertReads("SELECT (o.id).noise FROM orders o", "FUNCTION");
    assertReads("SELECT (o.id).two FROM orders o", "orders");
    assertReads("SELECT o.harmless FROM orders o", "orders");
    assertThat(
            catalog
                .resolve("SELECT o.label FROM orders o", List.of("other"), Declarations.NONE)
                .bypass())
        .isEqualTo(BypassReason.UNKNOWN_RELATION);
  }

  @Test
  void operatorsOfUsersAreTheirFunctions() {
    long pure = catalog.function("pure", 'i').add();
    long reading = catalog.function("reading", 's').add();
    catalog.operator("~~~", INT4, INT4, pure, 16);
    catalog.operator("===", INT4, TEXT, reading, 16);
    assertReads("SELECT 1 FROM orders WHERE a ~~~ 1", "orders");
    assertReads("SELECT 1 FROM orders WHERE a === 1", "OPERATOR");
    assertThat(catalog.resolve("SELECT 1 FROM orders WHERE a === 1", readOnly("reading")).bypass())
        .isNull();
  }

  @Test
  void anOperatorIsMeantWhereverItsFunctionIs() {
    long wild = catalog.function("elsewhere", "wild", 'v').add();
    catalog.operator("===", INT4, TEXT, wild, 16);
    assertReads("SELECT 1 FROM orders WHERE a === 1", "OPERATOR");
  }

  @Test
  void anOperatorOfAnotherSchemaIsMeantOnlyWhereThatIsWritten() {
    long wild = catalog.function("wild", 'v').add();
    catalog.operator("===", INT4, TEXT, wild, 16);
    List<String> other = List.of("pg_catalog", "elsewhere");
    ResolvedStatement plain =
        catalog.resolve(
            "SELECT lower(a) FROM public.orders WHERE a === 1", other, Declarations.NONE);
    assertThat(plain.bypass()).isNull();
    assertThat(plain.writes().isEmpty()).isTrue();
    ResolvedStatement qualified =
        catalog.resolve(
            "SELECT 1 FROM public.orders WHERE a OPERATOR(public.===) 1", other, Declarations.NONE);
    assertThat(qualified.bypass()).isNotNull();
    assertThat(qualified.writes().unknown()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT opens > closes FROM rooms, TIME",
    "SELECT opens FROM rooms, rooms",
    "SELECT id > 1 FROM rooms, rooms",
    "SELECT timezone('UTC'; opens) FROM rooms, TIME",
    "SELECT timezone('UTC'; at) FROM orders, orders",
    "SELECT timezone('UTC'; at::timetz) FROM orders, TIME",
    "SELECT timezone('UTC'; at::time) FROM orders, TIME",
    "SELECT opens FROM rooms UNION ALL SELECT '12:00', TIME",
    "SELECT coalesce(opens; '12:00') FROM rooms, TIME",
    "SELECT greatest(opens; '12:00') FROM rooms, TIME",
    "SELECT lag(opens; 1; '12:00') OVER () FROM rooms, TIME",
    "SELECT CASE WHEN id THEN opens ELSE '12:00' END FROM rooms, TIME",
    "SELECT closes FROM plain WHERE closes > '12:00' UNION SELECT max(closes) FROM plain, plain",
    "SELECT closes AT TIME ZONE 'UTC' FROM plain, TIME",
    "SELECT timezone('UTC'; closes) FROM plain, TIME",
    "SELECT begins AT TIME ZONE 'UTC' FROM plain, plain",
    "SELECT at; closes FROM plain, plain",
    "SELECT timetz_pl_interval(closes; '1 day') FROM plain, TIME",
    "SELECT '12:00'::ztime FROM orders, OPERATOR",
    "SELECT ztimes '{12:00}' FROM orders, OPERATOR",
    "SELECT 1 FROM rooms NATURAL JOIN plain, TIME",
    "SELECT 1 FROM rooms NATURAL JOIN orders, TIME",
    "SELECT 1 FROM plain NATURAL JOIN orders, plain orders",
  })
  void aTimeBecomesATimeWithZoneByTheOffsetOfTheDay(String sql, String expected) {
    catalog.builtin("timezone", 's', TEXT, TIMETZ);
    catalog.builtin("timezone", 'i', TEXT, 1184L);
    catalog.builtin("timetz_pl_interval", 'i', TIMETZ, 1186L);
    catalog.builtin("max", 'i', TIMETZ);
    catalog.type("ztime", 'd', TIMETZ, 0);
    catalog.type("ztimes", 'd', 1270L, 0);
    long rooms = catalog.table("rooms");
    long plain = catalog.table("plain");
    catalog.rows.add(
        new CatalogRow.Columns(
            rooms, Set.of(TIME, TIMETZ), Set.of("opens"), Set.of(), Set.of(), Set.of(), ""));
    catalog.rows.add(
        new CatalogRow.Columns(
            plain, Set.of(TIME), Set.of(), Set.of("closes"), Set.of(), Set.of(), ""));
    String read = catalog.reads(sql.replace(';', ','));
    assertThat(read).isEqualTo(expected.equals("plain orders") ? "orders plain" : expected);
  }

  @Test
  void aDomainOfTheStandardsSchemaReadsTheClockWhereItIsMeant() {
    List<String> path = List.of("pg_catalog", "public", "information_schema");
    for (String sql :
        List.of(
            "SELECT a::time_stamp FROM orders",
            "SELECT CAST(a AS time_stamp[]) FROM orders",
            "SELECT (a).time_stamp FROM orders",
            "SELECT time_stamp(a) FROM orders")) {
      assertReads(sql, "orders");
      assertThat(catalog.resolve(sql, path, Declarations.NONE).bypass())
          .as(sql)
          .isEqualTo(BypassReason.TIME);
    }
    assertReads("SELECT a::information_schema.time_stamp FROM orders", "TIME");
    assertThat(
            catalog.resolve("SELECT o.time_stamp FROM orders o", path, Declarations.NONE).bypass())
        .isNull();
  }

  @Test
  void whatALibraryIsKnownForIsBelieved() {
    catalog.function("similar_to", 's').inC("$libdir/pg_trgm").add();
    catalog.function("plainly", 's').inC("$libdir/unaccent").add();
    catalog.function("fickle", 'v').inC("$libdir/unaccent").add();
    catalog.function("listed", 's').inC("$libdir/hstore").add();
    long populate = catalog.function("populate_record", 'i').inC("$libdir/hstore").add();
    catalog.operator("#=", TEXT, TEXT, populate, TEXT);
    catalog.function("sent", 's').inC("$internal/textsend").add();
    catalog.function("other", 's').inC("$libdir/other").add();
    assertReads("SELECT similar_to(a) FROM orders", "orders");
    assertThat(catalog.resolve("SELECT similar_to(a) FROM orders").keySettings())
        .contains("pg_trgm.similarity_threshold");
    assertReads("SELECT plainly(a), sent(a) FROM orders", "orders");
    assertThat(catalog.resolve("SELECT plainly(a) FROM orders").keySettings()).isEmpty();
    assertReads("SELECT fickle(a) FROM orders", "FUNCTION");
    assertReads("SELECT listed(a) FROM orders", "FUNCTION");
    assertReads("SELECT populate_record(a, b) FROM orders", "TIME");
    assertReads("SELECT a #= b FROM orders", "OPERATOR");
    assertThat(catalog.writes("SELECT a #= b, populate_record(a, b) FROM orders")).isEmpty();
    assertThat(catalog.writes("SELECT fickle(a), listed(a) FROM orders")).isEmpty();
    assertThat(catalog.writes("SELECT other(a) FROM orders")).isEqualTo("UNKNOWN");
  }

  @Test
  void theSettingsBehindAViewAndBehindATypeArePartOfTheKeyToo() {
    long similar = catalog.function("similar_to", 's').inC("$libdir/pg_trgm").add();
    catalog.view("alike", query(List.of(orders), call(similar)));
    catalog.function("defaulted", 'i').defaults(call(similar)).add();
    assertReads("SELECT 1 FROM alike", "orders");
    assertThat(catalog.resolve("SELECT 1 FROM alike").keySettings())
        .contains("pg_trgm.similarity_threshold");
    assertThat(catalog.resolve("SELECT defaulted() FROM orders").keySettings())
        .contains("pg_trgm.similarity_threshold");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 FROM orders WHERE a > current_timestamp",
        "SELECT \"current_date\"() FROM orders",
        "SELECT o.localtime FROM orders o",
      })
  void theClockIsReadByKeywords(String sql) {
    assertReads(sql, "TIME");
  }

  @Test
  void aViewCallsWhatIsInItsDefinition() {
    long reading = catalog.function("reading", 's').add();
    catalog.view("calling", query(List.of(orders), call(reading)));
    assertReads("SELECT 1 FROM calling", "FUNCTION");
    assertThat(catalog.resolve("SELECT 1 FROM calling", readOnly("reading")).bypass()).isNull();
    assertThat(catalog.resolve("SELECT 1 FROM calling", PATH, Declarations.NONE).writes().isEmpty())
        .isTrue();
  }
}
