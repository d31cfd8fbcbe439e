package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.QueryHints.Caching;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
class SqlLexerTest {
  private static final LexOptions BACKSLASH = LexOptions.of(false, false);

  private static String shape(String sql) {
    return SqlLexer.lex(sql, LexOptions.STATEMENT).shape().text();
  }

  private static List<String> literals(String sql) {
    return SqlLexer.lex(sql, LexOptions.STATEMENT).literals();
  }

  private static String prepared(String sql) {
    return SqlLexer.lex(sql, LexOptions.PREPARED).shape().text();
  }

  private static int parameters(String sql) {
    return SqlLexer.lex(sql, LexOptions.PREPARED).parameterCount();
  }

  @Test
  void literalsAreTakenOutInOrderAsTheyAreWritten() {
    StatementText text =
        SqlLexer.lex(
            "select * from t where a='x''y' and b in (1, 2.5,-3) and c = E'a\\'b'",
            LexOptions.STATEMENT);
    assertThat(text.shape().text())
        .isEqualTo("select * from t where a = '' and b in(0, 0, - 0) and c = ''");
    assertThat(text.literals()).containsExactly("'x''y'", "1", "2.5", "3", "E'a\\'b'");
    assertThat(text.parameterCount()).isZero();
  }

  @Test
  void literalsOfPreparedStatementsAreTakenOutToo() {
    StatementText text =
        SqlLexer.lex("select a from t where b = ? and c = 'x' limit 10", LexOptions.PREPARED);
    assertThat(text.shape().text()).isEqualTo("select a from t where b = ? and c = '' limit 0");
    assertThat(text.literals()).containsExactly("'x'", "10");
    assertThat(text.parameterCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a,b from t where c=1",
        "select  a ,\tb\nfrom t\r\nwhere c = 1",
        "/* trace 42 */ select a, b from t where c/**/=/* /* nested */ */1 -- end",
        "select a, b -- first\nfrom t where c = 1 --",
      })
  void whiteSpaceAndCommentsAreNoPartOfTheShape(String sql) {
    assertThat(shape(sql)).isEqualTo("select a, b from t where c = 0");
    assertThat(literals(sql)).containsExactly("1");
  }

  @Test
  void tokensNeverMerge() {
    assertThat(shape("select a/**/b")).isEqualTo("select a b");
    assertThat(shape("select a -/**/- b")).isEqualTo("select a - - b");
    assertThat(shape("select e 'x', u & 'y', u&'z'")).isEqualTo("select e '', u & '', u&'z'");
    assertThat(shape("select \"a\" \"b\", \"a\"\"b\"")).isEqualTo("select \"a\" \"b\", \"a\"\"b\"");
    assertThat(shape("select 'a' /*\n*/ 'b'")).isEqualTo("select '' ''");
    assertThat(shape("select a . b, 1 . c")).isEqualTo("select a.b, 0 .c");
    assertThat(shape("select x[1 : :a], 1::int")).isEqualTo("select x[0 : : a], 0::int");
  }

  @Test
  void wordsThatTouchStayTouching() {
    assertThat(shape("select 1from t")).isEqualTo("select 1from t");
    assertThat(shape("select 1 from t")).isEqualTo("select 0 from t");
    assertThat(prepared("select a from t limit?")).isEqualTo("select a from t limit?");
    assertThat(prepared("select a from t limit ?")).isEqualTo("select a from t limit ?");
    assertThat(prepared("select ?1")).isEqualTo("select ?1");
    assertThat(shape("select $1a, $1 a")).isEqualTo("select $1a, $1 a");
  }

  @Test
  void numbersThatTouchWhatFollowsStay() {
    assertThat(shape("select 1.5.5, 1.5 .5")).isEqualTo("select 1.5.5, 0 0");
    assertThat(shape("select a[1,2]")).isEqualTo("select a[0, 0]");
    assertThat(prepared("select 1?")).isEqualTo("select 1?");
    assertThat(prepared("select 1??2, (1), 1.?")).isEqualTo("select 0 ?? 0, (0), 1.?");
    assertThat(shape("select 1?2")).isEqualTo("select 0 ? 0");
  }

  @Test
  void stringsWrittenOverSeveralLinesStay() {
    assertThat(shape("select 'a'\n'b', 'c'")).isEqualTo("select 'a'\n'b', ''");
  }

  @ParameterizedTest
  @ValueSource(strings = {"select 'a", "select E'a\\'", "select 'a' 'b", "select a, 'b', \"c"})
  void quoteThatNeverEndsIsNoLiteral(String sql) {
    StatementText text = SqlLexer.lex(sql, LexOptions.STATEMENT);
    String open = sql.substring(Math.max(sql.lastIndexOf(" '"), sql.lastIndexOf(' ')) + 1);
    assertThat(text.shape().text()).endsWith(open);
    assertThat(text.literals()).doesNotContain(open);
  }

