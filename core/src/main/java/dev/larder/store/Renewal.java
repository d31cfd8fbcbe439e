package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The versions under which the result of an entry would have been kept last, had it been captured:
 * a cache that only observes captures few. The entry itself stays what it is, a result and the
 * versions that were captured with it. Of the versions there is their {@linkplain TableVersions#sum
 * sum}: to note a number of an old object costs the collector of the JVM nothing, to note a new
 * object there does. Thread-safe.
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

  /** Written without the fence of a volatile write: nobody depends on who sees it first. */
  private volatile long sum;

  /** Racy: threads that find the same versions outdated at one time may count them twice. */
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

  /** Returns 0: a cache that is on, whose size is to be foretold, has no such thing. */
  @Override
  public long weightBytes() {
    return 0;
  }
}
