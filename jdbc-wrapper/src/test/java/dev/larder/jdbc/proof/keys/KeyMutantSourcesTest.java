package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the mutants of keys replace is in the source: whoever changes that learns it at once. */
final class KeyMutantSourcesTest {
  @Test
  void everyMutantChangesTheSource() throws IOException {
    for (KeyMutant mutant : KeyMutant.ALL) {
      assertThat(KeyMutantsTest.mutated(mutant)).as(mutant.name()).isNotEmpty();
    }
  }
}
