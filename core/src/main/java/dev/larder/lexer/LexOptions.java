package dev.larder.lexer;

/** What changes the meaning of a text before any token is read. */
public enum LexOptions {
  /** A plain statement at the server's defaults. */
  STATEMENT(false, true, false),

  /** A prepared statement at the server's defaults. */
  PREPARED(true, true, false),

  /** A plain statement in whose texts a backslash escapes. */
  ESCAPING(false, false, false),

  /** A prepared statement in whose texts a backslash escapes. */
  PREPARED_ESCAPING(true, false, false),

  /** As {@link #STATEMENT}, in a database with a single-byte encoding. */
  SINGLE_BYTE(false, true, true),

  /** As {@link #PREPARED}, in a database with a single-byte encoding. */
  SINGLE_BYTE_PREPARED(true, true, true),

  /** As {@link #ESCAPING}, in a database with a single-byte encoding. */
  SINGLE_BYTE_ESCAPING(false, false, true),

  /** As {@link #PREPARED_ESCAPING}, in a database with a single-byte encoding. */
  SINGLE_BYTE_PREPARED_ESCAPING(true, false, true);

  private final boolean prepared;
  private final boolean standardConformingStrings;
  private final boolean singleByte;

  LexOptions(boolean prepared, boolean standardConformingStrings, boolean singleByte) {
    this.prepared = prepared;
    this.standardConformingStrings = standardConformingStrings;
    this.singleByte = singleByte;
  }

  /**
   * Returns what a text is read by in a database whose encoding has characters of several bytes.
   */
  public static LexOptions of(boolean prepared, boolean standardConformingStrings) {
    if (standardConformingStrings) {
      return prepared ? PREPARED : STATEMENT;
    }
    return prepared ? PREPARED_ESCAPING : ESCAPING;
  }

  /** Returns what a text is read by. */
  public static LexOptions of(
      boolean prepared, boolean standardConformingStrings, boolean singleByte) {
    if (!singleByte) {
      return of(prepared, standardConformingStrings);
    }
    if (standardConformingStrings) {
      return prepared ? SINGLE_BYTE_PREPARED : SINGLE_BYTE;
    }
    return prepared ? SINGLE_BYTE_PREPARED_ESCAPING : SINGLE_BYTE_ESCAPING;
  }

  /**
   * Returns whether {@code ?} is a parameter and {@code ??} the operator {@code ?}, as in a
   * prepared statement.
   */
  public boolean prepared() {
    return prepared;
  }

  /** Returns whether a backslash is an ordinary character in {@code '…'}. */
  public boolean standardConformingStrings() {
    return standardConformingStrings;
  }

  /**
   * Returns whether the database's encoding has characters of one byte only, so that the server
   * folds letters beyond ASCII, too, by its locale.
   */
  public boolean singleByte() {
    return singleByte;
  }
}
