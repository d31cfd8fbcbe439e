package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a session had parsed before it changed its settings means to another JVM what it does. */
@Tag("regression")
@NeedsProgram(Program.MEMCACHED)
final class SharedParsedBeforeTest extends TwoInstances {
  private static final String CONSTANT =
      "SELECT extract(epoch FROM timestamptz '1970-01-01 00:00')::int FROM t WHERE id = 1";

  @Test
  void aConstantMeansToAnotherInstanceWhatItMeansUnderTheSettingsOfNow() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    run(first, "SET TimeZone = 'UTC'");
    for (int i = 0; i < 7; i++) {
      assertThat(prepared(first, CONSTANT)).isEqualTo(0);
      run(second, "UPDATE t SET v = v || 'b'");
    }
    run(first, "SET TimeZone = 'Asia/Karachi'");
    run(second, "SET TimeZone = 'Asia/Karachi'");

    prepared(first, CONSTANT);
    prepared(first, "SELECT v FROM t WHERE id = 1"); // It goes to memcached behind the entry.

    long before = count(second, "remote_hits");
    assertThat(prepared(second, CONSTANT)).isEqualTo(-18_000);
    assertThat(count(second, "remote_hits")).isGreaterThan(before);
  }

  private static Object prepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getObject(1);
    }
  }
}
