package dev.larder.analysis;

import dev.larder.lexer.StatementShape;
import dev.larder.lexer.StatementText;
import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementFacts;
import java.util.Set;
import java.util.regex.Pattern;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Parses a query with JSqlParser, on the caller's thread and without its timeout. Call {@link
 * #parse} with the shape of a text, once for each shape, and look at what {@link Parsed} says.
 *
 * <p>The parser sees our tokens and not the text, so that the two cannot disagree on where a string
 * or a comment ends. In the tree
 *
 * <ul>
 *   <li>the n-th parameter is {@code ?n}, n as in {@code setObject(n, …)};
 *   <li>the n-th literal that was taken out of the text is the string or number n, counted from 1;
 *   <li>every other constant is {@code ''} or 0, and each of them may be another one;
 *   <li>some operators are {@code @>}, the type of a time has no zone, and functions with a grammar
 *       of their own are {@code special(0)}: what JSqlParser does not read, though PostgreSQL does,
 *       is shown to it in other words.
 * </ul>
 *
 * So the tree tells how a query is built, and not what it reads and calls: that is in {@link
 * StatementFacts}. JSqlParser reads more than PostgreSQL: a tree says nothing of whether the server
 * takes the query, nor of clauses that PostgreSQL does not have.
 */
public final class QueryParser {
  /** Longer queries are not parsed. */
  private static final int MAX_TOKENS = 5_000;

  /**
   * Brackets or CASE within each other. The parser looks ahead for a time that may double with each
   * of them.
   */
  private static final int MAX_DEPTH = 10;

  /** Operators and keywords in a row. */
  private static final int MAX_PREFIXES = 20;

  /** Operators that the parser reads; any other is shown to it as one that it reads. */
  private static final Set<String> OPERATORS =
      Set.of(
          "+", "-", "*", "/", "%", "=", "<>", "!=", "<", ">", "<=", ">=", "=>", "||", "->>", "~",
          "~*", "!~", "!~*", "&", "|", "<<", ">>", "^");

  /** Quoted names that the parser reads. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_$ ]+");

  /** Names that the parser reserves. */
  private static final Set<String> QUOTED = Set.of("number", "row", "uuid");

  /** Functions whose arguments are not separated by commas alone. */
  private static final Set<String> SPECIAL =
      Set.of(
          ("json json_array json_arrayagg json_exists json_object json_objectagg json_query"
                  + " json_scalar json_serialize json_table json_value xmlattributes xmlelement"
                  + " xmlexists xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable")
              .split(" "));

  /**
   * A query that the parser understands.
   *
   * @param literals how many literals are in the tree. Where these are not as many as {@link
   *     StatementText#literals}, nobody knows which is which
   * @param parameters the same for parameters
   */
  public record Parsed(Select tree, int literals, int parameters) {}

  private final Tokens tokens;
  private int parameters;
  private int literals;

  private QueryParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns the one query in {@code shape}, or null where the parser does not understand it or it
   * is too long or nested too deeply. Takes some milliseconds at most.
   *
   * @throws StackOverflowError if the caller's stack has no room for the parser
   */
  public static @Nullable Parsed parse(StatementShape shape) {
    QueryParser parser = new QueryParser(Tokens.of(shape));
    String text = parser.isTooLarge() ? null : parser.render();
    if (text == null) {
      return null;
    }
    try {
      CCJSqlParser reader = new CCJSqlParser(new StringProvider(text));
      return reader.withAllowComplexParsing(true).Statement() instanceof Select tree
          ? new Parsed(tree, parser.literals, parser.parameters)
          : null;
    } catch (ParseException | RuntimeException e) {
      return null;
    }
  }

