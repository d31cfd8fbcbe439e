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
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code getObject} of every type: {@value #ROWS} rows of {@value #COLUMNS} columns of one type,
 * direct and as a hit. What needs another call to be read, as an array does, is read by it.
 */
public final class ColumnTypes implements Experiment {
  private static final String NAME = "types";
  private static final String TIME = "time";
  private static final int ROWS = 100;
  private static final int COLUMNS = 4;

  /** After a pause longer than the catalog is trusted for, which a busy machine may make. */
  private static final int MOST_MISSES = 2;

  /** A miss, a hit that asks for room, one that remembers, and one that hands out. */
  private static final int EXECUTIONS_BEFORE = 4;

  /** Each type has a decoder of its own, which is to be compiled. */
  private static final int WARM_UP = 1_500;

  /** For the command. */
  public ColumnTypes() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofMillis(8_000 + steps(scale) * scale.of(1_000L, 4_500L));
  }

  @Override
  public int steps(Scale scale) {
    return types().size();
  }

  /** Returns the types by name, each with an expression of it over {@code i}. */
  private static Map<String, String> types() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("boolean", "i % 2 = 0");
    types.put("int2", "i::int2");
    types.put("int4", "i * 1000");
    types.put("int8", "i * 10000000000");
    types.put("float4", "i::float4 / 7");
    types.put("float8", "i::float8 / 7");
    types.put("numeric", "i * 1.25");
    types.put("money", "i::money");
    types.put("text", "'some text ' || i");
    types.put("varchar", "('some text ' || i)::varchar(40)");
    types.put("bpchar", "('some text ' || i)::char(20)");
    types.put("enum", "('mood' || i % 3)::mood");
    types.put("uuid", "md5(i::text)::uuid");
    types.put("date", "date '2024-01-01' + i");
    types.put("time", "time '00:00' + i * interval '1 min'");
    types.put("timetz", "timetz '00:00+02' + i * interval '1 min'");
    types.put("timestamp", "timestamp '2024-01-01' + i * interval '1 hour'");
    types.put("timestamptz", "timestamptz '2024-01-01' + i * interval '1 hour'");
    types.put("interval", "i * interval '1 hour 3 min'");
    types.put("bytea", "decode(md5(i::text), 'hex')");
    types.put("bit(8)", "i::bit(8)");
    types.put("json", "json_build_object('number', i, 'name', 'some text')");
    types.put("jsonb", "jsonb_build_object('number', i, 'name', 'some text')");
    types.put("xml", "('<a n=\"' || i || '\"/>')::xml");
    types.put("int4[]", "ARRAY[i, i + 1, i + 2]");
    types.put("text[]", "ARRAY['some', 'text', i::text]");
    types.put("int4range", "int4range(i, i + 10)");
    types.put("inet", "'10.0.0.0'::inet + i");
    types.put("point", "point(i, i + 1)");
    types.put("tsvector", "to_tsvector('simple', 'some text ' || i)");
    types.put("composite", "ROW(i, 'text')::pair");
    return Collections.unmodifiableMap(types);
  }

  private static String table(String type) {
    return "typed_" + type.replaceAll("\\W", "_");
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      create(servers.postgres());
      servers.withLarder(NAME);
      try (Connection direct = servers.variants().get(0).source().connect();
          Connection larder = servers.variants().get(1).source().connect()) {
        for (String type : types().keySet()) {
          measure(type, direct, larder, scale, results);
          progress.step(NAME + ": " + type);
        }
      }
    }
  }

  private static void create(Postgres postgres) throws SQLException {
    List<String> statements = new ArrayList<>();
    statements.add("CREATE TYPE mood AS ENUM ('mood0', 'mood1', 'mood2')");
    statements.add("CREATE TYPE pair AS (a int, b text)");
    types()
        .forEach(
            (type, expression) ->
                statements.add(
                    "CREATE TABLE "
                        + table(type)
                        + " AS SELECT i AS id, "
                        + expression
                        + " AS v FROM generate_series(1, "
                        + ROWS
                        + ") i"));
    statements.add("ANALYZE");
    postgres.execute(statements.toArray(new String[0]));
  }

  private static void measure(
      String type, Connection direct, Connection larder, Scale scale, Results results)
      throws Exception {
    String sql = "SELECT " + "v, ".repeat(COLUMNS - 1) + "v FROM " + table(type) + " ORDER BY id";
    List<String> expected = texts(direct, sql);
    for (int i = 0; i < EXECUTIONS_BEFORE; i++) {
      if (!texts(larder, sql).equals(expected)) {
        throw new SQLException("Larder and the server answer differently to " + sql);
      }
    }
    long missesBefore = Postgres.count(larder, "misses");
    long hitsBefore = Postgres.count(larder, "hits");
    boolean opened = type.endsWith("[]") || type.equals("xml");
    new Turns(scale.of(40L, 150L))
        .warmUp(WARM_UP)
        .add(Servers.DIRECT, () -> read(direct, sql, opened))
        .add(Servers.LARDER, () -> read(larder, sql, opened))
        .run(
            scale.of(5, 9),
            (task, nanos, processorNanos) -> {
              results.add(NAME, task, TIME, "µs", nanos / 1_000, "type", type);
              results.add(NAME, task, "processor time", "µs", processorNanos / 1_000, "type", type);
            });
    long misses = Postgres.count(larder, "misses") - missesBefore;
    long hits = Postgres.count(larder, "hits") - hitsBefore;
    if (hits == 0 || misses > MOST_MISSES + hits / 100) {
      throw new SQLException(misses + " misses and " + hits + " hits of " + sql);
    }
  }

  /**
   * Reads every value. What the reader does besides must not cost more than a getter: to ask each
   * value whether it is of an interface would.
   *
   * @param opened whether getObject returns what is still to be asked for its value
   */
  private static long read(Connection connection, String sql, boolean opened) throws SQLException {
    long count = 0;
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (int column = 1; column <= COLUMNS; column++) {
          Object read = rows.getObject(column);
          count += (opened ? value(read) : read) == null ? 0 : 1;
        }
      }
    }
    return count;
  }

  private static Object value(Object read) throws SQLException {
    if (read instanceof Array array) {
      return array.getArray();
    }
    return read instanceof SQLXML xml ? xml.getString() : read;
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (int column = 1; column <= COLUMNS; column++) {
          texts.add(Arrays.deepToString(new Object[] {value(rows.getObject(column))}));
        }
      }
    }
    return texts;
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures.bars(
            NAME,
            "getObject of every type, " + ROWS + " rows × " + COLUMNS + " columns, one thread",
            "µs a result");
    for (String variant : List.of(Servers.DIRECT, Servers.LARDER)) {
      for (String type : types().keySet()) {
        List<Double> times = results.values(NAME, variant, TIME, "type", type);
        if (!times.isEmpty()) {
          figure.bar(variant, type, Spread.of(times).median());
        }
      }
    }
    figure.save();
  }
}
