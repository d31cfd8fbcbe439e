package dev.larder.keys;

import org.jspecify.annotations.Nullable;

/**
 * A column of a table, as far as keys need to know it. Immutable.
 *
 * @param number {@code pg_attribute.attnum}
 * @param name its name, folded as the server keeps it
 * @param type how its values are told apart, or null where they are not
 * @param comparable whether no comparison of its values by a builtin operator can fail
 * @param maxCharacters what a varchar holds without cutting; {@link Integer#MAX_VALUE} for all else
 * @param filled whether the server may choose a value where an INSERT says none: a default, an
 *     identity, a generated column, a default of its domain
 * @param computed whether it is generated from other columns
 * @param collation by which its values are compared, 0 for none: an object identifier
 */
public record KeyColumn(
    int number,
    String name,
    @Nullable KeyType type,
    boolean comparable,
    int maxCharacters,
    boolean filled,
    boolean computed,
    long collation) {
  private static final long DEFAULT_COLLATION = 100;

  /**
   * Returns whether the server knows by which collation to compare with {@code other}. Where it
   * does not, the comparison fails for every pair of rows, and says so only if there is one. It
   * compares texts with what is no text only by an operator or cast of a user's.
   */
  boolean collatesWith(KeyColumn other) {
    return collation == other.collation
        || (collation == DEFAULT_COLLATION && other.collation != 0)
        || (other.collation == DEFAULT_COLLATION && collation != 0);
  }

  /** Returns whether what is assigned is what is stored. */
  boolean keeps(Object value) {
    return !(value instanceof String text)
        || type != KeyType.TEXT
        || text.codePointCount(0, text.length()) <= maxCharacters;
  }
}
