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
    List<String> parts = DeclaredName.pattern(setting, text);
    return parts.size() == 1
        ? new TablePattern(null, parts.get(0))
        : new TablePattern(parts.get(0), parts.get(1));
  }

  boolean matches(String qualifiedName) {
    int dot = qualifiedName.indexOf('.');
    return globs(table, qualifiedName.substring(dot + 1))
        && (schema == null || globs(schema, qualifiedName.substring(0, dot)));
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

  private static boolean globs(String pattern, String name) {
    if (pattern.charAt(0) == '"') {
      return pattern.equals('"' + name + '"');
    }
    String[] pieces = pattern.split("\\*", -1);
    String last = pieces[pieces.length - 1];
    if (pieces.length == 1) {
      return name.equals(last);
    }
    int at = name.startsWith(pieces[0]) ? pieces[0].length() : -1;
    for (int i = 1; i < pieces.length - 1 && at >= 0; i++) {
      int found = name.indexOf(pieces[i], at);
      at = found < 0 ? -1 : found + pieces[i].length();
    }
    return at >= 0 && at <= name.length() - last.length() && name.endsWith(last);
  }
}
