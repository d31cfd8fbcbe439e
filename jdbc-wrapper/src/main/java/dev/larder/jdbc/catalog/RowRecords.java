package dev.larder.jdbc.catalog;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a record of each row of a query. The components of the record are the columns of the row,
 * in the same order; lists of numbers come as a text. Stateless.
 */
final class RowRecords {
  private RowRecords() {}

  static <T> void read(
      Statement statement, String query, Class<T> type, Consumer<? super T> consumer)
      throws SQLException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try (ResultSet row = statement.executeQuery(query)) {
      Constructor<T> constructor = type.getConstructor(types);
      @Nullable Object[] values = new @Nullable Object[components.length];
      while (row.next()) {
        for (int i = 0; i < values.length; i++) {
          values[i] = value(row, i + 1, components[i].getGenericType().getTypeName());
        }
        consumer.accept(constructor.newInstance(values));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("No " + type + " can be made of a row.", e);
    }
  }

  private static @Nullable Object value(ResultSet row, int column, String type)
      throws SQLException {
    return switch (type) {
      case "long" -> row.getLong(column);
      case "int" -> row.getInt(column);
      case "boolean" -> row.getBoolean(column);
      case "char" -> row.getString(column).charAt(0);
      case "java.lang.String" -> row.getString(column);
      case "java.util.List<java.lang.Integer>" -> numbers(row.getString(column));
      case "java.util.List<java.lang.Long>" -> oids(row.getString(column));
      case "java.util.Set<java.lang.Long>" -> new TreeSet<>(oids(row.getString(column)));
      case "java.util.Set<java.lang.String>" -> names(row.getArray(column));
      default -> throw new IllegalStateException("No column has the type " + type + ".");
    };
  }

  private static Set<String> names(@Nullable Array names) throws SQLException {
    return names == null ? Set.of() : new TreeSet<>(List.of((String[]) names.getArray()));
  }

  private static List<Integer> numbers(String text) {
    return Stream.of(text.split(" ", -1)).map(Integer::valueOf).toList();
  }

  /** Returns the object identifiers in a text, without 0. */
  private static List<Long> oids(@Nullable String text) {
    return text == null
        ? List.of()
        : Stream.of(text.split(" ", -1))
            .filter(oid -> !oid.isEmpty() && !oid.equals("0"))
            .map(Long::valueOf)
            .toList();
  }
}
