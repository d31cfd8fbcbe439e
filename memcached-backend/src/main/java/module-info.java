/** Shares results between JVMs through memcached. */
module dev.larder.memcached {
  requires dev.larder.core;
  requires java.logging;
  requires org.jspecify;
  requires spymemcached;
  requires static org.lz4.java;

  exports dev.larder.memcached.spy to
      spymemcached;

  provides dev.larder.remote.RemoteBackend with
      dev.larder.memcached.MemcachedBackend;
}
