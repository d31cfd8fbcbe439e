package dev.larder.jdbc.catalog;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes a record of each row of a query. The components of the record are the columns of the row,
 * in the same order; lists of numbers come as a text. Stateless.
 */
final class RowRecords {
  /** So that the driver does not hold all texts at once beside the records. */
  private static final int FETCHED_ROWS = 1_000;

  private RowRecords() {}

  /** What is done with a row. */
  @FunctionalInterface
  interface Taker<T> {
    /** Takes a record and the values of its components, which are not changed afterwards. */
    void take(T row, @Nullable Object[] values);
  }

  /** What a component of a record is made of. */
  private enum Kind {
    LONG("long"),
    INT("int"),
    BOOLEAN("boolean"),
    CHARACTER("char"),
    TEXT("java.lang.String"),
    NUMBERS("java.util.List<java.lang.Integer>"),
    OIDS("java.util.List<java.lang.Long>"),
    OID_SET("java.util.Set<java.lang.Long>"),
    NAMES("java.util.Set<java.lang.String>");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    static Kind of(RecordComponent component) {
      String type = component.getGenericType().getTypeName();
      for (Kind kind : values()) {
        if (kind.type.equals(type)) {
          return kind;
        }
      }
      throw new IllegalStateException("No column has the type " + type + ".");
    }
  }

  static <T> void read(Statement statement, String query, Class<T> type, Taker<? super T> taker)
      throws SQLException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Kind[] kinds = new Kind[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      kinds[i] = Kind.of(components[i]);
    }
    statement.setFetchSize(FETCHED_ROWS);
    try (ResultSet row = statement.executeQuery(query)) {
      Constructor<T> constructor = type.getConstructor(types);
      while (row.next()) {
        @Nullable Object[] values = new @Nullable Object[kinds.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(row, i + 1, kinds[i]);
        }
        taker.take(constructor.newInstance(values), values);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("No " + type + " can be made of a row.", e);
    }
  }

  private static @Nullable Object value(ResultSet row, int column, Kind kind) throws SQLException {
    return switch (kind) {
      case LONG -> row.getLong(column);
      case INT -> row.getInt(column);
      case BOOLEAN -> row.getBoolean(column);
      case CHARACTER -> row.getString(column).charAt(0);
      case TEXT -> row.getString(column);
      case NUMBERS -> numbers(row.getString(column));
      case OIDS -> oids(row.getString(column));
      case OID_SET -> set(oids(row.getString(column)));
      case NAMES -> names(row.getArray(column));
    };
  }

  private static Set<String> names(@Nullable Array names) throws SQLException {
    return names == null ? Set.of() : new TreeSet<>(List.of((String[]) names.getArray()));
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String number : text.split(" ", -1)) {
      numbers.add(Integer.valueOf(number));
    }
    return numbers;
  }

  /** Returns the object identifiers in a text, without 0. */
  private static List<Long> oids(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return List.of();
    }
    List<Long> oids = new ArrayList<>(4);
    for (String oid : text.split(" ", -1)) {
      if (!oid.isEmpty() && !oid.equals("0")) {
        oids.add(Long.valueOf(oid));
      }
    }
    return oids;
  }

  private static Set<Long> set(List<Long> oids) {
    return oids.isEmpty() ? Set.of() : new TreeSet<>(oids);
  }
}
