package dev.larder.remote;

/**
 * The lock by which the primary knows a writer that has no transaction number when it announces: it
 * holds the lock, shared and for its session, from before its announce to its end. An advisory lock
 * (PostgreSQL manual, 13.3.5).
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
