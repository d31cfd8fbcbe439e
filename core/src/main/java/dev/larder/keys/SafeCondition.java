package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ComparisonOperator;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a condition may be evaluated for any row. A planner evaluates conditions in the
 * order that it likes; one that can fail makes an error come and go with rows that no equality
 * names. So only comparisons of columns with columns and constants are accepted, of types whose
 * builtin comparisons never fail, LIKE, and subqueries of such conditions. Used for one condition,
 * by one thread.
 */
final class SafeCondition {
  private final Scope scope;
  private final Set<Occurrence> mentioned = new HashSet<>();
  private final List<Subquery> subqueries = new ArrayList<>();
  private final List<DoubtfulPart> doubtful = new ArrayList<>();

  /** What was refused first, in words. */
  private @Nullable String refused;

  SafeCondition(Scope scope) {
    this.scope = scope;
  }

  /** Returns what the condition mentions; complete where it was accepted. */
  Set<Occurrence> mentioned() {
    return mentioned;
  }

  /** Returns the subqueries in it; it is safe only if each of them is. */
  List<Subquery> subqueries() {
    return subqueries;
  }

  /** Returns the parts of it that it is safe only without, where one of them may fail. */
  List<DoubtfulPart> doubtful() {
    return doubtful;
  }

  /** Returns what may fail in words, once something was not accepted. */
  String refused() {
    return refused == null ? "more than comparisons" : refused;
  }

  private boolean refuse(Expression expression) {
    if (refused == null) {
      refused = RefusedPart.of(expression, scope);
    }
    return false;
  }

  /** Returns whether it cannot fail, and notes what it mentions. */
  boolean accepts(Expression condition) {
    if (condition instanceof ParenthesedExpressionList<?> list) {
      return list.size() == 1 ? accepts(list.get(0)) : refuse(list);
    }
    if (condition instanceof AndExpression || condition instanceof OrExpression) {
      BinaryExpression both = (BinaryExpression) condition;
      return all(accepts(both.getLeftExpression()), accepts(both.getRightExpression()));
    }
    if (condition instanceof NotExpression not) {
      return accepts(not.getExpression());
    }
    List<EqualsTo> rows = rows(condition);
    return rows == null
        ? acceptsTest(condition)
        : rows.stream().map(this::accepts).reduce(true, Boolean::logicalAnd);
  }

  private boolean acceptsTest(Expression condition) {
    if (isComparison(condition)) {
      ComparisonOperator comparison = (ComparisonOperator) condition;
      return all(
          comparison.getOldOracleJoinSyntax() == 0,
          areComparable(comparison.getLeftExpression(), comparison.getRightExpression()));
    }
    if (condition instanceof InExpression in) {
      return isOneOf(in);
    }
    if (condition instanceof ExistsExpression exists) {
      return isSubquery(exists.getRightExpression(), null);
    }
    if (condition instanceof LikeExpression like) {
      return isMatch(like);
    }
    if (condition instanceof Between between) {
      return all(
          areComparable(between.getLeftExpression(), between.getBetweenExpressionStart()),
          areComparable(between.getLeftExpression(), between.getBetweenExpressionEnd()));
    }
    if (condition instanceof IsNullExpression test) {
      return isReadable(test.getLeftExpression()) || refuse(test.getLeftExpression());
    }
    if (condition instanceof IsBooleanExpression test) {
      return isTruth(test.getLeftExpression());
    }
    return isTruth(condition);
  }

  /** Returns the equalities of fields that a comparison of rows consists of, or null. */
  private static @Nullable List<EqualsTo> rows(Expression condition) {
    if (condition instanceof EqualsTo equality) {
      return RowComparison.equalities(equality);
    }
    List<List<EqualsTo>> choices =
        condition instanceof InExpression in ? RowComparison.choices(in) : null;
    return choices == null ? null : choices.stream().flatMap(List::stream).toList();
  }

  private boolean isOneOf(InExpression in) {
    return in.getOldOracleJoinSyntax() == 0
        && isComparable(in.getLeftExpression())
        && (in.getRightExpression() instanceof ParenthesedExpressionList<?> list
            ? list.stream().allMatch(each -> isConstant(each) || refuse(each))
            : isSubquery(in.getRightExpression(), place(in.getLeftExpression())));
  }

  private boolean isSubquery(Expression expression, @Nullable Place compared) {
    PlainSelect block = Subquery.block(expression);
    return block == null ? refuse(expression) : subqueries.add(new Subquery(block, true, compared));
  }

  /** What is matched fails for no row, unless a pattern ends in what escapes nothing. */
  private boolean isMatch(LikeExpression like) {
    Place place = place(like.getLeftExpression());
    Operand pattern = Operand.of(like.getRightExpression());
    Operand escape = like.getEscape() == null ? null : Operand.of(like.getEscape());
    boolean matches =
        place != null
            && place.column().type() == KeyType.TEXT
            && (like.getEscape() == null || escape != null)
            && !like.isUseBinary()
            && (like.getLikeKeyWord() == LikeExpression.KeyWord.LIKE
                || like.getLikeKeyWord() == LikeExpression.KeyWord.ILIKE);
    if (pattern == null || !matches) {
      return refuse(like);
    }
    return doubtful.add(new LikePattern(pattern, escape));
  }

  /** Unlike {@code &&}, has all of them looked at. */
  private static boolean all(boolean... facts) {
    boolean all = true;
    for (boolean fact : facts) {
      all &= fact;
    }
    return all;
  }

  /** To read a virtual column may fail; such a one is computed and has no type. */
  private boolean isReadable(Expression expression) {
    Place place = place(expression);
    return place != null && (place.column().comparable() || !place.column().computed());
  }

  private static boolean isComparison(Expression condition) {
    return condition instanceof EqualsTo
        || condition instanceof NotEqualsTo
        || condition instanceof GreaterThan
        || condition instanceof GreaterThanEquals
        || condition instanceof MinorThan
        || condition instanceof MinorThanEquals;
  }

  private boolean isTruth(Expression condition) {
    Place place = place(condition);
    return condition instanceof BooleanValue
        || (place != null && place.column().type() == KeyType.BOOLEAN)
        || refuse(condition);
  }

  private boolean areComparable(Expression one, Expression other) {
    Place left = place(one);
    Place right = place(other);
    return all(isComparable(one), isComparable(other))
        && (left == null
            || right == null
            || left.column().collatesWith(right.column())
            || refuse(one));
  }

  private boolean isComparable(Expression expression) {
    Place place = place(expression);
    // A constant of a type that is written out is read before any row is, and fails or not.
    boolean comparable =
        place != null
            ? place.column().comparable()
            : isConstant(expression)
                || isArray(expression)
                || expression instanceof DateTimeLiteralExpression;
    return comparable || refuse(expression);
  }

  private boolean isConstant(Expression expression) {
    Operand.Cast cast = Operand.Cast.of(expression);
    return cast == null ? Operand.of(expression) != null : doubtful.add(cast);
  }

  private boolean isArray(Expression expression) {
    Operand.Elements array = Operand.Elements.of(expression);
    if (array == null) {
      return Operand.listed(expression, null) != null;
    }
    return array.type() == null || doubtful.add(array);
  }

  private @Nullable Place place(Expression expression) {
    Place place = expression instanceof Column column ? scope.place(column) : null;
    if (place != null) {
      mentioned.add(place.of());
    }
    return place;
  }
}
