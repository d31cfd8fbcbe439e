package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is read shows when what was held back is not sent. */
@Tag("mutants")
final class HeldBackMutantsTest {
  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE doc (tenant text)", "INSERT INTO doc VALUES ('a'), ('b'), ('c')");
  }

  @AfterEach
  void takeEveryStep() {
    LeftOut.leaveOut(null);
  }

  @Test
  void isNoticedIfLeftOut() throws SQLException {
    assertThat(read()).containsExactly("a");
    LeftOut.leaveOut(ProtocolStep.SEND_WHAT_WAS_HELD);
    assertThat(read()).isEmpty();
    System.out.println("proof: mutants killed=1");
  }

  private List<String> read() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < 4; i++) {
        LarderProbe.run(connection, "SELECT set_config('app.tenant', 'b', true)");
        LarderProbe.rows(connection, "SELECT tenant FROM doc");
        connection.commit();
      }
      long held = LarderProbe.count(connection, "held_back");
      LarderProbe.run(connection, "SELECT set_config('app.tenant', 'a', true)");
      assertThat(LarderProbe.count(connection, "held_back")).isGreaterThan(held);
      return LarderProbe.rows(
          connection, "SELECT tenant FROM doc WHERE tenant = current_setting('app.tenant', true)");
    }
  }
}
