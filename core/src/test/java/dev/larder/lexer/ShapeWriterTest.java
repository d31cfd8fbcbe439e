package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeWriterTest {
  private static String shape(String sql) {
    return SqlLexer.lex(sql, LexOptions.PREPARED).shape().text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "array [ [1] , [2] ] | array[[0], [0]]",
        "( [ 1 ] ) | ([0])",
        "a [1] [2] | a[0][0]",
        "(a) [1] | (a)[0]",
        "? [1], $1 [2] | ?[0], $1[0]",
        "'x' [1], 1 [2] | '' [0], 0 [0]",
        "t . * | t.*",
        "(a) . b, a [1] . c | (a).b, a[0].c",
        "1 . c, 'x' . c | 0 .c, '' .c",
        "a . 'x' | a. ''",
        "a :: b :: c | a::b::c",
        "a : :: b | a : ::b",
        "a :: : b | a:: : b",
        "a :: - b | a:: - b",
        "f ( ( a ) ) | f((a))",
        "a in ( a ) | a in(a)",
        "a = ( a ) | a = (a)",
        "a[ ( b ) ] | a[(b)]",
      })
  void spacesStandWhereTokensNeedThem(String sql, String expected) {
    assertThat(shape("select x, " + sql)).isEqualTo("select x, " + expected);
    assertThat(shape("select x, " + expected)).isEqualTo("select x, " + expected);
  }

  /** Wherever the room that a shape is first given ends. */
  @Test
  void shapesGrowWithTheirText() {
    for (int length = 4070; length < 4120; length++) {
      String name = "x".repeat(length);
      String tail = " , 'a' , 1 + b".repeat(40);
      assertThat(shape("select " + name + tail))
          .isEqualTo("select " + name + ", '', 0 + b".repeat(40));
    }
    String name = '"' + "x".repeat(100_000) + '"';
    assertThat(shape("select a, " + name + ", 1")).isEqualTo("select a, " + name + ", 0");
  }
}
