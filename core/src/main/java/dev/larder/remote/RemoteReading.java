package dev.larder.remote;

import dev.larder.result.CachedResult;
import dev.larder.store.Tag;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What the shared memory says of a query: the versions of all that it reads, in one go with the
 * shared result. Immutable.
 */
public interface RemoteReading {
  /** What may be done, and why not. */
  enum Verdict {
    /** Results of these versions may be hit, and kept if they are executed from now on. */
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

  /**
   * A shared result.
   *
   * @param tokens under which it was kept
   */
  record Shared(RemoteTokens tokens, CachedResult result) {}

  /** Returns the verdict for a result that depends on {@code tags} at least. */
  Verdict verdict(Collection<? extends Tag> tags);

  /** Returns whether a result that was kept under {@code tokens} may be hit. */
  boolean permits(RemoteTokens tokens);

  /**
   * Returns under what a result may be kept whose statement was sent after this was read; null
   * where it may not. What depends on the result counts as it was before.
   *
   * @param tags all that the result depends on
   */
  @Nullable RemoteTokens tokens(Collection<? extends Tag> tags);

  /** Returns the shared result, which may be hit, or null. */
  @Nullable Shared shared();

  /** Returns a reading by which nothing may be hit or kept. */
  static RemoteReading refused(Verdict verdict) {
    return new Refused(verdict);
  }

  /**
   * One by which nothing may be done.
   *
   * @param verdict why
   */
  record Refused(Verdict verdict) implements RemoteReading {
    @Override
    public Verdict verdict(Collection<? extends Tag> tags) {
      return verdict;
    }

    @Override
    public boolean permits(RemoteTokens tokens) {
      return false;
    }

    @Override
    public @Nullable RemoteTokens tokens(Collection<? extends Tag> tags) {
      return null;
    }

    @Override
    public @Nullable Shared shared() {
      return null;
    }
  }
}
