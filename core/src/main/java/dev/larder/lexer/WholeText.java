package dev.larder.lexer;

import dev.larder.lexer.QueryHints.Caching;
import dev.larder.lexer.Token.Kind;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts the literals back that were taken out of a text. Stateless. */
public final class WholeText {
  private WholeText() {}

  /**
   * Returns a text that is lexed to this very shape and these literals, so that it is the same
   * statement as the one that they were taken from; or null where none was found.
   */
  public static @Nullable String of(StatementShape shape, @Nullable Object[] literals) {
    String text = shape.text();
    if (literals.length == 0 && is(text, shape, literals)) {
      return text; // It may be the whole text, hints included.
    }
    String whole = hints(shape.hints()) + filled(text, shape.options(), literals);
    return is(whole, shape, literals) ? whole : null;
  }

  private static boolean is(String sql, StatementShape shape, @Nullable Object[] literals) {
    StatementText lexed = SqlLexer.lex(sql, shape.options());
    return lexed.shape().equals(shape) && lexed.literals().equals(Arrays.asList(literals));
  }

  private static String hints(QueryHints hints) {
    StringBuilder comments = new StringBuilder();
    if (hints.caching() != Caching.DEFAULT) {
      comments.append(hints.caching() == Caching.ON ? "/*larder:on*/ " : "/*larder:off*/ ");
    }
    hint("ttl", hints.timeToLive(), comments);
    hint("stale", hints.staleness(), comments);
    return comments.toString();
  }

  private static void hint(String name, @Nullable Duration time, StringBuilder comments) {
    if (time != null) {
      long millis = time.toMillis();
      String words = millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
      comments.append("/*larder:").append(name).append('=').append(words).append("*/ ");
    }
  }

  private static String filled(String text, LexOptions options, @Nullable Object[] literals) {
    StringBuilder whole = new StringBuilder(text.length() + 16 * literals.length);
    TokenScanner scanner = new TokenScanner(text, options);
    int copied = 0;
    int next = 0;
    while (next < literals.length && scanner.next()) {
      if (isPlaceholder(text, scanner)) {
        whole.append(text, copied, scanner.start()).append(literals[next++]);
        copied = scanner.end();
      }
    }
    return whole.append(text, copied, text.length()).toString();
  }

  private static boolean isPlaceholder(String text, TokenScanner scanner) {
    return scanner.kind() == Kind.NUMBER
        ? scanner.is('0')
        : (scanner.kind() == Kind.STRING || scanner.kind() == Kind.ESCAPE_STRING)
            && scanner.end() - scanner.start() == 2
            && text.startsWith("''", scanner.start());
  }
}
