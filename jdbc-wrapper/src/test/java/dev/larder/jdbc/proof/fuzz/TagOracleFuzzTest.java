package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.SQLException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.Tag;

/**
 * What the analysis says that statements read and write, against the locks that the server takes
 * for them: whatever the way to a relation, nothing reads or writes it without a lock. {@code
 * -Djqwik.tries.default} says how many programs.
 */
@Tag("each-server")
class TagOracleFuzzTest {
  private final FuzzCounts counts = new FuzzCounts();

  @Property
  void everyRelationThatTheServerLocksIsAmongTheTags(@ForAll("programs") Program program)
      throws SQLException {
    try (TestDatabase database = Databases.database(program.schema());
        TagOracle oracle = new TagOracle(database, counts)) {
      oracle.check(program);
    }
  }

  @AfterProperty
  void somethingWasChecked() {
    counts.log();
    System.out.println("proof: statements compared with the locks=" + counts.statements);
    assertThat(counts.reads).as("cacheable reads that were checked").isPositive();
    assertThat(counts.writes).as("writes that were checked").isPositive();
    assertThat(counts.skimmed).as("reads that were known by their words").isPositive();
  }

  @Provide
  Arbitrary<Program> programs() {
    return Program.programs();
  }
}
