package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

/** How much was tried. */
final class FuzzCounts {
  private static final System.Logger LOG = System.getLogger(FuzzCounts.class.getName());

  long programs;
  long statements;
  long reads;
  long writes;
  long hits;
  long narrowedHits;
  long narrowedLookups;
  long errors;
  long skimmed;
  long locked;
  final Map<String, Long> states = new TreeMap<>();

  /** Fails if fewer statements were compared than {@code larder.fuzz.statements} asks for. */
  void assertEnough() {
    assertThat(statements)
        .as("statements, where larder.fuzz.statements asks for more: raise jqwik.tries.default")
        .isGreaterThanOrEqualTo(Long.getLong("larder.fuzz.statements", 1));
  }

  void log() {
    LOG.log(
        System.Logger.Level.WARNING,
        "{0} programs, {1} statements compared ({2} reads, {3} hits, {8} of them by key; {4} writes and others; {5}"
            + " errors, the same on both sides: {6}; {7} times a lock was waited for)",
        programs,
        statements,
        reads,
        hits,
        writes,
        errors,
        states,
        locked,
        narrowedHits);
  }
}
