package dev.larder.keys;

import dev.larder.lexer.StatementText;
import dev.larder.lexer.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.ArrayConstructor;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import org.jspecify.annotations.Nullable;

/** A constant of one execution: where its value comes from. Immutable. */
sealed interface Operand {
  /** Stands for NULL. */
  Object NULL = new Object();

  /** Returns the value, {@link #NULL}, or null where it is not known what the server reads. */
  @Nullable Object value(@Nullable Object[] literals, @Nullable Object[] binds);

  /** A literal that was taken out of the text. */
  record Literal(int index, boolean negated) implements Operand {
    @Override
    public @Nullable Object value(@Nullable Object[] literals, @Nullable Object[] binds) {
      if (!(literals[index] instanceof String written) || written.indexOf('\\') >= 0) {
        return null; // A backslash may be an escape.
      }
      if (written.isEmpty() || !isDigit(written.charAt(0))) {
        return negated ? null : StatementText.unquoted(written);
      }
      String number = negated && !written.equals("0") ? '-' + written : written;
      return KeyType.INTEGER.canonical(number);
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }
  }

  /** A parameter. */
  record Parameter(int index) implements Operand {
    @Override
    public @Nullable Object value(@Nullable Object[] literals, @Nullable Object[] binds) {
      Object bind = index < binds.length ? binds[index] : null;
      // To ask them for an interface that they have not would cost each execution nanoseconds.
      boolean usual = bind instanceof Integer || bind instanceof Long || bind instanceof String;
      return !usual && bind instanceof BoundValue bound ? bound.boundValue() : bind;
    }
  }

  /** A literal or parameter that is cast. */
  record Cast(Operand of, CastType type) implements Operand, DoubtfulPart {
    @Override
    public @Nullable Object value(@Nullable Object[] literals, @Nullable Object[] binds) {
      Object value = of.value(literals, binds);
      return value == null || value == NULL ? value : type.value(value);
    }

    @Override
    public boolean mayFail(@Nullable Object[] literals, @Nullable Object[] binds) {
      return value(literals, binds) == null;
    }

    /** Returns what is cast, and to what, or null. */
    static @Nullable Cast of(Expression expression) {
      if (expression instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
        return of(list.get(0));
      }
      if (!(expression instanceof CastExpression cast)) {
        return null;
      }
      CastType type = CastType.of(cast);
      Operand of = Operand.of(cast.getLeftExpression());
      return type != null && (of instanceof Literal || of instanceof Parameter)
          ? new Cast(of, type)
          : null;
    }
  }

  /**
   * An array that is a parameter, for what equals any of its elements; it is no value itself.
   *
   * @param type what its elements are cast to, or null where they are not
   */
  record Elements(int index, @Nullable CastType type) implements Operand, DoubtfulPart {
    @Override
    public @Nullable Object value(@Nullable Object[] literals, @Nullable Object[] binds) {
      return null;
    }

    /** Returns the elements, or null where they are not known. */
    @Nullable List<Object> elements(@Nullable Object[] binds) {
      List<Object> elements =
          index < binds.length && binds[index] instanceof BoundValue bound
              ? bound.boundElements()
              : null;
      return elements == null || type == null ? elements : cast(elements, type);
    }

    private static @Nullable List<Object> cast(List<Object> elements, CastType type) {
      List<Object> cast = new ArrayList<>();
      for (Object element : elements) {
        Object value = element == NULL ? NULL : type.value(element);
        if (value == null) {
          return null;
        }
        cast.add(value);
      }
      return cast;
    }

    @Override
    public boolean mayFail(@Nullable Object[] literals, @Nullable Object[] binds) {
      return type != null && elements(binds) == null;
    }

    /** Returns whether an array is among {@code operands}. */
    static boolean isIn(List<Operand> operands) {
      return operands.stream().anyMatch(Elements.class::isInstance);
    }

    /** Returns the array in {@code = ANY (?)}, or null. */
    static @Nullable Elements of(Expression expression) {
      Expression array = array(expression);
      CastType type = null;
      if (array instanceof CastExpression cast) {
        type = CastType.ofElements(cast);
        array = type == null ? null : cast.getLeftExpression();
      }
      int parameter = array == null ? -1 : QueryTree.parameter(array);
      return parameter < 0 ? null : new Elements(parameter, type);
    }

    /** Returns what stands in the brackets of {@code ANY}, or null. */
    static @Nullable Expression array(Expression expression) {
      return expression instanceof Function function
              && Set.of("any", "some").contains(Tokens.fold(function.getName()))
              && function.getParameters() != null
              && function.getParameters().size() == 1
          ? function.getParameters().get(0)
          : null;
    }
  }

  /** TRUE, FALSE or NULL. */
  record Constant(Object constant) implements Operand {
    @Override
    public Object value(@Nullable Object[] literals, @Nullable Object[] binds) {
      return constant;
    }
  }

  /** Returns what stands between the ORs of {@code expression}. */
  static List<Expression> branches(Expression expression) {
    if (expression instanceof OrExpression or) {
      List<Expression> both = new ArrayList<>(branches(or.getLeftExpression()));
      both.addAll(branches(or.getRightExpression()));
      return both;
    }
    return expression instanceof ParenthesedExpressionList<?> list && list.size() == 1
        ? branches(list.get(0))
        : List.of(expression);
  }

  /** Returns the constants of a column of {@code type} that all are, casts among them, or null. */
  static @Nullable List<Operand> all(
      List<? extends Expression> expressions, @Nullable KeyType type) {
    List<Operand> operands = new ArrayList<>();
    for (Expression each : expressions) {
      Operand operand = of(each, type);
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    return operands;
  }

  /** Returns the constants in {@code = ANY (ARRAY[…])}, or null. */
  static @Nullable List<Operand> listed(Expression expression, @Nullable KeyType type) {
    Expression array = Elements.array(expression);
    return array instanceof ArrayConstructor list ? all(list.getExpressions(), type) : null;
  }

  /**
   * Returns the array in {@code = ANY (?)}, or the constant that {@code expression} is, or null.
   */
  static @Nullable Operand ofAny(Expression expression, @Nullable KeyType type) {
    Elements array = Elements.of(expression);
    if (array == null) {
      return of(expression, type);
    }
    return array.type() == null || array.type().keyType == type ? array : null;
  }

  /** Returns the constant of a column of {@code type} that {@code expression} is, or null. */
  static @Nullable Operand of(Expression expression, @Nullable KeyType type) {
    Cast cast = Cast.of(expression);
    return cast != null && cast.type().keyType == type ? cast : of(expression);
  }

  /** Returns the constant without a cast that {@code expression} is, or null. */
  static @Nullable Operand of(Expression expression) {
    if (expression instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      return of(list.get(0));
    }
    int literal = QueryTree.literal(expression);
    if (literal >= 0) {
      return new Literal(literal, false);
    }
    int parameter = QueryTree.parameter(expression);
    if (parameter >= 0) {
      return new Parameter(parameter);
    }
    if (expression instanceof SignedExpression signed
        && signed.getSign() == '-'
        && of(signed.getExpression()) instanceof Literal positive
        && !positive.negated()) {
      return new Literal(positive.index(), true);
    }
    if (expression instanceof BooleanValue constant) {
      return new Constant(constant.getValue());
    }
    return expression instanceof NullValue ? new Constant(NULL) : null;
  }
}
