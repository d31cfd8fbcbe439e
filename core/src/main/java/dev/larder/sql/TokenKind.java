package dev.larder.sql;

/** What a token is, by PostgreSQL's lexical rules. */
enum TokenKind {
  /** An unquoted identifier or keyword. */
  WORD,
  /** {@code "…"}. */
  QUOTED_NAME,
  /** {@code U&"…"}: a name with escapes, which this package does not decode. */
  UNICODE_NAME,
  /** {@code '…'} and {@code N'…'}. */
  STRING,
  /** {@code E'…'}, and {@code '…'} while standard_conforming_strings is off. */
  ESCAPE_STRING,
  /** {@code U&'…'}. */
  UNICODE_STRING,
  /** {@code B'…'} and {@code X'…'}. */
  BIT_STRING,
  /** {@code $tag$…$tag$}. */
  DOLLAR_STRING,
  NUMBER,
  /** {@code ?} of a prepared statement. */
  PARAMETER,
  /** {@code $1}. */
  POSITIONAL_PARAMETER,
  OPERATOR,
  /** One of {@code ( ) [ ] , ; . .. : :: :=}. */
  PUNCTUATION,
  COMMENT,
  /** A character that begins no token, or a quote or comment that never ends. */
  OTHER,
  END;

  /** Whether the token is a string constant of any notation but a bit string. */
  boolean isText() {
    return this == STRING
        || this == ESCAPE_STRING
        || this == UNICODE_STRING
        || this == DOLLAR_STRING;
  }

  /** Whether the token is a name as far as a grammar without keywords can tell. */
  boolean isName() {
    return this == WORD || this == QUOTED_NAME || this == UNICODE_NAME;
  }

  /** Whether two such tokens, written without a space in between, may be one to some server. */
  boolean isWordlike() {
    return this == WORD
        || this == NUMBER
        || this == PARAMETER
        || this == POSITIONAL_PARAMETER
        || this == DOLLAR_STRING;
  }
}
