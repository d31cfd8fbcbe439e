package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.sql.RelationName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class BriefAnalysisTest {
  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  private static StatementShape shape(String sql) {
    return SqlLexer.lex(sql, LexOptions.STATEMENT).shape();
  }

  private static StatementFacts only(SqlAnalysis analysis) {
    assertThat(analysis.statements()).hasSize(1);
    return analysis.statements().get(0);
  }

  @Test
  void queryThatIsSeenOnceIsNotCached() {
    StatementFacts facts = only(ANALYZER.analyzeBriefly(shape("select a from t")));

    assertThat(facts.kind()).isEqualTo(StatementKind.QUERY);
    assertThat(facts.bypass()).isEqualTo(BypassReason.SEEN_ONCE);
    assertThat(facts.writesUnknown()).isFalse();
    assertThat(facts.relations()).contains(new RelationName(null, "t"));
  }

  @Test
  void writesAreFoundAllTheSame() {
    for (String sql : List.of("delete from t", "with x as (delete from t) select 1")) {
      StatementFacts facts = only(ANALYZER.analyze(shape(sql)));

      assertThat(only(ANALYZER.analyzeBriefly(shape(sql)))).isEqualTo(facts);
      assertThat(only(ANALYZER.analyzeUnparsed(shape(sql)))).isEqualTo(facts);
      assertThat(facts.targets()).hasSize(1);
    }
  }

  @Test
  void queryOnLittleStackIsUnparsed() {
    assertThat(only(ANALYZER.analyzeUnparsed(shape("select a from t"))).bypass())
        .isEqualTo(BypassReason.UNPARSED);
  }

  @Test
  void textThatIsTooLongMayWriteAnything() {
    String name = "a".repeat(SqlAnalyzer.MAX_CHARACTERS - "select ".length());

    assertThat(only(ANALYZER.analyzeUnparsed(shape("select " + name))).writesUnknown()).isFalse();
    StatementFacts facts = only(ANALYZER.analyzeUnparsed(shape("select " + name + "a")));
    assertThat(facts.writesUnknown()).isTrue();
    assertThat(facts.kind()).isEqualTo(StatementKind.UNKNOWN);
    assertThat(facts.bypass()).isNotNull();
  }

  @Test
  void statementsBehindBracketsAreApart() {
    assertThat(ANALYZER.analyze(shape("insert into t values (a[1]); delete from u")).statements())
        .hasSize(2);
    String create = "create function f() returns int begin atomic select 1; end;";
    assertThat(ANALYZER.analyze(shape(create)).statements()).hasSize(1);
    assertThat(ANALYZER.analyze(shape(create + "delete from t")).statements()).hasSize(2);
  }
}
