package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.SqlLexerFuzzTest;
import dev.larder.lexer.StatementShape;
import dev.larder.lexer.StatementText;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts that nobody would send: whatever they hold, the lexer and the analyzer return, in a time
 * that grows with the length and no faster, and never call a text harmless that they did not read.
 */
@Tag("each-jdk")
@Tag("regression")
class BadInputTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Whatever else the machine does. */
  private static final Duration HANGS = Duration.ofMinutes(10);

  /** At this length linear is a fraction of a second, and quadratic is minutes. */
  private static final int LONG = Integer.getInteger("larder.long", 100_000);

  private static final Duration QUADRATIC_TAKES_LONGER = Duration.ofSeconds(8);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final List<LexOptions> OPTIONS =
      List.of(
          LexOptions.STATEMENT,
          LexOptions.PREPARED,
          LexOptions.of(false, false),
          LexOptions.of(true, false));

  private static SqlAnalysis analyze(String sql, LexOptions options) {
    return new SqlAnalyzer().analyze(SqlLexer.lex(sql, options).shape());
  }

  /** Runs {@code task}, which may take so much of a processor's time, however busy that is. */
  private static SqlAnalysis within(Duration cpu, Supplier<SqlAnalysis> task, String what) {
    return assertTimeoutPreemptively(
        HANGS,
        () -> {
          long begun = THREADS.getCurrentThreadCpuTime();
          SqlAnalysis analysis = task.get();
          long nanos = THREADS.getCurrentThreadCpuTime() - begun;
          assertThat(Duration.ofNanos(nanos)).as(what).isLessThan(cpu);
          return analysis;
        },
        what);
  }

  private static boolean isReadOnly(StatementFacts facts) {
    return facts.targets().isEmpty() && !facts.writesUnknown();
  }

  private static String repeated(String start, String piece, int length) {
    return start + piece.repeat(length / piece.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain analyze ",
        "explain (analyze) ",
        "select *, ",
        "select *,a.*,",
        "a.",
        "a::b.",
        "\"a\"\"b\".",
        "into ",
        "into temp ",
        "(",
        ")",
        "[",
        "()",
        "date(",
        "cast(",
        "timestamp ( ",
        ":: ",
        "::date",
        "cast(a as date) ",
        "at time zone ",
        "select 1;",
        "insert into t ",
        "delete from only (t) ",
        "(1, 'a'), ",
        "begin atomic end; ",
        "with a as (delete from t) ",
        "set a to ",
        "set a.",
        "for update ",
        "do update ",
        "copy (",
        "case ",
        "- ",
        "@",
        "'now' ",
        "U&'a' ",
        "U&\"a\" ",
        "/*",
        "/*larder:on*/",
        "--\n",
        "$a$ $b$",
        "$a",
        "?",
        "{fn ",
        "\u0000",
        "\ud800",
        "\udc00x",
        "\u00e9 "
      })
  void longTextsTakeAFewSecondsAtMost(String piece) {
    for (String start : List.of("", "select ")) {
      String sql = repeated(start, piece, LONG);
      within(QUADRATIC_TAKES_LONGER, () -> analyze(sql, LexOptions.PREPARED), start);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "'", "/*", "a.", "explain ", "(1,'x'),", "\ud800", "\u0000", "?,"})
  void statementsOfMillionsOfCharactersAreAnswered(String piece) {
    String sql = repeated("select ", piece, 12 * LONG);
    for (LexOptions options : OPTIONS.subList(0, 2)) {
      SqlAnalysis analysis = within(LIMIT, () -> analyze(sql, options), piece);
      assertThat(analysis.statements()).isNotEmpty();
    }
  }

  @Test
  void textThatIsTooLongToBeReadMayWriteAnything() {
    String sql = repeated("select ", "a, ", SqlAnalyzer.MAX_CHARACTERS + 10) + "b from t";

    assertThat(analyze(sql, LexOptions.STATEMENT).statements())
        .singleElement()
        .matches(StatementFacts::writesUnknown)
        .matches(facts -> facts.bypass() != null);
  }

  @Test
  void listOfAMillionValuesIsReadOnly() {
    String sql = repeated("select a from t where a in (0", ", 17", 2_000_000) + ")";

    assertThat(analyze(sql, LexOptions.STATEMENT).statements())
        .singleElement()
        .matches(BadInputTest::isReadOnly);
  }

  /** JSqlParser looks ahead without a bound, which may take a time that is exponential. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select ( | a | )",
        "select f( | a | )",
        "select f(1, ( | a | ))",
        "select case when a then | a | end",
        "select case a when | a | then 1 end",
        "select (select | a | )",
        "select * from (select * from | t | ) x",
        "select * from ( | t | )",
        "select * from ( | t | join u on true)",
        "select a from t where ( | a = 1 | )",
        "select a from t where (a = 1 and | b | )",
        "select a from t where ((a = 1) or | b | )",
        "select a from t where (a, b) in (select 1, 2 from t where | b | )",
        "select a from t where exists (select 1 from t where | b | )",
        "select a from t where not ( | a | )",
        "select a from t where a = ( | 1 | )",
        "select a from t where (a between 1 and | b | )",
        "select a from t where ((a | = 1 | ) is null)",
        "select cast( | a | as int)",
        "select array[ | a | ]",
        "select a[ | 1 | ]",
        "select row( | a | )",
        "select (a, | b | )",
        "select sum( | a | ) filter (where a)",
        "select sum( | a | ) over (partition by a)",
        "select sum(0) over (partition by | a | )",
        "with x as ( | select 1 | ) select * from x",
        "(select 1 from t union | select 2 | )",
        "(values (1), | (2) | )"
      })
  void deepNestingIsParsedInNoTimeOrRefused(String open, String middle, String close) {
    String head = open.startsWith("select") ? "select " : "";
    String body = open.substring(head.length());
    String prefix = "";
    if (body.startsWith("a from t where ")) {
      prefix = "a from t where ";
    } else if (body.startsWith("* from ")) {
      prefix = "* from ";
    }
    String nested = body.substring(prefix.length());
    for (int depth = 1; depth <= 48; depth += 3) {
      String sql =
          head + prefix + nested.repeat(depth) + ' ' + middle + ' ' + (close + ' ').repeat(depth);
      within(Duration.ofSeconds(5), () -> analyzeAndParse(sql, false), sql);
    }
    int depth = 100_000;
    String sql = head + prefix + (nested + ' ').repeat(depth) + middle + close.repeat(depth);
    within(LIMIT, () -> analyzeAndParse(sql, true), open);
  }

  /** Analyzes the text, and has it parsed. */
  private static SqlAnalysis analyzeAndParse(String sql, boolean refused) {
    StatementShape shape = SqlLexer.lex(sql, LexOptions.STATEMENT).shape();
    boolean parsed = QueryParser.parse(shape) != null;
    assertThat(parsed && refused).isFalse();
    return new SqlAnalyzer().analyze(shape);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 'a",
        "select \"a",
        "select $$a",
        "select $a$ b $b$",
        "select E'a\\'",
        "select U&'a",
        "select /* a",
        "select /* a /* b */",
        "select a from t where b = 'x' and c = \"d",
        "delete from t where a = '",
        "select \ud800 from t",
        "select 1 from t \u0000; delete from t"
      })
  void whatNeverEndsIsNotCached(String sql) {
    for (LexOptions options : OPTIONS) {
      assertThat(analyze(sql, options).statements())
          .as(sql)
          .isNotEmpty()
          .allMatch(facts -> facts.bypass() != null || facts.kind() != StatementKind.QUERY);
    }
  }

  @Property(shrinking = ShrinkingMode.FULL)
  void noTextThrows(@ForAll("texts") String sql, @ForAll("options") LexOptions options) {
    StatementText text = SqlLexer.lex(sql, options);
    SqlAnalysis analysis = new SqlAnalyzer().analyze(text.shape());

    assertThat(text.parameterCount()).isNotNegative();
    for (StatementFacts facts : analysis.statements()) {
      assertThat(facts.kind() != StatementKind.UNKNOWN || facts.writesUnknown()).isTrue();
    }
  }

  /** A cut, doubled or exchanged character must not make a write look like a read. */
  @Property
  void mutatedWriteIsNeverAQueryThatIsCached(
      @ForAll("writes") String sql, @ForAll("mutations") List<int[]> mutations) {
    StringBuilder text = new StringBuilder("with w as (" + sql + ") select * from t");
    int first = "with w as (".length();
    int last = first + sql.length();
    for (int[] mutation : mutations) {
      int at = first + "insert into x".length() + mutation[1] % Math.max(1, last - first - 13);
      switch (mutation[0]) {
        case 0 -> text.insert(Math.min(at, text.length()), (char) mutation[2]);
        case 1 -> text.setCharAt(Math.min(at, text.length() - 1), (char) mutation[2]);
        default -> text.deleteCharAt(Math.min(at, text.length() - 1));
      }
    }
    for (StatementFacts facts : analyze(text.toString(), LexOptions.STATEMENT).statements()) {
      boolean cached = facts.kind() == StatementKind.QUERY && facts.bypass() == null;
      assertThat(cached && isReadOnly(facts)).as(text.toString()).isFalse();
    }
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> soup =
        Arbitraries.of(SqlLexerFuzzTest.PIECES).list().ofMaxSize(40).map(l -> String.join("", l));
    Arbitrary<String> characters = Arbitraries.strings().all().ofMaxLength(200);
    Arbitrary<String> cut =
        Arbitraries.of(CorpusTest.all())
            .flatMap(
                sql ->
                    Arbitraries.integers()
                        .between(0, sql.length())
                        .map(at -> sql.substring(0, at)));
    Arbitrary<String> glued =
        cut.list().ofMaxSize(4).flatMap(parts -> soup.map(text -> String.join(text, parts)));
    return Arbitraries.oneOf(soup, characters, cut, glued);
  }

  @Provide
  Arbitrary<LexOptions> options() {
    return Arbitraries.of(OPTIONS);
  }

  @Provide
  Arbitrary<String> writes() {
    return Arbitraries.of(
        "insert into x (a) select b from c where d = 'e' returning a",
        "insert into x values (1, 'it''s', $$q$$, E'\\n') on conflict do nothing",
        "insert into x select * from \"Y y\" /* c */ where z -- d\n > 3 returning 1");
  }

  @Provide
  Arbitrary<List<int[]>> mutations() {
    Arbitrary<Integer> kind = Arbitraries.integers().between(0, 2);
    Arbitrary<Integer> place = Arbitraries.integers().between(0, 100);
    Arbitrary<Character> character = Arbitraries.of("'\"$/*-\\;(),. ae\n\u0000?{}".toCharArray());
    return Combinators.combine(kind, place, character)
        .as((k, p, c) -> new int[] {k, p, c})
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }
}
