package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import java.util.List;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tokens of a query would show before: the tree must not depend on it. */
class TreeVisitorTest {
  private static TreeVisitor visit(String sql) throws ParseException {
    return TreeVisitor.visit(List.of(new CCJSqlParser(new StringProvider(sql)).Statement()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "select a from t where b in (1, 2) order by c limit 1 | null",
        "select a from t for update | ROW_LOCK",
        "select a from t for share | ROW_LOCK",
        "select a from t for update of t | ROW_LOCK",
        "select a from t for update nowait | ROW_LOCK",
        "select a from t for update skip locked | ROW_LOCK",
        "select * from (select a from t for update) x | ROW_LOCK",
        "select a from t tablesample bernoulli (1) | TABLE_SAMPLE",
        "select a into u from t | UNKNOWN_SYNTAX",
        "delete from t | UNKNOWN_SYNTAX",
        "select a from t where b = :name | UNKNOWN_SYNTAX",
        "with x as (delete from t returning a) select a from x | UNKNOWN_SYNTAX",
      })
  void treesOfOtherThanQueriesAreRefused(String sql, @Nullable BypassReason reason)
      throws ParseException {
    assertThat(visit(sql).bypass()).isEqualTo(reason);
  }

  /** {@code :b} is a node that no query of PostgreSQL holds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select :b from t",
        "select a from t where c = :b",
        "select a from t where c like :b",
        "select a from t where c between :b and 1",
        "select a from t where c in (1, :b)",
        "select a from t where (c is null) and not (d or :b is null)",
        "select a from t where exists (select :b)",
        "select a from t join u on :b = c",
        "select a from t group by :b",
        "select a from t group by a having a > :b",
        "select a from t order by :b",
        "select a from t limit 1 offset 2 union select :b from u",
        "select * from (select a from t where c = :b) x",
        "select * from t, lateral (select :b) x",
        "select * from f(:b) x",
        "select f(1, :b) from t",
        "select sum(a) filter (where c = :b) from t",
        "select sum(a) over (partition by :b) from t",
        "select sum(a) over (order by :b) from t",
        "select case when a then :b end from t",
        "select case a when 1 then 2 else :b end from t",
        "select cast(:b as int), a from t",
        "select array[:b] from t",
        "select a[:b] from t",
        "select row(1, :b) from t",
        "select (:b)::int from t",
        "select a || :b from t",
        "select - (:b) from t",
        "select extract(year from :b) from t",
        "values (1, :b)",
        "with x as (select :b) select a from x",
      })
  void noPartOfATreeIsOverlooked(String sql) throws ParseException {
    assertThat(visit(sql).bypass()).isEqualTo(BypassReason.UNKNOWN_SYNTAX);
  }

  @Test
  void firstReasonIsKept() throws ParseException {
    assertThat(visit("select :a from t for update").bypass()).isEqualTo(BypassReason.ROW_LOCK);
  }

  @Test
  void tablesAreNamedAsTheServerNamesThem() throws ParseException {
    assertThat(visit("select a from S.T join \"U u\" on true join \"V\".w on true").relations())
        .containsExactlyInAnyOrder(
            new RelationName("s", "t"), new RelationName(null, "U u"), new RelationName("V", "w"));
  }
}
