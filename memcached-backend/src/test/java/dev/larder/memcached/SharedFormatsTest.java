package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What another instance has read has the format, text or binary, that the connection would have got
 * from the server.
 */
@NeedsProgram(Program.MEMCACHED)
final class SharedFormatsTest extends TwoInstances {
  private static final int EXECUTIONS = 9;

  /** The driver shows 0.00000001 as 1E-8 once it reads numbers in binary. */
  private static final String TINY = "SELECT 0.00000001 AS n FROM t WHERE id = 1";

  /** To the cache the same query with another constant. */
  private static final String WHOLE = "SELECT 1 AS n FROM t WHERE id = 1";

  @BeforeEach
  void warmUp() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
  }

  @Test
  void anExecutionThatTheOtherInstanceAnswersIsCounted() throws Exception {
    publish();
    compareRemoteAnswers();
  }

  @Test
  void itIsCountedAlthoughAnotherConstantHadAnotherType() throws Exception {
    answers(second, WHOLE, 1);
    publish();
    compareRemoteAnswers();
  }

  /**
   * Has the first instance read it, and waits until memcached has it: nobody waits for the answer
   * to an entry that is set, but the next question goes the same way behind it.
   */
  private void publish() throws SQLException {
    answers(first, TINY, 1);
    answers(first, "SELECT v AS n FROM t WHERE id = 1", 1);
  }

  private void compareRemoteAnswers() throws SQLException {
    long before = count(second, "remote_hits");
    assertThat(answers(second, TINY, EXECUTIONS))
        .isEqualTo(answers(outside, TINY, EXECUTIONS))
        .contains("0.00000001", "1E-8");
    assertThat(count(second, "remote_hits")).isGreaterThan(before);
  }

  private static String answers(Connection connection, String sql, int executions)
      throws SQLException {
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < executions; i++) {
      try (PreparedStatement statement = connection.prepareStatement(sql);
          ResultSet rows = statement.executeQuery()) {
        rows.next();
        answers.append(rows.getString(1)).append(' ');
      }
    }
    return answers.toString();
  }
}
