package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.Tag;

/**
 * What a connection through Larder answers, against what one of the driver itself answers in a
 * database of its own: rows, columns, update counts, warnings, errors. {@code
 * -Djqwik.tries.default} says how many programs.
 */
@Tag("each-server")
class DifferentialFuzzTest {
  /** Of fewer programs there may be none that reads by key what it reads again. */
  private static final int MANY = 50;

  private final FuzzCounts counts = new FuzzCounts();

  @Property
  void everyStatementIsAnsweredAsByTheDriver(@ForAll("programs") Program program)
      throws SQLException {
    try (Databases databases = new Databases(program)) {
      new Comparison(databases, counts).run(program);
    }
  }

  @AfterProperty
  void answersCameFromMemory() {
    counts.log();
    System.out.println("proof: statements compared with the driver=" + counts.statements);
    System.out.println("proof: hits among these=" + counts.hits);
    System.out.println("proof: hits by key among these=" + counts.narrowedHits);
    counts.assertEnough();
    assertThat(counts.hits * 10).as("hits of %s reads", counts.reads).isGreaterThan(counts.reads);
    if (counts.programs >= MANY) {
      assertThat(counts.narrowedHits * 50)
          .as("hits by key of %s", counts.hits)
          .isGreaterThan(counts.hits);
    }
  }

  @Provide
  Arbitrary<Program> programs() {
    return Program.programs();
  }
}
