package dev.larder.benchmarks.replay;

import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Turns;
import dev.larder.benchmarks.suite.BarFigure;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.RowSetProvider;

/**
 * What it takes to read results of many shapes whole: direct, replayed by Larder, and copied from a
 * CachedRowSet that the application keeps. Every value is read, by getObject unless the shape says
 * otherwise.
 */
public final class ResultShapes implements Experiment {
  private static final String NAME = "results";
  private static final String ROW_SET = "CachedRowSet copy";
  private static final String TIME = "time";
  private static final int FORTY = 40;

  /** After a pause longer than the catalog is trusted for, which a busy machine may make. */
  private static final int MOST_MISSES = 2;

  /** A miss, a hit that asks for room, one that remembers, and one that hands out. */
  private static final int EXECUTIONS_BEFORE = 4;

  /**
   * A query and how its rows are read.
   *
   * @param typed true to read by the getters that an object mapper uses for the columns' types
   */
  private record Shape(String sql, boolean typed) {}

  /** Reads every value of all rows; returns something that depends on what was read. */
  @FunctionalInterface
  private interface Reader {
    long read(ResultSet rows) throws SQLException;
  }

  /** For the command. */
  public ResultShapes() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(10 + steps(scale) * scale.of(2L, 9L));
  }

  @Override
  public int steps(Scale scale) {
    return shapes().size();
  }

  private static Map<String, Shape> shapes() {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    shapes.put("1 × 4", new Shape("SELECT id, n, t, u FROM wide WHERE id = 1", false));
    shapes.put("1 × 10", new Shape(mixed(1), false));
    shapes.put("100 × 4", new Shape("SELECT id, n, t, u FROM wide WHERE id <= 100", false));
    shapes.put("100 × 10 int", new Shape(columns("id", 10, 100), false));
    shapes.put("100 × 10 numeric", new Shape(columns("n", 10, 100), false));
    shapes.put("100 × 10 text", new Shape(columns("t", 10, 100), false));
    shapes.put("100 × 10 uuid", new Shape(columns("u", 10, 100), false));
    shapes.put("25 × 40 shop", new Shape(shop(), true));
    shapes.put("10,000 × 4", new Shape("SELECT id, n, t, u FROM wide WHERE id <= 10000", false));
    shapes.put("10,000 × 10 mixed", new Shape(mixed(10_000), false));
    shapes.put("1 × 1 MB", new Shape("SELECT repeat(t, 62500) FROM wide WHERE id = 1", false));
    return Collections.unmodifiableMap(shapes);
  }

  private static String columns(String column, int count, int rows) {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int i = 0; i < count; i++) {
      sql.append(i == 0 ? "" : ", ").append(column).append(" AS c").append(i);
    }
    return sql + " FROM wide WHERE id <= " + rows;
  }

  private static String mixed(int rows) {
    return "SELECT id, n, t, u, id AS i2, n AS n2, t AS t2, u AS u2, id AS i3, t AS t3"
        + " FROM wide WHERE id <= "
        + rows;
  }

  /** Orders with their lines and products, as an object mapper joins them: 40 columns. */
  private static String shop() {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int i = 0; i < FORTY; i++) {
      String column = List.of("id", "n", "t", "b", "ts").get(i % 5);
      String table = List.of("o", "l", "p", "c").get(i / 10);
      sql.append(i == 0 ? "" : ", ").append(table + "." + column + " AS c" + i + "_0_");
    }
    return sql
        + " FROM wide o JOIN wide l ON l.id = o.id JOIN wide p ON p.id = l.id"
        + " JOIN wide c ON c.id = p.id WHERE o.id <= 25";
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      servers
          .postgres()
          .execute(
              "CREATE TABLE wide (id int PRIMARY KEY, n numeric(12,2), t text, u uuid, b bigint,"
                  + " ts timestamp)",
              "INSERT INTO wide SELECT i, i * 1.25, 'some text ' || 100000 + i,"
                  + " md5(i::text)::uuid, i * 10000000000,"
                  + " timestamp '2024-01-01' + i * interval '1 hour'"
                  + " FROM generate_series(1, 10000) i",
              "VACUUM ANALYZE");
      servers.withLarder(NAME);
      try (Connection direct = servers.variants().get(0).source().connect();
          Connection larder = servers.variants().get(1).source().connect()) {
        for (Map.Entry<String, Shape> shape : shapes().entrySet()) {
          measure(shape.getKey(), shape.getValue(), direct, larder, scale, results);
          progress.step(NAME + ": " + shape.getKey());
        }
      }
    }
  }

  private static void measure(
      String name, Shape shape, Connection direct, Connection larder, Scale scale, Results results)
      throws Exception {
    Turns turns = new Turns(scale.of(100L, 300L));
    Reader reader = shape.typed ? ResultShapes::readTyped : ResultShapes::readObjects;
    turns.add(Servers.DIRECT, () -> read(direct, shape, reader));
    turns.add(Servers.LARDER, () -> read(larder, shape, reader));
    if (!shape.typed) {
      CachedRowSet kept = RowSetProvider.newFactory().createCachedRowSet();
      try (PreparedStatement statement = direct.prepareStatement(shape.sql);
          ResultSet rows = statement.executeQuery()) {
        kept.populate(rows);
      }
      turns.add(ROW_SET, () -> readObjects(kept.createCopy()));
    }
    Reader checked = shape.typed ? reader : ResultShapes::hashObjects;
    long expected = read(direct, shape, checked);
    for (int i = 0; i < EXECUTIONS_BEFORE; i++) {
      if (read(larder, shape, checked) != expected) {
        throw new SQLException("Larder and the server answer differently to " + shape.sql);
      }
    }
    long missesBefore = Postgres.count(larder, "misses");
    long hitsBefore = Postgres.count(larder, "hits");
    turns.run(
        scale.of(5, 9),
        (task, nanos, processorNanos) -> {
          results.add(NAME, task, TIME, "µs", nanos / 1_000, "shape", name);
          results.add(NAME, task, "processor time", "µs", processorNanos / 1_000, "shape", name);
        });
    long misses = Postgres.count(larder, "misses") - missesBefore;
    long hits = Postgres.count(larder, "hits") - hitsBefore;
    if (misses > MOST_MISSES + hits / 100) {
      throw new SQLException(misses + " misses and " + hits + " hits of " + shape.sql);
    }
  }

  private static long read(Connection connection, Shape shape, Reader reader) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(shape.sql);
        ResultSet rows = statement.executeQuery()) {
      return reader.read(rows);
    }
  }

  /** Reads every value, and does nothing with it: to hash it would cost more than a getter. */
  private static long readObjects(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    long count = 0;
    while (rows.next()) {
      for (int column = 1; column <= columns; column++) {
        count += rows.getObject(column) == null ? 0 : 1;
      }
    }
    return count;
  }

  private static long hashObjects(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    long sum = 0;
    while (rows.next()) {
      for (int column = 1; column <= columns; column++) {
        sum += rows.getObject(column).hashCode();
      }
    }
    return sum;
  }

  private static long readTyped(ResultSet rows) throws SQLException {
    long sum = 0;
    while (rows.next()) {
      for (int column = 1; column <= FORTY; column++) {
        sum +=
            switch (column % 5) {
              case 1 -> rows.getInt(column);
              case 2 -> rows.getBigDecimal(column).hashCode();
              case 3 -> rows.getString(column).hashCode();
              case 4 -> rows.getLong(column);
              default -> rows.getTimestamp(column).hashCode();
            };
      }
    }
    return sum;
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures.bars(NAME, "Reading whole results, rows × columns, one thread", "µs a result");
    for (String variant : results.variants(NAME)) {
      for (String shape : shapes().keySet()) {
        List<Double> times = results.values(NAME, variant, TIME, "shape", shape);
        if (!times.isEmpty()) {
          figure.bar(variant, shape, Spread.of(times).median());
        }
      }
    }
    figure.save();
  }
}
