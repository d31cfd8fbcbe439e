package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Turns.Operation;
import dev.larder.benchmarks.shapes.UsedHeap;
import dev.larder.benchmarks.shapes.Variant;
import dev.larder.benchmarks.suite.BarFigure;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * Statements of which no two have the same text, so that nothing is ever hit: what is left of the
 * throughput, and what stays on the heap. The driver takes turns with the product; the heap is
 * looked at afterwards, of one at a time.
 */
public final class Floods implements Experiment {
  private static final String NAME = "floods";
  private static final String THROUGHPUT = "throughput";
  private static final String HEAP = "heap";
  private static final String KIND = "kind";
  private static final int POINTS = 5;

  /** Room for results, so that the figure shows where it ends. */
  private static final String MAX_BYTES = "&larder.maxBytes=8MB";

  /** A way in which texts differ. */
  private enum Kind {
    LITERALS("one shape, new literals") {
      @Override
      long read(Connection connection, int number) throws SQLException {
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(byLiteral(number))) {
          return only(row);
        }
      }
    },
    PREPARED_LITERALS("the same, prepared") {
      @Override
      long read(Connection connection, int number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(byLiteral(number));
            ResultSet row = statement.executeQuery()) {
          return only(row);
        }
      }
    },
    SHAPES("a new shape each") {
      @Override
      long read(Connection connection, int number) throws SQLException {
        String sql = "SELECT abalance AS c" + number + " FROM account WHERE aid = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setInt(1, number % Postgres.ACCOUNTS + 1);
          try (ResultSet row = statement.executeQuery()) {
            return only(row);
          }
        }
      }
    };

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Reads a row by a text that only {@code number} has. */
    abstract long read(Connection connection, int number) throws SQLException;

    private static String byLiteral(int number) {
      return "SELECT abalance FROM account WHERE aid = "
          + (number % Postgres.ACCOUNTS + 1)
          + " AND bid <> -"
          + number;
    }

    private static long only(ResultSet row) throws SQLException {
      if (!row.next()) {
        throw new SQLException("There is no row.");
      }
      return row.getInt(1);
    }
  }

  private int number;

  /** For the command. */
  public Floods() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(8 + steps(scale) * scale.of(4L, 20L));
  }

  @Override
  public int steps(Scale scale) {
    return Kind.values().length * 2;
  }

  private static int texts(Scale scale) {
    return scale.of(20_000, 200_000);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      postgres.awaitCatalog();
      Variant larder = new Variant(Servers.LARDER, () -> postgres.larder(NAME + number, MAX_BYTES));
      Variant direct = servers.variants().get(0);
      for (Kind kind : Kind.values()) {
        compare(kind, direct, larder, scale, results);
        progress.step(NAME + ": " + kind.label);
      }
      for (Kind kind : Kind.values()) {
        for (Variant variant : List.of(direct, larder)) {
          weigh(kind, variant, scale, results);
        }
        progress.step(NAME + ": " + kind.label + ", heap");
      }
    }
  }

  private void compare(Kind kind, Variant direct, Variant larder, Scale scale, Results results)
      throws Exception {
    try (Connection without = direct.source().connect();
        Connection with = larder.source().connect()) {
      Operation base = () -> kind.read(without, ++number);
      Operation other = () -> kind.read(with, ++number);
      new Pairs(base, other)
          .run(
              scale.of(100, 500),
              (percent, processorPercent) -> {
                results.add(NAME, "by the clock", "added", "%", percent, KIND, kind.label);
                results.add(NAME, "processor", "added", "%", processorPercent, KIND, kind.label);
              });
      for (int round = 0; round < scale.of(5, 9); round++) {
        results.add(NAME, direct.label(), THROUGHPUT, "1/s", rate(base), KIND, kind.label);
        results.add(NAME, larder.label(), THROUGHPUT, "1/s", rate(other), KIND, kind.label);
      }
      if (Postgres.count(with, "hits") > 0) {
        throw new SQLException("There was a hit in " + kind.label);
      }
    }
  }

  private static double rate(Operation operation) throws Exception {
    long start = System.nanoTime();
    long sum = 0;
    int count = 0;
    while (System.nanoTime() - start < 100_000_000) {
      sum += operation.run();
      count++;
    }
    if (sum == 0) {
      throw new SQLException("Nothing was read.");
    }
    return count * 1e9 / (System.nanoTime() - start);
  }

  private void weigh(Kind kind, Variant variant, Scale scale, Results results) throws Exception {
    try (Connection connection = variant.source().connect()) {
      kind.read(connection, ++number);
      long before = UsedHeap.bytes();
      int each = texts(scale) / POINTS;
      for (int point = 1; point <= POINTS; point++) {
        for (int i = 0; i < each; i++) {
          kind.read(connection, ++number);
        }
        double megabytes = (UsedHeap.bytes() - before) / 1e6;
        results.add(
            NAME,
            variant.label() + ": " + kind.label,
            HEAP,
            "MB",
            megabytes,
            "texts",
            point * each);
      }
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure throughput =
        figures.bars(NAME, "Statements of which no two have the same text", "statements a second");
    for (String variant : List.of(Servers.DIRECT, Servers.LARDER)) {
      for (Kind kind : Kind.values()) {
        List<Double> rates = results.values(NAME, variant, THROUGHPUT, KIND, kind.label);
        if (!rates.isEmpty()) {
          throughput.bar(variant, kind.label, Spread.of(rates).median());
        }
      }
    }
    throughput.save();
    LineFigure heap =
        figures.lines(
            NAME + "-heap",
            "Heap that such statements leave occupied, larder.maxBytes=8MB",
            "statements so far",
            "MB");
    for (String variant : results.variants(NAME)) {
      heap.line(variant, results.line(NAME, variant, HEAP, "texts", factors -> true));
    }
    heap.save();
  }
}
