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

  /** All of it, unless there is more in the sets. */
  private WriteSet built = WriteSet.NONE;

  private boolean empty = true;
  private boolean inSets;
  private boolean changed;

  /** Creates a record of a transaction that has written nothing. */
  public WrittenSoFar() {}

  /** Adds what a statement may have written. */
  @SuppressWarnings("ReferenceEquality") // Most statements write what the one before did.
  public void add(WriteSet writes) {
    if (writes.isEmpty() || writes == built) {
      return;
    }
    if (empty) {
      empty = false;
      built = writes;
    } else if (writes.unknown() || built.unknown()) {
      built = all().union(writes);
    } else {
      if (!inSets) {
        inSets = true;
        addToSets(built);
      }
      addToSets(writes);
    }
  }

  private void addToSets(WriteSet writes) {
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
    if (inSets) {
      tags.clear();
      whole.clear();
      keys.clear();
      inSets = false;
      changed = false;
    }
    built = WriteSet.NONE;
    empty = true;
  }

  /** Notes a rollback to a savepoint: what was written before it stays written. */
  public void rolledBackTo() {
    if (!ProtocolStep.KEEP_WRITES_AT_ROLLBACK_TO.isTaken()) {
      clear();
    } else if (!ProtocolStep.KEEP_ROWS_AT_ROLLBACK_TO.isTaken() && inSets) {
      keys.clear();
      changed = true;
    }
  }

  /** Returns whether nothing was written. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns whether a result that depends on {@code tag} may be changed by what was written. */
  public boolean touches(Tag tag) {
    if (!inSets || built.unknown()) {
      return built.touches(tag);
    }
    return tag instanceof KeyTag key
        ? whole.contains(tag.table()) || keys.contains(key)
        : tags.contains(tag);
  }

  /** Returns all of it. */
  public WriteSet all() {
    if (changed && !built.unknown()) {
      boolean all = ProtocolStep.ANNOUNCE_ROWS_AT_COMMIT.isTaken();
      built = WriteSet.of(List.copyOf(tags), whole, all ? keys : Set.of());
      changed = false;
    }
    return built;
  }
}
