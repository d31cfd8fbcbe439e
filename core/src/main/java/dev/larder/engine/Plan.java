package dev.larder.engine;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.StatementText;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text that was lexed and analyzed: its literals, and the plan of its shape. Immutable and
 * thread-safe.
 */
public final class Plan {
  private static final Object[] NO_LITERALS = {};

  private final String sql;
  private final Object[] literals;
  private final int parameterCount;
  private final boolean backslashes;
  private final boolean standardStrings;
  private final ShapePlan shape;

  /** Creates the plan of {@code sql} as it was lexed with {@code options}. */
  Plan(String sql, StatementText text, ShapePlan shape, LexOptions options) {
    this.sql = sql;
    this.literals = text.literals().isEmpty() ? NO_LITERALS : text.literals().toArray();
    this.parameterCount = text.parameterCount();
    this.backslashes = sql.indexOf('\\') >= 0;
    this.standardStrings = options.standardConformingStrings();
    this.shape = shape;
  }

  /** Returns the text as it is sent. */
  public String sql() {
    return sql;
  }

  /** Returns whether the text means something else with another {@link #standardStrings}. */
  public boolean hasBackslashes() {
    return backslashes;
  }

  /** Returns whether a backslash was read as an ordinary character in a string. */
  public boolean standardStrings() {
    return standardStrings;
  }

  /** Returns how many parameters the text has. */
  public int parameterCount() {
    return parameterCount;
  }

  /** Returns the plan of the shape. */
  public ShapePlan shape() {
    return shape;
  }

  /** Returns the facts of the statements of the text, in order. */
  public List<StatementFacts> statements() {
    SqlAnalysis present = shape.presentAnalysis();
    return (present == null ? shape.analysis() : present).statements();
  }

  /** Returns the facts of the only statement, or null where there are none or several. */
  public @Nullable StatementFacts only() {
    return statements().size() == 1 ? statements().get(0) : null;
  }

  /** Returns what the only literal that was taken out of the text says, a string, or null. */
  public @Nullable String onlyText() {
    return literals.length == 1 ? StatementText.unquoted((String) literals[0]) : null;
  }

  /** Returns the literals that were taken out of the text, as they are written. */
  public Object[] literals() {
    return literals;
  }
}
