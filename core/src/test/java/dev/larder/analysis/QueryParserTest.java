package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("regression")
class QueryParserTest {
  /** The parser needs milliseconds, and for some of these, without a limit of the nesting, days. */
  private static final Duration HANGS = Duration.ofMinutes(1);

  private static final List<String> NESTINGS = CorpusTest.read("nestings.txt");

  private static @Nullable Select parse(String sql) {
    StatementText text = SqlLexer.lex(sql, LexOptions.PREPARED);
    QueryParser.Parsed parsed = QueryParser.parse(text.shape());
    if (parsed == null) {
      return null;
    }
    assertThat(parsed.literals()).as(sql).isEqualTo(text.literals().size());
    assertThat(parsed.parameters()).as(sql).isEqualTo(text.parameterCount());
    return parsed.tree();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select 'a', E'b', $$c$$, B'1', 5, ?, 'd', $1 from t"
            + " | SELECT '1', '2', '', '', 3, ?1, '4', '' FROM t",
        "select a from t where b = 'now' and c = 'x' | SELECT a FROM t WHERE b = '' AND c = '1'",
        "select \"a b\" from \"T\" | SELECT \"a b\" FROM \"T\"",
        "select a @> b, a <-> b, a -> 'c' from t | SELECT a @> b, a @> b, a ->> '1' FROM t",
        "select a from t where b in (?, ?, ?, ?) limit ?"
            + " | SELECT a FROM t WHERE b IN (?1, ?2, ?3, ?4) LIMIT ?5",
        "select a from t where b in (1, 2, 1) | SELECT a FROM t WHERE b IN (1, 2, 3)",
        "select a::timestamp with time zone from t | SELECT a::timestamp FROM t",
        "select a::time(3) without time zone, ? from t | SELECT a::time (1), ?1 FROM t",
        "select json_value(a, '$.x' returning int) = 'y' from t | SELECT special(0) = '2' FROM t",
        "select json_value from t | SELECT json_value FROM t",
        "table t | SELECT * FROM t",
        "select from t | SELECT 0 FROM t",
        "select (a).* from t | SELECT (a).columns FROM t",
        "select (a) * b from t | SELECT (a) * b FROM t",
        "select t.number, uuid from t | SELECT t.\"number\", \"uuid\" FROM t",
        "select uuid 'a' from t | SELECT uuid '1' FROM t",
        "select a from t where exists (select) | SELECT a FROM t WHERE EXISTS (SELECT 0)",
      })
  void queriesAreShownToTheParserInWordsThatItReads(String sql, String expected) {
    assertThat(parse(sql)).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select U&\"a\" from t",
        "select \"a.b\" from t",
        "select \"\" from t",
        "select U&'a' from t",
        "select { from t",
        "select a from t {",
        "select a from t U&\"x\"",
        "select a from",
        "select (a from t",
        "select a) from t",
        "select case a from t",
        "delete from t",
      })
  void whatIsNotUnderstoodHasNoTree(String sql) {
    assertThat(parse(sql)).isNull();
  }

  @Test
  void literalsThatMayBeOthersAreCounted() {
    StatementText text = SqlLexer.lex("select 0from t where a = 7", LexOptions.PREPARED);
    assertThat(text.literals()).containsExactly("7");
    assertThat(QueryParser.parse(text.shape())).matches(parsed -> parsed.literals() == 2);
  }

  static List<String> corpus() {
    return CorpusTest.queries();
  }

  @ParameterizedTest
  @MethodSource("corpus")
  void whatApplicationsWriteIsUnderstood(String sql) {
    assertThat(parse(sql)).isNotNull();
  }

  @Test
  void longRowsOfPrefixesAreNotParsed() {
    assertThat(parse("select " + "not ".repeat(19) + "a from t")).isNotNull();
    assertThat(parse("select " + "not ".repeat(20) + "a from t")).isNull();
    assertThat(parse("select " + "not ".repeat(10) + "a, " + "not ".repeat(19) + "a from t"))
        .isNotNull();
    assertThat(parse("select a" + " + b".repeat(100) + " from t")).isNotNull();
  }

  @Test
  void longQueriesAreNotParsed() {
    assertThat(parse("select a" + ", a".repeat(2_498) + " from t")).isNotNull();
    assertThat(parse("select a" + ", a".repeat(2_498) + " from t x")).isNull();
  }

  @Test
  void deepQueriesAreNotParsed() {
    assertThat(parse("select " + "f(".repeat(10) + "a" + ")".repeat(10) + " from t")).isNotNull();
    assertThat(parse("select " + "f(".repeat(11) + "a" + ")".repeat(11) + " from t")).isNull();
    assertThat(parse("select " + "a[b.case.end[case a when ".repeat(3) + "0")).isNull();
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void nothingThatIsNestedKeepsTheParserBusy(@ForAll("queries") String sql) {
    assertTimeoutPreemptively(HANGS, () -> parse(sql), sql);
  }

  @Provide
  Arbitrary<String> queries() {
    return Combinators.combine(
            Arbitraries.of(NESTINGS).list().ofMinSize(1).ofMaxSize(4),
            Arbitraries.integers().between(1, 12))
        .as(QueryParserTest::nested);
  }

  private static String nested(List<String> nestings, int depth) {
    String sql = "a";
    for (int i = depth - 1; i >= 0; i--) {
      sql = nestings.get(i % nestings.size()).replace("@", sql);
    }
    return "select " + sql + " from t";
  }

  @Test
  void whatIsParsedFitsASmallStack() throws InterruptedException {
    List<String> texts =
        List.of(
            "select " + "(".repeat(10) + "1" + ")".repeat(10) + " from t",
            "select * from " + "(select * from ".repeat(10) + "t" + ") x".repeat(10),
            "select a from t where " + "(a = 1 or ".repeat(10) + "b = 1" + ")".repeat(10),
            "select a from t where b" + " + a".repeat(2_000) + " = 1",
            "select a from t where " + "a = 1 or ".repeat(1_000) + "b = 1",
            "select a from t" + " join u on true".repeat(1_000),
            "select a from t" + " join u".repeat(400) + " on a = 1".repeat(400),
            "select a from t" + " union select a from t".repeat(800),
            "select a" + "::int".repeat(1_000) + " from t");
    List<Throwable> thrown = new ArrayList<>();
    Thread thread =
        new Thread(
            null,
            () -> texts.forEach(sql -> assertThat(parse(sql)).as(sql).isNotNull()),
            "parser",
            512 * 1024);
    thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e));
    thread.start();
    thread.join();
    assertThat(thrown).isEmpty();
  }
}
