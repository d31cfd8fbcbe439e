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
 * {@code larder.verify=1} takes no answer for wrong in the programs of {@link
 * DifferentialFuzzTest}, whose statements leave the server many a choice.
 */
@Tag("proof")
class VerifiedFuzzTest {
  private final FuzzCounts counts = new FuzzCounts();
  private long verified;
  private long unverifiable;

  @Property
  void nothingIsTakenForAWrongRow(@ForAll("programs") Program program) throws SQLException {
    try (Databases databases = new Databases(program, "larder.verify=1")) {
      new Comparison(databases, counts).run(program);
      assertThat(databases.count("wrong_hits")).as("wrong hits").isZero();
      verified += databases.count("verified_hits");
      unverifiable += databases.count("unverifiable_hits");
    }
  }

  @AfterProperty
  void muchWasVerified() {
    counts.log();
    assertThat(verified * 10).as("verified of %s reads", counts.reads).isGreaterThan(counts.reads);
    assertThat(counts.narrowedLookups).as("reads by key").isPositive();
    assertThat(unverifiable).as("unverifiable of %s", verified).isLessThan(verified);
  }

  @Provide
  Arbitrary<Program> programs() {
    return Program.programs();
  }
}
