package dev.larder.engine;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.lexer.QueryHints;
import dev.larder.lexer.QueryWords;
import dev.larder.lexer.StatementShape;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.result.ResultColumns;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a shape: the facts of its text, its statistics, its last resolution and the
 * columns of its last result. Sessions that differ take turns in the resolution, which costs work
 * but no correctness. Thread-safe.
 */
public final class ShapePlan {
  private final AskingRoles roles = new AskingRoles();
  private final StatementShape shape;
  private final StatementKind kind;
  private volatile ShapeStatistics statistics;
  private volatile boolean retired;
  private volatile boolean passing;

  /** Null until somebody asks, if only the words were looked at; at first perhaps a brief one. */
  private volatile @Nullable SqlAnalysis analysis;

  private volatile @Nullable QueryWords words;
  private final ShapeRuns runs = new ShapeRuns();

  private volatile @Nullable BypassReason textBypass;
  private volatile @Nullable BypassReason bypassBesideClock;

  private boolean unprofitable;
  private volatile @Nullable Admission admission;
  private volatile @Nullable Resolution resolution;

  /** As {@link #resolution}, of a statement whose search path is not known for sure. */
  private volatile Resolutions.@Nullable Anywhere anywhere;

  /** Of the last resolution that was forgotten. */
  private volatile @Nullable Meaning outdated;

  private volatile boolean met;
  private volatile @Nullable WeakReference<ResultColumns> lastColumns;
  private volatile boolean dependsOnFormat;
  private volatile boolean resultSeen;

  /** What is left of a resolution whose catalog may be gone. */
  record Meaning(ResolvedStatement statement, @Nullable BypassReason bypass) {
    private static Meaning of(Resolution resolution) {
      return new Meaning(resolution.statement(), resolution.bypass());
    }
  }

  ShapePlan(StatementShape shape, SqlAnalysis analysis) {
    this.shape = shape;
    this.statistics = new ShapeStatistics();
    this.words = null;
    this.analysis = analysis;
    decide();
    this.kind =
        switch (analysis.statements().size()) {
          case 0 -> StatementKind.EMPTY;
          case 1 -> analysis.statements().get(0).kind();
          default -> StatementKind.UNKNOWN;
        };
  }

  /** Creates the plan of a query of which only the words were looked at, and which passes. */
  ShapePlan(StatementShape shape, QueryWords words, ShapeStatistics others) {
    this.shape = shape;
    this.statistics = others;
    this.passing = true;
    this.words = words;
    this.kind = StatementKind.QUERY;
    this.textBypass = BypassReason.SEEN_ONCE;
    this.bypassBesideClock = BypassReason.SEEN_ONCE;
  }

  private @Nullable BypassReason textBypass(boolean besideClock) {
    SqlAnalysis analysis = analysis();
    if (analysis.statements().size() > 1) {
      return BypassReason.MULTIPLE_STATEMENTS;
    }
    if (analysis.statements().isEmpty()) {
      return BypassReason.NOT_A_QUERY;
    }
    StatementFacts only = analysis.statements().get(0);
    BypassReason stated = besideClock ? only.bypassBesideClock() : only.bypass();
    if (stated != null) {
      return stated;
    }
    if (only.kind() != StatementKind.QUERY) {
      return BypassReason.NOT_A_QUERY;
    }
    if (shape.hints().caching() == QueryHints.Caching.OFF) {
      return BypassReason.HINT;
    }
    return unprofitable ? BypassReason.NO_PROFIT : null;
  }

  /** Returns the shape. */
  public StatementShape shape() {
    return shape;
  }

  /** Returns the kind of the only statement; UNKNOWN for several, EMPTY for none. */
  public StatementKind kind() {
    return kind;
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

  /** Returns whether only the caller knows the shape, which is counted among others for now. */
  boolean isPassing() {
    return passing;
  }

  /** Has the shape counted for itself from now on. */
  void stays() {
    passing = false;
    statistics = new ShapeStatistics();
  }

  /** Returns whether the shape was forgotten, so that no status shows it any more. */
  boolean isRetired() {
    return retired;
  }

  SqlAnalysis analysis() {
    SqlAnalysis known = analysis;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      if (analysis == null) {
        analysis = new SqlAnalyzer().analyzeBriefly(shape);
        words = null;
      }
      return analysis;
    }
  }

  /** Returns the analysis, or null if only the words were looked at yet. */
  @Nullable SqlAnalysis presentAnalysis() {
    return analysis;
  }

  /** Returns the words of a query of which nothing else is known yet, else null. */
  public @Nullable QueryWords words() {
    return words;
  }

  /**
   * Returns why no execution can be looked up, by the text alone, or null; or that most are not to
   * be, as it does not pay.
   */
  @Nullable BypassReason textBypass() {
    return textBypass;
  }

  /** Returns the same as if the text did not call for the present date or time. */
  @Nullable BypassReason bypassBesideClock() {
    return bypassBesideClock;
  }

  /** Returns whether an execution was told before that the shape is new, and notes it. */
  boolean isMetAgain() {
    boolean before = met;
    met = true;
    return before;
  }

  /** Replaces a brief analysis by one of the same statements by the parser. */
  synchronized void understand(SqlAnalysis whole) {
    analysis = whole;
    words = null;
    decide(); // Last: whoever reads it then resolves the whole.
  }

  private void decide() {
    textBypass = textBypass(false);
    bypassBesideClock = textBypass(true);
  }

  // ---- admission

  /** Returns what decides whether the shape pays, or null where nothing has been missed yet. */
  @Nullable Admission admission() {
    return admission;
  }

  /** Remembers what decides whether the shape pays, unless another does; returns which does. */
  synchronized Admission admission(Admission made) {
    Admission known = admission;
    if (known != null) {
      return known;
    }
    admission = made;
    return made;
  }

  /** Returns whether most executions are not looked up, because that does not pay. */
  public boolean isProbed() {
    return textBypass == BypassReason.NO_PROFIT;
  }

  /** Notes whether executions are to be looked up. */
  synchronized void profitable(boolean pays) {
    unprofitable = !pays;
    decide();
  }

  // ---- resolutions

  AskingRoles roles() {
    return roles;
  }

  /** Returns the last resolution, of whatever catalog and session, or null. */
  @Nullable Resolution resolution() {
    return resolution;
  }

  Resolutions.@Nullable Anywhere anywhere() {
    return anywhere;
  }

  void anywhere(Resolutions.Anywhere found) {
    anywhere = found;
  }

  /** Remembers a resolution. */
  void resolution(Resolution made) {
    resolution = made;
  }

  /** Returns what the shape meant when it was resolved last, for status displays, or null. */
  @Nullable Meaning lastMeaning() {
    Resolution last = resolution;
    return last == null ? outdated : Meaning.of(last);
  }

  /**
   * Lets go of the last resolution unless it is of {@code catalog}: as many catalogs would be kept
   * as there are shapes that do not come again.
   */
  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  void forgetCatalogsBut(@Nullable CatalogVersion catalog) {
    Resolution last = resolution;
    if (last != null && last.catalog() != catalog) {
      outdated = Meaning.of(last);
      resolution = null;
    }
  }

  /** Returns how its executions have gone. */
  public ShapeRuns runs() {
    return runs;
  }

  // ---- results

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
}
