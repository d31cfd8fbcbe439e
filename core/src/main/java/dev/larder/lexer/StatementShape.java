package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * A statement without its literals, comments and white space: what a thousand point lookups have in
 * common. The text is SQL that parses: a string literal stands as {@code ''}, a number as {@code
 * 0}; literals that change the meaning (see {@link SqlLexer}) stand as they are written. Equal
 * texts, options and hints are equal shapes. Immutable and thread-safe.
 */
public final class StatementShape {
  private static final Pattern SPECIAL_WORD =
      Pattern.compile(
          "'(now|today|tomorrow|yesterday|epoch|-?infinity|)'", Pattern.CASE_INSENSITIVE);

  private final String text;
  private final LexOptions options;
  private final QueryHints hints;
  private final boolean commentAsStatement;
  private final int hash;
  private final AtomicBoolean charged = new AtomicBoolean();

  StatementShape(String text, LexOptions options, QueryHints hints) {
    this(text, options, hints, false);
  }

  StatementShape(String text, LexOptions options, QueryHints hints, boolean commentAsStatement) {
    this.text = text;
    this.options = options;
    this.hints = hints;
    this.commentAsStatement = commentAsStatement;
    this.hash = 31 * text.hashCode() + options.name().hashCode();
  }

  /** Returns the normalized SQL. */
  public String text() {
    return text;
  }

  /**
   * Returns the SQL for people: without the contents of those literals too that the shape keeps,
   * but for the words that make them part of it.
   */
  public String shownText() {
    StringBuilder shown = new StringBuilder(text.length());
    TokenScanner scanner = new TokenScanner(text, options);
    int copied = 0;
    while (scanner.next()) {
      Kind kind = scanner.kind();
      boolean unended = kind == Kind.OTHER && scanner.end() - scanner.start() > 1;
      if (kind.isText() || kind == Kind.BIT_STRING || unended) {
        String literal = text.substring(scanner.start(), scanner.end());
        shown.append(text, copied, scanner.start());
        shown.append(SPECIAL_WORD.matcher(literal).matches() ? literal : "''");
        copied = scanner.end();
      }
    }
    return shown.append(text, copied, text.length()).toString();
  }

  /** Returns how the text was lexed. */
  public LexOptions options() {
    return options;
  }

  /** Returns what the comments asked for. */
  public QueryHints hints() {
    return hints;
  }

  /**
   * Returns whether nothing but a comment stands behind a semicolon. The driver sends that as one
   * more statement, and takes its answer for one more result.
   */
  public boolean hasCommentAsStatement() {
    return commentAsStatement;
  }

  /**
   * Returns true to one caller until it {@linkplain #discharge() discharges} the shape: the entry
   * that accounts for the memory of the shape itself, which its siblings share.
   */
  public boolean charge() {
    return !charged.get() && charged.compareAndSet(false, true);
  }

  /** The entry that accounted for the shape is gone: another may. */
  public void discharge() {
    charged.set(false);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof StatementShape that
            && hash == that.hash
            && text.equals(that.text)
            && options == that.options
            && hints.equals(that.hints));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return text;
  }
}
