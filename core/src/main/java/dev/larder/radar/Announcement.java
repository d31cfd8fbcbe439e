package dev.larder.radar;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What one process tells the others in the comment at the head of its radar's query: the server
 * shows the text of a session's last query to everybody of the same role. Immutable.
 *
 * @param process its name
 * @param group who shares its results; its own name where nobody does
 * @param tables what it has written
 * @param complete whether that is everything: the server keeps only the beginning of a long text
 */
record Announcement(String process, String group, Map<Long, TableRows> tables, boolean complete) {
  private static final String PREFIX = "/* larder-radar ";
  private static final int RADIX = 36;
  private static final int NUMBERS = 8;
  private static final int CONFLICTS = 1;
  private static final int UNDER_WAY = 2;

  Announcement {
    tables = Map.copyOf(tables);
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
    return LongStream.of(
            table.table(),
            table.changed(),
            table.removed(),
            table.changedUnreported(),
            table.removedUnreported(),
            table.doubts(),
            table.open(),
            (table.conflicts() ? CONFLICTS : 0) | (table.underWay() ? UNDER_WAY : 0))
        .mapToObj(number -> Long.toString(number, RADIX))
        .collect(Collectors.joining(",", " ", ""));
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
    String[] numbers = word.split(",", -1);
    long[] values = new long[NUMBERS];
    if (numbers.length != NUMBERS) {
      return null;
    }
    try {
      for (int i = 0; i < NUMBERS; i++) {
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
        values[6],
        (values[7] & CONFLICTS) != 0,
        (values[7] & UNDER_WAY) != 0);
  }
}
