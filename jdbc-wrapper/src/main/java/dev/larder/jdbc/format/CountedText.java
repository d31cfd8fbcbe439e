package dev.larder.jdbc.format;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.CachedQuery;

/**
 * The executions of one text, as the driver would have counted them had each reached it. As
 * thread-safe as the driver's connection.
 */
public final class CountedText {
  /** The count of a text of which only the driver knows how often it was executed. */
  private static final int UNKNOWN = -1;

  /** The types of parameters that were not followed. */
  private static final int NO_TYPES = Integer.MIN_VALUE;

  private final Object key;
  private final String sql;

  private int count = UNKNOWN;
  private int epoch;
  private int types = NO_TYPES;
  private boolean prepared;
  private boolean foretold;

  private int sentEpoch;
  private int sentTypes;
  private @Nullable WeakReference<CachedQuery> sent;

  /** Creates a text that the driver keeps by {@code key}. */
  CountedText(Object key, String sql) {
    this.key = key;
    this.sql = sql;
  }

  Object key() {
    return key;
  }

  /** Returns the text as the application wrote it. */
  public String sql() {
    return sql;
  }

  /** Returns the driver's estimate of its size: CachedQuery.getSize(). */
  long bytes() {
    return 4L * sql.length() + (key instanceof String ? 100 : 132);
  }

  /** Returns whether it is still to be said how often it was executed. */
  boolean isUnknown() {
    return count == UNKNOWN;
  }

  /** Returns how often it was executed. */
  int executions() {
    return count;
  }

  /** Says how often the driver has executed it. */
  void begin(int executions, int threshold, int presentEpoch) {
    count = executions;
    epoch = presentEpoch;
    prepared = threshold > 0 && executions >= threshold;
  }

  /**
   * Notes that the server was asked for the columns of the results, under a name that it keeps.
   *
   * @param presentTypes what {@link #next} gets; 0 where a parameter has no value yet, and the
   *     server has chosen its type
   */
  void described(int presentEpoch, int presentTypes) {
    prepared = true;
    epoch = presentEpoch;
    types = presentTypes == 0 ? NO_TYPES : presentTypes;
  }

  /** Notes that the text was parsed without a name: one that it has for other types is given up. */
  void parsed(int presentTypes) {
    prepared &= types == NO_TYPES || types == presentTypes;
  }

  /**
   * Counts an execution, and returns whether its result would be binary.
   *
   * @param forced whether the text is described before it is executed for the first time
   * @param presentEpoch differs once the server has forgotten its texts
   * @param presentTypes differ where those of the parameters do
   */
  boolean next(int threshold, boolean forced, int presentEpoch, int presentTypes) {
    count++;
    boolean valid = epoch == presentEpoch && (types == presentTypes || types == NO_TYPES);
    // A text that is parsed anew is described only afterwards.
    foretold = prepared ? valid : forced;
    prepared = forced || (prepared && valid) || (threshold > 0 && count >= threshold);
    epoch = presentEpoch;
    types = presentTypes;
    return foretold;
  }

  /** Returns what {@link #next} has returned last. */
  boolean isForetold() {
    return foretold;
  }

  /**
   * Notes that {@code query} is sent for the execution that was counted last. Returns whether the
   * server can take it for the same as the one that was sent before.
   */
  boolean isSentAgain(CachedQuery query) {
    WeakReference<CachedQuery> before = sent;
    boolean same = before != null && before.refersTo(query);
    boolean again = same && sentEpoch == epoch && sentTypes == types;
    if (!same) {
      sent = new WeakReference<>(query);
    }
    sentEpoch = epoch;
    sentTypes = types;
    return again;
  }

  /** Notes that a result has not come as it was foretold. */
  void came(boolean binary) {
    prepared |= binary;
    sent = null;
  }
}
