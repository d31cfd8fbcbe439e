package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Who ends transactions, asked of the driver and read without its lock. */
final class CommitModeTest {
  private static void both(PostgresSession session, CommitMode expected) {
    assertThat(session.foundCommitMode()).isEqualTo(expected);
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

      session.doubt();
      both(session, CommitMode.AUTO);
      connection.close();
      both(session, CommitMode.CLOSED);
      both(session, CommitMode.CLOSED);
    }
  }

  @Test
  void bothWaysAgreeOnAConnectionThatWasAbortedOrLost() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      Connection aborted = database.connect();
      PostgresSession session = new PostgresSession(aborted);
      aborted.abort(Runnable::run);
      both(session, CommitMode.CLOSED);

      Connection lost = database.connect();
      session = new PostgresSession(lost);
      Statement statement = lost.createStatement();
      assertThatThrownBy(() -> statement.execute("SELECT pg_terminate_backend(pg_backend_pid())"))
          .isInstanceOf(SQLException.class);
      both(session, CommitMode.CLOSED);
    }
  }
}
