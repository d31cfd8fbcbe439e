package dev.larder.sql;

import java.util.Set;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Calls JSqlParser, on the caller's thread and without its timeout. It sees our tokens and not the
 * text, so that the two cannot disagree on where a string or a comment ends; every constant is one
 * of two plain ones, and long lists of them are cut short. What is nested too deeply or too long is
 * not given to it.
 */
final class QueryParser {
  /** Operators that the parser reads; any other is shown to it as one that it reads. */
  private static final Set<String> OPERATORS =
      Set.of(
          "+", "-", "*", "/", "%", "=", "<>", "!=", "<", ">", "<=", ">=", "=>", "||", "->", "->>",
          "~", "~*", "!~", "!~*", "&", "|", "<<", ">>", "^");

  private static final int MAX_DEPTH = 40;
  private static final int MAX_TOKENS = 5_000;
  private static final int MAX_PREFIXES = 20;

  private final StringBuilder text = new StringBuilder();
  private final Tokens tokens;

  private QueryParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Returns the tree, or null where the parser does not understand the statement. */
  static @Nullable Statement parse(Tokens tokens) {
    QueryParser parser = new QueryParser(tokens);
    if (!parser.isShallow() || !parser.render()) {
      return null;
    }
    try {
      return new CCJSqlParser(new StringProvider(parser.text.toString()))
          .withAllowComplexParsing(true)
          .Statement();
    } catch (ParseException | RuntimeException e) {
      return null;
    }
  }

  private boolean isShallow() {
    int depth = 0;
    int prefixes = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(") || token.isSymbol("[") || token.is("case")) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]") || token.is("end")) {
        depth--;
      }
      boolean prefix = token.kind() == TokenKind.OPERATOR || token.isReserved();
      prefixes = prefix ? prefixes + 1 : 0;
      if (depth > MAX_DEPTH || depth < 0 || prefixes > MAX_PREFIXES) {
        return false;
      }
    }
    return depth == 0;
  }

  private boolean render() {
    int rendered = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (isRepetition(i)) {
        i++;
        continue;
      }
      if (++rendered > MAX_TOKENS || !render(tokens.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a comma and the value behind it only lengthen a list of at least three like it. */
  private boolean isRepetition(int i) {
    if (!tokens.isSymbol(i, ",") || !tokens.get(i + 1).isValue()) {
      return false;
    }
    Token after = tokens.get(i + 2);
    String value = tokens.get(i + 1).text();
    return (after.isSymbol(",") || after.isSymbol(")"))
        && tokens.isSymbol(i - 2, ",")
        && tokens.isSymbol(i - 4, ",")
        && value.equals(tokens.get(i - 1).text())
        && value.equals(tokens.get(i - 3).text());
  }

  private boolean render(Token token) {
    String rendered =
        switch (token.kind()) {
          case WORD -> token.text();
          case QUOTED_NAME -> isPlain(token.name()) ? token.text() : "\"quoted\"";
          case STRING, ESCAPE_STRING, DOLLAR_STRING, BIT_STRING -> "''";
          case NUMBER -> "0";
          case PARAMETER, POSITIONAL_PARAMETER -> "?";
          case OPERATOR -> OPERATORS.contains(token.text()) ? token.text() : "@>";
          case PUNCTUATION -> token.text();
          case UNICODE_NAME, UNICODE_STRING, OTHER, COMMENT, END -> "";
        };
    text.append(rendered).append(' ');
    return !rendered.isEmpty();
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(c -> c == ' ' || (c < 128 && Characters.isNamePart((char) c)));
  }
}
