package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A write must never look like a read, however a text is cut and glued. */
@Tag("each-jdk")
class SqlAnalyzerFuzzTest {
  private static final Pattern TOKEN = Pattern.compile("\\s+|(?<=[(),])|(?=[(),])");

  private static List<SqlAnalysis> analyses(String sql) {
    SqlAnalyzer analyzer = new SqlAnalyzer();
    return List.of(
        analyzer.analyze(SqlLexer.lex(sql, LexOptions.STATEMENT).shape()),
        analyzer.analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape()));
  }

  private static boolean readsOnly(StatementFacts facts) {
    return facts.bypass() == null && facts.targets().isEmpty() && !facts.writesUnknown();
  }

  static List<String> queries() {
    return CorpusTest.queries();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void writingInWithIsSeenInFrontOfEveryQuery(String sql) {
    boolean with = sql.regionMatches(true, 0, "with ", 0, 5);
    String rest = with ? sql.replaceFirst("(?i)^with (recursive )?", ", ") : ' ' + sql;
    for (String write :
        List.of(
            "delete from hidden where true returning *",
            "insert into hidden (a) select 1 returning a",
            "update only (hidden) set a = 1 returning a",
            "with i as (select 1) delete from hidden returning 1",
            "merge into hidden using t on true when matched then delete returning 1")) {
      String text = "with recursive w as (" + write + ")" + rest;
      StatementFacts facts = SqlAnalyzerTest.facts(text);
      assertThat(facts.kind()).isEqualTo(StatementKind.DML);
      assertThat(facts.bypass()).isNotNull();
      assertThat(facts.targets())
          .extracting(target -> target.relation().toString())
          .contains("hidden");
    }
  }

  @ParameterizedTest
  @MethodSource("queries")
  void locksAndLinesBehindAQueryAreSeen(String sql) {
    for (String lock : List.of("update", "share", "no key update of t", "key share skip locked")) {
      assertThat(SqlAnalyzerTest.facts(sql + " for " + lock).bypass()).isNotNull();
    }
    assertThat(SqlAnalyzerTest.analyze(sql + ";delete from t").statements())
        .extracting(StatementFacts::kind)
        .containsExactly(StatementKind.QUERY, StatementKind.DML);
  }

  @ParameterizedTest
  @MethodSource("queries")
  void anInsertedSubqueryIsReadOrTheTextIsRefused(String sql) {
    Random random = new Random(sql.hashCode());
    String[] tokens = TOKEN.split(sql, -1);
    for (int i = 0; i < 8; i++) {
      int chosen = random.nextInt(tokens.length);
      if (tokens[chosen].matches("[^']*'[^']*")) {
        continue;
      }
      tokens[chosen] += " (select secret.f(1) from hidden.x) ";
      String text = String.join(" ", tokens);
      for (StatementFacts facts : analyses(text).get(1).statements()) {
        if (readsOnly(facts)) {
          assertThat(facts.relations()).as(text).contains(new RelationName("hidden", "x"));
          assertThat(facts.routines()).as(text).contains(new RoutineName("secret", "f"));
        }
      }
    }
  }

  @Test
  void mixedPiecesOfStatementsNeverThrow() {
    List<String> corpus = CorpusTest.all();
    Random random = new Random(5);
    int queries = 0;
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int part = 1 + random.nextInt(4); part > 0; part--) {
        String[] tokens = TOKEN.split(corpus.get(random.nextInt(corpus.size())), -1);
        int start = random.nextInt(tokens.length);
        int end = start + random.nextInt(tokens.length - start) + 1;
        text.append(String.join(" ", List.of(tokens).subList(start, end))).append(' ');
      }
      for (SqlAnalysis analysis : analyses(text.toString())) {
        for (StatementFacts facts : analysis.statements()) {
          queries += facts.kind() == StatementKind.QUERY ? 1 : 0;
          assertThat(facts.kind()).isNotEqualTo(StatementKind.EMPTY);
          assertThat(facts.kind() != StatementKind.UNKNOWN || facts.writesUnknown()).isTrue();
        }
      }
    }
    assertThat(queries).isGreaterThan(200);
  }
}
