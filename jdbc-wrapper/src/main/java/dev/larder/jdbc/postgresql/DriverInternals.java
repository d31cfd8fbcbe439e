package dev.larder.jdbc.postgresql;

import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.io.Closeable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.sql.SQLWarning;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Field;
import org.postgresql.core.PGStream;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgResultSet;

/**
 * The members of the driver that are no API: fields of its result set and of its connection, and
 * what changed its signature between versions. The class does not initialize if one of them is
 * missing; {@link DriverCheck} finds out before anything else does.
 */
final class DriverInternals {
  private static final VarHandle ROWS;
  private static final VarHandle THIS_ROW;
  private static final VarHandle CURRENT_ROW;
  private static final VarHandle ROW_OFFSET;
  private static final VarHandle FIELDS;
  private static final VarHandle CURSOR;
  private static final VarHandle REF_CURSOR_NAME;
  private static final VarHandle WARNINGS;
  private static final VarHandle MAX_ROWS;
  private static final VarHandle WAS_NULL;
  private static final VarHandle ZONE;
  private static final VarHandle AUTO_COMMIT;
  private static final MethodHandle NEW_FIELD;
  private static final MethodHandle FIELD_LENGTH;

  /** Null where the driver takes no lock to say whether a connection is closed: before 42.6. */
  private static final @Nullable MethodHandle STREAM = stream();

  static {
    try {
      Lookup lookup = MethodHandles.privateLookupIn(PgResultSet.class, MethodHandles.lookup());
      ROWS = lookup.findVarHandle(PgResultSet.class, "rows", List.class);
      THIS_ROW = lookup.findVarHandle(PgResultSet.class, "thisRow", Tuple.class);
      CURRENT_ROW = lookup.findVarHandle(PgResultSet.class, "currentRow", int.class);
      ROW_OFFSET = lookup.findVarHandle(PgResultSet.class, "rowOffset", int.class);
      FIELDS = lookup.findVarHandle(PgResultSet.class, "fields", Field[].class);
      CURSOR = lookup.findVarHandle(PgResultSet.class, "cursor", ResultCursor.class);
      REF_CURSOR_NAME = lookup.findVarHandle(PgResultSet.class, "refCursorName", String.class);
      WARNINGS = lookup.findVarHandle(PgResultSet.class, "warnings", SQLWarning.class);
      MAX_ROWS = lookup.findVarHandle(PgResultSet.class, "maxRows", int.class);
      WAS_NULL = lookup.findVarHandle(PgResultSet.class, "wasNullFlag", boolean.class);
      ZONE = lookup.findVarHandle(PgResultSet.class, "defaultTimeZone", TimeZone.class);
      AUTO_COMMIT =
          MethodHandles.privateLookupIn(PgConnection.class, MethodHandles.lookup())
              .findVarHandle(PgConnection.class, "autoCommit", boolean.class);
      NEW_FIELD = fieldConstructor(lookup);
      FIELD_LENGTH =
          lookup
              .unreflect(Field.class.getMethod("getLength"))
              .asType(MethodType.methodType(int.class, Field.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private DriverInternals() {}

  /** The type length was an int up to 42.7.11 and is a short since. */
  private static MethodHandle fieldConstructor(Lookup lookup) throws ReflectiveOperationException {
    Constructor<?> constructor =
        Stream.of(Field.class.getConstructors())
            .filter(c -> c.getParameterCount() == 6)
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException("Field(String, int, int, int, int, int)"));
    Class<?> number = int.class;
    return MethodHandles.explicitCastArguments(
        lookup.unreflectConstructor(constructor),
        MethodType.methodType(Field.class, String.class, number, number, number, number, number));
  }

  /** The driver forgets the stream of a connection when it closes it, and at no other time. */
  private static @Nullable MethodHandle stream() {
    try {
      Class<?> action =
          Class.forName(
              "org.postgresql.core.QueryExecutorCloseAction",
              false,
              PgConnection.class.getClassLoader());
      return MethodHandles.privateLookupIn(action, MethodHandles.lookup())
          .findGetter(action, "pgStream", PGStream.class)
          .asType(MethodType.methodType(Object.class, Closeable.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Returns new fields of the driver for {@code columns}. */
  static Field[] newFields(ResultColumns columns) {
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
  static ResultColumn column(Field field) {
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
  static boolean isOf(ResultColumn column, Field field) {
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

  @SuppressWarnings("unchecked")
  static @Nullable List<Tuple> rows(PgResultSet result) {
    return (List<Tuple>) ROWS.get(result);
  }

  /** Returns whether there are rows, without a look at what kind of list has them. */
  static boolean hasRows(PgResultSet result) {
    return (Object) ROWS.get(result) != null;
  }

  static void setRows(PgResultSet result, List<Tuple> rows) {
    ROWS.set(result, rows);
  }

  static @Nullable Tuple thisRow(PgResultSet result) {
    return (Tuple) THIS_ROW.get(result);
  }

  static void setThisRow(PgResultSet result, Tuple row) {
    THIS_ROW.set(result, row);
  }

  static int currentRow(PgResultSet result) {
    return (int) CURRENT_ROW.get(result);
  }

  /** Sets what wasNull answers after a value that was not null. */
  static void setWasNotNull(PgResultSet result) {
    WAS_NULL.set(result, false);
  }

  /**
   * Returns the zone of the result set's dates, which is the JVM's default at the first of them.
   */
  static TimeZone zone(PgResultSet result) {
    TimeZone zone = (TimeZone) ZONE.get(result);
    if (zone == null) {
      zone = TimeZone.getDefault();
      ZONE.set(result, zone);
    }
    return zone;
  }

  /** Returns what getAutoCommit answers, for a connection that may be closed, too. */
  static boolean isAutoCommit(PgConnection connection) {
    return (boolean) AUTO_COMMIT.get(connection);
  }

  /** Returns what {@link #isClosed} looks at, or null where the driver itself is to be asked. */
  static @Nullable Closeable closeAction(PgConnection connection) {
    return STREAM == null ? null : connection.getQueryExecutor().getCloseAction();
  }

  /** Returns whether the driver has closed a connection, whoever made it do so, without a lock. */
  static boolean isClosed(Closeable closeAction) {
    MethodHandle stream = STREAM;
    try {
      return stream != null && (Object) stream.invokeExact(closeAction) == null;
    } catch (Throwable e) {
      throw new LinkageError("The driver's stream cannot be read.", e);
    }
  }

  static Field[] fields(PgResultSet result) {
    return (Field[]) FIELDS.get(result);
  }

  static int maxRows(PgResultSet result) {
    return (int) MAX_ROWS.get(result);
  }

  /** Returns true if the result set holds every row, and nothing of it was left at the server. */
  static boolean holdsAllRows(PgResultSet result) {
    return ROWS.get(result) != null
        && CURSOR.get(result) == null
        && REF_CURSOR_NAME.get(result) == null
        && (int) ROW_OFFSET.get(result) == 0;
  }

  /** Returns true if a portal may have more rows. */
  static boolean hasCursor(PgResultSet result) {
    return CURSOR.get(result) != null;
  }

  static boolean hasWarnings(PgResultSet result) {
    return WARNINGS.get(result) != null;
  }
}
