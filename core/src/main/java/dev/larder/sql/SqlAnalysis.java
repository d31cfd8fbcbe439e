package dev.larder.sql;

import java.util.List;

/**
 * The facts of a text: one {@link StatementFacts} for each of its statements, in order; empty ones
 * are left out, so that a text of comments has none.
 */
public record SqlAnalysis(List<StatementFacts> statements) {
  public SqlAnalysis {
    statements = List.copyOf(statements);
  }
}
