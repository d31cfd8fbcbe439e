package dev.larder.keys;

import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.Select;

/** What a part of a condition is that was refused, in words for people. Stateless. */
final class RefusedPart {
  /** What the parser takes for functions. */
  private static final Set<String> ARRAY_WORDS = Set.of("any", "some", "all");

  private RefusedPart() {}

  /** Continues "because of …". */
  static String of(Expression part, Scope scope) {
    if (part instanceof Column column) {
      String name = scope.name(column.getColumnName());
      return scope.place(column) == null
          ? "`" + name + "`, which is no column of one of its tables alone"
          : "`" + name + "`, whose type or collation Larder does not compare";
    } else if (part instanceof Function function) {
      String name = scope.name(function.getName());
      return ARRAY_WORDS.contains(name) ? "ANY or ALL" : "the function `" + name + "`";
    } else if (part instanceof LikeExpression like) {
      return like.getLikeKeyWord().toString().replace('_', ' ').toUpperCase(Locale.ROOT);
    } else if (part instanceof Select || part instanceof ExistsExpression) {
      return "a subquery";
    } else if (part instanceof CastExpression) {
      return "a cast";
    } else if (part instanceof CaseExpression) {
      return "CASE";
    } else if (part instanceof BinaryExpression operation) {
      return "the operator `" + operation.getStringExpression() + "`";
    }
    return "more than comparisons";
  }
}
