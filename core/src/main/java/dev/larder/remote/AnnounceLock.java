package dev.larder.remote;

/**
 * The advisory locks (PostgreSQL manual, 13.3.5) by which the primary knows a writer that has no
 * transaction number yet. Its session holds one of them, as others do, from before the announce to
 * the end. Nobody waits for one: whoever may connect can hold any of them as long as he likes, and
 * then another is as good.
 */
public final class AnnounceLock {
  /** The first half of their keys. */
  public static final int CLASS_ID = 1_279_349_316;

  /** The second half of the key of the one that is taken if nobody else has it for himself. */
  public static final int USUAL = 1;

  private static final String TAKE =
      "SELECT pg_catalog.pg_try_advisory_lock_shared(" + CLASS_ID + ", %s)";

  private static final String GIVE_BACK =
      "SELECT pg_catalog.pg_advisory_unlock_shared(" + CLASS_ID + ", %s)";

  private AnnounceLock() {}

  /** Returns the question that takes one at once, if it can, and says whether it has. */
  public static String take(int object) {
    return TAKE.replace("%s", Integer.toString(object));
  }

  /** Returns the question that gives one back. */
  public static String giveBack(int object) {
    return GIVE_BACK.replace("%s", Integer.toString(object));
  }
}
