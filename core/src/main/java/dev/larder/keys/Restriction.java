package dev.larder.keys;

import dev.larder.store.KeyTag;
import dev.larder.store.SchemeTags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that have one of some values in the columns of a scheme. Immutable.
 *
 * @param scheme the columns
 * @param values the values, each a constant a column in the order of the scheme's columns
 */
record Restriction(KeyScheme scheme, List<List<Operand>> values) {
  /** More values than this are any. */
  static final int MOST_VALUES = 16;

  Restriction {
    values = List.copyOf(values);
  }

  /** Returns each of {@code values} with each of {@code last} behind it. */
  static List<List<Operand>> combined(List<List<Operand>> values, List<Operand> last) {
    List<List<Operand>> longer = new ArrayList<>();
    for (List<Operand> value : values) {
      for (Operand operand : last) {
        List<Operand> extended = new ArrayList<>(value);
        extended.add(operand);
        longer.add(extended);
      }
    }
    return longer;
  }

  /**
   * Adds the cells of the values in one execution; returns false where one of them is not known. A
   * NULL equals nothing, and so adds nothing.
   *
   * @param stored whether the values are assigned and not compared
   */
  boolean addCells(
      SchemeTags tags,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      boolean stored,
      Collection<? super KeyTag> cells) {
    for (int i = 0; i < values.size(); i++) {
      List<Operand> value = values.get(i);
      if (value.get(0) instanceof Operand.Elements array) {
        if (!addElements(array, tags, binds, cells)) {
          return false;
        }
        continue;
      }
      long hash = hash(value, literals, binds, stored);
      if (hash == KeyType.UNKNOWN) {
        return false;
      }
      if (hash != NULL) {
        cells.add(tags.cell(hash));
      }
    }
    return true;
  }

  /**
   * Returns the values in one execution, each in its canonical form; null where one is not known,
   * or is NULL, or where an array has them.
   */
  @Nullable List<List<Object>> known(
      @Nullable Object[] literals, @Nullable Object[] binds, boolean stored) {
    List<List<Object>> known = new ArrayList<>();
    for (List<Operand> value : values) {
      List<Object> one = new ArrayList<>();
      for (int i = 0; i < value.size(); i++) {
        KeyColumn column = scheme.columns().get(i);
        Object constant = value.get(i).value(literals, binds);
        KeyType type = column.type();
        if (constant == null || type == null || (stored && !column.keeps(constant))) {
          return null;
        }
        Object canonical = type.canonical(constant);
        if (canonical == null) {
          return null;
        }
        one.add(canonical);
      }
      known.add(one);
    }
    return known;
  }

  /** Of an array the values stand for the only column of the scheme. */
  private boolean addElements(
      Operand.Elements array,
      SchemeTags tags,
      @Nullable Object[] binds,
      Collection<? super KeyTag> cells) {
    List<Object> elements = array.elements(binds);
    KeyType type = scheme.columns().get(0).type();
    if (elements == null || elements.size() > MOST_VALUES || type == null) {
      return false;
    }
    for (Object element : elements) {
      if (element != Operand.NULL) {
        long hash = type.hash(element);
        if (hash == KeyType.UNKNOWN) {
          return false;
        }
        cells.add(tags.cell(usable(hash)));
      }
    }
    return true;
  }

  /** Returns whether there is one value at most. */
  boolean isOfOneValue() {
    return values.size() == 1 && !(values.get(0).get(0) instanceof Operand.Elements);
  }

  /** Stands for a value that is NULL in one of its columns. */
  static final long NULL = KeyType.UNKNOWN + 1;

  private long hash(
      List<Operand> value, @Nullable Object[] literals, @Nullable Object[] binds, boolean stored) {
    long hash = 0;
    boolean isNull = false;
    for (int i = 0; i < value.size(); i++) {
      KeyColumn column = scheme.columns().get(i);
      Object constant = value.get(i).value(literals, binds);
      if (constant == null || (stored && !column.keeps(constant))) {
        return KeyType.UNKNOWN;
      }
      if (constant == Operand.NULL) {
        isNull = true;
        continue;
      }
      KeyType type = column.type();
      long one = type == null ? KeyType.UNKNOWN : type.hash(constant);
      if (one == KeyType.UNKNOWN) {
        return KeyType.UNKNOWN;
      }
      hash = i == 0 ? one : combine(hash, one);
    }
    boolean taken = hash == NULL || hash == KeyType.UNKNOWN;
    return isNull ? NULL : taken ? 0 : hash;
  }

  /** Returns {@code hash}, or another where it stands for something else. */
  static long usable(long hash) {
    return hash == NULL || hash == KeyType.UNKNOWN ? 0 : hash;
  }

  /** Adds the hash of a column to that of the columns before it. */
  static long combine(long hash, long column) {
    return Long.rotateLeft(hash * 0x9E3779B97F4A7C15L, 17) + column;
  }
}
