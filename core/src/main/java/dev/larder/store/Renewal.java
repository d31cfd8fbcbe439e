package dev.larder.store;

/**
 * The versions under which the result of an entry would have been kept last, had it been captured:
 * a cache that only observes captures few. The entry itself stays what it is, a result and the
 * versions that were captured with it. Thread-safe.
 */
public final class Renewal implements Weighed {
  private volatile VersionVector versions;

  /** Racy: threads that find the same versions outdated at one time may count them twice. */
  private boolean outdated;

  /** Creates the renewal of an entry that was captured under {@code versions}. */
  public Renewal(VersionVector versions) {
    this.versions = versions;
  }

  /** Returns the versions. */
  public VersionVector versions() {
    return versions;
  }

  /** Notes that the result would have been kept under {@code later} versions. */
  public void renew(VersionVector later) {
    outdated = false;
    versions = later;
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
