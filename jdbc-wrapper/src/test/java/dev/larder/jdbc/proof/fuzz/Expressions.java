package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import java.util.ArrayList;
import java.util.List;

/** Makes expressions of type int, text and boolean over the columns that are in scope. */
final class Expressions {
  private final Choices choices;
  private final Schema schema;
  private final QueryGrammar queries;

  Expressions(Choices choices, Schema schema, QueryGrammar queries) {
    this.choices = choices;
    this.schema = schema;
    this.queries = queries;
  }

  /** Returns a column in scope of {@code type}, or {@code otherwise}. */
  private String column(List<Column> scope, String type, String otherwise) {
    List<String> found = new ArrayList<>();
    for (Column column : scope) {
      if (column.type().equals(type)) {
        found.add(column.name());
      }
    }
    return found.isEmpty() ? otherwise : choices.of(found);
  }

  String number(List<Column> scope, int depth) {
    if (depth <= 0) {
      return choices.percent(30)
          ? String.valueOf(choices.below(8))
          : column(scope, "int", String.valueOf(choices.below(8)));
    }
    int less = depth - 1;
    String a = number(scope, less);
    return switch (choices.below(27)) {
      case 0, 1, 2 -> a;
      case 3 -> a + " + " + number(scope, less);
      case 4 -> "(" + a + " - " + number(scope, less) + ") * 2";
      case 5 -> "abs(" + a + ")";
      case 6 -> "length(" + text(scope, less) + ")";
      case 7 -> "coalesce(" + a + ", " + number(scope, less) + ")";
      case 8 -> "CASE WHEN " + truth(scope, less) + " THEN " + a + " ELSE 1 END";
      case 9 -> "(SELECT count(*)::int FROM " + queries.source(less) + ")";
      case 10 -> "CAST(" + a + " AS int)";
      case 11 -> "(ARRAY[" + a + ", 2, 3])[1]";
      case 12 -> "greatest(" + a + ", " + number(scope, less) + ")";
      case 13 -> "{fn abs(" + a + ")}";
      case 14 -> "nullif(" + a + ", 1)";
      case 15 -> "(ROW(" + a + ", 'y')::pair).x";
      case 16 -> "cardinality(ARRAY(SELECT id FROM " + queries.relation() + "))";
      case 17 -> "extract(year FROM DATE '2024-02-03')::int + " + a;
      case 18 -> "int '3' + " + a;
      case 19 -> "@ (- " + a + ")";
      case 20 -> "((ARRAY[" + a + ", 2, 3])[1:2])[1]";
      case 21 -> a + " OPERATOR(pg_catalog.+) " + number(scope, less);
      case 22 -> "cardinality((ARRAY(SELECT n FROM " + queries.relation() + "))[2:])";
      case 23, 24, 25 -> schema.numbers().isEmpty() ? a : choices.of(schema.numbers()).formatted(a);
      default -> "(SELECT max(id) FROM " + queries.relation() + " WHERE n = " + a + ")";
    };
  }

  String text(List<Column> scope, int depth) {
    if (depth <= 0) {
      return choices.percent(40) ? Literals.text(choices) : column(scope, "text", "'none'");
    }
    int less = depth - 1;
    String a = text(scope, less);
    return switch (choices.below(18)) {
      case 0, 1, 2 -> a;
      case 3 -> a + " || " + text(scope, less);
      case 4 -> "upper(" + a + ")";
      case 5 -> "{fn ucase(" + a + ")}";
      case 6 -> "substring(" + a + " FROM 1 FOR 2)";
      case 7 -> "concat(" + a + ", " + number(scope, less) + ")";
      case 8 -> "(" + number(scope, less) + ")::text";
      case 9 -> anyColumn(scope) + "::text";
      case 10 -> "trim(both 's' from " + a + ")";
      case 11 -> a + " COLLATE \"C\"";
      case 12 -> "current_setting('TimeZone') || " + a;
      case 13 -> "substring(" + a + " FOR 2)";
      case 14 -> "concat_ws(',', VARIADIC ARRAY[" + a + ", " + text(scope, less) + "])";
      case 15 -> "pg_typeof(" + anyColumn(scope) + ")::text";
      case 16 -> "(" + a + ")::text COLLATE \"C\" || inet '10.0.0.1'";
      default ->
          "overlay(" + a + " PLACING (SELECT max(s) FROM " + queries.relation() + ") FROM 2)";
    };
  }

  String truth(List<Column> scope, int depth) {
    if (depth <= 0) {
      return number(scope, 0) + choices.of(" = ", " < ", " <> ", " >= ") + number(scope, 0);
    }
    int less = depth - 1;
    return switch (choices.below(20)) {
      case 0, 1, 2 ->
          number(scope, less)
              + choices.of(" = ", " > ", " IS DISTINCT FROM ")
              + number(scope, less);
      case 3 -> "(" + truth(scope, less) + " AND " + truth(scope, less) + ")";
      case 4 -> "(" + truth(scope, less) + " OR " + truth(scope, less) + ")";
      case 5 -> "NOT (" + truth(scope, less) + ")";
      case 6 -> number(scope, less) + " IN (1, 2, " + number(scope, less) + ")";
      case 7 -> number(scope, 0) + " IN (SELECT id FROM " + queries.source(less) + ")";
      case 8 ->
          "EXISTS (SELECT FROM " + queries.relation() + " x WHERE x.id = " + number(scope, 0) + ")";
      case 9 ->
          text(scope, less)
              + choices.of(" LIKE 's%'", " ~ '1$'", " ILIKE 'S%'", " SIMILAR TO 's_'");
      case 10 -> text(scope, less) + " IS NOT NULL";
      case 11 -> number(scope, less) + " BETWEEN 1 AND " + number(scope, less);
      case 12 -> number(scope, 0) + " = ANY (ARRAY[1, 2, " + number(scope, less) + "])";
      case 13 -> "(" + number(scope, 0) + ", " + text(scope, 0) + ") = (1, 's1')";
      case 14 ->
          number(scope, 0) + " > ALL (SELECT n FROM " + queries.relation() + " WHERE id = 1)";
      case 15 -> anyColumn(scope) + " IS NULL";
      case 16 -> "jsonb_build_object('a', " + number(scope, 0) + ") @> '{\"a\": 1}'";
      case 17 -> text(scope, less) + " IS NOT JSON";
      case 18 ->
          number(scope, 0) + " = ANY ((SELECT array_agg(id) FROM " + queries.relation() + ")[1:])";
      default -> "now() > '2001-01-01' AND " + truth(scope, less);
    };
  }

  /** Returns any column in scope. */
  String anyColumn(List<Column> scope) {
    return scope.isEmpty() ? "1" : choices.of(scope).name();
  }
}
