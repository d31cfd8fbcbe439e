package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Who ends transactions, asked of the driver and read without its lock. */
final class CommitModeTest {
  private static void both(PostgresSession session, CommitMode expected) {
    assertThat(session.likelyCommitMode()).isEqualTo(expected);
    assertThat(session.commitMode()).isEqualTo(expected);
  }

  @Test
  void bothWaysAgreeWhereverTheDriverWasTold() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      Connection connection = database.connect();
      PostgresSession session = new PostgresSession(connection);
      both(session, CommitMode.AUTO);
      connection.setAutoCommit(false);
      both(session, CommitMode.MANUAL);
      connection.rollback();
      both(session, CommitMode.MANUAL);
      connection.setAutoCommit(true);
      both(session, CommitMode.AUTO);

      session.mayBeClosed();
      both(session, CommitMode.AUTO);
      connection.close();
      session.mayBeClosed();
      both(session, CommitMode.CLOSED);
      both(session, CommitMode.CLOSED);
    }
  }

  @Test
  void whatMayHaveBrokenTheConnectionHasItLookedAt() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      Connection connection = database.connect();
      PostgresSession session = new PostgresSession(connection);
      connection.close();
      session.doubt();
      both(session, CommitMode.CLOSED);
    }
  }
}
