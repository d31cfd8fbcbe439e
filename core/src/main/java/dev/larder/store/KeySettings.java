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

  /** The settings that anything in the catalog names, of which one that may read any reads some. */
  private final Set<String> named;

  private final boolean needsAny;
  private final boolean all;
  private final int hash;

  private KeySettings(Set<String> names, Set<String> modules, Set<String> named) {
    this.names = Set.copyOf(names);
    this.modules = Set.copyOf(modules);
    this.named = Set.copyOf(named);
    this.all = names.contains(ANY);
    this.needed = needed(names, all ? named : Set.of());
    this.needsAny = !needed.isEmpty();
    this.hash = Objects.hash(this.names, this.modules, this.named);
  }

  private static Set<String> needed(Set<String> names, Set<String> more) {
    Set<String> needed = new HashSet<>(names);
    needed.addAll(more);
    needed.remove(ANY);
    return Set.copyOf(needed);
  }

  /**
   * Returns those of a query that reads none itself.
   *
   * @param names the custom settings that any query may read, or {@link #ANY}
   * @param modules what the names of modules' settings begin with, up to the dot
   * @param named the custom settings that anything in the catalog names
   */
  public static KeySettings of(Set<String> names, Set<String> modules, Set<String> named) {
    return INTERNER.intern(new KeySettings(names, modules, named));
  }

  /** Returns these with what a query reads itself: custom settings, or {@link #ANY}. */
  public KeySettings and(Set<String> read) {
    Set<String> more = new HashSet<>(names);
    more.addAll(read);
    return INTERNER.intern(new KeySettings(more, modules, named));
  }

  /** Returns the settings that must be known: a function may have set them unseen. */
  public Set<String> needed() {
    return needed;
  }

  /** Returns whether any setting may be read, under a name that nobody knows before. */
  public boolean readsAny() {
    return all;
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
            && names.equals(that.names)
            && modules.equals(that.modules)
            && named.equals(that.named));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
