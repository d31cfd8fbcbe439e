package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.lexer.QueryHints;
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
  private final StatementShape shape;
  private final StatementKind kind;
  private volatile ShapeStatistics statistics = new ShapeStatistics();
  private volatile boolean retired;
  private volatile boolean passing;

  /** At first perhaps a brief one, of the tokens alone. */
  private volatile SqlAnalysis analysis;

  private volatile @Nullable BypassReason textBypass;
  private volatile @Nullable BypassReason bypassBesideClock;

  private boolean unprofitable;
  private volatile @Nullable Admission admission;
  private volatile @Nullable Resolution resolution;

  /** Of the last resolution that was forgotten. */
  private volatile @Nullable Meaning outdated;

  private volatile boolean met;
  private volatile @Nullable WeakReference<ResultColumns> lastColumns;
  private volatile boolean dependsOnFormat;
  private volatile boolean resultSeen;
  private volatile long usualNanos;
  private volatile int vainRuns;
  private volatile int vainLeases;
  private volatile long vainLeaseNanos;

  /** What is left of a resolution whose catalog may be gone. */
  record Meaning(ResolvedStatement statement, @Nullable BypassReason bypass) {
    private static Meaning of(Resolution resolution) {
      return new Meaning(resolution.statement(), resolution.bypass());
    }
  }

  ShapePlan(StatementShape shape, SqlAnalysis analysis) {
    this.shape = shape;
    this.analysis = analysis;
    decide();
    this.kind =
        switch (analysis.statements().size()) {
          case 0 -> StatementKind.EMPTY;
          case 1 -> analysis.statements().get(0).kind();
          default -> StatementKind.UNKNOWN;
        };
  }

  private @Nullable BypassReason textBypass(boolean besideClock) {
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

  /** Notes that only the caller knows the shape, which is counted among others for now. */
  void passes(ShapeStatistics others) {
    passing = true;
    statistics = others;
  }

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
    return analysis;
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

  /** Notes whether executions are to be looked up. */
  synchronized void profitable(boolean pays) {
    unprofitable = !pays;
    decide();
  }

  // ---- resolutions

  /** Returns the last resolution, of whatever catalog and session, or null. */
  @Nullable Resolution resolution() {
    return resolution;
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

  // ---- executions

  /** Returns how long a miss usually takes at the database, in nanoseconds; 0 before the first. */
  long usualNanos() {
    return usualNanos;
  }

  /** Returns how many misses in a row have left nothing that others could use. */
  int vainRuns() {
    return vainRuns;
  }

  /**
   * Notes a miss that has ended. Threads that race may lose one of their notes.
   *
   * @param nanos how long the database took
   * @param useful whether its result was kept, and nothing was written meanwhile
   */
  void ran(long nanos, boolean useful) {
    long before = usualNanos;
    // An execution that had to wait for a lock is not usual.
    long change = before == 0 ? Math.max(1, nanos) : (Math.min(nanos, 2 * before) - before) / 4;
    if (Math.abs(change) > before / 16) {
      usualNanos = before + change;
    }
    if (!useful) {
      vain();
    } else if (vainRuns > 0) {
      vainRuns = 0;
    }
  }

  /** Notes a miss that has left nothing that others could use. */
  void vain() {
    int before = vainRuns;
    if (before < Flights.MAX_VAIN) {
      vainRuns = before + 1;
    }
  }

  /** Notes a wait for another JVM, and whether there was a result of it then. */
  public void waitedForLease(boolean useful) {
    vainLeases = useful ? 0 : Math.min(vainLeases + 1, Flights.MAX_VAIN);
    vainLeaseNanos = System.nanoTime();
  }

  /** Returns whether other JVMs are waited for: not for a while after some waits in vain. */
  boolean isWorthALease() {
    return vainLeases < Flights.MAX_VAIN
        || System.nanoTime() - vainLeaseNanos > Flights.VAIN_LEASE_NANOS;
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
