package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random queries with a cast to a time, over tables, subqueries, functions and documents that call
 * their columns alike. Where the server reads a stored {@code now} in two ways, the query is none
 * that can be cached.
 */
@Tag("each-server")
final class TextInputFuzzTest {
  private static final int QUERIES = Integer.getInteger("larder.fuzz.casts", 3_000);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);

  private static final String[] SCHEMA = {
    "CREATE TABLE t (a timestamptz, b timestamptz)",
    "CREATE TABLE u (a text, b timestamptz)",
    "CREATE TABLE v (a text, b text)",
    "CREATE TABLE w (c int, y text)",
    "CREATE TABLE d (j json, m xml)",
    "CREATE VIEW x AS SELECT v.a, t.b FROM t, v",
    "CREATE FUNCTION f(text) RETURNS TABLE (a text, b timestamptz) IMMUTABLE LANGUAGE sql AS"
        + " $$ SELECT $1, timestamptz '2020-01-01' $$",
    "CREATE FUNCTION g(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'",
    "INSERT INTO t VALUES ('2020-01-01', '2020-01-02')",
    "INSERT INTO u VALUES ('now', '2020-01-03')",
    "INSERT INTO v VALUES ('now', 'now')",
    "INSERT INTO w VALUES (1, 'now')",
    "INSERT INTO d VALUES ('{\"a\": \"now\", \"b\": \"now\"}', '<r><b>now</b></r>')"
  };

  private final Random random = new Random(SEED);

  private String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private String name() {
    return any("a", "a", "a", "b", "b", "x", "y");
  }

  /** Returns an alias that the FROM has not used, and notes it. */
  private String alias(Set<String> used) {
    String alias = any("t", "u", "v", "x", "y", "a", "b");
    return used.add(alias) ? alias : alias(used);
  }

  private String column(Set<String> aliases) {
    return oneIn(3) ? name() : any(aliases.toArray(String[]::new)) + "." + name();
  }

  private String cast(Set<String> aliases, int depth) {
    return any(
            "(%s)::timestamptz",
            "%s::timestamptz",
            "cast(%s as timestamp)",
            "%s::timestamptz(6)",
            "pg_catalog.timestamptz(%s)",
            "(%s)::pg_catalog.timestamptz")
        .formatted(operand(aliases, depth));
  }

  private String operand(Set<String> aliases, int depth) {
    String column = column(aliases);
    return switch (random.nextInt(24)) {
      case 0 -> "coalesce(" + column + ", " + column(aliases) + ")";
      case 1 -> column + " + interval '1 day'";
      case 2 -> "date_trunc('day', " + column + ")";
      case 3 -> "(" + column + " || '')";
      case 4 -> column + "::text";
      case 5 -> "(" + column + " at time zone 'UTC')";
      case 6 -> depth > 0 ? "(" + query(aliases, depth - 1, 1) + " limit 1)" : column;
      case 7 -> "lower(" + column + ")";
      case 8 -> "nullif(" + column + ", " + column(aliases) + ")";
      case 9 -> "(case when true then " + column + " end)";
      default -> column;
    };
  }

  private String item(Set<String> aliases, int depth) {
    String expression =
        switch (random.nextInt(6)) {
          case 0 -> cast(aliases, depth);
          case 1 -> column(aliases) + "::text";
          case 2 -> "case when true then " + column(aliases) + " end";
          default -> column(aliases);
        };
    return any("%s as %s", "%s as %s", "%s").formatted(expression, name());
  }

  private String query(Set<String> outer, int depth, int columns) {
    Set<String> aliases = new LinkedHashSet<>();
    String from = from(aliases, depth);
    if (oneIn(4)) {
      aliases.addAll(outer);
    }
    boolean star = columns == 2 && oneIn(6);
    String list = star ? any("*", any(aliases.toArray(String[]::new)) + ".*") : "";
    for (int i = 0; i < columns && !star; i++) {
      list += (i > 0 ? ", " : "") + item(aliases, depth);
    }
    String query = "select " + list + " from " + from;
    if (oneIn(5)) {
      query += " where " + cast(aliases, 0) + " is not null";
    } else if (depth > 0 && oneIn(4)) {
      query += " where exists (" + query(aliases, depth - 1, 1) + ")";
    }
    return depth > 0 && oneIn(8) ? query + " union all " + query(outer, depth - 1, columns) : query;
  }

  private String from(Set<String> aliases, int depth) {
    StringBuilder from = new StringBuilder(source(aliases, depth));
    for (int i = random.nextInt(3); i > 0; i--) {
      String join =
          any(", %s", ", %s", " cross join %s", " left join %s on true", " join %s using (b)");
      from.append(join.formatted(source(aliases, depth)));
    }
    return from.toString();
  }

  private String source(Set<String> aliases, int depth) {
    String alias = alias(aliases);
    String as = any(" ", " as ") + alias;
    String column = any("", "(" + name() + ")");
    return switch (random.nextInt(depth > 0 ? 16 : 12)) {
      case 0, 1 -> Set.of("t", "u", "v", "x").contains(alias) ? alias : "t" + as;
      case 2, 3, 4 -> any("t", "u", "v", "w", "only t", "public.x") + as;
      case 5 -> any("t", "u", "v") + as + any("(a, b)", "(b, a)", "(x, a)");
      case 6 -> "generate_series(timestamptz '2020-01-01', '2020-01-02', '1 day')" + as + column;
      case 7 -> any("f('x')", "g((select a from v))", "lower((select a from v))") + as + column;
      case 8 -> "g((select a from v)) with ordinality" + as + any("", "(a, b)", "(x, a)");
      case 9 -> "json_to_record((select j from d))" + as + "(a text, b text)";
      case 10 ->
          "xmltable('/r' passing (select m from d) columns "
              + any("", "c int path 'x', ")
              + name()
              + " text path 'b')"
              + as;
      case 11 -> "(t cross join u as " + alias(aliases) + ")" + any("", as);
      default ->
          any("", "lateral ")
              + "("
              + query(aliases, depth - 1, 2)
              + ")"
              + as
              + any("", "", "(a, b)", "(b, a)");
    };
  }

  /** Returns a query with a cast at least, and common tables perhaps. */
  private String query() {
    String query = query(Set.of(), 2, 2);
    Set<String> aliases = new LinkedHashSet<>();
    String from = from(aliases, 1);
    query = oneIn(2) ? query : "select " + cast(aliases, 1) + ", 1 from " + from;
    return oneIn(4)
        ? "with "
            + any("", "recursive ")
            + any("t", "u", "x", "y")
            + any("", "(a, b)")
            + " as ("
            + query(Set.of(), 1, 2)
            + ") "
            + query
        : query;
  }

  @Test
  void noQueryThatReadsTheClockCanBeCached() throws SQLException {
    int cacheable = 0;
    int clocks = 0;
    try (CatalogFixture catalog = new CatalogFixture(SCHEMA);
        Connection connection = catalog.database.connect()) {
      for (int i = 0; i < QUERIES; i++) {
        String sql = query();
        String first = answer(connection, sql);
        if (first == null) {
          continue;
        }
        boolean cached = catalog.resolve(sql).bypass() == null;
        boolean clock = !first.equals(answer(connection, sql));
        assertThat(cached && clock).as("seed %d: %s", SEED, sql).isFalse();
        cacheable += cached ? 1 : 0;
        clocks += clock ? 1 : 0;
      }
    }
    assertThat(cacheable).as("cacheable, seed %d", SEED).isGreaterThan(QUERIES / 200);
    assertThat(clocks).as("read the clock, seed %d", SEED).isGreaterThan(QUERIES / 200);
  }

  /** Returns the rows; null where the server refuses the query. */
  private static @Nullable String answer(Connection connection, String sql) {
    StringBuilder rows = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          rows.append(row.getString(i)).append(i == 1 ? " " : "\n");
        }
      }
      return rows.toString();
    } catch (SQLException e) {
      return null;
    }
  }
}
