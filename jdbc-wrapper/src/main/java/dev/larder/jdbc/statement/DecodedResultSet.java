package dev.larder.jdbc.statement;

import dev.larder.jdbc.replay.DecodedValues;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * A replay of many values: what an earlier replay has decoded it hands out again, and what it
 * decodes it remembers. All else is the driver's, exceptions too.
 */
final class DecodedResultSet extends CachingResultSet {
  private final DecodedValues values;

  DecodedResultSet(ResultSet replayed, ResultSetOwner owner, DecodedValues values) {
    super(replayed, owner, true);
    this.values = values;
  }

  /** Returns null, too, once the driver's result set has left Larder's hands. */
  private @Nullable Object known(int columnIndex, @Nullable Class<?> type) {
    return isShared() ? values.find(columnIndex, type) : null;
  }

  private <T> @Nullable T keep(int columnIndex, @Nullable T value) {
    if (isShared()) {
      values.keep(columnIndex, value);
    }
    return value;
  }

  @Override
  public @Nullable Object getObject(int columnIndex) throws SQLException {
    Object known = known(columnIndex, null);
    return known == null ? keep(columnIndex, super.getObject(columnIndex)) : known;
  }

  @Override
  public @Nullable Object getObject(String columnLabel) throws SQLException {
    return getObject(findColumn(columnLabel));
  }

  @Override
  public <T> @Nullable T getObject(int columnIndex, Class<T> type) throws SQLException {
    // Not a BigDecimal: the driver scales it for getObject without a class only.
    if (type == null || type == BigDecimal.class) {
      return super.getObject(columnIndex, type);
    }
    Object known = known(columnIndex, type);
    return known == null ? keep(columnIndex, super.getObject(columnIndex, type)) : type.cast(known);
  }

  @Override
  public <T> @Nullable T getObject(String columnLabel, Class<T> type) throws SQLException {
    return getObject(findColumn(columnLabel), type);
  }

  @Override
  public @Nullable String getString(int columnIndex) throws SQLException {
    return known(columnIndex, String.class) instanceof String known
        ? known
        : keep(columnIndex, super.getString(columnIndex));
  }

  @Override
  public @Nullable String getString(String columnLabel) throws SQLException {
    return getString(findColumn(columnLabel));
  }

  @Override
  public @Nullable Date getDate(int columnIndex) throws SQLException {
    return known(columnIndex, Date.class) instanceof Date known
        ? known
        : keep(columnIndex, super.getDate(columnIndex));
  }

  @Override
  public @Nullable Date getDate(String columnLabel) throws SQLException {
    return getDate(findColumn(columnLabel));
  }

  @Override
  public @Nullable Time getTime(int columnIndex) throws SQLException {
    return known(columnIndex, Time.class) instanceof Time known
        ? known
        : keep(columnIndex, super.getTime(columnIndex));
  }

  @Override
  public @Nullable Time getTime(String columnLabel) throws SQLException {
    return getTime(findColumn(columnLabel));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int columnIndex) throws SQLException {
    return known(columnIndex, Timestamp.class) instanceof Timestamp known
        ? known
        : keep(columnIndex, super.getTimestamp(columnIndex));
  }

  @Override
  public @Nullable Timestamp getTimestamp(String columnLabel) throws SQLException {
    return getTimestamp(findColumn(columnLabel));
  }
}
