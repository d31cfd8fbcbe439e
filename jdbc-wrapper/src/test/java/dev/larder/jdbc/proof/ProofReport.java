package dev.larder.jdbc.proof;

import dev.larder.jdbc.proof.history.Anomaly;
import dev.larder.jdbc.proof.history.HistoryCounts;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a run has checked and found.
 *
 * @param hits how many queries were answered from memory
 * @param faults how many connections were cut, terminated, stopped or cancelled
 */
record ProofReport(
    long seed,
    Duration length,
    int windows,
    long hits,
    long misses,
    long bypasses,
    long faults,
    HistoryCounts counts,
    List<Anomaly> anomalies) {

  /** Returns the part of the queries that were hits. */
  double hitRatio() {
    return (double) hits / Math.max(1, hits + misses + bypasses);
  }

  /** Returns the summary as a table. */
  String summary() {
    StringBuilder text = new StringBuilder();
    row(text, "", "");
    row(text, "---", "---:");
    row(text, "seed", String.valueOf(seed));
    row(text, "duration", length.toSeconds() + " s");
    row(text, "reads checked", String.format("%,d", counts.reads()));
    row(text, "of these overlapping a commit", String.format("%,d", counts.concurrentReads()));
    row(text, "hits", String.format("%,d (%.0f %%)", hits, 100 * hitRatio()));
    row(text, "misses, bypasses", String.format("%,d, %,d", misses, bypasses));
    row(text, "versions of tables committed", String.format("%,d", counts.commits()));
    row(text, "of these after the client's death", String.format("%,d", counts.lostCommits()));
    row(text, "faults injected", String.format("%,d", faults));
    row(text, "windows, each compared at rest", String.format("%,d", windows));
    row(text, "anomalies", String.format("%,d", counts.anomalies()));
    return text.toString();
  }

  /** Returns the lines that {@code .ci/proof} adds up over all that it runs. */
  String totals() {
    return "proof: reads checked=%d%nproof: of these overlapping a commit=%d%nproof: hits=%d%n"
            .formatted(counts.reads(), counts.concurrentReads(), hits)
        + "proof: commits checked=%d%nproof: faults injected=%d%nproof: anomalies=%d"
            .formatted(counts.commits(), faults, counts.anomalies());
  }

  /** Returns how many versions each kind of transaction committed, in one line. */
  String kinds() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Integer, Long> each : counts.kinds().entrySet()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(WriteKind.values()[each.getKey()])
          .append(' ')
          .append(each.getValue());
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String name, String value) {
    text.append("| ").append(name).append(" | ").append(value).append(" |\n");
  }
}
