package dev.larder.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a statement or transaction may write. Immutable and thread-safe.
 *
 * @param tags the tags it bumps; without meaning when {@code unknown}
 * @param unknown whether it may write anything at all
 */
public record WriteSet(List<TableTag> tags, boolean unknown) {
  /** Writes nothing. */
  public static final WriteSet NONE = new WriteSet(List.of(), false);

  /** May write anything. */
  public static final WriteSet UNKNOWN = new WriteSet(List.of(), true);

  public WriteSet {
    tags = unknown ? List.of() : List.copyOf(tags);
  }

  /** Returns whether nothing can have been written. */
  public boolean isEmpty() {
    return !unknown && tags.isEmpty();
  }

  /** Returns everything that this or {@code other} may write. */
  public WriteSet union(WriteSet other) {
    if (isEmpty() || other.unknown) {
      return other;
    }
    if (unknown || other.isEmpty()) {
      return this;
    }
    Set<TableTag> union = new HashSet<>(tags);
    return union.addAll(other.tags) ? new WriteSet(List.copyOf(union), false) : this;
  }
}
