package dev.larder.store;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a transaction has written so far. It grows with each statement, at a cost that does not grow
 * with it. Confined to the thread that uses the connection.
 */
public final class WrittenSoFar {
  private final Set<TableTag> tags = new LinkedHashSet<>();

  /** Tables of which any rows may have been written. */
  private final Set<TableTag> whole = new HashSet<>();

  private final Set<KeyTag> keys = new LinkedHashSet<>();
  private WriteSet built = WriteSet.NONE;
  private boolean changed;
  private boolean empty = true;

  /** Creates a record of a transaction that has written nothing. */
  public WrittenSoFar() {}

  /** Adds what a statement may have written. */
  public void add(WriteSet writes) {
    if (writes.isEmpty() || built.everywhere()) {
      return;
    }
    empty = false;
    if (writes.unknown() || built.unknown()) {
      built = built.union(writes);
      return;
    }
    for (TableTag tag : writes.tags()) {
      tags.add(tag);
      if (!writes.namesRowsOf(tag)) {
        whole.add(tag);
      }
    }
    keys.addAll(writes.keys());
    if (keys.size() > WriteSet.MOST_KEYS) {
      keys.clear();
      whole.addAll(tags);
    }
    changed = true;
  }

  /** Forgets everything: the transaction has ended. */
  public void clear() {
    if (!empty) {
      empty = true;
      tags.clear();
      whole.clear();
      keys.clear();
      built = WriteSet.NONE;
      changed = false;
    }
  }

  /** Returns whether nothing was written. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns whether a result that depends on {@code tag} may be changed by what was written. */
  public boolean touches(Tag tag) {
    if (built.unknown()) {
      return true;
    }
    if (tag instanceof KeyTag key) {
      return whole.contains(tag.table()) || keys.contains(key);
    }
    return tags.contains(tag);
  }

  /** Returns all of it. */
  public WriteSet all() {
    if (changed && !built.unknown()) {
      built = WriteSet.of(List.copyOf(tags), whole, keys);
      changed = false;
    }
    return built;
  }
}
