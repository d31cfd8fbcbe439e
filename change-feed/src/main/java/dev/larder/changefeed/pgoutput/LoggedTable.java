package dev.larder.changefeed.pgoutput;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table as the log has described it. Immutable.
 *
 * @param places the place of each column in a row, by its name
 * @param keys the places of the columns of the replica identity
 * @param columns how many there are
 * @param full whether old rows are logged as a whole
 */
record LoggedTable(Map<String, Integer> places, Set<Integer> keys, int columns, boolean full) {
  private static final int KEY = 1;

  /** Reads the rest of a message of the kind Relation, behind its identifier. */
  static LoggedTable read(MessageReader message) {
    message.text();
    message.text();
    boolean full = message.next() == 'f';
    int columns = message.count();
    Map<String, Integer> places = new HashMap<>();
    Set<Integer> keys = new HashSet<>();
    for (int i = 0; i < columns; i++) {
      if ((message.next() & KEY) != 0) {
        keys.add(i);
      }
      places.put(message.text(), i);
      message.number();
      message.number();
    }
    message.end();
    return new LoggedTable(places, keys, columns, full);
  }

  /** Returns the place of a column, or null where the log does not have it. */
  @Nullable Integer place(String column) {
    return places.get(column);
  }
}
