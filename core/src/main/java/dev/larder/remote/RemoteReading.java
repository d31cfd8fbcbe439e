package dev.larder.remote;

import dev.larder.result.CachedResult;
import org.jspecify.annotations.Nullable;

/**
 * What the shared memory says of a query. Immutable.
 *
 * @param tokens the versions that are good now; null unless readable
 * @param result the shared result, of these versions; null for none
 */
public record RemoteReading(
    Verdict verdict, @Nullable RemoteTokens tokens, @Nullable CachedResult result) {
  /** What may be done, and why not. */
  public enum Verdict {
    /** Results of these tokens may be hit, and kept if they are executed from now on. */
    READABLE,
    /** The catalog may differ from the one in which the query was looked up. */
    OTHER_CATALOG,
    /** A version is missing, or not known to be complete. */
    NOT_READY,
    /** There is an in-flight writer, or one has died. */
    BEING_WRITTEN,
    /** Nobody answered. */
    UNREACHABLE
  }

  /** Returns a reading by which nothing may be hit or kept. */
  public static RemoteReading refused(Verdict verdict) {
    return new RemoteReading(verdict, null, null);
  }

  /** Returns whether a result that was made under {@code others} may be hit. */
  public boolean permits(@Nullable Object others) {
    return others != null && verdict == Verdict.READABLE && others.equals(tokens);
  }
}
