package dev.larder.keys;

import dev.larder.lexer.StatementShape;
import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcNamedParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a single statement, for whoever wants to know which rows it can touch. A constant in
 * it says which literal of the text it is, and a parameter which of the statement's. Immutable and,
 * as nobody changes the tree, thread-safe.
 *
 * <p>The tree is JSqlParser's. It tells which parts belong together, and that alone: names are
 * those of the tokens, as the server reads them.
 */
public final class QueryTree {
  private static final int MAX_CHARACTERS = 100_000;

  /** A longer statement has no tree. */
  private static final int MAX_TOKENS = 2_000;

  /** Operators that the parser binds as the server does. */
  private static final Set<String> OPERATORS =
      Set.of("=", "<>", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "||");

  private static final String LITERAL = "literal";
  private static final String PARAMETER = "parameter";
  private static final long NUMBER = 9_000_000;

  private final Statement statement;
  private final Tokens tokens;
  private final int literals;
  private final int queries;

  private QueryTree(Statement statement, Rendering rendering) {
    this.statement = statement;
    this.tokens = rendering.tokens;
    this.literals = rendering.literals;
    this.queries = rendering.queries;
  }

  /**
   * Returns the tree of the only statement of {@code shape}; null where there are several, or the
   * parser does not understand it. Takes some 0.1 ms.
   */
  public static @Nullable QueryTree of(StatementShape shape) {
    if (shape.text().length() > MAX_CHARACTERS) {
      return null;
    }
    Tokens tokens = Tokens.of(shape);
    boolean ended = tokens.isSymbol(tokens.size() - 1, ";");
    Rendering rendering = new Rendering(ended ? tokens.between(0, tokens.size() - 1) : tokens);
    Statement statement = rendering.isComplete() ? parse(rendering.text.toString()) : null;
    return statement == null ? null : new QueryTree(statement, rendering);
  }

  /** The text that the parser sees. */
  private static final class Rendering {
    final Tokens tokens;
    final StringBuilder text = new StringBuilder();
    int literals;
    int parameters;
    int queries;

    Rendering(Tokens tokens) {
      this.tokens = tokens;
    }

    /** Renders all tokens; returns false where one of them may mean something else in the tree. */
    boolean isComplete() {
      for (int i = 0; i < tokens.size(); i++) {
        Token token = tokens.get(i);
        String rendered = render(token, i);
        if (rendered.isEmpty() || i > MAX_TOKENS) {
          return false;
        }
        queries += token.is("select") || token.is("table") || token.is("values") ? 1 : 0;
        text.append(rendered).append(' ');
      }
      return true;
    }

    private String render(Token token, int index) {
      return switch (token.kind()) {
        case WORD -> token.text();
        case OPERATOR -> OPERATORS.contains(token.text()) ? token.text() : "";
        case PUNCTUATION -> token.isSymbol(";") ? "" : token.text();
        case QUOTED_NAME -> "\"q" + index + '"';
        case STRING, ESCAPE_STRING ->
            token.text().equals("''") ? "'" + LITERAL + literals++ + "'" : "'kept'";
        case DOLLAR_STRING -> "'kept'";
        case NUMBER -> token.text().equals("0") ? String.valueOf(NUMBER + literals++) : "1";
        case PARAMETER -> ":" + PARAMETER + parameters++;
        default -> "";
      };
    }
  }

  private static @Nullable Statement parse(String text) {
    try {
      return new CCJSqlParser(new StringProvider(text)).withAllowComplexParsing(false).Statement();
    } catch (ParseException | RuntimeException e) {
      return null;
    }
  }

  /** Returns the parser's tree. */
  public Statement statement() {
    return statement;
  }

  /**
   * Returns how many literals are in the tree; a text with another number of literals taken out of
   * it has some that the tree takes for its own.
   */
  public int literals() {
    return literals;
  }

  /** Returns how many words of the text may begin a query: SELECT, VALUES and TABLE. */
  public int queries() {
    return queries;
  }

  /** Returns the tokens of the text. */
  Tokens tokens() {
    return tokens;
  }

  /** Returns whether the statement has this unquoted word, which may be a name. */
  public boolean hasWord(String word) {
    return tokens.contains(word);
  }

  /** Returns whether it may have a cast, to a type that the search path finds. */
  public boolean mayCast() {
    return hasWord("cast") || tokens.any(i -> tokens.isSymbol(i, "::"));
  }

  /** Returns whether a name in the tree has quotes in the text. */
  static boolean isQuoted(String inTree) {
    return inTree.startsWith("\"q");
  }

  /** Returns what a name in the tree is called: folded, without quotes. */
  public String name(String inTree) {
    return isQuoted(inTree)
        ? tokens.get(Integer.parseInt(inTree.substring(2, inTree.length() - 1))).name()
        : Tokens.fold(inTree);
  }

  /** Returns which literal of the text a constant of the tree is, from 0, or −1. */
  public static int literal(Expression constant) {
    if (constant instanceof LongValue number) {
      long value = number.getValue();
      return value < NUMBER ? -1 : (int) (value - NUMBER);
    }
    return constant instanceof StringValue text ? numberOf(text.getValue(), LITERAL) : -1;
  }

  /** Returns which parameter of the statement an expression of the tree is, from 0, or −1. */
  public static int parameter(Expression expression) {
    return expression instanceof JdbcNamedParameter parameter
        ? numberOf(parameter.getName(), PARAMETER)
        : -1;
  }

  private static int numberOf(String name, String kind) {
    return name.startsWith(kind) ? Integer.parseInt(name.substring(kind.length())) : -1;
  }
}
