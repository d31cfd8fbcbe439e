package dev.larder.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a statement or transaction may write. Immutable and thread-safe.
 *
 * @param tags the tags it bumps; without meaning when {@code unknown}
 * @param unknown whether it may write anything at all
 * @param everywhere whether it may also change what all databases of the server share, as roles are
 */
public record WriteSet(List<TableTag> tags, boolean unknown, boolean everywhere) {
  /** Writes nothing. */
  public static final WriteSet NONE = new WriteSet(List.of(), false);

  /** May write anything in the database. */
  public static final WriteSet UNKNOWN = new WriteSet(List.of(), true);

  /** May write anything in the database, and what all databases of the server share. */
  public static final WriteSet EVERYWHERE = new WriteSet(List.of(), true, true);

  /** Creates a set that changes nothing outside of the database. */
  public WriteSet(List<TableTag> tags, boolean unknown) {
    this(tags, unknown, false);
  }

  public WriteSet {
    tags = unknown ? List.of() : List.copyOf(tags);
  }

  /** Returns whether nothing can have been written. */
  public boolean isEmpty() {
    return !unknown && tags.isEmpty();
  }

  /** Returns everything that this or {@code other} may write. */
  public WriteSet union(WriteSet other) {
    if (isEmpty() || other.everywhere) {
      return other;
    }
    if (everywhere || other.isEmpty()) {
      return this;
    }
    if (unknown || other.unknown) {
      return UNKNOWN;
    }
    Set<TableTag> union = new HashSet<>(tags);
    return union.addAll(other.tags) ? new WriteSet(List.copyOf(union), false) : this;
  }
}
