package dev.larder.jdbc;

import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/** A binary type that keeps what it is given. */
public final class Hoarder extends PGobject implements PGBinaryObject {
  private static final long serialVersionUID = 1L;

  private byte[] kept = {};

  /** For the driver. */
  public Hoarder() {}

  @Override
  public void setByteValue(byte[] value, int offset) {
    kept = value;
  }

  @Override
  public int lengthInBytes() {
    return kept.length;
  }

  @Override
  public void toBytes(byte[] bytes, int offset) {
    System.arraycopy(kept, 0, bytes, offset, kept.length);
  }

  /** Returns the very bytes that it was given. */
  public byte[] kept() {
    return kept;
  }
}
