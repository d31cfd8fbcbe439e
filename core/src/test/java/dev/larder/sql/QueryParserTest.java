package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sf.jsqlparser.statement.Statement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParserTest {
  private static @Nullable List<Statement> parse(String sql) {
    return QueryParser.parse(Tokens.of(SqlLexer.lex(sql, LexOptions.PREPARED).shape()));
  }

  /** What the parser was given, as it wrote its trees. */
  private static String parsed(String sql) {
    List<Statement> trees = parse(sql);
    assertThat(trees).isNotNull();
    return String.join("; ", trees.stream().map(Object::toString).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select 'a', E'b', $$c$$, B'1', 5, ?, $1 from t | SELECT '', '', '', '', 0, ?, ? FROM t",
        "select \"a b\", \"a.b\", \"\" from \"T\" | SELECT \"a b\", \"quoted\", \"quoted\" FROM \"T\"",
        "select a @> b, a <-> b, a -> 'c' from t | SELECT a @> b, a @> b, a ->> '' FROM t",
        "select a from t where b in (?, ?, ?, ?, ?) | SELECT a FROM t WHERE b IN (?, ?, ?)",
        "select a from t where b in (1, 2, 3, 4) | SELECT a FROM t WHERE b IN (0, 0, 0)",
        "select a from t where b in (1, 2) | SELECT a FROM t WHERE b IN (0, 0)",
        "select a from t where b in (1, ?, 1, ?) | SELECT a FROM t WHERE b IN (0, ?, 0, ?)",
        "select a from t where b in (1, 1, 1, 1 + c) | SELECT a FROM t WHERE b IN (0, 0, 0, 0 + c)",
        "select f(c, 1, 1) from t | SELECT f(c, 0, 0) FROM t",
        "select a::timestamp with time zone from t | SELECT a::timestamp FROM t",
        "select a::time(3) without time zone from t | SELECT a::time (0) FROM t",
        "select json_value(a, '$.x' returning int) from t | SELECT special(0) FROM t",
        "select json_value from t | SELECT json_value FROM t",
        "table t | SELECT * FROM t",
        "select from t | SELECT 0 FROM t",
        "select (a).* from t | SELECT (a).columns FROM t",
        "select (a) * b from t | SELECT (a) * b FROM t",
        "select t.number, uuid from t | SELECT t.\"number\", \"uuid\" FROM t",
        "select uuid 'a' from t | SELECT uuid '' FROM t",
        "select a from t where exists (select) | SELECT a FROM t WHERE EXISTS (SELECT 0)",
      })
  void queriesAreShownToTheParserInWordsThatItReads(String sql, String expected) {
    assertThat(parsed(sql)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select U&\"a\" from t",
        "select U&'a' from t",
        "select { from t",
        "select a from t {",
        "select a from t U&\"x\"",
        "select a from",
        "select (a from t",
        "select f(g(h(a)) from t",
      })
  void whatIsNotUnderstoodHasNoTree(String sql) {
    assertThat(parse(sql)).isNull();
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
    String piece = "f((g(h(a))))";
    assertThat(parse("select a" + (", " + piece).repeat(100) + " from t")).isNotNull();
    assertThat(parse("select a" + (", " + piece).repeat(600) + " from t")).isNull();
  }

  @Test
  void listsOfValuesAreCutShort() {
    assertThat(parse("select a from t where b in (?" + ", ?".repeat(10_000) + ")")).isNotNull();
    assertThat(parse("select a from t where b in (?" + ", ?, 1".repeat(10_000) + ")")).isNull();
  }
}
