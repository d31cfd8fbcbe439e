package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.ComparedSessions;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that read the clock though neither a cast nor a function shows it at first sight. */
@Tag("each-server")
final class HiddenClockTest extends ComparedSessions {
  @Override
  protected String[] more() {
    return new String[] {
      "CREATE DOMAIN moment AS timestamptz",
      "CREATE TYPE note AS (d text)",
      "CREATE TABLE words (w text, a text[], doc note)",
      "INSERT INTO words VALUES ('now', '{now}', ROW('now'))",
      "CREATE TABLE texts (day text)",
      "INSERT INTO texts VALUES ('now')",
      "CREATE TABLE event (date date, moment int, at timestamptz)",
      "INSERT INTO event VALUES ('2020-01-01', 1, '2020-01-01 00:00+00')"
    };
  }

  private void assertNeverFrozen(String sql) {
    String first = outcome(two, sql);
    String second = outcome(two, sql);
    assertThat(List.of(first, second, outcome(two, sql))).as(sql).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT (w).timestamptz FROM words",
        "SELECT (w).moment FROM words",
        "SELECT x.timestamptz FROM words, LATERAL lower(w) x",
        "SELECT (a[1]).timestamptz FROM words",
        "SELECT ((doc).d).timestamptz FROM words",
        "SELECT ((doc).d).moment FROM words"
      })
  void aCastInTheNotationOfAColumnReadsTheClock(String sql) {
    assertNeverFrozen(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT at::timestamptz FROM"
            + " (SELECT at::text FROM event UNION ALL SELECT w FROM words OFFSET 1) s",
        "SELECT at::timestamptz FROM (SELECT CASE WHEN length(w) = 3 THEN w ELSE at::text END"
            + " FROM words, event) s",
        "WITH s AS (SELECT CAST(at AS text) FROM event UNION SELECT w FROM words)"
            + " SELECT max(at::timestamptz) FROM s",
        "SELECT x.at::timestamptz FROM event, words, xmltable('/r' PASSING xmlelement(name r,"
            + " xmlelement(name a, w)) COLUMNS n int PATH 'n', at text PATH 'a') x",
        "SELECT t.day::timestamptz FROM texts t,"
            + " generate_series(date '2024-01-01', date '2024-01-01', interval '1 day') day"
      })
  void aColumnThatGetsTheNameOfATimeMayBeAText(String sql) {
    assertNeverFrozen(sql);
  }

  @Test
  void aDomainOfTheStandardsSchemaReadsTheClock() throws SQLException {
    both("SET search_path = public, information_schema");
    // It is cut to hundredths of a second.
    assertThat(isHit(two, "SELECT w::time_stamp FROM words")).isFalse();
    assertThat(isHit(two, "SELECT w::time_stamp FROM words")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT e.date, e.moment FROM event e",
        "SELECT s.date FROM (SELECT date FROM event) s",
        "SELECT d.date FROM event, generate_series(1, 2) AS d(date)"
      })
  void aColumnThatIsCalledLikeATypeIsCached(String sql) throws SQLException {
    fill(two, sql);
  }
}
