package dev.larder.jdbc.lazy;

import dev.larder.engine.ServerGeneration;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.store.SessionFingerprint;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The custom settings that transactions of a pool set for themselves, and that the server has
 * accepted. Connections of the pool are alike though some of them have set such a one before, which
 * leaves it empty where it was unset. Thread-safe.
 */
final class LocalNames {
  private static final int MAX = 256;

  /** A setting that {@code role} may set at a server. */
  private record Given(ServerGeneration server, String role, String name) {}

  /** Each with a session that has set it, so that it is empty there and no longer unset. */
  private final Map<Given, WeakReference<PhysicalConnection>> given = new ConcurrentHashMap<>();

  private volatile Set<String> names = Set.of();

  /** Adds what a session accepts; returns whether a name is new. */
  boolean add(PhysicalConnection physical) {
    SessionFingerprint settings = physical.state().tracker().current();
    Set<String> accepted = physical.sender().held().accepted();
    if (settings == null || accepted.isEmpty()) {
      return false;
    }
    ServerGeneration server = physical.view().serverGeneration();
    for (String name : accepted) {
      Given one = new Given(server, settings.currentUser(), name);
      if (given.size() < MAX || given.containsKey(one)) {
        given.compute(one, (each, known) -> isOpen(known) ? known : new WeakReference<>(physical));
      }
    }
    if (names.containsAll(accepted) || names.size() >= MAX) {
      return false;
    }
    names = given.keySet().stream().map(Given::name).collect(Collectors.toUnmodifiableSet());
    return true;
  }

  /**
   * Returns whether such sessions accept {@code name}, whatever the value, and one of the pool has
   * had it: where none has, a transaction leaves it empty in a session in which it was unset.
   */
  boolean has(PooledSession session, String name) {
    return isOpen(
        given.get(new Given(session.serverGeneration(), session.settings().currentUser(), name)));
  }

  private static boolean isOpen(@Nullable WeakReference<PhysicalConnection> session) {
    PhysicalConnection known = session == null ? null : session.get();
    return known != null && !known.isFoundClosed();
  }

  /**
   * Returns the settings of a session but for these, where they are empty, and for all that are
   * unset: of which it was asked is no matter.
   */
  SessionFingerprint without(SessionFingerprint settings, PhysicalConnection physical) {
    return without(settings, physical.state().tracker().held().free()::contains);
  }

  /** As {@link #without(SessionFingerprint, PhysicalConnection)}; null where they are unknown. */
  @Nullable SessionFingerprint withoutIfKnown(
      @Nullable SessionFingerprint settings, PhysicalConnection physical) {
    return settings == null ? null : without(settings, physical);
  }

  /** As {@link #without(SessionFingerprint, PhysicalConnection)}, for settings without them. */
  SessionFingerprint without(SessionFingerprint settings) {
    return without(settings, name -> true);
  }

  private SessionFingerprint without(SessionFingerprint settings, Predicate<String> free) {
    Set<String> local = names;
    if (!settings.hasCustom()) {
      return settings;
    }
    SortedMap<String, String> others = new TreeMap<>(settings.settings());
    others
        .entrySet()
        .removeIf(
            set ->
                set.getValue().equals(ServerSettings.UNSET)
                    || (set.getValue().isEmpty()
                        && local.contains(set.getKey())
                        && free.test(set.getKey())));
    return others.size() == settings.settings().size() ? settings : settings.with(others);
  }
}
