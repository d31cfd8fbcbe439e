package dev.larder.changefeed.pgoutput;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as the log has described it. Immutable.
 *
 * @param number of the description: the greater, the later
 * @param places the place of each column in a row, by its name
 * @param keys by their places, the columns of the replica identity
 * @param full whether old rows are logged as a whole
 */
record LoggedTable(long number, Map<String, Integer> places, List<Boolean> keys, boolean full) {
  private static final int KEY = 1;

  /** Reads the rest of a message of the kind Relation, behind its identifier. */
  static LoggedTable read(long number, MessageReader message) {
    message.text();
    message.text();
    boolean full = message.next() == 'f';
    int columns = message.count();
    Map<String, Integer> places = new HashMap<>();
    List<Boolean> keys = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      keys.add((message.next() & KEY) != 0);
      places.put(message.text(), i);
      message.number();
      message.number();
    }
    message.end();
    return new LoggedTable(number, places, keys, full);
  }

  /** Returns the one of both that was described last. */
  static LoggedTable later(LoggedTable one, LoggedTable other) {
    return one.number > other.number ? one : other;
  }

  int columns() {
    return keys.size();
  }

  /** Returns the place of a column, or null where the log does not have it. */
  @Nullable Integer place(String column) {
    return places.get(column);
  }
}
