package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The counts are those of the driver's own {@code Parser.parseJdbcSql}. */
class ParameterCounterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "? | 1",
        "select ?? | 0",
        "select ??? | 1",
        "select ???? | 0",
        "select ?? ? | 1",
        "select '?', ? | 1",
        "select 'a''?', ? | 1",
        "select '? | 0",
        "select 'a\\' | 0",
        "select \"?\", ? | 1",
        "select \"a\"\"?\", ? | 1",
        "select \"? | 0",
        "select a - ? | 1",
        "select - | 0",
        "select ?- | 1",
        "select a / ? | 1",
        "select / | 0",
        "select ?/ | 1",
        "select /* ? */ ? | 1",
        "select /* /* ? */ ? */ ? | 1",
        "select /* a /* ? */*/ ? | 1",
        "select /**/ ? | 1",
        "select /***/ ? | 1",
        "select /**/? | 1",
        "select /*/ ? | 1",
        "select /*/*/ ? */ ? | 2",
        "select /* ? | 0",
        "select /* | 0",
        "select $1, ? | 1",
        "select $ | 0",
        "select ?$ | 1",
        "select $a ? | 1",
        "select $1$?$1$ | 1",
        "select x$$?$$ | 1",
        "select $a?$ ? | 2",
        "select ?$a | 1",
      })
  void parametersAreCountedOutsideOfQuotesAndComments(String sql, int count) {
    assertThat(ParameterCounter.count(sql, true)).isEqualTo(count);
    assertThat(ParameterCounter.count(sql, false)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select $$?$$, ? | 1",
        "select $$?$$? | 1",
        "select $$? | 0",
        "$$?$$ ? | 1",
        "select $a$?$a$, ? | 1",
        "select $a$?$b$, ? | 0",
        "select $a1$?$a1$ ? | 1",
        "select a$a$?, $a$ | 1",
      })
  void dollarQuotesEndWithTheirTag(String sql, int count) {
    assertThat(ParameterCounter.count(sql, true)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select E'\\' ?', ?, ? | 2 | 2",
        "select e'\\' ?', ?, ? | 2 | 2",
        "(E'\\' ?', ?, ? | 2 | 2",
        "select E'a\\' ?', ? | 1 | 1",
        "select e'a\\' ?', ? | 1 | 1",
        "select (E'\\' ?'), ? | 1 | 1",
        "select E'a''?', ? | 1 | 1",
        "select E'\\\\' ? | 1 | 1",
        "select E'\\ | 0 | 0",
        "select ae'a\\', ? , ' ? | 1 | 1",
        "select n'\\' ?' ? | 1 | 1",
        "select n'\\' ? | 1 | 0",
        "e' ? | 0 | 0",
        "select 'a\\', ? | 1 | 0",
        "select \u00e9E'\\' ? ' | 1 | 0",
      })
  void backslashesEscapeWhereTheyDoForTheDriver(String sql, int conforming, int escaping) {
    assertThat(ParameterCounter.count(sql, true)).isEqualTo(conforming);
    assertThat(ParameterCounter.count(sql, false)).isEqualTo(escaping);
  }

  @ParameterizedTest
  @CsvSource({
    "'select a -- ?\n, ?', 1",
    "'select a -- ?\r, ?', 1",
    "select a --, 0",
    "select --?, 0",
    "select a - - ?, 1"
  })
  void lineCommentsEndWithTheirLine(String sql, int count) {
    assertThat(ParameterCounter.count(sql, true)).isEqualTo(count);
  }
}
