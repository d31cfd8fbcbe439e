package dev.larder.jdbc.driver;

import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Field;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgResultSet;

/**
 * The members of the driver's result sets that are no API, and what changed its signature between
 * versions. The class does not initialize if one of them is missing; a check at the start finds out
 * before anything else does. Stateless.
 */
public final class DriverInternals {
  private static final VarHandle ROWS = find("rows", List.class);
  private static final VarHandle THIS_ROW = find("thisRow", Tuple.class);
  private static final VarHandle CURRENT_ROW = find("currentRow", int.class);
  private static final VarHandle ROW_OFFSET = find("rowOffset", int.class);
  private static final VarHandle FIELDS = find("fields", Field[].class);
  private static final VarHandle CURSOR = find("cursor", ResultCursor.class);
  private static final VarHandle REF_CURSOR_NAME = find("refCursorName", String.class);
  private static final VarHandle WARNINGS = find("warnings", SQLWarning.class);
  private static final VarHandle MAX_ROWS = find("maxRows", int.class);
  private static final VarHandle WAS_NULL = find("wasNullFlag", boolean.class);
  private static final VarHandle LABELS = find("columnNameIndexMap", Map.class);
  private static final VarHandle ZONE = find("defaultTimeZone", TimeZone.class);

  // The length of a type was an int up to 42.7.11 and is a short since.
  private static final MethodHandle NEW_FIELD;
  private static final MethodHandle FIELD_LENGTH;

  static {
    try {
      Class<?> number = int.class;
      Constructor<?> constructor =
          Stream.of(Field.class.getConstructors())
              .filter(each -> each.getParameterCount() == 6)
              .findFirst()
              .orElseThrow(() -> new NoSuchMethodException("Field(String, int, int, …)"));
      NEW_FIELD =
          MethodHandles.explicitCastArguments(
              MethodHandles.publicLookup().unreflectConstructor(constructor),
              MethodType.methodType(
                  Field.class, String.class, number, number, number, number, number));
      FIELD_LENGTH =
          MethodHandles.publicLookup()
              .unreflect(Field.class.getMethod("getLength"))
              .asType(MethodType.methodType(number, Field.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private DriverInternals() {}

  private static VarHandle find(String field, Class<?> type) {
    return DriverFields.find(PgResultSet.class.getName(), field, type);
  }

  /** Returns new fields of the driver for {@code columns}. */
  public static Field[] newFields(ResultColumns columns) {
    Field[] fields = new Field[columns.count()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = newField(columns.get(i));
    }
    return fields;
  }

  private static Field newField(ResultColumn column) {
    try {
      Field field =
          (Field)
              NEW_FIELD.invokeExact(
                  column.label(),
                  column.typeOid(),
                  column.typeLength(),
                  column.typeModifier(),
                  column.tableOid(),
                  column.columnNumber());
      field.setFormat(column.binary() ? Field.BINARY_FORMAT : Field.TEXT_FORMAT);
      return field;
    } catch (Throwable e) {
      throw new LinkageError("The driver's Field cannot be created.", e);
    }
  }

  /** Returns what {@code field} says, without what its connection remembers in it. */
  public static ResultColumn column(Field field) {
    return new ResultColumn(
        field.getColumnLabel(),
        field.getTableOid(),
        field.getPositionInTable(),
        field.getOID(),
        length(field),
        field.getMod(),
        field.getFormat() == Field.BINARY_FORMAT);
  }

  /** Returns whether {@link #column} of {@code field} equals {@code column}. */
  public static boolean isOf(ResultColumn column, Field field) {
    return column.typeOid() == field.getOID()
        && column.binary() == (field.getFormat() == Field.BINARY_FORMAT)
        && column.tableOid() == field.getTableOid()
        && column.columnNumber() == field.getPositionInTable()
        && column.typeLength() == length(field)
        && column.typeModifier() == field.getMod()
        && column.label().equals(field.getColumnLabel());
  }

  private static int length(Field field) {
    try {
      return (int) FIELD_LENGTH.invokeExact(field);
    } catch (Throwable e) {
      throw new LinkageError("The driver's Field cannot be read.", e);
    }
  }

  /** Returns the rows, or null if the result set is closed. */
  @SuppressWarnings("unchecked")
  public static @Nullable List<Tuple> rows(PgResultSet result) {
    return (List<Tuple>) ROWS.get(result);
  }

  /** Returns whether there are rows, without a look at what kind of list has them. */
  public static boolean hasRows(PgResultSet result) {
    return (Object) ROWS.get(result) != null;
  }

  /** Gives a result set other rows. */
  public static void setRows(PgResultSet result, List<Tuple> rows) {
    ROWS.set(result, rows);
  }

  /** Returns the current row, or null before the first and after the last. */
  public static @Nullable Tuple thisRow(PgResultSet result) {
    return (Tuple) THIS_ROW.get(result);
  }

  /** Gives a result set another current row. */
  public static void setThisRow(PgResultSet result, Tuple row) {
    THIS_ROW.set(result, row);
  }

  /** Returns the number of the current row among the rows, from 0. */
  public static int currentRow(PgResultSet result) {
    return (int) CURRENT_ROW.get(result);
  }

  /** Sets what wasNull answers after a value that was not null. */
  public static void setWasNotNull(PgResultSet result) {
    WAS_NULL.set(result, false);
  }

  /**
   * Returns the zone of the result set's dates, which is the JVM's default at the first of them.
   */
  public static TimeZone zone(PgResultSet result) {
    TimeZone zone = (TimeZone) ZONE.get(result);
    if (zone == null) {
      zone = TimeZone.getDefault();
      ZONE.set(result, zone);
    }
    return zone;
  }

  /** Returns the fields. */
  public static Field[] fields(PgResultSet result) {
    return (Field[]) FIELDS.get(result);
  }

  /** Gives a result set the map from labels to column numbers, which it would make otherwise. */
  public static void setLabels(PgResultSet result, Map<String, Integer> labels) {
    LABELS.set(result, labels);
  }

  /** Returns how many rows the statement asked for at most, or 0. */
  public static int maxRows(PgResultSet result) {
    return (int) MAX_ROWS.get(result);
  }

  /** Returns true if the result set holds every row, and nothing of it was left at the server. */
  public static boolean holdsAllRows(PgResultSet result) {
    return ROWS.get(result) != null
        && CURSOR.get(result) == null
        && REF_CURSOR_NAME.get(result) == null
        && (int) ROW_OFFSET.get(result) == 0;
  }

  /** Returns true if a portal may have more rows. */
  public static boolean hasCursor(PgResultSet result) {
    return CURSOR.get(result) != null;
  }

  /** Returns true if the result came with warnings. */
  public static boolean hasWarnings(PgResultSet result) {
    return WARNINGS.get(result) != null;
  }
}
