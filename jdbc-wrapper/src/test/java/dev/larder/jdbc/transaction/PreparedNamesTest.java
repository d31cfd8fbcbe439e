package dev.larder.jdbc.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.store.FaultPoint;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code COMMIT PREPARED} invalidates what the transaction wrote that the server has under the
 * name, and not what another one wrote that was to have it.
 */
@Tag("regression")
final class PreparedNamesTest extends ProtocolFixture {
  private static final String ITEM = "UPDATE item SET name = 'new' WHERE id = 1";
  private static final String NOTE = "UPDATE other SET note = 'y'";

  private String gid() {
    return "'" + database.name() + "'";
  }

  private String prepare() {
    return "PREPARE TRANSACTION " + gid();
  }

  private String commit() {
    return "COMMIT PREPARED " + gid();
  }

  @AfterEach
  void injectNothing() {
    FaultPoints.inject(null);
  }

  /** Has the server a transaction that has written an item, of which nothing is remembered. */
  private void prepareAndForget() throws SQLException {
    run(two, "BEGIN", ITEM, prepare());
    run(two, "BEGIN", NOTE);
    assertThatThrownBy(() -> run(two, prepare())).isInstanceOf(SQLException.class);
  }

  private void fill(String... queries) throws SQLException {
    for (String sql : queries) {
      LarderProbe.fill(one, sql);
    }
  }

  @Test
  void aPrepareThatIsLostSaysNothingOfWhoHasTheName() throws Exception {
    prepareAndForget();
    try (Connection lost = LarderProbe.connect(database)) {
      run(lost, "BEGIN", NOTE);
      String process = LarderProbe.rows(lost, "SELECT pg_backend_pid()").get(0);
      run(past, "SELECT pg_terminate_backend(" + process + ", 10000)");
      assertThatThrownBy(() -> run(lost, prepare())).isInstanceOf(SQLException.class);
    }
    Waiting.until("hits after a lost connection", () -> LarderProbe.isHit(one, ITEMS));
    run(two, commit());
    assertLive(one, ITEMS, "new", "b");
  }

  @Test
  void aPrepareUnderWaySaysNothingOfWhoHasTheName() throws Exception {
    prepareAndForget();
    run(two, "BEGIN", NOTE);
    fill(ITEMS);
    FaultPoints.once(FaultPoint.SENDING, () -> run(one, commit()));
    run(two, prepare());
    assertLive(one, ITEMS, "new", "b");
    run(past, "ROLLBACK PREPARED " + gid());
  }

  @Test
  void aNameThatIsUsedAgainBeforeTheCommitIsSentMeansTheLatter() throws Exception {
    run(two, "BEGIN", ITEM, prepare());
    FaultPoints.once(
        FaultPoint.RESOLVED,
        () -> {
          run(two, commit());
          run(two, "BEGIN", NOTE, prepare());
          fill(NOTES);
        });
    run(one, commit());
    assertLive(one, NOTES, "y");
  }

  @Test
  void aNameThatIsUsedAgainWhileTheCommitIsSentMeansTheLatter() throws Exception {
    run(two, "BEGIN", ITEM, prepare());
    FaultPoints.once(
        FaultPoint.SENDING,
        () -> {
          run(past, "ROLLBACK PREPARED " + gid());
          run(two, "BEGIN", NOTE, prepare());
          assertThat(LarderProbe.rows(two, NOTES)).containsExactly("x");
          assertThat(LarderProbe.isHit(two, NOTES)).isFalse();
        });
    run(one, commit());
    assertLive(one, NOTES, "y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1 / 0", "ROLLBACK"})
  void aPrepareThatPreparesNothingLeavesTheName(String before) throws Exception {
    run(two, "BEGIN", ITEM, prepare());
    run(two, "BEGIN", NOTE);
    try (Statement statement = two.createStatement()) {
      statement.execute(before);
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("division by zero");
    }
    run(two, prepare());
    fill(ITEMS, NOTES);
    run(one, commit());
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, NOTES, "x");
  }

  @Test
  void aNameThatIsWrittenOddlyMayBeAnyName() throws Exception {
    String odd = "E'" + database.name() + "\\x41'";
    run(two, "BEGIN", ITEM, "PREPARE TRANSACTION '" + database.name() + "A'");
    run(two, "COMMIT PREPARED " + odd);
    run(two, "BEGIN", NOTE, "PREPARE TRANSACTION " + odd);
    fill(NOTES);
    run(one, "COMMIT PREPARED '" + database.name() + "A'");
    assertLive(one, NOTES, "y");
  }
}
