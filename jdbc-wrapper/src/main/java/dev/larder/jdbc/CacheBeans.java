package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.engine.QueryCache;
import dev.larder.engine.QueryCaches;
import dev.larder.log.CacheLog;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Registers the caches as MXBeans, each as long as a connection uses it, so that the server of the
 * beans keeps neither caches nor the class loader of an application that is gone. Thread-safe.
 */
final class CacheBeans {
  private static final String SWITCH = "larder.jmx";

  /** The caches that are registered, and as what; guarded by the class. */
  private static final Map<QueryCache, ObjectName> NAMES = new HashMap<>();

  private static boolean watching;

  private CacheBeans() {}

  /** Begins to register caches, unless it has begun or is not wanted. */
  static synchronized void watch() {
    if (!watching) {
      watching = true;
      if (isWanted()) {
        QueryCaches.watch(CacheBeans::follow);
      }
    }
  }

  /** Has the server of the beans made, where it is wanted, which takes long in a new JVM. */
  static void prepare() {
    if (isWanted()) {
      MBeanServer unused = ManagementFactory.getPlatformMBeanServer();
    }
  }

  private static boolean isWanted() {
    return !"false".equals(System.getProperty(SWITCH));
  }

  /** Does what is due by now: threads that come and go may overtake each other. */
  private static synchronized void follow(QueryCache cache) {
    boolean used = QueryCaches.isUsed(cache);
    if (used == NAMES.containsKey(cache)) {
      return;
    }
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      if (used) {
        NAMES.put(cache, register(server, new LarderCache(cache)));
      } else {
        unregister(server, NAMES.remove(cache));
      }
    } catch (JMException | RuntimeException | LinkageError e) {
      CacheLog.trouble(CacheLog.Trouble.MXBEAN, cache.config().get(CacheOptions.NAME), e);
    }
  }

  private static void unregister(MBeanServer server, @Nullable ObjectName name) throws JMException {
    if (name != null && server.isRegistered(name)) {
      server.unregisterMBean(name);
    }
  }

  private static ObjectName register(MBeanServer server, LarderCache cache) throws JMException {
    for (int instance = 1; ; instance++) {
      ObjectName name = nameOf(cache, instance);
      try {
        server.registerMBean(CacheBean.of(cache), name);
        return name;
      } catch (InstanceAlreadyExistsException e) {
        // Another with the same name, or of another class loader.
      }
    }
  }

  private static ObjectName nameOf(LarderCache cache, int instance) throws JMException {
    return new ObjectName(
        "dev.larder:type=Cache,name="
            + ObjectName.quote(cache.name())
            + ",database="
            + ObjectName.quote(cache.database())
            + (instance == 1 ? "" : ",instance=" + instance));
  }
}
