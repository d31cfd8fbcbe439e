package dev.larder;

import dev.larder.remote.RemoteBackend;
import dev.larder.remote.RemoteSettings;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The backends that share results between JVMs, as far as the class path has them. Stateless. */
public final class RemoteBackends {
  private static final String LOCAL = "local";

  /** The name of the backend that the options of memcached are for. */
  public static final String MEMCACHED = "memcached";

  private static final String PREFIX = CacheOptions.PREFIX + MEMCACHED + '.';

  private RemoteBackends() {}

  /** Returns whether the option is a backend's and none of {@link CacheOptions}. */
  static boolean isOption(String key) {
    return key.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /**
   * Returns how results are shared; empty where they are not.
   *
   * @throws IllegalArgumentException if the options do not say it, or the backend is not there;
   *     names the option, its value, the rule and the fix
   */
  static Optional<RemoteSettings> settings(Map<String, String> options) {
    String backend =
        options.getOrDefault(CacheOptions.BACKEND.key(), LOCAL).strip().toLowerCase(Locale.ROOT);
    Map<String, String> own = new LinkedHashMap<>(options);
    own.keySet().removeIf(key -> !isOption(key));
    if (!backend.equals(LOCAL)) {
      return Optional.of(required(backend).settings(own));
    }
    if (!own.isEmpty()) {
      throw new IllegalArgumentException(
          own.keySet().iterator().next()
              + " is set, but larder.backend is local, so that nothing is shared. Set"
              + " larder.backend=memcached, or remove the option.");
    }
    return Optional.empty();
  }

  private static RemoteBackend required(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("larder.backend is %1$s, but that backend is not on the class path. Add the"
                            + " artifact dev.larder:larder-%1$s, or set larder.backend=local.")
                        .formatted(name)));
  }

  /**
   * {@return whether the backend is on the class path}
   *
   * @param name such as {@link #MEMCACHED}
   */
  public static boolean isThere(String name) {
    return find(name).isPresent();
  }

  /** Returns the backend of the name, if the class loader of Larder or of the thread knows it. */
  private static Optional<RemoteBackend> find(String name) {
    return find(
            name, ServiceLoader.load(RemoteBackend.class, RemoteBackends.class.getClassLoader()))
        .or(() -> find(name, ServiceLoader.load(RemoteBackend.class)));
  }

  private static Optional<RemoteBackend> find(String name, ServiceLoader<RemoteBackend> loader) {
    Iterator<RemoteBackend> services = loader.iterator();
    while (true) {
      try {
        if (!services.hasNext()) {
          return Optional.empty();
        }
        RemoteBackend backend = services.next();
        if (backend.name().equals(name)) {
          return Optional.of(backend);
        }
      } catch (ServiceConfigurationError e) {
        // Another Larder's, of another class loader: on to the next one.
      }
    }
  }
}
