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
    /** {@code text}. */
    TEXT(Oid.TEXT),
    /** {@code bigint}. */
    INT8(Oid.INT8),
    /** {@code double precision}. */
    FLOAT8(Oid.FLOAT8),
    /** {@code boolean}; its text is {@code t} or {@code f}. */
    BOOL(Oid.BOOL),
    /** {@code timestamp with time zone}. */
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
