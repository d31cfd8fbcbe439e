package dev.larder.lexer;

/**
 * What changes the meaning of a text before any token is read.
 *
 * @param prepared whether {@code ?} is a parameter and {@code ??} the operator {@code ?}, as in a
 *     prepared statement
 * @param standardConformingStrings whether a backslash is an ordinary character in {@code '…'}
 */
public record LexOptions(boolean prepared, boolean standardConformingStrings) {
  /** A plain statement at the server's defaults. */
  public static final LexOptions STATEMENT = new LexOptions(false, true);

  /** A prepared statement at the server's defaults. */
  public static final LexOptions PREPARED = new LexOptions(true, true);

  private static final LexOptions ESCAPING = new LexOptions(false, false);
  private static final LexOptions PREPARED_ESCAPING = new LexOptions(true, false);

  /** Returns what a text is read by; creates no object. */
  public static LexOptions of(boolean prepared, boolean standardConformingStrings) {
    if (standardConformingStrings) {
      return prepared ? PREPARED : STATEMENT;
    }
    return prepared ? PREPARED_ESCAPING : ESCAPING;
  }
}
