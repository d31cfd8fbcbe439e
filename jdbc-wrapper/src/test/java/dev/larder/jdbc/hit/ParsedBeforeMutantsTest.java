package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wrong row shows when a text, or the body of a function, is not parsed again. */
@Tag("mutants")
final class ParsedBeforeMutantsTest {
  private static final String CONSTANT =
      "SELECT extract(epoch FROM timestamptz '1970-01-01 00:00')::int FROM item";
  private static final String BODY = "SELECT midnight() FROM item";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE FUNCTION midnight() RETURNS int STABLE LANGUAGE plpgsql"
            + " AS 'BEGIN RETURN extract(epoch FROM timestamptz ''1970-01-01 00:00''); END'",
        "CREATE TABLE item (n int)",
        "INSERT INTO item VALUES (1)");
  }

  @AfterEach
  void takeEveryStep() {
    LeftOut.leaveOut(null);
  }

  @Test
  void isNoticedIfATextIsNotParsedAgain() throws SQLException {
    isNoticed(ProtocolStep.PARSE_AGAIN, CONSTANT);
  }

  @Test
  void isNoticedIfABodyIsNotPlannedAgain() throws SQLException {
    isNoticed(ProtocolStep.PLAN_AGAIN, BODY);
  }

  private void isNoticed(ProtocolStep step, String read) throws SQLException {
    assertThat(hit(read)).containsExactly("-18000");
    LeftOut.leaveOut(step);
    assertThat(hit(read)).containsExactly("0");
    System.out.println("proof: mutants killed=1");
  }

  /** Returns what one session hits that another has read which has moved to another time zone. */
  private List<String> hit(String read) throws SQLException {
    try (Connection early = LarderProbe.connect(database, "larder.functions.readOnly=midnight");
        Connection late = LarderProbe.connect(database, "larder.functions.readOnly=midnight")) {
      run(early, "SET TimeZone = 'UTC'");
      for (int i = 0; i < 7; i++) {
        assertThat(prepared(early, read)).containsExactly("0");
        run(late, "UPDATE item SET n = n + 1");
      }
      run(early, "SET TimeZone = 'Asia/Karachi'");
      run(late, "SET TimeZone = 'Asia/Karachi'");
      prepared(early, read);
      long before = LarderProbe.hits(late);
      List<String> rows = prepared(late, read);
      assertThat(LarderProbe.hits(late)).isGreaterThan(before);
      return rows;
    }
  }

  private static List<String> prepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return LarderProbe.rows(statement.executeQuery());
    }
  }
}
