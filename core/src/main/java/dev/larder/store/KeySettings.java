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

  private final Set<String> needed;
  private final Set<String> names;
  private final Set<String> modules;
  private final boolean needsAny;
  private final boolean all;
  private final int hash;

  private KeySettings(Set<String> needed, Set<String> names, Set<String> modules) {
    this.needed = Set.copyOf(needed);
    this.names = Set.copyOf(names);
    this.modules = Set.copyOf(modules);
    this.needsAny = !needed.isEmpty();
    this.all = names.contains(ANY);
    this.hash = Objects.hash(this.needed, this.names, this.modules);
  }

  /**
   * Returns those of a query that reads none itself.
   *
   * @param names the custom settings that any query may read, or {@link #ANY}
   * @param modules what the names of modules' settings begin with, up to the dot
   */
  public static KeySettings of(Set<String> names, Set<String> modules) {
    return INTERNER.intern(new KeySettings(known(names), names, modules));
  }

  /** Returns these with what a query reads itself: custom settings, or {@link #ANY}. */
  public KeySettings and(Set<String> read) {
    Set<String> more = new HashSet<>(names);
    more.addAll(read);
    return INTERNER.intern(new KeySettings(known(more), more, modules));
  }

  private static Set<String> known(Set<String> names) {
    Set<String> known = new HashSet<>(names);
    known.remove(ANY);
    return known;
  }

  /** Returns the settings that must be known: a function may have set them unseen. */
  public Set<String> needed() {
    return needed;
  }

  /** Returns whether there are {@linkplain #needed settings that must be known}. */
  public boolean needsAny() {
    return needsAny;
  }

  /** Returns whether the setting called {@code name}, in lower case, is part of the key. */
  boolean has(String name) {
    int dot = name.indexOf('.');
    return all || dot < 0 || names.contains(name) || modules.contains(name.substring(0, dot));
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof KeySettings that
            && needed.equals(that.needed)
            && names.equals(that.names)
            && modules.equals(that.modules));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
