package dev.larder.changefeed.pgoutput;

import dev.larder.keys.BoundValue;
import dev.larder.keys.LoggedRow;
import org.jspecify.annotations.Nullable;

/** A row in a message. Values are read when they are asked for. Not thread-safe. */
final class LoggedTuple {
  private final LoggedTable table;
  private final MessageReader message;
  private final byte[] kinds;
  private final int[] begins;
  private final int[] lengths;

  private LoggedTuple(LoggedTable table, MessageReader message, int columns) {
    this.table = table;
    this.message = message;
    this.kinds = new byte[columns];
    this.begins = new int[columns];
    this.lengths = new int[columns];
  }

  /** Reads a row's outline. */
  static LoggedTuple read(LoggedTable table, MessageReader message) {
    int columns = message.count();
    if (columns != table.columns()) {
      throw new MalformedMessage(
          "a row of " + columns + " columns of a table of " + table.columns());
    }
    LoggedTuple tuple = new LoggedTuple(table, message, columns);
    for (int i = 0; i < columns; i++) {
      tuple.column(i, message.next());
    }
    return tuple;
  }

  private void column(int place, byte kind) {
    kinds[place] = kind;
    if (kind == 't' || kind == 'b') {
      begins[place] = message.skipCounted();
      lengths[place] = message.position() - begins[place];
    } else if (kind != 'n' && kind != 'u') {
      throw new MalformedMessage("a column of the kind " + kind);
    }
  }

  /** Returns the row as it is. */
  LoggedRow.Values whole() {
    return column -> {
      Integer place = table.place(column);
      return place == null ? null : value(place);
    };
  }

  /** Returns the row, of which only the columns of the replica identity are known. */
  LoggedRow.Values key() {
    return column -> {
      Integer place = table.place(column);
      return place == null || !table.keys().get(place) ? null : value(place);
    };
  }

  /** Returns the row that took the place of {@code before}: what was not logged is as it was. */
  LoggedRow.Values since(LoggedRow.Values before) {
    return column -> {
      Integer place = table.place(column);
      if (place == null) {
        return null;
      }
      return kinds[place] == 'u' ? before.value(column) : value(place);
    };
  }

  private @Nullable Object value(int place) {
    return switch (kinds[place]) {
      case 'n' -> BoundValue.NULL;
      case 't' -> message.string(begins[place], lengths[place]);
      default -> null;
    };
  }
}
