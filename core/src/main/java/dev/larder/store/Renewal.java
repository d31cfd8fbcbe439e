package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The versions under which the result of an entry would have been kept last: a cache that only
 * observes captures few results. Only the {@linkplain VersionVector#presentSum sum} of the versions
 * is kept: a number in an old object costs the JVM's collector nothing, a new object does.
 * Thread-safe.
 */
public final class Renewal implements Weighed {
  private static final VarHandle SUM;

  static {
    try {
      SUM = MethodHandles.lookup().findVarHandle(Renewal.class, "sum", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written without a fence: nobody depends on who sees it first. */
  private volatile long sum;

  /** Racy: two threads may count the same versions. */
  private boolean outdated;

  private final List<TableTag> tags;

  /** Creates the renewal of an entry that was captured under {@code versions} of {@code tags}. */
  public Renewal(List<TableTag> tags, VersionVector versions) {
    this.tags = tags;
    this.sum = versions.sum();
  }

  /** Returns whether the sum is one of these tags, so that another sum of theirs compares. */
  @SuppressWarnings("ReferenceEquality") // Mostly it is the very list.
  public boolean isOf(List<TableTag> others) {
    return tags == others || tags.equals(others);
  }

  /** Returns the sum of the versions. */
  public long sum() {
    return sum;
  }

  /** Notes that the result would have been kept under later versions of the tags, of this sum. */
  public void renew(long later) {
    outdated = false;
    SUM.setRelease(this, later);
  }

  /** Notes that the versions were found outdated; returns whether that is new. */
  public boolean isFoundOutdated() {
    boolean isNew = !outdated;
    if (isNew) {
      outdated = true;
    }
    return isNew;
  }

  /** Returns 0: a cache that is on, whose size is foretold, has no renewals. */
  @Override
  public long weightBytes() {
    return 0;
  }
}
