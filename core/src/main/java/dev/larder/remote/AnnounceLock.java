package dev.larder.remote;

/**
 * The advisory lock (PostgreSQL manual, 13.3.5) by which the primary knows a writer that has no
 * transaction number yet. Its session holds the lock, as others do, from before the announce to the
 * end.
 */
public final class AnnounceLock {
  /** The first half of its key. */
  public static final int CLASS_ID = 1_279_349_316;

  /** The second half of its key. */
  public static final int OBJECT_ID = 1;

  /** Takes it. */
  public static final String TAKE =
      "SELECT pg_catalog.pg_advisory_lock_shared(" + CLASS_ID + ", " + OBJECT_ID + ")";

  /** Gives it back. */
  public static final String GIVE_BACK =
      "SELECT pg_catalog.pg_advisory_unlock_shared(" + CLASS_ID + ", " + OBJECT_ID + ")";

  private AnnounceLock() {}
}
