package dev.larder.memcached;

/** The leader's result is on memcached alone, and the others find it there. */
final class SharedFlightsWithoutNearCacheTest extends SharedFlightsTest {
  @Override
  String url() {
    return url("failCommit", "larder.memcached.nearCache=off");
  }
}
