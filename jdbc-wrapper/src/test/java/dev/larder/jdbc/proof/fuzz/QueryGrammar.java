package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes queries whose rows are certain, though not their order: a LIMIT, or an aggregate that
 * depends on an order, stands behind an ORDER BY of everything.
 */
final class QueryGrammar {
  /** A query, and whether the order of its rows is certain. */
  record Query(String sql, boolean ordered) {}

  private final Choices choices;
  private final Schema schema;
  private final Expressions expressions;
  private int aliases;

  QueryGrammar(Choices choices, Schema schema) {
    this.choices = choices;
    this.schema = schema;
    this.expressions = new Expressions(choices, schema, this);
  }

  Query query() {
    int depth = 1 + choices.below(3);
    String gap = Literals.gap(choices);
    return switch (choices.below(13)) {
      case 0, 1, 2, 3 -> new Query(select(depth), false);
      case 4, 5 -> ordered(three(depth));
      case 6 -> new Query("TABLE " + relation(), false);
      case 7 -> new Query(with(depth), false);
      case 8 -> new Query(sets(depth), false);
      case 9 -> new Query("VALUES (" + expressions.number(List.of(), depth) + "), (2)", false);
      case 10 -> new Query("SELECT" + gap + "*" + gap + "FROM " + relation() + gap, false);
      case 11 -> new Query(gap + three(depth) + gap, false);
      default -> distinctOn(depth);
    };
  }

  /** Returns the name of something to read. */
  String relation() {
    return choices.of(schema.readable()).name();
  }

  /** Returns something to stand behind FROM that has the column id and no name for itself. */
  String source(int depth) {
    if (depth <= 0) {
      return relation();
    }
    String alias = alias();
    return switch (choices.below(5)) {
      case 0, 1 -> relation() + " " + alias;
      case 2 -> "(" + three(depth - 1) + ") " + alias;
      case 3 -> "generate_series(1, 3) " + alias + "(id)";
      default -> "ONLY " + choices.of(schema.writable()).name() + " " + alias;
    };
  }

  private String alias() {
    return "a" + aliases++;
  }

  private Query ordered(String sql) {
    String limit =
        choices.of(
            "", "", " LIMIT 3", " OFFSET 1", " FETCH FIRST 2 ROWS ONLY", " LIMIT (SELECT 2)");
    return new Query(sql + " ORDER BY 1, 2, 3" + limit, true);
  }

  private Query distinctOn(int depth) {
    List<Column> scope = new ArrayList<>();
    String from = from(scope, depth);
    String alias = scope.get(0).name();
    return new Query(
        "SELECT DISTINCT ON (1) "
            + alias
            + ", "
            + expressions.text(scope, 1)
            + " FROM "
            + from
            + " ORDER BY 1, 2",
        true);
  }

  /** Returns a query of the columns id, n and s. */
  String three(int depth) {
    List<Column> scope = new ArrayList<>();
    String from = from(scope, depth);
    String where = choices.percent(60) ? " WHERE " + expressions.truth(scope, depth) : "";
    return switch (choices.below(5)) {
      case 0, 1, 2 ->
          "SELECT "
              + expressions.number(scope, depth)
              + " AS id, "
              + expressions.number(scope, 0)
              + " AS n, "
              + expressions.text(scope, depth)
              + " AS s FROM "
              + from
              + where;
      case 3 -> grouped(scope, from, where);
      default -> windowed(scope, from, where);
    };
  }

  private String grouped(List<Column> scope, String from, String where) {
    String key = expressions.number(scope, 0);
    String by = choices.of("1", "GROUPING SETS ((1), ())", "ROLLUP (1)", "CUBE (1)");
    String group = by.equals("1") ? by : by.replace("1", "(" + key + ")");
    String n = expressions.number(scope, 0);
    String aggregate =
        choices.of(
            "count(*)::int",
            "sum(" + n + ")::int",
            "count(DISTINCT " + n + ")::int",
            "max(" + n + ") FILTER (WHERE " + expressions.truth(scope, 0) + ")",
            "(percentile_disc(0.5) WITHIN GROUP (ORDER BY " + n + "))::int",
            "(array_agg(" + n + " ORDER BY " + n + "))[1]");
    String text = expressions.text(scope, 0);
    String list =
        choices.of(
            "string_agg(" + text + ", ',' ORDER BY " + text + ")",
            "(jsonb_agg(" + n + " ORDER BY " + n + "))::text",
            "max(" + text + ")");
    String keyed = by.equals("1") ? key : "(" + key + ")";
    return "SELECT "
        + keyed
        + " AS id, "
        + aggregate
        + " AS n, "
        + list
        + " AS s FROM "
        + from
        + where
        + " GROUP BY "
        + group
        + choices.of("", " HAVING count(*) > 0");
  }

