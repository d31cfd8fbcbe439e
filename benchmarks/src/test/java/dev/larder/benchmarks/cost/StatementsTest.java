package dev.larder.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** The experiment {@code cost} sends what its bars are named after. */
class StatementsTest {
  private static final int TIMES = 50;

  private interface Action {
    long run(Statements statements) throws Exception;
  }

  private static void run(Action action, Statements statements) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      action.run(statements);
    }
  }

  @Test
  void newReadsMissAndAllOthersAreBypasses() throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      postgres.awaitCatalog();
      try (Connection larder = postgres.larder("statements", "&larder.admission=all")) {
        Statements statements = new Statements(larder, 0);
        run(Statements::readNew, statements);
        assertThat(Postgres.count(larder, "misses")).isEqualTo(TIMES);
        run(Statements::readTheClock, statements);
        assertThat(Postgres.count(larder, "bypasses")).isEqualTo(TIMES);
        run(Statements::transaction, statements);
        assertThat(Postgres.count(larder, "bypasses")).isEqualTo(2 * TIMES);
        assertThat(Postgres.count(larder, "misses")).isEqualTo(TIMES);
      }
    }
  }
}
