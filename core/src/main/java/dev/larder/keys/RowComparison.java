package dev.larder.keys;

import dev.larder.lexer.Tokens;
import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import org.jspecify.annotations.Nullable;

/**
 * Equalities of rows as the server reads them: {@code (a, b) = (1, 2)} is {@code a = 1 AND b = 2},
 * and {@code (a, b) IN ((1, 2), (3, 4))} is one of two of these. Stateless.
 */
final class RowComparison {
  private RowComparison() {}

  /** Returns the conditions that must all hold where it is several, or one in brackets; or null. */
  static @Nullable List<? extends Expression> parts(Expression condition) {
    if (condition instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      return list;
    }
    if (condition instanceof AndExpression and) {
      return List.of(and.getLeftExpression(), and.getRightExpression());
    }
    if (condition instanceof EqualsTo equality) {
      return equalities(equality);
    }
    List<List<EqualsTo>> choices = condition instanceof InExpression in ? choices(in) : null;
    return choices != null && choices.size() == 1 ? choices.get(0) : null;
  }

  /** Returns the equalities that must all hold, or null where it compares no rows. */
  static @Nullable List<EqualsTo> equalities(EqualsTo equality) {
    return equality.getOldOracleJoinSyntax() == 0
        ? equalities(equality.getLeftExpression(), equality.getRightExpression())
        : null;
  }

  /**
   * Returns lists of equalities, all of one of which must hold, or null where it compares no rows
   * with rows alone.
   */
  static @Nullable List<List<EqualsTo>> choices(InExpression in) {
    if (in.isNot()
        || in.getOldOracleJoinSyntax() != 0
        || row(in.getLeftExpression()) == null
        || !(in.getRightExpression() instanceof ParenthesedExpressionList<?> list)) {
      return null;
    }
    List<List<EqualsTo>> choices = new ArrayList<>();
    for (Expression each : list) {
      List<EqualsTo> equalities = equalities(in.getLeftExpression(), each);
      if (equalities == null) {
        return null;
      }
      choices.add(equalities);
    }
    return choices;
  }

  private static @Nullable List<EqualsTo> equalities(Expression left, Expression right) {
    ExpressionList<?> one = row(left);
    ExpressionList<?> other = row(right);
    if (one == null || other == null || one.size() != other.size()) {
      return null;
    }
    List<EqualsTo> equalities = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      equalities.add(new EqualsTo(one.get(i), other.get(i)));
    }
    return equalities;
  }

  /** Returns the fields of a row of several, or null where {@code expression} is none. */
  private static @Nullable ExpressionList<?> row(Expression expression) {
    if (expression instanceof ParenthesedExpressionList<?> list) {
      return list.size() == 1 ? row(list.get(0)) : list.isEmpty() ? null : list;
    }
    // An unquoted ROW is no function of a user's.
    return expression instanceof Function function
            && Tokens.fold(function.getName()).equals("row")
            && function.getParameters() != null
            && function.getParameters().size() > 1
        ? function.getParameters()
        : null;
  }
}
