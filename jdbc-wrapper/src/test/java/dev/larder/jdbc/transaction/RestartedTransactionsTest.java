package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text or a batch ends a transaction and begins the next, so that one is open all along. */
final class RestartedTransactionsTest extends ProtocolFixture {
  private static final String AT = "SELECT at FROM event";
  private static final String NAME = "SELECT v FROM twin";

  private void createEvent() throws SQLException {
    run(
        one,
        "CREATE TABLE event (at timestamptz)",
        "INSERT INTO event VALUES ('2020-01-01 12:00:00+00')");
    LarderProbe.awaitCatalog(one);
    run(two, "SET TIME ZONE 'Asia/Tokyo'");
    LarderProbe.fill(two, AT);
    for (Connection connection : List.of(one, past)) {
      run(connection, "SET TIME ZONE 'UTC'");
      rows(connection, AT);
    }
  }

  private void createTwins() throws SQLException {
    run(
        one,
        "CREATE SCHEMA sp",
        "CREATE TABLE twin (v text)",
        "CREATE TABLE sp.twin (v text)",
        "INSERT INTO twin VALUES ('public')",
        "INSERT INTO sp.twin VALUES ('sp')");
    LarderProbe.awaitCatalog(one);
  }

  /** Runs a transaction of several texts, of which some fail; returns what it reads at the end. */
  private static String readAfter(Connection connection, String texts, String query)
      throws SQLException {
    run(connection, "BEGIN");
    for (String text : texts.split("\\|")) {
      if (text.contains("1/0")) {
        assertThatThrownBy(() -> run(connection, text)).isInstanceOf(SQLException.class);
      } else {
        run(connection, text);
      }
    }
    return twice(connection, query);
  }

  private static String twice(Connection connection, String query) throws SQLException {
    return rows(connection, query) + "" + rows(connection, query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET TIME ZONE 'Asia/Tokyo'|ROLLBACK; BEGIN",
        "SET TIME ZONE 'Asia/Tokyo'|ROLLBACK; START TRANSACTION",
        "SET TIME ZONE 'Asia/Tokyo'|SELECT 1/0|COMMIT; BEGIN",
        "SET TIME ZONE 'Asia/Tokyo'|ROLLBACK; BEGIN; SELECT 1/0|ROLLBACK; BEGIN",
        "SET TIME ZONE 'Asia/Tokyo'|ROLLBACK; BEGIN; SET TIME ZONE 'Asia/Tokyo'",
        "SET LOCAL TIME ZONE 'Asia/Tokyo'|COMMIT; BEGIN",
        "SET LOCAL TIME ZONE 'Asia/Tokyo'|END; START TRANSACTION"
      })
  void settingsOfTheTransactionBeforeAreAskedForAgain(String texts) throws SQLException {
    createEvent();
    assertThat(readAfter(one, texts, AT)).isEqualTo(readAfter(past, texts, AT));
    for (Connection connection : List.of(one, past)) {
      run(connection, "COMMIT");
    }
    assertThat(twice(one, AT)).isEqualTo(twice(past, AT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK|BEGIN", "ROLLBACK|START TRANSACTION|SAVEPOINT s"})
  void settingsOfTheTransactionBeforeABatchAreAskedForAgain(String batch) throws SQLException {
    createEvent();
    run(one, "BEGIN", "SET TIME ZONE 'Asia/Tokyo'");
    try (Statement statement = one.createStatement()) {
      for (String sql : batch.split("\\|")) {
        statement.addBatch(sql);
      }
      statement.executeBatch();
    }
    assertThat(twice(one, AT)).isEqualTo(twice(past, AT));
    run(one, "COMMIT");
    assertThat(twice(one, AT)).isEqualTo(twice(past, AT));
  }

  @Test
  void aWriteBehindASearchPathThatWasRolledBackIsSeen() throws SQLException {
    createTwins();
    rows(one, NAME);
    for (String path : List.of("sp", "public")) {
      run(one, "SET search_path TO '" + path + "'");
      rows(one, NAME);
    }
    LarderProbe.fill(two, NAME);
    run(one, "BEGIN", "SET search_path TO 'sp'", "ROLLBACK; BEGIN");
    run(one, "UPDATE twin SET v = 'new'", "COMMIT");
    assertThat(rows(two, NAME)).containsExactly("new");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET search_path TO 'sp'|ROLLBACK; BEGIN",
        "SET LOCAL search_path TO 'sp'|COMMIT; BEGIN"
      })
  void theMeaningOfASearchPathThatIsGoneIsNotLearnt(String texts) throws SQLException {
    createTwins();
    rows(one, NAME);
    assertThat(readAfter(one, texts, NAME)).isEqualTo("[public][public]");
    run(one, "COMMIT");
    rows(two, NAME);
    run(two, "SET search_path TO 'sp'");
    assertThat(twice(two, NAME)).isEqualTo("[sp][sp]");
  }

  @Test
  void theMeaningOfASearchPathThatWasNeverSetIsNotLearnt() throws SQLException {
    createTwins();
    rows(one, NAME);
    run(one, "SET LOCAL search_path TO 'sp'"); // Outside of a transaction it does nothing.
    run(two, "CREATE TABLE further (v int)");
    LarderProbe.awaitCatalog(one);
    assertThat(rows(one, NAME)).containsExactly("public");
    rows(two, NAME);
    run(two, "SET search_path TO 'sp'");
    assertThat(twice(two, NAME)).isEqualTo("[sp][sp]");
  }
}
