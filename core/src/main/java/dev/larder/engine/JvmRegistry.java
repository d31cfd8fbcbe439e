package dev.larder.engine;

import dev.larder.log.CacheLog;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * What all class loaders of this JVM know that have loaded Larder: two web applications in one
 * server, each with its own copy, do not see each other's classes. So it consists of types of the
 * JDK alone, and the server of the MBeans keeps it, which there is one of. It refers to nothing of
 * an application but weakly, and does not keep a class loader that is gone. Thread-safe.
 */
final class JvmRegistry {
  /** With the version of what is said over it: {@link OtherLoaders}. */
  private static final String NAME = "dev.larder:type=ClassLoaders,version=1";

  /** Set by tests, in which a class loader stands for a JVM of its own. */
  private static final String APART = "larder.classLoadersApart";

  private static final String ID = "id";
  private static final String OBJECT = Object.class.getName();

  private static final ConcurrentMap<String, Object> SHARED = shared();

  private JvmRegistry() {}

  @SuppressWarnings("unchecked")
  private static ConcurrentMap<String, Object> shared() {
    ConcurrentMap<String, Object> made = new ConcurrentHashMap<>();
    made.put(ID, UUID.randomUUID().toString().substring(0, 8));
    made.put("all", made);
    if (Boolean.getBoolean(APART)) {
      return made;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(NAME);
      try {
        server.registerMBean(new StandardMBean(made, ConcurrentMap.class, false), name);
        return made;
      } catch (InstanceAlreadyExistsException e) {
        Object[] key = {"all"};
        String[] types = {OBJECT};
        return (ConcurrentMap<String, Object>) server.invoke(name, "get", key, types);
      }
    } catch (JMException | RuntimeException | LinkageError e) {
      CacheLog.trouble(CacheLog.Trouble.CLASS_LOADERS, NAME, e);
      return made;
    }
  }

  /** Returns what tells this JVM from others. */
  static String id() {
    return String.valueOf(SHARED.get(ID));
  }

  /** Returns who has loaded the database called so, in the order in which they came. */
  @SuppressWarnings("unchecked")
  static List<WeakReference<Function<Object[], Object>>> of(String database) {
    return (List<WeakReference<Function<Object[], Object>>>)
        SHARED.computeIfAbsent("database " + database, key -> new CopyOnWriteArrayList<>());
  }

  /** Returns who has loaded any database whose name begins so. */
  @SuppressWarnings("unchecked")
  static List<WeakReference<Function<Object[], Object>>> all(String prefix) {
    return SHARED.entrySet().stream()
        .filter(each -> each.getKey().startsWith("database " + prefix))
        .flatMap(
            each -> ((List<WeakReference<Function<Object[], Object>>>) each.getValue()).stream())
        .toList();
  }
}
