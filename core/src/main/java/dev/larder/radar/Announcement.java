package dev.larder.radar;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one process tells the others, in the comment that its radar's query begins with: the server
 * shows everybody of the same role the text of a session's last query. Immutable.
 *
 * @param process its name
 * @param group who shares its results; its own name where nobody does
 * @param tables what it has written
 * @param complete whether that is everything: the server keeps only the beginning of a long text
 */
record Announcement(String process, String group, Map<Long, TableRows> tables, boolean complete) {
  private static final String PREFIX = "/* larder-radar ";
  private static final int RADIX = 36;

  Announcement {
    tables = Map.copyOf(tables);
  }

  static Announcement of(String process, String group, List<TableRows> rows) {
    Map<Long, TableRows> tables = new LinkedHashMap<>();
    rows.forEach(table -> tables.put(table.table(), table));
    return new Announcement(process, group, tables, true);
  }

  /** Returns the rows of a table, or null where they were not told. */
  @Nullable TableRows of(long table) {
    TableRows known = tables.get(table);
    return known == null && complete ? TableRows.NONE : known;
  }

  /**
   * Returns the comment.
   *
   * @param rows in the order of their importance
   * @param most how many characters it may have
   */
  static String text(String process, String group, List<TableRows> rows, int most) {
    StringBuilder text = new StringBuilder(PREFIX).append(process).append(' ').append(group);
    boolean complete = true;
    for (TableRows table : rows) {
      String entry = text(table);
      complete &= text.length() + entry.length() + " + */ ".length() <= most;
      if (!complete) {
        break;
      }
      text.append(entry);
    }
    return text.append(complete ? " . */ " : " + */ ").toString();
  }

  private static String text(TableRows table) {
    StringBuilder text = new StringBuilder(" ");
    for (long number :
        new long[] {
          table.table(),
          table.changed(),
          table.removed(),
          table.changedUnreported(),
          table.removedUnreported(),
          table.doubts()
        }) {
      text.append(text.length() == 1 ? "" : ",").append(Long.toString(number, RADIX));
    }
    return text.append(table.open() ? "!" : "")
        .append(table.conflicts() ? "C" : "")
        .append(table.underWay() ? "~" : "")
        .toString();
  }

  /** Reads the comment that {@code text} begins with; null where it begins with none. */
  static @Nullable Announcement parse(@Nullable String text) {
    int end = text == null ? -1 : text.indexOf(" */");
    if (text == null || end < 0 || !text.startsWith(PREFIX)) {
      return null;
    }
    String[] words = text.substring(PREFIX.length(), end).split(" ", -1);
    String last = words[words.length - 1];
    if (words.length < 3 || !(last.equals(".") || last.equals("+"))) {
      return null;
    }
    Map<Long, TableRows> tables = new LinkedHashMap<>();
    for (int i = 2; i < words.length - 1; i++) {
      TableRows rows = parseRows(words[i]);
      if (rows == null) {
        return null;
      }
      tables.put(rows.table(), rows);
    }
    return new Announcement(words[0], words[1], tables, last.equals("."));
  }

  private static @Nullable TableRows parseRows(String word) {
    String[] numbers = word.replaceAll("[!C~]", "").split(",", -1);
    if (numbers.length != 6) {
      return null;
    }
    long[] values = new long[numbers.length];
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] = Long.parseLong(numbers[i], RADIX);
      }
    } catch (NumberFormatException e) {
      return null;
    }
    return new TableRows(
        values[0],
        values[1],
        values[2],
        values[3],
        values[4],
        values[5],
        word.indexOf('!') >= 0,
        word.indexOf('C') >= 0,
        word.indexOf('~') >= 0);
  }
}
