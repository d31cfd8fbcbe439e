package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "select a , b from t where c = 'x''y' and d in (1, 2.5, 0, '') -- a comment",
        "SELECT 0, '' FROM t WHERE a = 0 AND b = '' AND c = 'z'",
        "SELECT a[0], x.\"0\", $1, ? FROM t WHERE d = DATE '2024-02-29' AND e = 'now'",
        "SELECT E'a\\nb', U&'\\0061', $$text$$, B'01', 'a' 'b' FROM t",
        "SELECT t FROM v WHERE id = ? AND t <> '{1,2}' AND a::text = '0'",
        "SELECT /* larder:ttl=30s */ /* larder:on */ 1 /* larder:stale=1500ms */ FROM t",
        "/* NO QUERY CACHE */ SELECT 5 FROM t",
        "VALUES (1, 'a'), (2, 'b')",
        "TABLE t",
        "SELECT 1from t",
        "SHOW search_path",
        "SELECT 'unended",
        "",
      })
  void aTextIsFoundThatIsTheSameStatement(String sql) {
    for (boolean prepared : new boolean[] {false, true}) {
      for (boolean standard : new boolean[] {false, true}) {
        StatementText text = SqlLexer.lex(sql, LexOptions.of(prepared, standard));
        String whole = WholeText.of(text.shape(), text.literals().toArray());
        assertThat(whole).as("%s %s", prepared, standard).isNotNull();
        StatementText again = SqlLexer.lex(whole, text.shape().options());
        assertThat(again.shape()).isEqualTo(text.shape());
        assertThat(again.literals()).isEqualTo(text.literals());
      }
    }
  }

  @Test
  void whereTheLiteralsAreOfAnotherTextThereIsNone() {
    StatementShape shape = SqlLexer.lex("SELECT 1, 'a'", LexOptions.STATEMENT).shape();
    assertThat(WholeText.of(shape, new Object[] {"1"})).isNull();
    assertThat(WholeText.of(shape, new Object[] {"'a'", "1"})).isNull();
    assertThat(WholeText.of(shape, new Object[] {"1; DROP TABLE t", "'a'"})).isNull();
  }
}
