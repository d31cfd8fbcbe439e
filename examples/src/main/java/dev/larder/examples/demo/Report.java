package dev.larder.examples.demo;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** Prints what came out, in 80 columns. */
final class Report {
  private static final int COLUMNS = 80;
  private static final String INDENT = "    ";

  private final PrintStream out;

  Report(PrintStream out) {
    this.out = out;
  }

  /** Prints both sides next to each other. */
  void table(Totals direct, Totals larder, String hitRatio) {
    out.println();
    line("", Side.DIRECT.prefix(), Side.LARDER.prefix(), "");
    out.println("-".repeat(COLUMNS - 1));
    line(
        "statements per second",
        whole(Math.round(direct.throughput())),
        whole(Math.round(larder.throughput())),
        times(larder.throughput(), direct.throughput()));
    quantile("median read", direct.reads, larder.reads, 0.5);
    quantile("p99 read", direct.reads, larder.reads, 0.99);
    quantile("median write", direct.writes, larder.writes, 0.5);
    quantile("p99 write", direct.writes, larder.writes, 0.99);
    line("answers checked", whole(direct.reads.total()), whole(larder.reads.total()), "");
    line("hit ratio", "-", hitRatio, "");
    line("wrong rows", whole(direct.wrong), whole(larder.wrong), "");
  }

  private void quantile(String name, Latencies direct, Latencies larder, double share) {
    double slow = direct.quantileNanos(share);
    double fast = larder.quantileNanos(share);
    line(name, micros(slow), micros(fast), times(slow, fast));
  }

  /** Prints {@code SHOW larder.queries}. */
  void queries(Connection connection) throws SQLException {
    out.println();
    out.println("SHOW larder.queries");
    out.printf(
        Locale.ROOT,
        "%10s %10s %9s %9s %10s %10s %8s%n",
        "calls",
        "hits",
        "misses",
        "bypasses",
        "us in db",
        "saved ms",
        "entries");
    out.println("-".repeat(COLUMNS - 1));
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.queries")) {
      while (rows.next()) {
        query(rows);
      }
    }
  }

  private void query(ResultSet row) throws SQLException {
    String micros = row.getString("mean_database_micros");
    out.printf(
        Locale.ROOT,
        "%10d %10d %9d %9d %10s %10d %8d%n",
        row.getLong("calls"),
        row.getLong("hits"),
        row.getLong("misses"),
        row.getLong("bypasses"),
        micros == null ? "-" : micros,
        row.getLong("saved_millis"),
        row.getLong("entries"));
    wrapped(row.getString("query"));
    String reason = row.getString("bypass_reason");
    if (reason != null) {
      wrapped("(last bypassed because " + reason + ")");
    }
  }

  /** Prints a text indented, broken at spaces. */
  private void wrapped(String text) {
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.trim().split("\\s+", -1)) {
      if (line.length() + word.length() >= COLUMNS && !line.toString().isBlank()) {
        out.println(line.toString().stripTrailing());
        line = new StringBuilder(INDENT);
      }
      line.append(word).append(' ');
    }
    out.println(line.toString().stripTrailing());
  }

  private void line(String name, String direct, String larder, String ratio) {
    out.println(
        String.format(Locale.ROOT, "%-22s %18s %26s %10s", name, direct, larder, ratio)
            .stripTrailing());
  }

  static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String micros(double nanos) {
    return String.format(Locale.ROOT, nanos < 100_000 ? "%.1f us" : "%,.0f us", nanos / 1_000);
  }

  private static String times(double more, double less) {
    return less == 0 ? "" : String.format(Locale.ROOT, "%.1fx", more / less);
  }
}
