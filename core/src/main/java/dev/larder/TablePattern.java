package dev.larder;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names one or several tables: {@code orders} in any schema, {@code public.orders}, {@code qrtz_*},
 * {@code "Orders"}. The character {@code *} stands for any characters of a part. Immutable; equal
 * when written alike after folding.
 *
 * @param schema the schema's part, or null for every schema
 * @param table the table's own part
 */
record TablePattern(@Nullable String schema, String table) {
  /**
   * Reads a pattern.
   *
   * @param setting the key that the pattern was given for, for the message
   * @throws IllegalArgumentException if it is none
   */
  static TablePattern parse(String setting, String text) {
    List<String> parts = DeclaredName.parts(setting, text, true);
    return parts.size() == 1
        ? new TablePattern(null, parts.get(0))
        : new TablePattern(parts.get(0), parts.get(1));
  }

  /** Returns whether the table, named as in the catalog, is meant. */
  boolean matches(String schemaName, String tableName) {
    return globs(table, tableName) && (schema == null || globs(schema, schemaName));
  }

  /** Returns whether the pattern says nothing about the table's own name. */
  boolean namesNoTable() {
    return table.chars().allMatch(c -> c == '*');
  }

  /** Returns the pattern as written, folded; reads back as an equal one. */
  @Override
  public String toString() {
    return schema == null ? table : schema + '.' + table;
  }

  /** Matches greedily, going back to the last star: linear in the pattern times the name. */
  private static boolean globs(String pattern, String name) {
    if (pattern.charAt(0) == '"') {
      return pattern.length() == name.length() + 2 && pattern.startsWith(name, 1);
    }
    int p = 0;
    int n = 0;
    int star = -1;
    int resumeAt = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resumeAt = n;
      } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++resumeAt;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
