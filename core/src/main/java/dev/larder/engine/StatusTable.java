package dev.larder.engine;

import dev.larder.log.MessageText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer to a question about the cache, as a table of text.
 *
 * @param columns the columns
 * @param rows by row and column, in the server's text format; null for NULL
 */
public record StatusTable(List<Column> columns, List<List<@Nullable String>> rows) {
  /** A column's type, as far as answers need types. */
  public enum Type {
    TEXT,
    INT8,
    FLOAT8,
    BOOL,
    TIMESTAMPTZ
  }

  /** A column of an answer. */
  public record Column(String name, Type type) {}

  /** Collects columns with the values of one row. */
  static final class Row {
    private final List<Column> columns = new ArrayList<>();
    private final List<@Nullable String> values = new ArrayList<>();

    Row text(String name, @Nullable String value) {
      return add(name, Type.TEXT, value == null ? null : MessageText.escaped(value));
    }

    Row number(String name, long value) {
      return add(name, Type.INT8, Long.toString(value));
    }

    Row ratio(String name, @Nullable String value) {
      return add(name, Type.FLOAT8, value);
    }

    Row flag(String name, boolean value) {
      return add(name, Type.BOOL, value ? "t" : "f");
    }

    Row moment(String name, @Nullable Instant value) {
      String text = value == null ? null : value.toString().replace('T', ' ').replace("Z", "+00");
      return add(name, Type.TIMESTAMPTZ, text);
    }

    /** Returns the value of the first column, or the empty text for NULL. */
    String first() {
      String value = values.get(0);
      return value == null ? "" : value;
    }

    private Row add(String name, Type type, @Nullable String value) {
      columns.add(new Column(name, type));
      values.add(value);
      return this;
    }
  }

  /** Returns the table of {@code rows}, whose columns are those of {@code sample}. */
  static StatusTable of(Row sample, List<Row> rows) {
    return new StatusTable(sample.columns, rows.stream().map(row -> row.values).toList());
  }
}
