package dev.larder.lexer;

/** What changes the meaning of a text before any token is read. */
public enum LexOptions {
  /** A plain statement at the server's defaults. */
  STATEMENT(false, true),

  /** A prepared statement at the server's defaults. */
  PREPARED(true, true),

  /** A plain statement in whose texts a backslash escapes. */
  ESCAPING(false, false),

  /** A prepared statement in whose texts a backslash escapes. */
  PREPARED_ESCAPING(true, false);

  private final boolean prepared;
  private final boolean standardConformingStrings;

  LexOptions(boolean prepared, boolean standardConformingStrings) {
    this.prepared = prepared;
    this.standardConformingStrings = standardConformingStrings;
  }

  /** Returns what a text is read by. */
  public static LexOptions of(boolean prepared, boolean standardConformingStrings) {
    if (standardConformingStrings) {
      return prepared ? PREPARED : STATEMENT;
    }
    return prepared ? PREPARED_ESCAPING : ESCAPING;
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
}
