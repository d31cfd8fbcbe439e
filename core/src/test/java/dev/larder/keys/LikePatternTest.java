package dev.larder.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LikePatternTest {
  private static final Operand PATTERN = new Operand.Parameter(0);
  private static final Operand ESCAPE = new Operand.Parameter(1);

  @ParameterizedTest
  @CsvSource({"a%, false", "'', false", "a\\, true", "a\\%, true", ", true"})
  void mayFailWithABackslash(String pattern, boolean fails) {
    LikePattern like = new LikePattern(PATTERN, null);
    assertThat(like.mayFail(new Object[0], new Object[] {pattern})).isEqualTo(fails);
  }

  @ParameterizedTest
  @CsvSource({"a\\, '', false", "a%, '', false", "a%, !, true", "a%, \\, true", "a%, , true"})
  void neverFailsWhereNothingEscapes(String pattern, String escape, boolean fails) {
    LikePattern like = new LikePattern(PATTERN, ESCAPE);
    assertThat(like.mayFail(new Object[0], new Object[] {pattern, escape})).isEqualTo(fails);
  }
}
