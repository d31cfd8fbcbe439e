package dev.larder.jdbc.effects;

import dev.larder.keys.RowKey;
import dev.larder.keys.WritePattern;
import dev.larder.resolve.StatementKeys;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One execution of a write whose rows are known by key, before its values change. */
public final class KeyedWrite {
  private final StatementKeys keys;
  private final WriteSet all;
  private final @Nullable Object[] literals;
  private final @Nullable Object[] binds;

  /**
   * Creates it.
   *
   * @param keys of the statement, with a pattern of its writes
   * @param all what the statement may write, whatever its values
   */
  KeyedWrite(
      StatementKeys keys, WriteSet all, @Nullable Object[] literals, @Nullable Object[] binds) {
    this.keys = keys;
    this.all = all;
    this.literals = literals;
    this.binds = binds;
  }

  /** Returns the keys of the rows that it inserts; empty where they are not known. */
  public List<RowKey> inserted() {
    WritePattern writes = keys.writes();
    return writes == null ? List.of() : writes.inserted(literals, binds);
  }

  /** Returns whether it changes and deletes no rows but {@code those}. */
  public boolean changesOnly(Set<RowKey> those) {
    WritePattern writes = keys.writes();
    return writes != null && writes.changesOnly(those, literals, binds);
  }

  /** Returns what it may write where the transaction has itself inserted all rows it changes. */
  WriteSet ofOwnRows() {
    return keys.narrowed(all, literals, binds, true);
  }
}
