package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far the answers to a query may differ though no row was written. */
class RepeatabilityTest {
  private static Repeatability of(String sql, boolean looseTexts) {
    return Repeatability.of(SqlLexer.lex(sql, LexOptions.STATEMENT).shape(), looseTexts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a, b * 2 from t where a = 1 order by b | EXACT",
        "select count(*) from t | EXACT",
        "select a from t limit 1 | NONE",
        "select a from t offset 1 | NONE",
        "select a from t fetch first row only | NONE",
        "select row_number() over () from t | NONE",
        "select string_agg(a, ',') from t | NONE",
        "select array(select a from t) | NONE",
        "select array[a] from t | EXACT",
        "select distinct on (a) b from t | NONE",
        "select \"limit\" from t | NONE",
        "select 'limit' from t | EXACT",
        "select distinct a from t | VALUES",
        "select a from t group by a | VALUES",
        "select a from t union select b from u | VALUES",
        "select a from t union all select b from u | VALUES",
        "select sum(a) from t | VALUES",
        "select t.a, sum(b), count(*), max(c) filter (where d > 1) from t group by t.a | VALUES",
        "select sum(a) from t group by b having sum(a) > 1 | NONE",
        "select round(sum(a)) from t | NONE",
        "select sum(a) + 1 from t | NONE",
        "select sum(a) > 1 and true from t | NONE",
        "select distinct sum(a) from t | NONE",
        "select sum(a) from t union select b from u | NONE",
        "select * from (select sum(a) from t) x | NONE",
        "with x as (select sum(a) from t) select 1 from x | NONE",
        "(select sum(a) from t) | NONE",
        "select distinct * from t | VALUES",
        "select distinct t.* from t | VALUES",
        "select distinct a * b from t | NONE",
        "select distinct a * null from t | NONE",
        "select a from t join u on true | EXACT",
        "select a from t as x(distinct_on) | EXACT",
        "select 1, sum(a) from t | VALUES",
        "select case when a then b end, sum(c) from t | NONE",
      })
  void itIsFoundInTheText(String sql, Repeatability expected) {
    assertThat(of(sql, false)).isEqualTo(expected);
    assertThat(of(sql, true)).isEqualTo(loose(expected));
  }

  private static Repeatability loose(Repeatability strict) {
    return strict == Repeatability.VALUES ? Repeatability.TEXTS : strict;
  }

  @Test
  void whatACollationTakesForEqualMayBeChosenTwice() {
    String sql = "select distinct a from t group by a";
    assertThat(of(sql, false)).isEqualTo(Repeatability.VALUES);
    assertThat(of(sql, true)).isEqualTo(Repeatability.NONE);
  }

  @Test
  void theLeastOfTwoCounts() {
    assertThat(Repeatability.EXACT.and(Repeatability.NONE)).isEqualTo(Repeatability.NONE);
    assertThat(Repeatability.NONE.and(Repeatability.VALUES)).isEqualTo(Repeatability.NONE);
    assertThat(Repeatability.VALUES.and(Repeatability.VALUES)).isEqualTo(Repeatability.VALUES);
    assertThat(Repeatability.EXACT.and(Repeatability.EXACT)).isEqualTo(Repeatability.EXACT);
  }
}
