package dev.larder.jdbc.proof.suite;

import java.util.Map;
import java.util.TreeMap;

/** What was done and found in a file, or in all of them. */
final class SuiteCounts {
  long statements;
  long executions;
  long queries;
  long cacheable;
  long hits;
  long stale;
  long legal;
  long unsteady;
  long past;
  final Map<String, Long> skipped = new TreeMap<>();
  final Map<String, Long> differences = new TreeMap<>();
  final Map<String, Long> bypasses = new TreeMap<>();

  void add(SuiteCounts other) {
    statements += other.statements;
    executions += other.executions;
    queries += other.queries;
    cacheable += other.cacheable;
    hits += other.hits;
    stale += other.stale;
    legal += other.legal;
    unsteady += other.unsteady;
    past += other.past;
    other.skipped.forEach((name, count) -> skipped.merge(name, count, Long::sum));
    other.differences.forEach((name, count) -> differences.merge(name, count, Long::sum));
    other.bypasses.forEach((name, count) -> bypasses.merge(name, count, Long::sum));
  }

  static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the line of a file. */
  String line(String file) {
    return String.format(
        "suite: %-28s %5d statements, %5d queries, %5d cacheable, %6d hits compared, %d stale, %d other differences, %d skipped",
        file, statements, queries, cacheable, hits, stale, sum(differences), sum(skipped));
  }

  /** Returns the summary as a table, with the reasons of the bypasses. */
  String summary() {
    StringBuilder text = new StringBuilder("\n| | |\n|---|---:|\n");
    row(text, "statements", statements);
    row(text, "not sent: what only psql understands, or the driver forbids", sum(skipped));
    row(text, "executions, on all servers", executions);
    row(text, "statements that the two bare servers answered differently", unsteady);
    row(text, "hits compared with the server", hits);
    row(text, "of these stale or wrong", stale);
    row(text, "of these otherwise, where larder.suite.legal allows it", legal);
    row(text, "writes past Larder, on purpose", past);
    differences.forEach(
        (kind, count) -> row(text, "otherwise than the bare servers: " + kind, count));
    row(text, "queries that the server answers", queries);
    row(text, "of these cacheable", cacheable);
    bypasses.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(reason -> row(text, "bypassed: " + reason.getKey(), reason.getValue()));
    return text.toString();
  }

  private static void row(StringBuilder text, String name, long value) {
    text.append("| ").append(name).append(" | ").append(String.format("%,d", value)).append(" |\n");
  }
}
