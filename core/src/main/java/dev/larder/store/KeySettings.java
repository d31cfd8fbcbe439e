package dev.larder.store;

import com.github.benmanes.caffeine.cache.Interner;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The settings of a session that are part of the key of a query. Those of the server always are,
 * and so are those of a module, whose code in C reads them unseen. A custom setting of the
 * application is one only where something that the query reads may read it. Equal ones are one
 * object. Immutable and thread-safe.
 */
public final class KeySettings {
  /** Stands for every setting, among the names of those that something reads. */
  public static final String ANY = "*";

  private static final Interner<KeySettings> INTERNER = Interner.newWeakInterner();

  private final Set<String> names;
  private final Set<String> modules;
  private final int hash;

  private KeySettings(Set<String> names, Set<String> modules) {
    this.names = Set.copyOf(names);
    this.modules = Set.copyOf(modules);
    this.hash = Objects.hash(this.names, this.modules);
  }

  /**
   * Returns those of a query.
   *
   * @param read the custom settings that it may read, or {@link #ANY}
   * @param common those that any query may read, or {@link #ANY}
   * @param modules what the names of modules' settings begin with, up to the dot
   */
  public static KeySettings of(Set<String> read, Set<String> common, Set<String> modules) {
    Set<String> names = new HashSet<>(read);
    names.addAll(common);
    boolean any = names.contains(ANY);
    return INTERNER.intern(
        any ? new KeySettings(Set.of(ANY), Set.of()) : new KeySettings(names, modules));
  }

  /** Returns whether all settings are part of the key. */
  boolean areAll() {
    return names.contains(ANY);
  }

  /** Returns whether the setting called {@code name}, in lower case, is part of the key. */
  boolean has(String name) {
    int dot = name.indexOf('.');
    return dot < 0 || areAll() || names.contains(name) || modules.contains(name.substring(0, dot));
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof KeySettings that
            && names.equals(that.names)
            && modules.equals(that.modules));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
