package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pooler leads to another database while clients stay connected, as in an upgrade. */
@NeedsProgram(Program.PGBOUNCER)
@Tag("regression")
final class RedirectedPoolerTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";

  /** The older client was connected when the pooler led to the first database. */
  @Test
  void whatAnOlderClientWritesIsSeenByALaterOne() throws Exception {
    try (TestDatabase first = TestDatabase.create();
        TestDatabase second = TestDatabase.create()) {
      for (TestDatabase database : List.of(first, second)) {
        database.execute(
            "CREATE TABLE t (id int PRIMARY KEY, v int)", "INSERT INTO t VALUES (1, 10)");
      }
      try (PgBouncer pooler = PgBouncer.start(first, "transaction", 4);
          Connection older = pooler.connectThroughLarder("postgres")) {
        fill(older, READ);
        pooler.leadTo(second);
        try (Connection later = pooler.connectThroughLarder("postgres")) {
          fill(later, READ);
          assertThat(isHit(later, READ)).isTrue();
          run(older, "UPDATE t SET v = 11 WHERE id = 1");
          assertThat(second.queryString("SELECT v FROM t")).isEqualTo("11");
          assertThat(rows(later, READ)).containsExactly("11");
        }
      }
    }
  }
}