  private String windowed(List<Column> scope, String from, String where) {
    String n = expressions.number(scope, 0);
    String window =
        choices.of(
            "rank() OVER (ORDER BY " + n + ")::int",
            "sum(" + n + ") OVER (PARTITION BY " + expressions.number(scope, 0) + ")::int",
            "dense_rank() OVER w::int",
            "(count(*) OVER (w ROWS UNBOUNDED PRECEDING) > 0)::int");
    return "SELECT "
        + n
        + " AS id, ("
        + window.replace("::int", ")::int")
        + " AS n, "
        + expressions.text(scope, 0)
        + " AS s FROM "
        + from
        + where
        + " WINDOW w AS (ORDER BY "
        + n
        + ")";
  }

  private String select(int depth) {
    List<Column> scope = new ArrayList<>();
    String from = from(scope, depth);
    StringBuilder list = new StringBuilder();
    int columns = 1 + choices.below(4);
    for (int i = 0; i < columns; i++) {
      list.append(i == 0 ? "" : "," + Literals.gap(choices)).append(item(scope, depth));
    }
    String distinct = choices.percent(15) ? "DISTINCT " : "";
    String where = choices.percent(60) ? " WHERE " + expressions.truth(scope, depth) : "";
    return "SELECT " + distinct + list + " FROM " + from + where;
  }

  private String item(List<Column> scope, int depth) {
    return switch (choices.below(8)) {
      case 0, 1 -> expressions.anyColumn(scope);
      case 2 -> expressions.number(scope, depth) + " AS \"Num b\"";
      case 3 -> expressions.text(scope, depth) + " größe";
      case 4 -> expressions.truth(scope, depth);
      case 5 -> "(SELECT " + expressions.number(scope, 0) + ")";
      case 6 -> Literals.text(choices);
      default -> expressions.number(scope, depth);
    };
  }

  /** Returns what stands behind FROM, and adds its columns to {@code scope}. */
  private String from(List<Column> scope, int depth) {
    String first = item(scope);
    if (depth <= 1 || choices.percent(40)) {
      return first;
    }
    String left = scope.get(0).name();
    List<Column> more = new ArrayList<>();
    String second = item(more);
    String on = " ON " + left + " = " + more.get(0).name();
    String joined =
        switch (choices.below(8)) {
          case 0, 1 -> first + " JOIN " + second + on;
          case 2 -> first + " LEFT JOIN " + second + on;
          case 3 -> first + " FULL JOIN " + second + on;
          case 4 -> first + " RIGHT JOIN " + second + on;
          case 5 -> first + ", " + second;
          case 6 -> "(" + first + " CROSS JOIN " + second + ")";
          default -> {
            String alias = alias();
            more.clear();
            more.add(new Column(alias + ".id", "int"));
            yield first
                + " LEFT JOIN LATERAL (SELECT "
                + left
                + " + max(id) AS id FROM "
                + relation()
                + ") "
                + alias
                + " ON true";
          }
        };
    scope.addAll(more);
    return joined;
  }

  private String item(List<Column> scope) {
    String alias = alias();
    Relation relation = choices.of(schema.readable());
    for (Column column : relation.columns()) {
      scope.add(new Column(alias + "." + column.name(), column.type()));
    }
    return relation.name() + choices.of(" ", " AS ") + alias;
  }

  private String with(int depth) {
    String materialized = choices.of("", "MATERIALIZED ", "NOT MATERIALIZED ");
    String name = choices.of("w", "t0", "audit");
    String body = three(depth);
    String rest = choices.of("SELECT * FROM ", "TABLE ", "SELECT count(*), max(s) FROM ") + name;
    if (choices.percent(30)) {
      return "WITH RECURSIVE w(id, n) AS (SELECT id, 0 FROM "
          + relation()
          + " UNION SELECT w.id, w.n + 1 FROM w JOIN "
          + relation()
          + " x ON x.id = w.id WHERE w.n < 3) SELECT * FROM w";
    }
    return "WITH " + name + " AS " + materialized + "(" + body + ") " + rest;
  }

  private String sets(int depth) {
    String operator =
        choices.of(" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ", " EXCEPT ALL ");
    String left = three(depth - 1);
    String right = three(depth - 1);
    return choices.of("", "(").isEmpty()
        ? left + operator + right
        : "(" + left + ")" + operator + "(" + right + ")";
  }
}
