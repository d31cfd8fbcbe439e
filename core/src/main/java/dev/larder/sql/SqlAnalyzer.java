package dev.larder.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what a shape reads, writes and calls. Pure and thread-safe.
 *
 * <p>Nothing that a cached answer depends on comes from the parser alone: names, calls, operators,
 * targets and everything that forbids caching are found in the tokens; a query is cacheable by its
 * text only if the parser understands it too and its tree holds nothing but known nodes.
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
   *
   * @throws StackOverflowError if the caller's stack has no room for the parser
   */
  public SqlAnalysis analyze(StatementShape shape) {
    return analyze(shape, null);
  }

  /** As {@link #analyze}, on little of the stack: no query is understood. */
  public SqlAnalysis analyzeUnparsed(StatementShape shape) {
    return analyze(shape, BypassReason.UNPARSED);
  }

  /**
   * As {@link #analyze}, but without the parser, which takes most of the time, where it would only
   * confirm that a query is one: that query has {@link BypassReason#SEEN_ONCE}.
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
