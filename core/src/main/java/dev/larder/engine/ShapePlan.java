package dev.larder.engine;

import dev.larder.catalog.CatalogSnapshot;
import dev.larder.sql.BypassReason;
import dev.larder.sql.QueryHints;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.StatementShape;
import dev.larder.store.SessionFingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a shape: the facts of its text, its statistics, and the memory of its last
 * resolution. The memory is reached by reference comparison; sessions that differ take turns in it,
 * which costs a resolution but no correctness. Thread-safe.
 */
public final class ShapePlan {
  private final StatementShape shape;
  private final SqlAnalysis analysis;
  private final StatementKind kind;
  private final @Nullable BypassReason textBypass;
  private volatile ShapeStatistics statistics = new ShapeStatistics();
  private volatile boolean retired;
  private volatile @Nullable Resolution resolution;

  ShapePlan(StatementShape shape, SqlAnalysis analysis) {
    this.shape = shape;
    this.analysis = analysis;
    this.kind =
        switch (analysis.statements().size()) {
          case 0 -> StatementKind.EMPTY;
          case 1 -> analysis.statements().get(0).kind();
          default -> StatementKind.UNKNOWN;
        };
    this.textBypass = textBypass(shape, analysis);
  }

  private static @Nullable BypassReason textBypass(StatementShape shape, SqlAnalysis analysis) {
    if (analysis.statements().size() > 1) {
      return BypassReason.MULTIPLE_STATEMENTS;
    }
    if (analysis.statements().isEmpty()) {
      return BypassReason.NOT_A_QUERY;
    }
    StatementFacts only = analysis.statements().get(0);
    if (only.bypass() != null) {
      return only.bypass();
    }
    if (only.kind() != StatementKind.QUERY) {
      return BypassReason.NOT_A_QUERY;
    }
    return shape.hints().caching() == QueryHints.Caching.OFF ? BypassReason.HINT : null;
  }

  /** Returns the shape. */
  public StatementShape shape() {
    return shape;
  }

  /** Returns the counts: the shape's own, or of all that are forgotten once it is. */
  public ShapeStatistics statistics() {
    return statistics;
  }

  /**
   * Forgets the shape: its counts go to {@code others}, and so does what is counted from now on.
   */
  void retire(ShapeStatistics others) {
    ShapeStatistics own = statistics;
    statistics = others;
    retired = true;
    others.add(own);
  }

  /** Returns whether the shape was forgotten, so that no status shows it any more. */
  boolean isRetired() {
    return retired;
  }

  /** Returns the last resolution, for status displays, or null. */
  public @Nullable Resolution lastResolution() {
    return resolution;
  }

  SqlAnalysis analysis() {
    return analysis;
  }

  StatementKind kind() {
    return kind;
  }

  @Nullable BypassReason textBypass() {
    return textBypass;
  }

  /** Returns the remembered resolution if it was made for exactly these, else null. */
  @Nullable Resolution recall(
      CatalogSnapshot snapshot, SessionFingerprint session, CachePolicy policy) {
    Resolution last = resolution;
    return last != null && last.isFor(snapshot, session, policy) ? last : null;
  }

  void remember(Resolution made) {
    resolution = made;
  }
}
