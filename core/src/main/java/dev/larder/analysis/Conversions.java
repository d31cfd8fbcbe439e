package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.Conversion;
import dev.larder.sql.Operand;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places where a text may become a value of another type: {@code a::t}, {@code CAST (a AS
 * t)}, {@code t(a)}, {@code (a).t}, and the types that a statement gives to columns of documents
 * and functions.
 */
final class Conversions {
  /** In longer statements nothing is known of operands: this bounds the time and the stack. */
  static final int MAX_TOKENS = 1_000;

  /** Words before an expression that are not reserved. */
  private static final Set<String> BEFORE_EXPRESSION =
      Set.of("between", "by", "escape", "ilike", "like");

  /** Functions of the grammar alone that return one of their arguments. */
  private static final Set<String> CHOICES = Set.of("coalesce", "greatest", "least", "nullif");

  /** Whether a constant reads the clock is told by its text. */
  private static final Operand CONSTANT = new Operand.Operation(Set.of());

  private final Tokens tokens;
  private final Scopes scopes;
  private final Set<Conversion> found = new HashSet<>();

  private Conversions(Tokens tokens, Scopes scopes) {
    this.tokens = tokens;
    this.scopes = scopes;
  }

  /**
   * Returns the conversions in a statement.
   *
   * @param fields names behind the dot of a value, which may be types
   */
  static Set<Conversion> of(Tokens tokens, Scopes scopes, Set<String> fields) {
    Conversions conversions = new Conversions(tokens, scopes);
    Deque<Integer> brackets = new ArrayDeque<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        brackets.push(i);
      } else if (tokens.isSymbol(i, ")")) {
        brackets.poll();
      } else if (tokens.get(i).kind().isName() && !tokens.isSymbol(i + 1, ".")) {
        conversions.name(i, brackets.isEmpty() ? -1 : brackets.element());
      }
    }
    fields.forEach(
        name -> conversions.found.add(new Conversion(new RelationName(null, name), null)));
    return conversions.found;
  }

  /** Looks at the name that ends with {@code last} within the bracket at {@code open}. */
  private void name(int last, int open) {
    int name = tokens.nameStart(last);
    if (tokens.isSymbol(name - 1, "::")) {
      add(name, start(name - 1), name - 1);
    } else if (tokens.is(name - 1, "as") && tokens.is(open - 1, "cast")) {
      add(name, open + 1, name - 1);
    } else if (!tokens.get(name).isReserved()) {
      int argument = tokens.isSymbol(last + 1, "(") ? last + 2 : -1;
      int end = tokens.size() > MAX_TOKENS ? -1 : endOfArgument(argument);
      if (isTypeOfColumn(name, open)) {
        add(name, -1, -1);
      } else if (argument > 0 && (end < 0 || (end > argument && tokens.isSymbol(end, ")")))) {
        add(name, argument, end);
      }
    }
  }

  /** Whether the name stands behind that of a column in a list: {@code AS x (a t)}. */
  private boolean isTypeOfColumn(int name, int open) {
    boolean first = tokens.isSymbol(name - 2, "(") || tokens.isSymbol(name - 2, ",");
    Token owner = tokens.get(open - 1);
    return tokens.is(name - 1, "returning")
        || (tokens.get(name - 1).isIdentifier()
            && (first || tokens.is(name - 2, "columns"))
            && (owner.isIdentifier() || owner.is("as"))
            && !owner.is("xmlelement")
            && !tokens.is(open + 1, "select"));
  }

  private void add(int type, int from, int to) {
    boolean constant = to > 0 && tokens.get(to - 1).isValue() && (from < 0 || to - from <= 2);
    boolean known = from >= 0 && from < to && tokens.size() <= MAX_TOKENS;
    Operand operand = constant ? CONSTANT : known ? operand(from, to) : null;
    found.add(new Conversion(Names.relation(tokens, type), operand));
  }

  /** Returns where the operand of {@code ::} begins, or -1 where that is not clear. */
  private int start(int end) {
    int last = end - 1;
    if (tokens.isSymbol(last, ")")) {
      int open = tokens.opening(last);
      if (!tokens.get(open - 1).isIdentifier()) {
        return open;
      }
      last = open - 1;
    }
    int start = tokens.nameStart(last);
    Token before = tokens.get(start - 1);
    boolean begins =
        before.kind() == Kind.OPERATOR
            || before.isSymbol("(")
            || before.isSymbol(",")
            || before.isSymbol("[")
            || (before.isReserved() && !before.is("collate"))
            || (before.kind() == Kind.WORD && BEFORE_EXPRESSION.contains(before.name()));
    return begins && tokens.get(last).isIdentifier() ? start : -1;
  }

  /** Returns what the tokens show of an expression, or null where it may be a text. */
  private @Nullable Operand operand(int from, int to) {
    if (tokens.isSymbol(from, "(") && tokens.afterClosing(from) == to) {
      return operand(from + 1, to - 1);
    }
    Set<String> operators = new HashSet<>();
    boolean moved = false;
    for (int i = from; i < to; i = after(i)) {
      Token token = tokens.get(i);
      boolean other = token.isSymbol(",") || token.isSymbol("[") || token.is("operator");
      if (other || token.isReserved()) {
        return null;
      } else if (token.kind() == Kind.OPERATOR) {
        operators.add(token.text().replace("??", "?"));
      }
      moved |= i > from && tokens.is(i, "at", "time", "zone");
    }
    return moved || !operators.isEmpty() ? new Operand.Operation(operators) : term(from, to);
  }

  /** Returns what the tokens show of an expression that is one column or call; else null. */
  private @Nullable Operand term(int from, int to) {
    int open = tokens.afterName(from);
    if (open == to) {
      return tokens.get(from).isIdentifier() ? scopes.column(from, to) : null;
    } else if (!tokens.isSymbol(open, "(") || tokens.afterClosing(open) != to) {
      return null;
    }
    RelationName name = Names.relation(tokens, from);
    Operand first = operand(open + 1, endOfArgument(open + 1));
    boolean choice =
        open - from == 1 && CHOICES.contains(name.name()) && tokens.get(from).kind() == Kind.WORD;
    return choice ? first : new Operand.Call(new RoutineName(name.schema(), name.name()), first);
  }

  private int after(int index) {
    boolean bracket = tokens.isSymbol(index, "(") || tokens.isSymbol(index, "[");
    return bracket ? tokens.afterClosing(index) : index + 1;
  }

  private int endOfArgument(int from) {
    int i = from;
    while (i >= 0 && i < tokens.size() && !tokens.isSymbol(i, ",") && !tokens.isSymbol(i, ")")) {
      i = after(i);
    }
    return i;
  }
}
