package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * {@code larder.mode=observe} changes no answer in the programs of {@link DifferentialFuzzTest},
 * and takes none for one that would have been wrong.
 */
@Tag("proof")
class ObservedFuzzTest {
  private final FuzzCounts counts = new FuzzCounts();
  private long observed;

  @Property
  void everyStatementIsAnsweredAsByTheDriver(@ForAll("programs") Program program)
      throws SQLException {
    try (Databases databases = new Databases(program, "larder.mode=observe")) {
      new Comparison(databases, counts).run(program);
      assertThat(databases.count("wrong_hits")).as("wrong hits").isZero();
      observed += databases.count("hits");
    }
  }

  @AfterProperty
  void muchWouldHaveBeenAnsweredFromMemory() {
    counts.log();
    assertThat(observed * 10).as("hits of %s reads", counts.reads).isGreaterThan(counts.reads);
  }

  @Provide
  Arbitrary<Program> programs() {
    return Program.programs();
  }
}
