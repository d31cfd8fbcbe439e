package dev.larder.keys;

import dev.larder.keys.Scope.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import org.jspecify.annotations.Nullable;

/**
 * A block inside of another one, in EXISTS, IN or the select list. Immutable, as nobody changes the
 * tree.
 *
 * @param select the block
 * @param inCondition whether it stands in a condition; a planner may turn it into a join then, and
 *     evaluate its select list for other rows, too
 * @param compared the column that IN compares with it, or null
 */
record Subquery(PlainSelect select, boolean inCondition, @Nullable Place compared) {
  /** Returns the only block of what stands in brackets, or null. */
  static @Nullable PlainSelect block(Expression expression) {
    return expression instanceof ParenthesedSelect nested
            && nested.getAlias() == null
            && isBare(nested)
            && nested.getSelect() instanceof PlainSelect select
        ? select
        : null;
  }

  private static boolean isBare(Select select) {
    return select.getOrderByElements() == null
        && select.getLimit() == null
        && select.getLimitBy() == null
        && select.getOffset() == null
        && select.getFetch() == null
        && select.getWithItemsList() == null
        && select.getPivot() == null;
  }

  /** Returns those in a select list, which is evaluated for rows of the result alone. */
  static List<Subquery> inSelectList(PlainSelect block) {
    List<Subquery> found = new ArrayList<>();
    ExpressionVisitorAdapter<Void> finder =
        new ExpressionVisitorAdapter<>() {
          @Override
          public <S> Void visit(Select nested, S context) {
            PlainSelect select = block(nested);
            if (select != null) {
              found.add(new Subquery(select, false, null));
            }
            return null;
          }

          /** The adapter asks the characters to be trimmed, which {@code trim(x)} does not have. */
          @Override
          public <S> Void visit(TrimFunction trim, S context) {
            Stream.of(trim.getExpression(), trim.getFromExpression())
                .filter(Objects::nonNull)
                .forEach(part -> part.accept(this, context));
            return null;
          }
        };
    block.getSelectItems().forEach(item -> item.getExpression().accept(finder, null));
    return found;
  }

  /** Returns whether its select list cannot fail and leaves no row out. */
  boolean isPlain(Scope scope) {
    if (!inCondition) {
      return true;
    }
    boolean rows =
        isBare(select)
            && select.getDistinct() == null
            && select.getGroupBy() == null
            && select.getHaving() == null;
    List<SelectItem<?>> items = select.getSelectItems();
    if (!rows || compared == null) {
      return rows && items.stream().allMatch(item -> isOfRow(item.getExpression(), scope));
    }
    Place own =
        items.size() == 1 && items.get(0).getExpression() instanceof Column column
            ? scope.place(column)
            : null;
    return own != null && own.column().comparable() && own.column().collatesWith(compared.column());
  }

  private static boolean isOfRow(Expression item, Scope scope) {
    return item instanceof AllColumns
        || Operand.of(item) != null
        || (item instanceof Column column && scope.place(column) != null);
  }
}
