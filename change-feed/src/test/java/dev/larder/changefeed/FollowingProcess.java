package dev.larder.changefeed;

/** Follows the database of a URL until it is killed. */
final class FollowingProcess {
  private FollowingProcess() {}

  public static void main(String[] arguments) throws Exception {
    try (Following following = Following.live(arguments[0])) {
      System.out.println("live");
      System.out.flush();
      synchronized (following) {
        while (true) {
          following.wait();
        }
      }
    }
  }
}
