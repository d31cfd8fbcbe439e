package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
@Tag("regression")
class ClockWordsTest {
  /** Whether the one token of {@code constant} may read the clock. */
  private static boolean inConstant(String constant) {
    TokenScanner scanner = new TokenScanner(constant, LexOptions.STATEMENT);
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.end()).isEqualTo(constant.length());
    return ClockWords.inConstant(constant, 0, constant.length(), scanner.kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'now'",
        "N'today'",
        "'to'\n'day'",
        "'to'\r'day'",
        "'to'\n  'day'",
        "'x tomor'\n-- it's\n'row'",
        "'to' -- it's\n -- isn't\r\n'day'",
        "'yester'\n'day 10:00'",
        "'x'\n'y'",
        "'x'\n-- it's a day\n'y'",
        "'x''' \n'y'",
        "'$.time()'",
        "'$ . Time ()'",
        "'$.a.time_tz(3)'",
        "'$.timestamp_tz()'",
        "'$[*].datetime(\"HH24\")'",
        "'$./* a */time/* b */()'",
        "'$.tim\\e()'",
        "'$.\\u0074ime()'",
        "'$.\\x74ime()'",
        "'\"n\"ow'",
        "E'now'",
        "E'n\\157w'",
        "E'\\u006eow'",
        "E'no'\n'w'",
        "E'no'\r'w'",
        "U&'x'",
        "$$now$$",
        "$a$ Tomorrow $a$",
        "'now",
        "$a$x",
      })
  void wordsOfTheClockAreFoundHoweverTheyAreWritten(String constant) {
    assertThat(inConstant(constant)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'x'",
        "'no w'",
        "'no\nw'",
        "'no\n''w'",
        "''",
        "''''",
        "N'it''s\n'",
        "'time (s)'",
        "'x.times()'",
        "'x.time'",
        "'time.x()'",
        "'x_tz()'",
        "'$.date()'",
        "'$.timestamp()'",
        "'(x)'",
        "'no''w'",
        "E'x\\n\\t\\b\\f\\r\\\\\\'\\\"'",
        "$$x$$",
        "B'1'",
        "1",
        "a",
      })
  void otherConstantsDoNotReadTheClock(String constant) {
    assertThat(inConstant(constant)).isFalse();
  }

  @Test
  void onlyThePartThatIsAskedForIsLookedAt() {
    String text = "'now' 'x' 'now'";
    assertThat(ClockWords.in(text, 6, 9)).isFalse();
    assertThat(ClockWords.in(text, 0, 5)).isTrue();
  }
}
