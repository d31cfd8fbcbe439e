package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the mutants of keys replace is in the source: whoever changes that learns it at once. */
final class KeyMutantSourcesTest {
  @Test
  void everyMutantChangesTheSource() {
    List<String> lost =
        KeyMutant.ALL.stream().filter(mutant -> !changes(mutant)).map(KeyMutant::name).toList();
    assertThat(lost).as("mutants that replace what is not in the source any more").isEmpty();
  }

  private static boolean changes(KeyMutant mutant) {
    try {
      return !KeyMutantsTest.mutated(mutant).isEmpty();
    } catch (AssertionError | IOException e) {
      return false;
    }
  }
}
