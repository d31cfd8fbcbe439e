package dev.larder.store;

import com.github.benmanes.caffeine.cache.Interner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What a session contributes to the key: everything but the statement that decides what a query
 * returns. {@link #intern} lets equal sessions share one object, so that comparing is fast.
 * Immutable and thread-safe.
 */
public final class SessionFingerprint {
  private static final Interner<SessionFingerprint> INTERNER = Interner.newWeakInterner();

  /** Each look-up compares them; of one object that takes no time. */
  private static final Interner<List<String>> PATHS = Interner.newWeakInterner();

  private static final Interner<Map<String, String>> ORDINARY = Interner.newWeakInterner();

  /** Of more keys that differ in their settings nothing is remembered. */
  private static final int MOST_KEPT = 8;

  private final String namespace;
  private final String sessionUser;
  private final String currentUser;
  private final List<String> searchPath;
  private final SortedMap<String, String> settings;
  private final boolean comparesPlainly;
  private final boolean custom;
  private final int hash;
  private final AtomicBoolean charged = new AtomicBoolean();

  /** What {@link #ordinary} returns, once it was asked for. */
  private volatile @Nullable Map<String, String> ordinary;

  /** What {@link #keeping} has returned last. */
  private volatile @Nullable Kept kept;

  /** This with the settings of a key alone, and further ones. */
  private record Kept(
      KeySettings key, SessionFingerprint fingerprint, @Nullable Kept next, int length) {}

  /**
   * Creates a fingerprint.
   *
   * @param namespace cache name, system identifier, database, endpoint and the driver's protocol
   *     options
   * @param searchPath the schemas that names are looked up in ({@code current_schemas(true)})
   * @param settings every setting that can change a result, by lower-case name
   */
  public SessionFingerprint(
      String namespace,
      String sessionUser,
      String currentUser,
      List<String> searchPath,
      SortedMap<String, String> settings) {
    this.namespace = namespace;
    boolean named = ProtocolStep.NAME_ROLES_IN_KEYS.isTaken();
    this.sessionUser = named ? sessionUser : "";
    this.currentUser = named ? currentUser : "";
    this.searchPath = PATHS.intern(List.copyOf(searchPath));
    // Copied by natural order: a comparator that ignores case would make different sessions equal.
    SortedMap<String, String> copy = new TreeMap<>();
    copy.putAll(settings);
    this.settings = Collections.unmodifiableSortedMap(copy);
    this.comparesPlainly =
        copy.getOrDefault("client_encoding", "UTF8").equals("UTF8")
            && copy.getOrDefault("transform_null_equals", "off").equals("off")
            && copy.getOrDefault("array_nulls", "on").equals("on");
    this.custom = copy.keySet().stream().anyMatch(SessionFingerprint::isCustom);
    this.hash =
        Objects.hash(namespace, this.sessionUser, this.currentUser, this.searchPath, this.settings);
  }

  /**
   * Returns whether a setting is a custom one. Every session has those of PL/pgSQL, and every key.
   */
  public static boolean isCustom(String name) {
    return name.indexOf('.') > 0 && !name.startsWith("plpgsql.");
  }

  /** Returns the one object of this JVM that equals this one. */
  public SessionFingerprint intern() {
    return INTERNER.intern(this);
  }

  /** Returns the one object of this JVM that is this one with other settings. */
  public SessionFingerprint with(SortedMap<String, String> others) {
    return new SessionFingerprint(namespace, sessionUser, currentUser, searchPath, others).intern();
  }

  /** Returns the one object of this JVM that is this one with another search path. */
  public SessionFingerprint searching(List<String> path) {
    return new SessionFingerprint(namespace, sessionUser, currentUser, path, settings).intern();
  }

  /** Returns what separates caches, databases and driver options. */
  public String namespace() {
    return namespace;
  }

  /** Returns session_user. */
  public String sessionUser() {
    return sessionUser;
  }

  /** Returns current_user. */
  public String currentUser() {
    return currentUser;
  }

  /** Returns the schemas that names are looked up in. */
  public List<String> searchPath() {
    return searchPath;
  }

  /** Returns the settings by lower-case name. */
  public SortedMap<String, String> settings() {
    return settings;
  }

  /** Returns the settings that are no custom ones: one object of this JVM for equal ones. */
  public Map<String, String> ordinary() {
    Map<String, String> known = ordinary;
    if (known == null) {
      SortedMap<String, String> found = settings;
      if (custom) {
        found = new TreeMap<>(settings);
        found.keySet().removeIf(SessionFingerprint::isCustom);
      }
      known = ORDINARY.intern(found);
      ordinary = known;
    }
    return known;
  }

  /**
   * Returns whether a constant is compared as it is written: the server reads the driver's UTF-8 as
   * such, nothing equals NULL, and a NULL in an array is no text.
   */
  public boolean comparesPlainly() {
    return comparesPlainly;
  }

  /**
   * Returns whether there are custom settings, of which keys may {@linkplain #keeping keep} some.
   */
  public boolean hasCustom() {
    return custom;
  }

  /**
   * Returns the part of this that belongs to a key. Takes no memory where it was asked for {@code
   * key} before.
   */
  @SuppressWarnings("ReferenceEquality") // Equal ones are one object.
  public SessionFingerprint keeping(KeySettings key) {
    Kept known = kept;
    for (Kept each = known; each != null; each = each.next) {
      if (each.key == key) {
        return each.fingerprint;
      }
    }
    SessionFingerprint part = part(key);
    boolean many = known != null && known.length == MOST_KEPT;
    kept = new Kept(key, part, many ? null : known, many || known == null ? 1 : known.length + 1);
    return part;
  }

  private SessionFingerprint part(KeySettings key) {
    if (settings.keySet().stream().allMatch(key::has)) {
      return this;
    }
    SortedMap<String, String> part = new TreeMap<>(settings);
    part.keySet().removeIf(name -> !key.has(name));
    return with(part);
  }

  /** Returns what the fingerprint occupies on the heap, its texts included, in bytes. */
  long weightBytes() {
    return KeyWeight.of(this);
  }

  /**
   * Returns true to one entry, until it {@linkplain #discharge() discharges} the fingerprint: it
   * accounts for the memory of the fingerprint that others share.
   */
  public boolean charge() {
    return !charged.get() && charged.compareAndSet(false, true);
  }

  /** Lets another entry account for the fingerprint. */
  public void discharge() {
    charged.set(false);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof SessionFingerprint that
            && hash == that.hash
            && namespace.equals(that.namespace)
            && sessionUser.equals(that.sessionUser)
            && currentUser.equals(that.currentUser)
            && searchPath.equals(that.searchPath)
            && settings.equals(that.settings));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
