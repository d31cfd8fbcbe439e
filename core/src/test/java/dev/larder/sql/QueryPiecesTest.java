package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However a query is nested, the parser is given little that is nested little. */
class QueryPiecesTest {
  /** The parser needs milliseconds, and for some of these, as they are written, days. */
  private static final Duration HANGS = Duration.ofMinutes(5);

  private static final List<String> NESTINGS = CorpusTest.read("nestings.txt");

  private static Tokens tokens(String sql) {
    return Tokens.of(SqlLexer.lex(sql, LexOptions.STATEMENT).shape());
  }

  private static String text(Tokens tokens) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tokens.size(); i++) {
      text.append(i == 0 ? "" : " ").append(tokens.get(i).text());
    }
    return text.toString();
  }

  private static int depth(Tokens tokens) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      boolean opens = token.isSymbol("(") || token.isSymbol("[") || token.is("case");
      boolean closes = token.isSymbol(")") || token.isSymbol("]") || token.is("end");
      depth += opens ? 1 : closes ? -1 : 0;
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  private static String nested(List<String> nestings, int depth) {
    String sql = "a";
    for (int i = depth - 1; i >= 0; i--) {
      sql = nestings.get(i % nestings.size()).replace("@", sql);
    }
    return "select " + sql + " from t";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select f(a, b[1]) from t | select f ( a , b [ 0 ] ) from t",
        "select f(g(h(a))) from t | select g ( h ( a ) ); select f ( \"piece\" ) from t",
        "select f(1, g(h(a)) + 1, b) from t"
            + "| select g ( h ( a ) ) + 0; select f ( 0 , \"piece\" , b ) from t",
        "select (select a from t where b in (select c from u where (d = 0)))"
            + "| select a from t where b in ( select c from u where ( d = 0 ) );"
            + " select ( select 0 )",
        "select ((values (f(a))) union (select b))"
            + "| values ( f ( a ) ); select ( ( select 0 ) union ( select b ) )",
        "select a from (b join (c join (d join e on true) on true) on true)"
            + "| select 0 from b join ( c join ( d join e on true ) on true ) on true;"
            + " select a from ( select 0 )",
        "select cast(f(g(a)) as numeric(1, 2)) from t"
            + "| select f ( g ( a ) ); select cast ( \"piece\" as numeric ( 0 , 0 ) ) from t",
        "select case when f(g(a)) then b end"
            + "| select f ( g ( a ) ); select case when \"piece\" then b end",
        "select f(distinct g(h(a)) order by b)"
            + "| select g ( h ( a ) ); select f ( distinct \"piece\" order by b )",
        "select f(g(h(a)) is distinct from b)"
            + "| select g ( h ( a ) ) is distinct from b; select f ( \"piece\" )",
        "select distinct on ((select f(a) from u)) b from t"
            + "| select ( select f ( a ) from u ); select distinct on ( \"piece\" ) b from t",
        "select a from t join u on ((select f(a) from u))"
            + "| ( select f ( a ) from u ); select a from t join u on ( select 0 )",
        "select * from rows from (f(g(h(a))), i(b)) as x"
            + "| select g ( h ( a ) ); select * from rows from ( f ( \"piece\" ) , i ( b ) ) as x"
      })
  void nestedPartsBecomePieces(String sql, String pieces) {
    List<Tokens> found = QueryPieces.of(tokens(sql));

    assertThat(found).isNotNull();
    assertThat(String.join("; ", found.stream().map(QueryPiecesTest::text).toList()))
        .isEqualTo(pieces);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select (a",
        "select a)",
        "select (a]",
        "select [a)",
        "select case a",
        "select a end",
        "select (case a) end"
      })
  void bracketsThatDoNotMatchAreRefused(String sql) {
    assertThat(QueryPieces.of(tokens(sql))).isNull();
  }

  @Test
  void argumentsWithAGrammarOfTheirOwnAreNoPieces() {
    List<Tokens> pieces = QueryPieces.of(tokens("select json_object(f(g(h(a))) value (1)) from t"));

    assertThat(pieces).isNotNull().hasSize(1);
    assertThat(text(pieces.get(0))).isEqualTo("select json_object ( 0 ) from t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select f(g(h(i(j(a))))) from t",
        "select ((((a + 1) * 2) - 3) / 4) from t",
        "select case when a then case when b then case when c then 1 end end end from t",
        "select a from t where (a = 1 or (b = 2 and (c = 3 or (d = 4 and not (e = 5)))))",
        "select a from t where b in (select c from u where d in (select e from v where f in (1, 2)))",
        "select a from t left join (u join (v join (w join x on x.a = w.a) on w.a = v.a) on v.a"
            + " = u.a) on u.a = t.a",
        "select coalesce(nullif(trim(both ' ' from lower(a)), ''), upper(substring(b from 1 for"
            + " (c + 1)))) from t",
        "select sum(coalesce(case when (a > (b + 1)) then c else 0 end, 0)) filter (where (d in"
            + " (1, (2 + 3)))) over (partition by f(g(a)) order by f(g(b)) desc) from t",
        "select array(select array[f(g(a))] from t)",
        "with x as (select a from (select a from (select a from t) y) z) select * from x",
        "select a from t where exists (select 1 from u where exists (select 1 from v where (v.a,"
            + " v.b) = (u.a, coalesce(u.b, (u.c + 1)))))",
        "((select a from t) union (select b from u)) except ((select c from v))",
        "select ((a)->'b'->>'c') from t",
        "select a from t where ((b->'c')->>'d') = 'e'"
      })
  void nestedQueriesAreCacheableByTheirText(String sql) {
    assertThat(SqlAnalyzerTest.facts(sql).bypass()).isNull();
  }

  /** Counts what the parser is given: no more than was there, and nothing that is nested deeply. */
  @Property
  void everyTokenIsInOnePiece(@ForAll("queries") String sql) {
    Tokens query = tokens(sql);
    List<Tokens> pieces = QueryPieces.of(query);
    if (pieces == null) {
      return;
    }
    int size = pieces.stream().mapToInt(Tokens::size).sum();

    assertThat(pieces).allMatch(piece -> depth(piece) <= 2);
    assertThat(pieces.size()).isLessThanOrEqualTo(1 + query.size() / 3);
    assertThat(size).isLessThanOrEqualTo(query.size() + 6 * pieces.size());
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void nothingThatIsNestedKeepsTheParserBusy(@ForAll("queries") String sql) {
    SqlAnalysis analysis =
        assertTimeoutPreemptively(
            HANGS,
            () -> new SqlAnalyzer().analyze(SqlLexer.lex(sql, LexOptions.STATEMENT).shape()),
            sql);

    assertThat(analysis.statements()).hasSize(1);
  }

  @Provide
  Arbitrary<String> queries() {
    return Combinators.combine(
            Arbitraries.of(NESTINGS).list().ofMinSize(1).ofMaxSize(4),
            Arbitraries.integers().between(1, 60))
        .as(QueryPiecesTest::nested);
  }
}
