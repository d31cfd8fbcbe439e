package dev.larder.jdbc.caching;

import dev.larder.jdbc.postgresql.DecodedValues;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    Object known = type == null || type == BigDecimal.class ? null : known(columnIndex, type);
    return known == null ? super.getObject(columnIndex, type) : type.cast(known);
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
}
