package dev.larder.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a statement or transaction may write. Immutable and thread-safe.
 *
 * <p>Of a table it says that any rows may be written, unless it {@linkplain #withRows names} the
 * tags of those that may.
 */
public final class WriteSet {
  /** Writes nothing. */
  public static final WriteSet NONE = new WriteSet(List.of(), false);

  /** May write anything in the database. */
  public static final WriteSet UNKNOWN = new WriteSet(List.of(), true);

  /** May write anything in the database, and what all databases of the server share. */
  public static final WriteSet EVERYWHERE =
      new WriteSet(List.of(), Set.of(), List.of(), true, true);

  /** More named rows than this are any rows of their tables. */
  static final int MOST_KEYS = 1_024;

  private final List<TableTag> tags;
  private final Set<TableTag> keyed;
  private final Collection<KeyTag> keys;
  private final boolean unknown;
  private final boolean everywhere;

  /** Made when it is first asked for, by any number of threads. */
  private @Nullable List<Tag> bumped;

  /** Creates a set of any rows of tables, or of anything in the database. */
  public WriteSet(List<TableTag> tags, boolean unknown) {
    this(tags, Set.of(), List.of(), unknown, false);
  }

  private WriteSet(
      List<TableTag> tags,
      Set<TableTag> keyed,
      Collection<KeyTag> keys,
      boolean unknown,
      boolean everywhere) {
    this.tags = unknown ? List.of() : List.copyOf(tags);
    this.keyed = keyed;
    this.keys = keys;
    this.unknown = unknown;
    this.everywhere = everywhere;
  }

  /**
   * Returns this set with {@code rows} as all that may be written of {@code table}, one of its
   * {@link #tags}.
   *
   * @param rows tags of the table, complete for each of its schemes: see {@link SchemeTags}
   */
  public WriteSet withRows(TableTag table, Collection<KeyTag> rows) {
    if (keyed.isEmpty()) {
      return bounded(tags, Set.of(table), rows);
    }
    Set<TableTag> more = new HashSet<>(keyed);
    more.add(table);
    Set<KeyTag> all = new LinkedHashSet<>(keys);
    all.addAll(rows);
    return bounded(tags, more, all);
  }

  private static WriteSet bounded(
      List<TableTag> tags, Set<TableTag> keyed, Collection<KeyTag> keys) {
    return keys.size() > MOST_KEYS
        ? new WriteSet(tags, Set.of(), List.of(), false, false)
        : new WriteSet(tags, keyed, keys, false, false);
  }

  /**
   * Returns a set of tables, {@code whole} of which as a whole, and of {@code keys} of the others.
   */
  static WriteSet of(List<TableTag> tags, Set<TableTag> whole, Collection<KeyTag> keys) {
    Set<TableTag> named = new HashSet<>(tags);
    named.removeAll(whole);
    List<KeyTag> rows = new ArrayList<>(keys.size());
    for (KeyTag key : keys) {
      if (named.contains(key.table())) {
        rows.add(key);
      }
    }
    return new WriteSet(tags, named, rows, false, false);
  }

  /** Returns whether a result that depends on {@code tag} may be changed. */
  boolean touches(Tag tag) {
    if (unknown) {
      return true;
    }
    return tag instanceof KeyTag
        ? keys.contains(tag) || (tags.contains(tag.table()) && !keyed.contains(tag.table()))
        : tags.contains(tag);
  }

  /** Returns whether it may write one of these relations, or something below one. */
  public boolean touchesAnyOf(Set<Long> relations) {
    return unknown || tags.stream().anyMatch(tag -> relations.contains(tag.oid()));
  }

  /** Returns the tags of rows of tables that it {@linkplain #namesRowsOf names rows of}. */
  public Collection<KeyTag> keys() {
    return keys;
  }

  /** Returns the tags of the tables; without meaning where it is {@link #unknown}. */
  public List<TableTag> tags() {
    return tags;
  }

  /**
   * Returns every tag that an announce of this raises, some perhaps twice; without meaning where it
   * is unknown.
   */
  public List<Tag> bumped() {
    List<Tag> known = bumped;
    if (known == null) {
      known = Arrays.asList(bumpedTags());
      bumped = known;
    }
    return known;
  }

  private Tag[] bumpedTags() {
    int size = tags.size() + keys.size();
    for (TableTag tag : tags) {
      size += isWhole(tag) ? 1 : 0;
    }
    Tag[] bumped = new Tag[size];
    int next = 0;
    for (TableTag tag : tags) {
      bumped[next++] = tag;
      if (isWhole(tag)) {
        bumped[next++] = tag.rows();
      }
    }
    for (KeyTag key : keys) {
      bumped[next++] = key;
    }
    return bumped;
  }

  private boolean isWhole(TableTag tag) {
    return tag.scope() == TableTag.Scope.RELATION && !keyed.contains(tag);
  }

  /** Returns whether this says which rows of {@code table} may be written. */
  public boolean namesRowsOf(TableTag table) {
    return keyed.contains(table);
  }

  /** Returns how much this invalidates of {@code table}, one of its tags. */
  WriteReach reach(TableTag table) {
    if (unknown) {
      return WriteReach.EVERYTHING;
    }
    if (!keyed.contains(table)) {
      return WriteReach.TABLE;
    }
    WriteReach reach = WriteReach.KEY;
    for (KeyTag key : keys) {
      if (key instanceof KeyTag.OfScheme one && one.table().equals(table)) {
        SchemeTags scheme = one.scheme();
        if (!keys.contains(scheme.unknownOld()) && !keys.contains(scheme.unknownNew())) {
          return WriteReach.KEY;
        }
        reach = WriteReach.UNKNOWN_KEY;
      }
    }
    return reach;
  }

  /** Returns whether it may write anything at all. */
  public boolean unknown() {
    return unknown;
  }

  /** Returns whether it may also change what all databases of the server share, as roles are. */
  public boolean everywhere() {
    return everywhere;
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
    Set<TableTag> union = new LinkedHashSet<>(tags);
    boolean more = union.addAll(other.tags);
    if (!more && keyed.isEmpty()) {
      return this;
    }
    Set<TableTag> named = new HashSet<>(union);
    tags.stream().filter(tag -> !keyed.contains(tag)).forEach(named::remove);
    other.tags.stream().filter(tag -> !other.keyed.contains(tag)).forEach(named::remove);
    Set<KeyTag> rows = new LinkedHashSet<>();
    keys.stream().filter(key -> named.contains(key.table())).forEach(rows::add);
    other.keys.stream().filter(key -> named.contains(key.table())).forEach(rows::add);
    return bounded(List.copyOf(union), named, rows);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WriteSet that
        && unknown == that.unknown
        && everywhere == that.everywhere
        && Set.copyOf(bumped()).equals(Set.copyOf(that.bumped()));
  }

  @Override
  public int hashCode() {
    return Set.copyOf(bumped()).hashCode();
  }

  @Override
  public String toString() {
    return everywhere ? "everywhere" : unknown ? "unknown" : bumped().toString();
  }
}
