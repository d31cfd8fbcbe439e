package dev.larder.sql;

import dev.larder.bypass.BypassReason;
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
 *   <li>reads the clock only by such calls, by the keywords, types and constants of {@link
 *       ClockWords}, and by the {@linkplain Conversion conversions} of texts to a type.
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

  private static SqlAnalysis analyze(StatementShape shape, @Nullable BypassReason unparsed) {
    if (shape.text().length() > MAX_CHARACTERS) {
      return new SqlAnalysis(List.of(StatementAnalyzer.unknown(new Tokens(List.of()))));
    }
    List<StatementFacts> facts = new ArrayList<>();
    List<Tokens> statements = StatementSplitter.split(Tokens.of(shape));
    for (Tokens statement : statements) {
      facts.add(StatementAnalyzer.analyze(statement, statements.size() == 1, unparsed));
      if (StatementSplitter.mayHoldMore(statement)) {
        facts.add(StatementAnalyzer.unknown(statement));
      }
    }
    return new SqlAnalysis(facts);
  }
}
