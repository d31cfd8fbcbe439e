package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Buckets;
import dev.larder.store.KeyTag;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a result depends on of one version, or a write changes. Immutable.
 *
 * @param rows null for the whole table
 */
public record Need(@Nullable Buckets rows) {
  /** The whole of it. */
  public static final Need WHOLE = new Need(null);

  /** More buckets than this are the whole table: a mark must stay small. */
  static final int MOST_BUCKETS = 128;

  /**
   * Returns what a write changes of {@code table}.
   *
   * @param keys all tags of rows in {@code writes}
   */
  static Need written(WriteSet writes, TableTag table, Collection<KeyTag> keys) {
    // Who rests on columns depends on the whole of the version.
    List<KeyTag> rows = keys.stream().filter(key -> !key.isOfColumn()).toList();
    return writes.namesRowsOf(table) ? of(table, rows) : WHOLE;
  }

  /**
   * Returns what of {@code table} is meant by those of {@code tags} that belong to it; null for
   * nothing.
   */
  static @Nullable Need read(TableTag table, Collection<? extends Tag> tags) {
    List<KeyTag> keys = new ArrayList<>();
    boolean any = false;
    for (Tag tag : tags) {
      if (tag.table().equals(table)) {
        any = true;
        if (!(tag instanceof KeyTag key)) {
          return WHOLE;
        }
        if (!key.equals(table.rows())) {
          keys.add(key);
        }
      }
    }
    return any ? of(table, keys) : null;
  }

  /** Where a tag has no bucket, or one by other schemes than the rest, it is the whole table. */
  private static Need of(TableTag table, Collection<KeyTag> keys) {
    List<Integer> numbers = new ArrayList<>();
    long layout = 0;
    for (KeyTag key : keys) {
      if (key.table().equals(table)) {
        if (key.bucket() < 0 || (!numbers.isEmpty() && key.layout() != layout)) {
          return WHOLE;
        }
        layout = key.layout();
        numbers.add(key.bucket());
      }
    }
    if (numbers.isEmpty()) {
      return WHOLE;
    }
    Buckets rows = Buckets.of(layout, numbers);
    return rows.numbers().size() > MOST_BUCKETS ? WHOLE : new Need(rows);
  }
}
