package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.result.ResultColumns;
import dev.larder.sql.QueryHints;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.StatementShape;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a shape: the facts of its text, which may at first be those of its tokens alone,
 * its statistics, and the memory of its last resolution and its last result's columns. The memory
 * of the resolution is reached by reference comparison; sessions that differ take turns in it,
 * which costs a resolution but no correctness. Thread-safe.
 */
public final class ShapePlan {
  private final StatementShape shape;
  private final StatementKind kind;
  private volatile ShapeStatistics statistics = new ShapeStatistics();
  private volatile boolean retired;
  private volatile Understanding understanding;
  private volatile boolean met;
  private volatile @Nullable WeakReference<ResultColumns> lastColumns;
  private volatile boolean dependsOnFormat;
  private volatile boolean resultSeen;

  /** An analysis and what was made of it last. */
  private static final class Understanding {
    final SqlAnalysis analysis;
    final @Nullable BypassReason textBypass;
    volatile @Nullable Resolution resolution;

    /** Of the last resolution that was forgotten. */
    volatile @Nullable Meaning outdated;

    Understanding(SqlAnalysis analysis, @Nullable BypassReason textBypass) {
      this.analysis = analysis;
      this.textBypass = textBypass;
    }
  }

  /** What is left of a resolution whose catalog may be gone. */
  record Meaning(ResolvedStatement statement, @Nullable BypassReason bypass) {
    private static Meaning of(Resolution resolution) {
      return new Meaning(resolution.statement(), resolution.bypass());
    }
  }

  ShapePlan(StatementShape shape, SqlAnalysis analysis) {
    this.shape = shape;
    this.understanding = new Understanding(analysis, textBypass(shape, analysis));
    this.kind =
        switch (analysis.statements().size()) {
          case 0 -> StatementKind.EMPTY;
          case 1 -> analysis.statements().get(0).kind();
          default -> StatementKind.UNKNOWN;
        };
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
    forgetCatalogsBut(null);
  }

  /** Returns whether the shape was forgotten, so that no status shows it any more. */
  boolean isRetired() {
    return retired;
  }

  /** Returns what the shape meant when it was resolved last, for status displays, or null. */
  @Nullable Meaning lastMeaning() {
    Understanding present = understanding;
    Resolution last = present.resolution;
    return last == null ? present.outdated : Meaning.of(last);
  }

  /**
   * Lets go of the last resolution unless it is of {@code catalog}: as many catalogs would be kept
   * as there are shapes that do not come again.
   */
  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  void forgetCatalogsBut(@Nullable CatalogVersion catalog) {
    Understanding present = understanding;
    Resolution last = present.resolution;
    if (last != null && last.catalog() != catalog) {
      present.outdated = Meaning.of(last);
      present.resolution = null;
    }
  }

  SqlAnalysis analysis() {
    return understanding.analysis;
  }

  StatementKind kind() {
    return kind;
  }

  @Nullable BypassReason textBypass() {
    return understanding.textBypass;
  }

  /**
   * Returns the columns of the last result that was kept, if any result still has them, or null.
   */
  public @Nullable ResultColumns lastColumns() {
    WeakReference<ResultColumns> last = lastColumns;
    return last == null ? null : last.get();
  }

  /** Notes the columns of a result that is kept. */
  @SuppressWarnings("ReferenceEquality") // Equal ones are the same, once they are kept.
  void columns(ResultColumns columns) {
    if (lastColumns() != columns) {
      lastColumns = new WeakReference<>(columns);
    }
  }

  /** Returns whether getters may answer otherwise where the rows come in the other format. */
  public boolean dependsOnFormat() {
    return dependsOnFormat;
  }

  /** Returns whether a result was seen, so that {@link #dependsOnFormat} is known. */
  public boolean isResultSeen() {
    return resultSeen;
  }

  /** Notes of a result whether {@link #dependsOnFormat}; that it does is never forgotten. */
  public void resultSeen(boolean formatMatters) {
    if (formatMatters) {
      dependsOnFormat = true;
    }
    resultSeen = true;
  }

  /** Returns whether an execution was told before that the shape is new, and notes it. */
  boolean isMetAgain() {
    boolean before = met;
    met = true;
    return before;
  }

  /** Replaces a brief analysis by one of the same statements by the parser. */
  void understand(SqlAnalysis whole) {
    understanding = new Understanding(whole, textBypass(shape, whole));
  }

  /** Returns the remembered resolution if it was made for exactly these, else null. */
  @Nullable Resolution recall(CatalogVersion catalog, List<String> searchPath, CachePolicy policy) {
    Resolution last = understanding.resolution;
    return last != null && last.isFor(catalog, searchPath, policy) ? last : null;
  }

  /** Remembers what was made of {@code analysis}, unless that was replaced meanwhile. */
  @SuppressWarnings("ReferenceEquality") // The very analysis.
  void remember(SqlAnalysis analysis, Resolution made) {
    Understanding present = understanding;
    if (present.analysis == analysis) {
      present.resolution = made;
    }
  }
}
