package dev.larder.jdbc.statement;

import dev.larder.jdbc.postgresql.DecodedValues;
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

  private void keep(int columnIndex, @Nullable Object value) {
    if (isShared()) {
      values.keep(columnIndex, value);
    }
  }

  @Override
  public @Nullable Object getObject(int columnIndex) throws SQLException {
    Object known = known(columnIndex, null);
    if (known == null) {
      known = super.getObject(columnIndex);
      keep(columnIndex, known);
    }
    return known;
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
    if (known == null) {
      known = super.getObject(columnIndex, type);
      keep(columnIndex, known);
    }
    return type.cast(known);
  }

  @Override
  public <T> @Nullable T getObject(String columnLabel, Class<T> type) throws SQLException {
    return getObject(findColumn(columnLabel), type);
  }

  @Override
  public @Nullable String getString(int columnIndex) throws SQLException {
    if (known(columnIndex, String.class) instanceof String text) {
      return text;
    }
    String text = super.getString(columnIndex);
    keep(columnIndex, text);
    return text;
  }

  @Override
  public @Nullable String getString(String columnLabel) throws SQLException {
    return getString(findColumn(columnLabel));
  }

  @Override
  public @Nullable Date getDate(int columnIndex) throws SQLException {
    if (known(columnIndex, Date.class) instanceof Date known) {
      return known;
    }
    Date value = super.getDate(columnIndex);
    keep(columnIndex, value);
    return value;
  }

  @Override
  public @Nullable Date getDate(String columnLabel) throws SQLException {
    return getDate(findColumn(columnLabel));
  }

  @Override
  public @Nullable Time getTime(int columnIndex) throws SQLException {
    if (known(columnIndex, Time.class) instanceof Time known) {
      return known;
    }
    Time value = super.getTime(columnIndex);
    keep(columnIndex, value);
    return value;
  }

  @Override
  public @Nullable Time getTime(String columnLabel) throws SQLException {
    return getTime(findColumn(columnLabel));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int columnIndex) throws SQLException {
    if (known(columnIndex, Timestamp.class) instanceof Timestamp known) {
      return known;
    }
    Timestamp value = super.getTimestamp(columnIndex);
    keep(columnIndex, value);
    return value;
  }

  @Override
  public @Nullable Timestamp getTimestamp(String columnLabel) throws SQLException {
    return getTimestamp(findColumn(columnLabel));
  }
}
