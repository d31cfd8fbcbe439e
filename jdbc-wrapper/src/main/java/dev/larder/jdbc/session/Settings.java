package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session at one moment, as the server has told them or as they follow from what
 * was set since. Immutable.
 *
 * @param fingerprint their part of every key
 * @param isolation the level of the session's next transactions
 * @param catalog the {@link dev.larder.catalog.CatalogVersion#mark} of the catalog that they were
 *     read with: in another one a search path may mean other schemas
 */
record Settings(SessionFingerprint fingerprint, Isolation isolation, @Nullable Object catalog) {
  /** Returns what a session answered, with {@code path} as its effective one. */
  static Settings of(
      String namespace, SessionFacts facts, List<String> path, @Nullable CatalogVersion catalog) {
    SessionFingerprint fingerprint =
        new SessionFingerprint(
                namespace, facts.sessionUser(), facts.currentUser(), path, facts.settings())
            .intern();
    return new Settings(
        fingerprint,
        Isolation.of(facts.defaultIsolation()),
        catalog == null ? null : catalog.mark());
  }

  /** Returns these with one setting as the server shows it. */
  Settings with(String name, String shown) {
    return with(fingerprint.searchPath(), name, shown);
  }

  /** Returns these with another search path. */
  Settings withPath(SearchPaths.Meaning meaning) {
    return with(meaning.schemas(), "search_path", meaning.shown());
  }

  /** Returns these with another role, in which the search path has these schemas. */
  Settings withRole(String user, List<String> searchPath) {
    return with(user, searchPath, fingerprint.settings());
  }

  /** Returns the search path as the server shows it, which it takes from set_config, too. */
  String shownPath() {
    return fingerprint.settings().getOrDefault("search_path", "");
  }

  private Settings with(List<String> searchPath, String name, String shown) {
    SortedMap<String, String> settings = new TreeMap<>(fingerprint.settings());
    settings.put(name, shown);
    return with(fingerprint.currentUser(), searchPath, settings);
  }

  private Settings with(String user, List<String> searchPath, SortedMap<String, String> settings) {
    return new Settings(
        new SessionFingerprint(
                fingerprint.namespace(), fingerprint.sessionUser(), user, searchPath, settings)
            .intern(),
        isolation,
        catalog);
  }

  /** Returns these with another level of the session's next transactions. */
  Settings with(Isolation level) {
    return new Settings(fingerprint, level, catalog);
  }

  /**
   * Returns whether nobody has set anything that makes these and {@code other} differ: that
   * somebody has once tried to set a custom setting, so that it is empty and no longer unset, is no
   * matter.
   */
  boolean isLike(Settings other) {
    SessionFingerprint mine = fingerprint;
    SessionFingerprint others = other.fingerprint;
    return isolation == other.isolation
        && mine.namespace().equals(others.namespace())
        && mine.sessionUser().equals(others.sessionUser())
        && mine.currentUser().equals(others.currentUser())
        && mine.searchPath().equals(others.searchPath())
        && has(mine.settings(), others.settings())
        && has(others.settings(), mine.settings());
  }

  /** Returns whether {@code settings} are so in {@code others}, too; what is not there is unset. */
  private static boolean has(SortedMap<String, String> settings, SortedMap<String, String> others) {
    return settings.entrySet().stream()
        .allMatch(
            set -> isLike(set.getValue(), others.getOrDefault(set.getKey(), ServerSettings.UNSET)));
  }

  private static boolean isLike(String one, String other) {
    return one.equals(other) || (ServerSettings.isUnset(one) && ServerSettings.isUnset(other));
  }

  /**
   * Returns whether these have each of {@code names}.
   *
   * @param mark of the catalog that they must have been read with, or null for any
   */
  @SuppressWarnings("ReferenceEquality") // Marks have no other equality.
  boolean tell(Set<String> names, @Nullable Object mark) {
    return (mark == null || catalog == mark) && fingerprint.settings().keySet().containsAll(names);
  }

  /** Returns whether these say all that {@code other} says, in the same catalog. */
  @SuppressWarnings("ReferenceEquality") // Marks have no other equality.
  boolean says(Settings other) {
    SortedMap<String, String> mine = fingerprint.settings();
    return catalog == other.catalog
        && isLike(other)
        && mine.keySet().containsAll(other.fingerprint.settings().keySet())
        && other.fingerprint.settings().entrySet().stream()
            .noneMatch(
                set ->
                    set.getValue().isEmpty()
                        && ServerSettings.UNSET.equals(mine.get(set.getKey())));
  }

  /**
   * Returns what these are once somebody has tried to set the custom setting {@code name}, whatever
   * became of that: one that was unset is empty from then on. Null where that is not known.
   */
  @Nullable Settings tried(String name) {
    String shown = fingerprint.settings().get(name);
    if (shown == null) {
      return null;
    }
    return shown.equals(ServerSettings.UNSET) ? with(name, "") : this;
  }

  /** Returns these if no setting is unset, which an unseen attempt to set it would change. */
  @Nullable Settings ifAllSet() {
    return fingerprint.settings().containsValue(ServerSettings.UNSET) ? null : this;
  }
}
