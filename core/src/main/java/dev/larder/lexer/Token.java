package dev.larder.lexer;

import java.util.Set;

/**
 * One token of a shape.
 *
 * @param kind never a comment
 * @param text as written
 * @param name what a name is called: folded, without its quotes, cut to the server's 63 bytes; for
 *     any other token its text
 */
public record Token(Kind kind, String text, String name) {
  /** What no table, column, type or function can be called without quotes. */
  private static final Set<String> RESERVED =
      Set.of(
          ("all analyse analyze and any array as asc asymmetric both case cast check collate column"
                  + " constraint create current_catalog current_date current_role current_time"
                  + " current_timestamp current_user default deferrable desc distinct do else end"
                  + " except false fetch for foreign from grant group having in initially intersect"
                  + " into lateral leading limit localtime localtimestamp not null offset on only or"
                  + " order placing primary references returning select session_user some symmetric"
                  + " table then to trailing true union unique user using variadic when where window"
                  + " with")
              .split(" "));

  /** Stands for everything behind the last token. */
  public static final Token END = new Token(Kind.END, "", "");

  /** Whether this is the unquoted {@code word}, given in lower case. */
  public boolean is(String word) {
    return kind == Kind.WORD && name.equals(word);
  }

  /** Whether this is punctuation or an operator spelled so. */
  public boolean isSymbol(String symbol) {
    return (kind == Kind.PUNCTUATION || kind == Kind.OPERATOR) && text.equals(symbol);
  }

  /** Returns 1 where a bracket opens, -1 where one closes, else 0. */
  public int depth() {
    if (isSymbol("(") || isSymbol("[")) {
      return 1;
    }
    return isSymbol(")") || isSymbol("]") ? -1 : 0;
  }

  /** Whether this is a keyword that no name can be without quotes. */
  public boolean isReserved() {
    return kind == Kind.WORD && RESERVED.contains(name);
  }

  /** Whether this may be the name of a relation, column, type or routine. */
  public boolean isIdentifier() {
    return kind.isName() && !isReserved();
  }

  /** Whether this is a constant or a parameter. */
  public boolean isValue() {
    return kind.isText() || kind == Kind.NUMBER || kind == Kind.BIT_STRING || isParameter();
  }

  /** Whether this is a parameter. */
  public boolean isParameter() {
    return kind == Kind.PARAMETER || kind == Kind.POSITIONAL_PARAMETER;
  }

  /** What a token is, by PostgreSQL's lexical rules. */
  public enum Kind {
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
    public boolean isText() {
      return this == STRING
          || this == ESCAPE_STRING
          || this == UNICODE_STRING
          || this == DOLLAR_STRING;
    }

    /** Whether the token is a name as far as a grammar without keywords can tell. */
    public boolean isName() {
      return this == WORD || this == QUOTED_NAME || this == UNICODE_NAME;
    }

    /** Whether two such tokens, written without a space in between, may be one to some server. */
    public boolean isWordlike() {
      return this == WORD
          || this == NUMBER
          || this == PARAMETER
          || this == POSITIONAL_PARAMETER
          || this == DOLLAR_STRING;
    }
  }
}
