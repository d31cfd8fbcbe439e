package dev.larder.jdbc.gate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * An array of the driver whose result sets lead where others lead. It is of the driver's class,
 * which its setters and applications look for; every other method of that class ends in one of
 * these. As thread-safe as the driver's.
 */
final class LedArray extends PgArray {
  private final PgArray array;
  private final Leading leading;

  @SuppressWarnings("NullAway") // What the driver's class keeps by itself is never used.
  LedArray(PgArray array, Leading leading) throws SQLException {
    super(null, Oid.UNSPECIFIED, (String) null);
    this.array = array;
    this.leading = leading;
  }

  @Override
  public @Nullable Object getArrayImpl(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return array.getArrayImpl(index, count, map);
  }

  @Override
  public ResultSet getResultSetImpl(long index, int count, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return leading.leadRows(array.getResultSetImpl(index, count, map));
  }

  @Override
  public int getBaseType() throws SQLException {
    return array.getBaseType();
  }

  @Override
  public String getBaseTypeName() throws SQLException {
    return array.getBaseTypeName();
  }

  @Override
  public boolean isBinary() {
    return array.isBinary();
  }

  @Override
  public byte @Nullable [] toBytes() {
    return array.toBytes();
  }

  @Override
  public void free() throws SQLException {
    array.free();
  }

  @Override
  public @Nullable String toString() {
    return array.toString();
  }
}
