package dev.larder.keys;

import org.jspecify.annotations.Nullable;

/**
 * What LIKE compares with in a condition. Immutable.
 *
 * @param pattern the pattern
 * @param escape what stands behind ESCAPE, or null
 */
record LikePattern(Operand pattern, @Nullable Operand escape) implements DoubtfulPart {
  /**
   * Returns whether the comparison may fail for one row and not for another, which it does where
   * the pattern ends in what escapes nothing. Nothing escapes with {@code ESCAPE ''}, as Hibernate
   * writes it.
   */
  @Override
  public boolean mayFail(@Nullable Object[] literals, @Nullable Object[] binds) {
    if (escape != null) {
      return !"".equals(escape.value(literals, binds));
    }
    return !(pattern.value(literals, binds) instanceof String text) || text.indexOf('\\') >= 0;
  }
}
