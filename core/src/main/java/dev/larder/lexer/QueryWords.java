package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words and operators of a text that is plainly one query and writes and locks nothing by
 * itself. It does more than read only if one of them means something that does: whatever a query
 * calls is named in it, or is behind what it names. To find them takes a small part of what an
 * analysis takes. Immutable and thread-safe.
 *
 * @param all the names, folded and without their quotes, and the operators; some may be there twice
 */
public record QueryWords(List<String> all) {
  /** A longer text is worth a look at its tokens. */
  private static final int MAX_CHARACTERS = 20_000;

  /** The longest name that the server keeps (NAMEDATALEN - 1). */
  private static final int NAME_CHARACTERS = 63;

  /**
   * A query writes only behind these (see {@code SqlAnalyzer}), locks rows only by two of them, and
   * TREAT calls what looks like a type.
   */
  private static final Set<String> NOT_PLAIN =
      Set.of("insert", "update", "delete", "merge", "into", "share", "treat");

  public QueryWords {
    all = List.copyOf(all);
  }

  /** Returns the words of {@code shape}, or null unless it is plain what kind of text it is. */
  public static @Nullable QueryWords of(StatementShape shape) {
    if (shape.text().length() > MAX_CHARACTERS) {
      return null;
    }
    List<String> words = new ArrayList<>();
    Reader reader = new Reader(shape.text(), shape.options());
    while (reader.next()) {
      if (reader.word != null) {
        words.add(reader.word);
      }
    }
    boolean query =
        !words.isEmpty() && (words.get(0).equals("select") || words.get(0).equals("with"));
    return query && reader.isPlain() ? new QueryWords(words) : null;
  }

  /** Walks over the tokens until one is not plain. */
  private static final class Reader {
    private final String text;
    private final TokenScanner scanner;
    private @Nullable String word;
    private int depth;
    private boolean plain = true;
    private boolean behindDot;
    private boolean qualified;

    Reader(String text, LexOptions options) {
      this.text = text;
      this.scanner = new TokenScanner(text, options);
    }

    /** Moves on to the next token; {@link #word} is null unless it is a name or an operator. */
    boolean next() {
      if (!plain || !scanner.next()) {
        return false;
      }
      word = null;
      switch (scanner.kind()) {
        case WORD -> plain = isPlainWord(Tokens.fold(token()));
        case QUOTED_NAME -> plain = isPlainName(unquoted());
        case OPERATOR -> operator(token());
        case PUNCTUATION -> plain = isPlainMark();
        case UNICODE_NAME, OTHER -> plain = false;
        default -> {}
      }
      if (scanner.kind() != Kind.COMMENT) {
        boolean name = scanner.kind() == Kind.WORD || scanner.kind() == Kind.QUOTED_NAME;
        qualified = behindDot && name;
        behindDot = scanner.is('.');
      }
      return plain;
    }

    boolean isPlain() {
      return plain && depth == 0;
    }

    private String token() {
      return text.substring(scanner.start(), scanner.end());
    }

    private String unquoted() {
      return text.substring(scanner.start() + 1, scanner.end() - 1).replace("\"\"", "\"");
    }

    private boolean isPlainWord(String name) {
      return !NOT_PLAIN.contains(name) && isPlainName(name);
    }

    /** What the server cuts, or reads by its encoding, is not plain; nor are temporary schemas. */
    private boolean isPlainName(String name) {
      word = name;
      boolean ascii = true;
      for (int i = 0; i < name.length(); i++) {
        ascii &= name.charAt(i) < 128;
      }
      return ascii && name.length() <= NAME_CHARACTERS && !name.startsWith("pg_temp");
    }

    private void operator(String symbol) {
      String sent = symbol.contains("??") ? symbol.replace("??", "?") : symbol;
      word = sent.equals("!=") ? "<>" : sent;
    }

    /** Calls of what is in a schema may be of what the catalog does not hold. */
    private boolean isPlainMark() {
      boolean opens = scanner.is('(') || scanner.is('[');
      boolean closes = scanner.is(')') || scanner.is(']');
      depth += opens ? 1 : closes ? -1 : 0;
      return depth >= 0 && !scanner.is(';') && !(qualified && scanner.is('('));
    }
  }
}
