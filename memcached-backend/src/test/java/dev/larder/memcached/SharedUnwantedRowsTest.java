package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The driver runs a statement, and then throws because it returns rows or none where the other was
 * asked for. In autocommit what it wrote is committed, with the block that Larder puts around it as
 * without.
 */
@NeedsProgram(Program.MEMCACHED)
@Tag("regression")
class SharedUnwantedRowsTest extends TwoInstances {
  private static final String UPDATE = "UPDATE t SET v = 'b'";

  @BeforeEach
  void warmUp() throws Exception {
    run(
        outside,
        "CREATE FUNCTION f(x text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE t SET v = x; RETURN x; END $$");
    askUntilHit(first, READ);
    askUntilHit(second, READ);
  }

  private void assertRefusedAndWritten(Execution execution) throws Exception {
    assertThatThrownBy(execution::run).isInstanceOf(SQLException.class);
    assertThat(ask(outside, READ)).isEqualTo("b");
    assertThat(ask(first, READ)).isEqualTo("b");
    assertThat(ask(second, READ)).isEqualTo("b");
    assertThat(first.getAutoCommit()).isTrue();
    assertThat(askUntilHit(second, READ)).isEqualTo("b");
  }

  private interface Execution {
    void run() throws SQLException;
  }

  @Test
  void noneWhereSomeWereWanted() throws Exception {
    try (Statement statement = first.createStatement()) {
      assertRefusedAndWritten(() -> statement.executeQuery(UPDATE));
    }
  }

  @Test
  void noneOfAPreparedOne() throws Exception {
    try (PreparedStatement statement = first.prepareStatement("UPDATE t SET v = ?")) {
      statement.setString(1, "b");
      assertRefusedAndWritten(statement::executeQuery);
    }
  }

  @Test
  void someWhereNoneWereWanted() throws Exception {
    try (Statement statement = first.createStatement()) {
      assertRefusedAndWritten(() -> statement.executeUpdate(UPDATE + " RETURNING v"));
    }
  }

  @Test
  void someOfAQueryThatWrites() throws Exception {
    try (PreparedStatement statement = first.prepareStatement("SELECT f('b')")) {
      assertRefusedAndWritten(statement::executeUpdate);
    }
  }

  @Test
  void whatTheServerRefusesIsNotWritten() throws Exception {
    try (Statement statement = first.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("UPDATE t SET v = (1 / 0)::text"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(ask(second, READ)).isEqualTo("a");
    assertThat(first.getAutoCommit()).isTrue();
  }
}
