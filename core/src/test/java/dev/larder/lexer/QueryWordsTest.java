package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
class QueryWordsTest {
  private static @Nullable List<String> words(String sql) {
    QueryWords words = QueryWords.of(SqlLexer.lex(sql, LexOptions.PREPARED).shape());
    return words == null ? null : words.all();
  }

  @Test
  void namesAreFoldedAndOperatorsStandAsTheServerReadsThem() {
    assertThat(words("SELECT Aid, \"Bid\"\"s\" FROM t WHERE a != 1 AND b ?? 'x' AND c = ?"))
        .containsExactly(
            "select", "aid", "Bid\"s", "from", "t", "where", "a", "<>", "and", "b", "?", "and", "c",
            "=");
  }

  @Test
  void constantsAndCommentsHaveNoWords() {
    assertThat(words("SELECT 'delete from t' /* insert into t */, 12 -- update"))
        .containsExactly("select");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH gone AS (DELETE FROM t RETURNING id) SELECT id FROM gone",
        "SELECT id INTO copy FROM t",
        "SELECT id FROM t FOR UPDATE",
        "SELECT id FROM t FOR KEY SHARE",
        "SELECT 1; DELETE FROM t",
        "SELECT 1;",
        "SELECT (1",
        "SELECT 1)",
        "SELECT 'a",
        "SELECT shop.f(1)",
        "SELECT shop . \"f\" (1)",
        "SELECT shop.f/*/ ? */(1)",
        "SELECT shop./*/ ? */f(1)",
        "SELECT U&\"\\0041\"",
        "SELECT größe FROM t",
        "SELECT \"größe\" FROM t",
        "SELECT a FROM pg_temp.t",
        "SELECT treat(a AS b) FROM t",
        "EXPLAIN ANALYZE SELECT 1",
        "VALUES (1)",
        "CALL p()",
        "INSERT INTO t SELECT 1",
        "SELECT\u000b1",
        "",
      })
  void whatIsNotPlainlyOneQueryHasNone(String sql) {
    assertThat(words(sql)).isNull();
  }

  @Test
  void aNameThatTheServerCutsIsNotPlain() {
    assertThat(words("SELECT " + "a".repeat(63) + " FROM t")).isNotNull();
    assertThat(words("SELECT " + "a".repeat(64) + " FROM t")).isNull();
  }

  @Test
  void aTextThatIsLongIsAnalyzed() {
    assertThat(words("SELECT " + "a, ".repeat(10_000) + "a FROM t")).isNull();
  }
}
