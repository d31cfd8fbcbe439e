package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.store.SessionFingerprint;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session behind a pooler in which nobody has left anything, as they were found
 * last. All clients of one user and one way through the pooler share them. Thread-safe.
 */
public final class CleanSettings {
  private final long intervalNanos;
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Settings known;
  private volatile Set<String> ofModules = Set.of();
  private volatile long askedNanos;

  /** Makes some that are not known, and are asked for again after each {@code interval}. */
  public CleanSettings(Duration interval) {
    intervalNanos = interval.toNanos();
    due();
  }

  /** Returns them, or null while nobody knows. */
  @Nullable Settings known() {
    return known;
  }

  /** Returns whether somebody should ask the server. */
  boolean isDue() {
    return System.nanoTime() - askedNanos > intervalNanos;
  }

  /** Returns how long there is no use in asking again. */
  long retryNanos() {
    return intervalNanos / 8;
  }

  /** Notes that something may have changed. */
  void due() {
    askedNanos = System.nanoTime() - intervalNanos - 1;
  }

  /** Notes that somebody asks, so that the others need not. */
  void asking() {
    askedNanos = System.nanoTime();
  }

  /** Adds custom settings to those that are asked for; returns all of them. */
  Set<String> names(Collection<String> more) {
    names.addAll(more);
    return names;
  }

  /** Returns whether they were asked for each of {@code some} custom settings. */
  boolean haveAsked(Set<String> some) {
    Settings found = known;
    return found != null && found.fingerprint().settings().keySet().containsAll(some);
  }

  /** Returns settings without those custom ones that are unset or empty, modules' aside. */
  SessionFingerprint without(SessionFingerprint settings) {
    if (!settings.hasCustom()) {
      return settings;
    }
    SortedMap<String, String> others = new TreeMap<>(settings.settings());
    others
        .entrySet()
        .removeIf(
            set ->
                set.getKey().indexOf('.') > 0
                    && ServerSettings.isUnset(set.getValue())
                    && !ofModules.contains(set.getKey()));
    return others.size() == settings.settings().size() ? settings : settings.with(others);
  }

  /**
   * Takes over what was found where nobody has left anything.
   *
   * @param modules the names of modules' settings among them
   */
  synchronized void found(Settings settings, Set<String> modules) {
    ofModules = Set.copyOf(modules);
    Settings before = known;
    if (before == null || !before.says(settings)) {
      known = settings;
    }
  }

  /** Forgets them: nobody knows which server is there. */
  void forget() {
    known = null;
    due();
  }
}
