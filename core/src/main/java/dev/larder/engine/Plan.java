package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.LexOptions;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.StatementText;
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
  private final boolean braces;
  private final boolean backslashes;
  private final boolean standardStrings;
  private final ShapePlan shape;

  /** Creates the plan of {@code sql} as it was lexed with {@code options}. */
  Plan(String sql, StatementText text, ShapePlan shape, LexOptions options) {
    this.sql = sql;
    this.literals = text.literals().isEmpty() ? NO_LITERALS : text.literals().toArray();
    this.parameterCount = text.parameterCount();
    this.braces = hasBraces(sql);
    this.backslashes = sql.indexOf('\\') >= 0;
    this.standardStrings = options.standardConformingStrings();
    this.shape = shape;
  }

  /** Returns the text as it is sent. */
  public String sql() {
    return sql;
  }

  /** Returns whether this is the plan of {@code text}. */
  boolean isOf(String text) {
    return sql.equals(text);
  }

  /** Returns whether there is a brace in a text, as there is where JDBC's escapes are. */
  public static boolean hasBraces(String sql) {
    return sql.indexOf('{') >= 0;
  }

  /** Returns whether the text {@linkplain #hasBraces(String) has braces}, without a look at it. */
  public boolean hasBraces() {
    return braces;
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
    return analysis().statements();
  }

  /** Returns the kind of the only statement; UNKNOWN for several, EMPTY for none. */
  public StatementKind kind() {
    return shape.kind();
  }

  /** Returns the facts of the only statement, or null where there are none or several. */
  public @Nullable StatementFacts only() {
    return statements().size() == 1 ? statements().get(0) : null;
  }

  /** Returns what the only literal that was taken out of the text says, a string, or null. */
  public @Nullable String onlyText() {
    return literals.length == 1 ? StatementText.unquoted((String) literals[0]) : null;
  }

  SqlAnalysis analysis() {
    return shape.analysis();
  }

  @Nullable BypassReason textBypass() {
    return shape.textBypass();
  }

  Object[] literals() {
    return literals;
  }
}