  private boolean isTooLarge() {
    int depth = 0;
    int prefixes = 0;
    for (int i = 0; i < tokens.size() && depth <= MAX_DEPTH && prefixes <= MAX_PREFIXES; i++) {
      Token token = tokens.get(i);
      boolean attribute = tokens.isSymbol(i - 1, ".");
      if (token.isSymbol("(") || token.isSymbol("[") || (token.is("case") && !attribute)) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]") || (token.is("end") && !attribute)) {
        depth--;
      }
      boolean prefix = token.kind() == Kind.OPERATOR || token.isReserved();
      prefixes = prefix ? prefixes + 1 : 0;
    }
    return tokens.size() > MAX_TOKENS || depth != 0 || prefixes > MAX_PREFIXES;
  }

  /** Returns what the parser is shown, or null where a token cannot be. */
  private @Nullable String render() {
    StringBuilder text = new StringBuilder();
    int leftOut = 0;
    for (int i = 0; i < tokens.size(); i++) {
      String shown = render(tokens.get(i), i);
      if (shown.isEmpty()) {
        return null;
      } else if (isTimeZone(i)) {
        leftOut = i + 3;
      }
      if (i >= leftOut) {
        text.append(shown).append(' ');
        if (isSpecial(i)) {
          text.append("(0) ");
          leftOut = tokens.afterClosing(i + 1);
        }
      }
    }
    return text.toString();
  }

  /** WITH TIME ZONE and WITHOUT TIME ZONE are read behind a type without a precision only. */
  private boolean isTimeZone(int i) {
    return (tokens.is(i, "with") || tokens.is(i, "without")) && tokens.is(i + 1, "time", "zone");
  }

  private boolean isSpecial(int i) {
    Token function = tokens.get(i);
    return function.kind() == Kind.WORD
        && SPECIAL.contains(function.name())
        && tokens.isSymbol(i + 1, "(");
  }

  private String render(Token token, int index) {
    return switch (token.kind()) {
      case WORD -> word(token, index);
      case QUOTED_NAME -> PLAIN.matcher(token.name()).matches() ? token.text() : "";
      case STRING, ESCAPE_STRING -> token.text().equals("''") ? "'" + ++literals + "'" : "''";
      case DOLLAR_STRING, BIT_STRING -> "''";
      case NUMBER -> token.text().equals("0") ? String.valueOf(++literals) : "0";
      case PARAMETER -> "?" + ++parameters;
      case POSITIONAL_PARAMETER -> "''";
      case OPERATOR -> operator(token.text(), index);
      case PUNCTUATION -> token.text();
      case UNICODE_NAME, UNICODE_STRING, OTHER, COMMENT, END -> "";
    };
  }

  private String word(Token token, int index) {
    boolean quoted = QUOTED.contains(token.name());
    if (isSpecial(index)) {
      return "special";
    } else if (tokens.isSymbol(index - 1, ".")) {
      return quoted ? quoted(token) : token.text();
    } else if (token.is("table")) {
      return "SELECT * FROM";
    } else if (token.is("select") && isEmptyList(index + 1)) {
      return "SELECT 0";
    }
    return quoted && isName(index) ? quoted(token) : token.text();
  }

  private static String quoted(Token token) {
    return '"' + token.name() + '"';
  }

  private boolean isEmptyList(int index) {
    return tokens.is(index, "from") || tokens.is(index, "where") || tokens.isSymbol(index, ")");
  }

  /** Whether what the parser may take for grammar is a name: a column and no call, type or ROW. */
  private boolean isName(int index) {
    Token before = tokens.get(index - 1);
    Token after = tokens.get(index + 1);
    return !before.isIdentifier()
        && !before.isValue()
        && !before.isSymbol("::")
        && !after.isSymbol("(")
        && !after.kind().isText();
  }

  /** All columns of a row that is an expression look like one of them. */
  private String operator(String symbol, int index) {
    if (symbol.equals("*") && tokens.isSymbol(index - 1, ".") && tokens.isSymbol(index - 2, ")")) {
      return "columns";
    }
    if (symbol.equals("->")) {
      return "->>"; // What the parser does not take for a lambda.
    }
    return OPERATORS.contains(symbol) ? symbol : "@>";
  }
}
