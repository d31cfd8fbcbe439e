package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.QueryHints.Caching;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementShapeTest {
  private static StatementShape shape(String sql, LexOptions options) {
    return SqlLexer.lex(sql, options).shape();
  }

  private static StatementShape shape(String sql) {
    return shape(sql, LexOptions.STATEMENT);
  }

  @Test
  void textsThatDifferInAnythingButLiteralsAreDifferentShapes() {
    StatementShape shape = shape("select a from t where b = 1");

    assertThat(shape).isEqualTo(shape).isEqualTo(shape("select a from t where b = 2"));
    assertThat(shape).hasSameHashCodeAs(shape("select a from t where b = 2"));
    assertThat(shape).isNotEqualTo(shape("select a from t where c = 1"));
    assertThat(shape).isNotEqualTo(shape("select a from t where b = ''"));
    assertThat(shape).isNotEqualTo(shape.text());
    assertThat(shape).doesNotHaveSameHashCodeAs(shape("select a from t where c = 1"));
  }

  @Test
  void textsThatHashAlikeAreDifferentShapes() {
    StatementShape shape = shape("select Aa from t");
    StatementShape other = shape("select BB from t");

    assertThat(other).hasSameHashCodeAs(shape).isNotEqualTo(shape);
  }

  @Test
  void optionsAndHintsArePartOfAShape() {
    String sql = "select a from t";
    StatementShape shape = shape(sql);

    assertThat(shape(sql, LexOptions.PREPARED)).isNotEqualTo(shape);
    assertThat(shape(sql, LexOptions.of(false, false))).isNotEqualTo(shape);
    assertThat(shape("/* larder:ttl=1s */" + sql)).isNotEqualTo(shape);
    assertThat(shape("/* larder:ttl=1s */" + sql).hints())
        .isEqualTo(new QueryHints(Caching.DEFAULT, Duration.ofSeconds(1), null));
    assertThat(shape(sql, LexOptions.PREPARED).options()).isEqualTo(LexOptions.PREPARED);
    assertThat(shape).hasToString(sql);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select a from t where b = 'secret' | select a from t where b = ''",
        "set password = 'secret' | set password = ''",
        "set a = E'secret', b = 'Now' | set a = '', b = 'Now'",
        "set a = U&'secret' | set a = ''",
        "set a = $$secret$$; set b = '-Infinity' | set a = ''; set b = '-Infinity'",
        "set a = 'epoch today' | set a = ''",
        "set a = B'101' | set a = ''",
        "set a = 'secret | set a = ''",
        "set a = \"secret | set a = ''",
        "set a = {b} | set a = { b }",
        "set a = 5 | set a = 5",
      })
  void nothingThatAConstantSaysIsShown(String sql, String shown) {
    assertThat(shape(sql).shownText()).isEqualTo(shown);
  }

  @Test
  void durationsAreReadAsHintsHaveThem() {
    assertThat(QueryHints.duration("5s")).isEqualTo(Duration.ofSeconds(5));
    assertThat(QueryHints.duration("999999999h")).isEqualTo(Duration.ofHours(999_999_999));
    assertThat(QueryHints.duration("1000000000h")).isNull();
    assertThat(QueryHints.duration("5")).isNull();
    assertThat(QueryHints.duration("5S")).isNull();
  }

  @Test
  void oneEntryAtATimeIsChargedForAShape() {
    StatementShape shape = shape("select a from t");

    assertThat(shape.charge()).isTrue();
    assertThat(shape.charge()).isFalse();
    shape.discharge();
    assertThat(shape.charge()).isTrue();
  }
}
