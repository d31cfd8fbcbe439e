package dev.larder.jdbc.lazy;

import dev.larder.engine.ServerGeneration;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.store.SessionFingerprint;
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

  private final Set<Given> given = ConcurrentHashMap.newKeySet();
  private volatile Set<String> names = Set.of();

  /** Adds what a session accepts; returns whether a name is new. */
  boolean add(PhysicalConnection physical) {
    SessionFingerprint settings = physical.state().tracker().current();
    Set<String> accepted = physical.sender().held().accepted();
    if (settings == null || accepted.isEmpty() || given.size() >= MAX) {
      return false;
    }
    ServerGeneration server = physical.view().serverGeneration();
    for (String name : accepted) {
      given.add(new Given(server, settings.currentUser(), name));
    }
    if (names.containsAll(accepted)) {
      return false;
    }
    names = given.stream().map(Given::name).collect(Collectors.toUnmodifiableSet());
    return true;
  }

  /** Returns whether such sessions accept {@code name}, whatever the value. */
  boolean has(PooledSession session, String name) {
    return given.contains(
        new Given(session.serverGeneration(), session.settings().currentUser(), name));
  }

  /** Returns the settings of a session but for these, where they are unset or empty. */
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
    if (local.isEmpty() || !settings.hasCustom()) {
      return settings;
    }
    SortedMap<String, String> others = new TreeMap<>(settings.settings());
    others
        .entrySet()
        .removeIf(
            set ->
                local.contains(set.getKey())
                    && free.test(set.getKey())
                    && ServerSettings.isUnset(set.getValue()));
    return others.size() == settings.settings().size() ? settings : settings.with(others);
  }
}