  @Test
  void textInsideQuotesIsUntouched() {
    String sql = "select \"a  /* b */ -- c\", $x$ d  -- e $x$ from t";
    assertThat(shape(sql)).isEqualTo(sql);
    assertThat(literals("select 'a  /* b */'")).containsExactly("'a  /* b */'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "1.5", ".5", "5.", "1e5", "1.5E-3", "0x1F", "0b101", "0o17", "1_000", "1E+2"})
  void numbersAreTakenOut(String number) {
    assertThat(shape("select a+" + number + ",b")).isEqualTo("select a + 0, b");
    assertThat(literals("select a+" + number + ",b")).containsExactly(number);
  }

  @Test
  void numbersEndWhereThoseOfTheServerEnd() {
    assertThat(shape("select 1..2")).isEqualTo("select 0 .. 0");
    assertThat(shape("select 1e")).isEqualTo("select 1e");
    assertThat(shape("select 1_")).isEqualTo("select 1_");
    assertThat(shape("select 0x")).isEqualTo("select 0x");
    assertThat(shape("select a1, _2, b_3")).isEqualTo("select a1, _2, b_3");
  }

  @ParameterizedTest
  @CsvSource({
    "a=-1, a = - 0",
    "a=@-1, a =@- 0",
    "a<=b, a <= b",
    "a->>'b', a ->> ''",
    "a||'b', a || ''",
    "a*/* c */b, a * b",
    "a<--c, a <",
    "a::int, a::int",
    "a @> b, a @> b",
  })
  void operatorsAreAsLongAsTheServersOwn(String sql, String expected) {
    assertThat(shape("select " + sql)).isEqualTo("select " + expected);
  }

  @Test
  void doubledQuestionMarksAreOperators() {
    assertThat(prepared("select a ?? ? from t")).isEqualTo("select a ?? ? from t");
    assertThat(prepared("select a ??| array[?]")).isEqualTo("select a ??| array[?]");
    assertThat(prepared("select a=?")).isEqualTo("select a = ?");
    assertThat(prepared("select a???")).isEqualTo("select a ?? ?");
    assertThat(shape("select a ? 'b'")).isEqualTo("select a ? ''");
    assertThat(parameters("select a ?? ?, ?, '?', \"?\", $$?$$, /* ? */ 1 -- ?")).isEqualTo(2);
    assertThat(parameters("select a from t where b = ?; delete from t where c = ?")).isEqualTo(2);
  }

  @Test
  void textWhoseParametersDriverAndServerCountDifferentlyIsItsOwnShape() {
    String sql = "select  /*/ ? */ 1 where a = ?";
    StatementText text = SqlLexer.lex(sql, LexOptions.PREPARED);
    assertThat(text.parameterCount()).isEqualTo(2);
    assertThat(text.shape().text()).isEqualTo(sql);
    assertThat(text.literals()).isEmpty();
  }

  @Test
  void backslashEscapesFollowTheSetting() {
    String sql = "select 'a\\' , 'b'";
    assertThat(literals(sql)).containsExactly("'a\\'", "'b'");
    StatementText text = SqlLexer.lex("select 'a\\' , b', 1", BACKSLASH);
    assertThat(text.shape().text()).isEqualTo("select '', 0");
    assertThat(text.literals()).containsExactly("'a\\' , b'", "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'now'",
        "'NOW'",
        "'today 12:00'",
        "'[yesterday,tomorrow)'",
        "'{n\\ow}'",
        "'{\"n\"ow}'",
        "E'n\\157w'",
        "E'\\x6eow'",
        "E'n\\ow'",
        "E'{n\\\\ow}'",
        "U&'\\006eow'",
        "u&'now'",
        "N'now'",
        "'to'\n'day'",
        "'to' -- comment\n  'day'",
        "$$now$$",
        "$a$ x $a$",
        "B'101'",
        "X'1F'",
      })
  void literalsThatMayChangeTheMeaningStay(String literal) {
    String sql = "select a from t where b = " + literal + " and c = ''";
    assertThat(shape(sql)).isEqualTo(sql);
    assertThat(literals(sql)).containsExactly("''");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'nowhere'", "'know'", "'no w'", "'epoch'", "E'a\\n\\b'", "'2020-01-01'"})
  void otherLiteralsDoNot(String literal) {
    assertThat(literals("select a from t where b = " + literal)).containsExactly(literal);
  }

  /** Whatever reads names from a text is told by the type, and no query with it is cached. */
  @Test
  void stringsBesideARegTypeAreLiterals() {
    assertThat(literals("select 'orders'::regclass")).containsExactly("'orders'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set search_path = 'x'",
        "show larder.cache",
        "prepare transaction 'x1'",
        "explain(analyze, timing 0) select 1",
        "do $$ begin perform 1; end $$",
        "fetch 10 from c",
        "create function f() returns int as 'select 1' language sql",
        "set extra_float_digits = 3",
      })
  void utilityStatementsKeepWhatTheySay(String sql) {
    assertThat(shape(sql)).isEqualTo(sql);
    assertThat(literals(sql)).isEmpty();
  }

  @Test
  void eachStatementOfATextDecidesForItself() {
    assertThat(shape("set x = 1; select 1 ;set y = '2'"))
        .isEqualTo("set x = 1; select 0; set y = '2'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/* larder:off */ select 1 | OFF",
        "/*larder:on*/ select 1 | ON",
        "select 1 /* LARDER:OFF */ | OFF",
        "/*NO QUERY CACHE*/ select 1 | OFF",
        "/*force query cache*/ select 1 | ON",
        "/*FORCE QUERY CACHE*/ select 1 /* larder:off */ | OFF",
        "/* larder:off */ select 1 /* larder:on */ | OFF",
        "select 1 -- larder:off | OFF",
        "/* larder:offf */ select 1 | DEFAULT",
        "/* larder: off */ select 1 | DEFAULT",
        "/* about larder:off */ select 1 | DEFAULT",
        "select '/* larder:off */' | DEFAULT",
      })
  void hintsAreReadFromComments(String sql, Caching expected) {
    QueryHints hints = SqlLexer.lex(sql, LexOptions.STATEMENT).shape().hints();
    assertThat(hints.caching()).isEqualTo(expected);
    assertThat(hints.timeToLive()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "30s,30000",
    "5m,300000",
    "1h,3600000",
    "250ms,250",
    "0s,-1",
    "5,-1",
    "5d,-1",
    "-1s,-1"
  })
  void timeToLiveIsReadFromHints(String value, long millis) {
    QueryHints hints =
        SqlLexer.lex("/* larder:ttl=" + value + " */ select 1", LexOptions.STATEMENT)
            .shape()
            .hints();
    assertThat(hints.timeToLive()).isEqualTo(millis < 0 ? null : Duration.ofMillis(millis));
  }

  @Test
  void shortestTimeToLiveWins() {
    String sql = "/* larder:ttl=30s */ select 1 /* larder:ttl=10s */ -- larder:ttl=1m";
    assertThat(SqlLexer.lex(sql, LexOptions.STATEMENT).shape().hints())
        .isEqualTo(new QueryHints(Caching.DEFAULT, Duration.ofSeconds(10), null));
  }

  @Test
  void shortestStalenessWins() {
    String sql = "/* larder:stale=30s */ select 1 /* larder:stale=soon */ -- larder:stale=250ms";
    assertThat(SqlLexer.lex(sql, LexOptions.STATEMENT).shape().hints())
        .isEqualTo(new QueryHints(Caching.DEFAULT, null, Duration.ofMillis(250)));
  }

  @Test
  void hintsArePartOfTheShape() {
    StatementShape plain = SqlLexer.lex("select 1", LexOptions.STATEMENT).shape();
    StatementShape hinted = SqlLexer.lex("/* larder:on */ select 1", LexOptions.STATEMENT).shape();
    assertThat(hinted.text()).isEqualTo(plain.text());
    assertThat(hinted).isNotEqualTo(plain);
  }

  @Test
  void clockWordsAreFoundInBinds() {
    assertThat(SqlLexer.mayReadClock("now")).isTrue();
    assertThat(SqlLexer.mayReadClock(" Yesterday ")).isTrue();
    assertThat(SqlLexer.mayReadClock("{\"(n\\\\ow)\"}")).isTrue();
    assertThat(SqlLexer.mayReadClock("")).isFalse();
    assertThat(SqlLexer.mayReadClock("snowball")).isFalse();
    assertThat(SqlLexer.mayReadClock("Anow")).isFalse();
    assertThat(SqlLexer.mayReadClock("nowZ")).isFalse();
    assertThat(SqlLexer.mayReadClock("nowz")).isFalse();
    assertThat(SqlLexer.mayReadClock("2020-01-01")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 'abc",
        "select \"abc",
        "select $a$ abc $b$",
        "select 1 /* abc /* */",
        "select E'abc\\",
        "select U&'",
        "\u0000",
        "select \ud800 \udc00",
        "select \u00a0",
        "\\",
        "",
        "$",
        "'",
        "-- ",
        "select a\u000bfrom b",
      })
  void brokenTextsAreLexedAllTheSame(String sql) {
    for (boolean prepared : new boolean[] {false, true}) {
      for (boolean conforming : new boolean[] {false, true}) {
        LexOptions options = LexOptions.of(prepared, conforming);
        StatementText text = SqlLexer.lex(sql, options);
        assertThat(SqlLexer.lex(text.shape().text(), options).shape()).isEqualTo(text.shape());
      }
    }
  }

  @Test
  void unterminatedCommentIsNoComment() {
    assertThat(shape("select a from t /* x")).isNotEqualTo(shape("select a from t"));
  }
}
