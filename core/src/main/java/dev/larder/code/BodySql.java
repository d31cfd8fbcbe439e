package dev.larder.code;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementText;
import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The SQL in a body, piece by piece, and the settings that it reads. Used by one thread. */
final class BodySql {
  /** A body with more is refused, so that the facts of many bodies fit into memory. */
  private static final int MOST_STATEMENTS = 200;

  /** May return any text, as a setting and an argument may be, and reads nothing. */
  private static final String ANY_TEXT = "pg_catalog . upper ( '' )";

  private static final Set<StatementKind> UNDERSTOOD =
      Set.of(StatementKind.QUERY, StatementKind.DML, StatementKind.TRUNCATE);

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  private final Tokens tokens;
  private final List<StatementFacts> found = new ArrayList<>();
  private final Set<String> settings = new HashSet<>();
  private final boolean namesSetting;
  private boolean told;

  BodySql(Tokens tokens) {
    this.tokens = tokens;
    // Its value in FROM is called like the function.
    namesSetting =
        tokens.any(
            i -> tokens.get(i).name().equals("current_setting") && tokens.isSymbol(i + 1, "."));
    told = !tokens.contains(Kind.PARAMETER); // An operator, whose name would be lost.
  }

  /** Returns whether no settings of the session, nor the encoding, decide how tokens are read. */
  static boolean isClear(Tokens tokens) {
    return !tokens.any(i -> isUnclear(tokens.get(i)));
  }

  private static boolean isUnclear(Token token) {
    return switch (token.kind()) {
      case UNICODE_NAME, UNICODE_STRING, OTHER -> true;
      case STRING -> token.text().indexOf('\\') >= 0;
      default -> false;
    };
  }

  /** Notes that a result may depend on more than what the pieces read. */
  void untold() {
    told = false;
  }

  /** Returns a part of the body as a text, without arguments and the settings that it names. */
  String text(int from, int end) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = from; i < end; i++) {
      int after = afterSetting(i);
      if (after > 0 && after <= end) {
        settings.add(Tokens.fold(tokens.get(i + 2).text().replace("'", "")));
        text.add(ANY_TEXT);
        i = after - 1;
      } else if (afterParameter(i) > 0) {
        text.add(ANY_TEXT);
        i = afterParameter(i) - 1;
      } else {
        text.add(tokens.isSymbol(i, "..") ? "," : tokens.get(i).text());
      }
    }
    return text.toString();
  }

  /**
   * Returns the index behind a parameter that begins there, or behind all fields of one; or 0. A
   * single field may be a call of a function.
   */
  private int afterParameter(int i) {
    int row = tokens.isSymbol(i, "(") ? i + 1 : i;
    int behind = row == i ? i + 1 : i + 3;
    if (tokens.get(row).kind() != Kind.POSITIONAL_PARAMETER) {
      return 0;
    }
    boolean fields =
        (row == i || tokens.isSymbol(i + 2, ")"))
            && tokens.isSymbol(behind, ".")
            && tokens.isSymbol(behind + 1, "*");
    return fields ? behind + 2 : row == i ? behind : 0;
  }

  /** Returns the index behind a {@code current_setting('a.b')} that begins there, or 0. */
  private int afterSetting(int i) {
    boolean named =
        tokens.is(i, "current_setting")
            && !namesSetting
            && !tokens.isSymbol(i - 1, ".")
            && tokens.isSymbol(i + 1, "(")
            && tokens.get(i + 2).kind() == Kind.STRING
            && tokens.get(i + 2).text().matches("'[A-Za-z0-9_]+[.][A-Za-z0-9_.]+'");
    if (!named) {
      return 0;
    }
    boolean second =
        tokens.isSymbol(i + 3, ",") && (tokens.is(i + 4, "true") || tokens.is(i + 4, "false"));
    int close = second ? i + 5 : i + 3;
    return tokens.isSymbol(close, ")") ? close + 1 : 0;
  }

  /** Adds the whole body, of statements in SQL; returns false if one is not understood. */
  boolean addAll() {
    int from = 0;
    for (int i = 0; i <= tokens.size(); i++) {
      if (i == tokens.size() || tokens.isSymbol(i, ";")) {
        if (i > from && !add(text(from, i))) {
          return false;
        }
        from = i + 1;
      }
    }
    return true;
  }

  /** Adds a statement; returns false if it is not understood. */
  boolean add(String sql) {
    List<StatementFacts> facts =
        ANALYZER.analyze(SqlLexer.lex(sql, LexOptions.SINGLE_BYTE).shape()).statements();
    // The variables may be of any type, like parameters.
    facts.forEach(each -> found.add(each.ofLooseTypes()));
    return facts.size() == 1
        && found.size() <= MOST_STATEMENTS
        && UNDERSTOOD.contains(facts.get(0).kind())
        && !facts.get(0).writesUnknown();
  }

  /** Returns what the constant at {@code index} says, or null if none stands there. */
  @Nullable String constant(int index) {
    String text = tokens.get(index).text();
    return switch (tokens.get(index).kind()) {
      case STRING -> isContinued(text) ? null : StatementText.unquoted(text);
      case DOLLAR_STRING -> {
        int tag = text.indexOf('$', 1) + 1;
        yield text.substring(tag, text.length() - tag);
      }
      default -> null;
    };
  }

  /** Whether a constant in quotes goes on in another line. */
  private static boolean isContinued(String text) {
    return text.substring(1, text.length() - 1).replace("''", "").contains("'");
  }

  /** Adds the statements of a text that is a constant; returns false if one is not understood. */
  boolean addConstant(String text) {
    Tokens inner = Tokens.of(text, LexOptions.SINGLE_BYTE);
    BodySql sql = new BodySql(inner);
    boolean understood = isClear(inner) && sql.addAll();
    found.addAll(sql.found);
    settings.addAll(sql.settings);
    return understood && found.size() <= MOST_STATEMENTS;
  }

  /** Returns the statements that were added. */
  List<StatementFacts> statements() {
    return found;
  }

  /** Returns whether calls of current_setting were taken for what the server's own does. */
  boolean namesSettings() {
    return !settings.isEmpty();
  }

  /** Returns the settings that are read, or null if a result may depend on more. */
  @Nullable Set<String> settings() {
    return told ? settings : null;
  }
}
