package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
