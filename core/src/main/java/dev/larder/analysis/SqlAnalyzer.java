package dev.larder.analysis;

import dev.larder.bypass.BypassReason;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import dev.larder.sql.Conversion;
import dev.larder.sql.RelationName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what a shape reads, writes and calls. Pure and thread-safe.
 *
 * <p>Names, calls, operators, targets and everything that forbids caching are found in the tokens,
 * and the catalog says what each of them means. That is enough, because in a text that begins with
 * SELECT, VALUES, TABLE, WITH or a bracket the server's grammar
 *
 * <ul>
 *   <li>writes only behind INSERT, UPDATE, DELETE, MERGE or INTO (see {@link Writes}), and locks
 *       rows only behind FOR;
 *   <li>reads only what it names, and each name is looked up as a relation;
 *   <li>calls only what is named before a bracket, behind a dot, as a type, an operator or one of
 *       the keywords of {@link Names}; a name that is written in a way of its own (U&amp;"…",
 *       TREAT) forbids caching;
 *   <li>reads the clock only by such calls, by a few keywords and types, by constants (see {@link
 *       SqlLexer#mayReadClock}), and by the {@linkplain Conversion conversions} of texts to a type.
 * </ul>
 */
public final class SqlAnalyzer {
  /** A shape that is longer is not looked at: its tokens would take too much memory. */
  static final int MAX_CHARACTERS = 2_000_000;

  /** Creates an analyzer. */
  public SqlAnalyzer() {}

  /**
   * Returns the facts of {@code shape}, one for each statement that is not empty; never throws for
   * what the text holds. Takes about 0.1 ms, and at most a time that is linear in the length; of a
   * shape that is longer than {@value #MAX_CHARACTERS} characters nothing is known.
   */
  public SqlAnalysis analyze(StatementShape shape) {
    return analyze(shape, null);
  }

  /** As {@link #analyze}, but each query has {@link BypassReason#UNPARSED}. */
  public SqlAnalysis analyzeUnparsed(StatementShape shape) {
    return analyze(shape, BypassReason.UNPARSED);
  }

  /**
   * As {@link #analyze}, for a text that may never come again: each query has {@link
   * BypassReason#SEEN_ONCE}.
   */
  public SqlAnalysis analyzeBriefly(StatementShape shape) {
    return analyze(shape, BypassReason.SEEN_ONCE);
  }

  /** Reads a name as it is written in SQL, {@code orders} or {@code "Shop"."Order"}; or null. */
  public static @Nullable RelationName relation(String text) {
    Tokens tokens = Tokens.of(text, LexOptions.STATEMENT);
    boolean qualified = tokens.size() == 3 && tokens.isSymbol(1, ".");
    boolean names = tokens.get(0).kind().isName() && tokens.get(tokens.size() - 1).kind().isName();
    return names && (qualified || tokens.size() == 1) ? Names.relation(tokens, 0) : null;
  }

  private static SqlAnalysis analyze(StatementShape shape, @Nullable BypassReason unparsed) {
    if (shape.text().length() > MAX_CHARACTERS) {
      return new SqlAnalysis(List.of(StatementAnalyzer.unknown(Tokens.of("", shape.options()))));
    }
    List<StatementFacts> facts = new ArrayList<>();
    List<Tokens> statements = split(Tokens.of(shape));
    for (Tokens statement : statements) {
      boolean alone = statements.size() == 1 && !shape.hasCommentAsStatement();
      facts.add(StatementAnalyzer.analyze(statement, alone, unparsed));
      if (mayHoldMore(statement)) {
        facts.add(StatementAnalyzer.unknown(statement));
      }
    }
    return new SqlAnalysis(facts);
  }

  /**
   * Returns the statements between the semicolons outside of brackets that are not empty. A text
   * that creates a routine with a body in BEGIN ATOMIC … END is one statement from there on, as it
   * is to the driver.
   */
  private static List<Tokens> split(Tokens tokens) {
    List<Tokens> statements = new ArrayList<>();
    int start = 0;
    int depth = 0;
    boolean atomic = false;
    for (int i = 0; i <= tokens.size(); i++) {
      Token token = tokens.get(i);
      depth += token.depth();
      atomic |= tokens.is(i - 1, "begin", "atomic") && tokens.is(start, "create");
      boolean ends = token.isSymbol(";") && depth == 0 && !atomic;
      if (ends || i == tokens.size()) {
        if (i > start) {
          statements.add(tokens.between(start, i));
        }
        start = i + 1;
      }
    }
    return statements;
  }

  /** Whether something follows an END; in a statement that creates a routine with such a body. */
  private static boolean mayHoldMore(Tokens statement) {
    return statement.any(
        i -> statement.isSymbol(i, ";") && statement.is(i - 1, "end") && i < statement.size() - 1);
  }
}
