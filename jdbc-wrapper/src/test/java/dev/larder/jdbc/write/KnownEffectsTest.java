package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.effects.KnownEffects.Known;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.StatementFacts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownEffectsTest {
  private final KnownEffects known = new KnownEffects();

  private static List<List<StatementFacts>> plans(int count) {
    SqlAnalyzer analyzer = new SqlAnalyzer();
    List<List<StatementFacts>> plans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String sql = "SELECT a" + i + " FROM t";
      plans.add(analyzer.analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape()).statements());
    }
    return plans;
  }

  /** One slot for each hash would be one for two of them: they would take it from each other. */
  @Test
  void remembersAFewDozenStatementsAtATime() {
    List<List<StatementFacts>> plans = plans(40);
    List<Known> first = plans.stream().map(known::of).toList();
    List<Known> again = plans.stream().map(known::of).toList();
    for (int i = 0; i < first.size(); i++) {
      assertThat(again.get(i)).isSameAs(first.get(i));
    }
  }

  @Test
  void tellsStatementsApartWhereThereAreMoreThanItRemembers() {
    List<List<StatementFacts>> plans = plans(10_000);
    for (int round = 0; round < 2; round++) {
      for (List<StatementFacts> plan : plans) {
        assertThat(known.of(plan).kinds().all()).isSameAs(plan);
        assertThat(known.of(plan)).isSameAs(known.of(plan));
      }
    }
  }
}
