package dev.larder.jdbc.replay;

import org.postgresql.core.Oid;

/**
 * A column of a result that Larder answers itself.
 *
 * @param label the label
 * @param type the type that its text has for the driver
 */
public record TextColumn(String label, Type type) {

  /** The types that Larder's answers use. */
  public enum Type {
    TEXT(Oid.TEXT),
    INT8(Oid.INT8),
    FLOAT8(Oid.FLOAT8),
    /** Its text is {@code t} or {@code f}. */
    BOOL(Oid.BOOL),
    TIMESTAMPTZ(Oid.TIMESTAMPTZ);

    private final int oid;

    Type(int oid) {
      this.oid = oid;
    }

    int oid() {
      return oid;
    }
  }
}
