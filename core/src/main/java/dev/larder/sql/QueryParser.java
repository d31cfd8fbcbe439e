package dev.larder.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Calls JSqlParser, on the caller's thread and without its timeout. It sees our tokens and not the
 * text, so that the two cannot disagree on where a string or a comment ends; every constant is one
 * of two plain ones, and long lists of them are cut short. What it does not read, though PostgreSQL
 * does, is shown to it in other words: names that it reserves, TABLE, a SELECT of nothing, and
 * functions of XML and JSON whose arguments have a grammar of their own. (What a statement reads,
 * writes and calls is found in the tokens, not in the tree.) What is nested is given to it in
 * {@linkplain QueryPieces pieces}, and what is nested too deeply or too long not at all.
 */
final class QueryParser {
  /** Operators that the parser reads; any other is shown to it as one that it reads. */
  private static final Set<String> OPERATORS =
      Set.of(
          "+", "-", "*", "/", "%", "=", "<>", "!=", "<", ">", "<=", ">=", "=>", "||", "->>", "~",
          "~*", "!~", "!~*", "&", "|", "<<", ">>", "^");

  /** Names that the parser reserves. */
  private static final Set<String> QUOTED = Set.of("number", "row", "uuid");

  /** Functions whose arguments are not separated by commas alone. */
  private static final Set<String> SPECIAL =
      Set.of(
          "json",
          "json_array",
          "json_arrayagg",
          "json_exists",
          "json_object",
          "json_objectagg",
          "json_query",
          "json_scalar",
          "json_serialize",
          "json_table",
          "json_value",
          "xmlattributes",
          "xmlelement",
          "xmlexists",
          "xmlforest",
          "xmlparse",
          "xmlpi",
          "xmlroot",
          "xmlserialize",
          "xmltable");

  private static final int MAX_TOKENS = 5_000;
  private static final int MAX_PREFIXES = 20;

  private final StringBuilder text = new StringBuilder();
  private final Tokens tokens;
  private int rendered;

  private QueryParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Returns the trees of the query's pieces; null where the parser does not understand one. */
  static @Nullable List<Statement> parse(Tokens query) {
    List<Tokens> pieces = QueryPieces.of(query);
    if (pieces == null) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    int rendered = 0;
    for (Tokens piece : pieces) {
      QueryParser parser = new QueryParser(piece);
      if (parser.hasLongPrefix() || !parser.render()) {
        return null;
      }
      rendered += parser.rendered;
      if (rendered > MAX_TOKENS) {
        return null;
      }
      texts.add(parser.text.toString());
    }
    return parse(texts);
  }

  private static @Nullable List<Statement> parse(List<String> texts) {
    List<Statement> trees = new ArrayList<>();
    try {
      for (String text : texts) {
        trees.add(
            new CCJSqlParser(new StringProvider(text)).withAllowComplexParsing(true).Statement());
      }
    } catch (ParseException | RuntimeException e) {
      return null;
    }
    return trees;
  }

  private boolean hasLongPrefix() {
    int prefixes = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      boolean prefix = token.kind() == TokenKind.OPERATOR || token.isReserved();
      prefixes = prefix ? prefixes + 1 : 0;
      if (prefixes > MAX_PREFIXES) {
        return true;
      }
    }
    return false;
  }

  private boolean render() {
    for (int i = 0; i < tokens.size(); i++) {
      if (isRepetition(i)) {
        i++;
        continue;
      }
      if (isTimeZone(i)) {
        i += 2;
        continue;
      }
      if (++rendered > MAX_TOKENS || !render(tokens.get(i), i)) {
        return false;
      }
      if (isSpecial(i)) {
        text.append("(0) ");
        i = tokens.afterClosing(i + 1) - 1;
      }
    }
    return true;
  }

  /** WITH TIME ZONE and WITHOUT TIME ZONE are read behind a type without a precision only. */
  private boolean isTimeZone(int i) {
    return (tokens.is(i, "with") || tokens.is(i, "without")) && tokens.is(i + 1, "time", "zone");
  }

  private boolean isSpecial(int i) {
    return isSpecial(tokens.get(i)) && tokens.isSymbol(i + 1, "(");
  }

  /** Whether {@code function} takes arguments that have a grammar of their own. */
  static boolean isSpecial(Token function) {
    return function.kind() == TokenKind.WORD && SPECIAL.contains(function.name());
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

  private boolean render(Token token, int index) {
    String rendered =
        switch (token.kind()) {
          case WORD -> word(token, index);
          case QUOTED_NAME -> isPlain(token.name()) ? token.text() : "\"quoted\"";
          case STRING, ESCAPE_STRING, DOLLAR_STRING, BIT_STRING -> "''";
          case NUMBER -> "0";
          case PARAMETER, POSITIONAL_PARAMETER -> "?";
          case OPERATOR -> operator(token.text(), index);
          case PUNCTUATION -> token.text();
          case UNICODE_NAME, UNICODE_STRING, OTHER, COMMENT, END -> "";
        };
    text.append(rendered).append(' ');
    return !rendered.isEmpty();
  }

  private String word(Token token, int index) {
    if (isSpecial(index)) {
      return "special";
    } else if (tokens.isSymbol(index - 1, ".")) {
      return QUOTED.contains(token.name()) ? quoted(token) : token.text();
    } else if (token.is("table")) {
      return "SELECT * FROM";
    } else if (token.is("select") && isEmptyList(index + 1)) {
      return "SELECT 0";
    }
    return QUOTED.contains(token.name()) && isName(index) ? quoted(token) : token.text();
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

  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(c -> c == ' ' || (c < 128 && Characters.isNamePart((char) c)));
  }
}
