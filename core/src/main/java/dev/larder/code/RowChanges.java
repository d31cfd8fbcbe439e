package dev.larder.code;

import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a body makes of the row of its trigger. Used by one thread. */
final class RowChanges {
  /** The variables that are rows of a trigger. */
  private static final Set<String> ROWS = Set.of("new", "old");

  private final Tokens tokens;
  private final Set<String> fields = new HashSet<>();
  private boolean any;

  RowChanges(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Notes that NEW may become another row as a whole. */
  void replace() {
    any = true;
  }

  /** Notes the variable that starts at {@code index} as assigned; a label may stand before NEW. */
  void assign(int index) {
    int row = isRow(index) ? index : index + 2;
    if (row < tokens.afterName(index) && isRow(row)) {
      boolean field = tokens.isSymbol(row + 1, ".") && tokens.get(row + 2).kind().isName();
      any |= !field || tokens.get(row).name().equals("old");
      fields.add(tokens.get(row + 2).name());
    }
  }

  /** Notes that what is named there may be assigned as a whole. */
  void assignAny(int from, int end) {
    any |= IntStream.range(from, Math.max(from, end)).anyMatch(this::isRow);
  }

  private boolean isRow(int index) {
    Token token = tokens.get(index);
    return token.kind().isName() && ROWS.contains(token.name());
  }

  /** Returns the fields of NEW that are assigned, or null where it may be any. */
  @Nullable Set<String> fields() {
    return any ? null : fields;
  }
}
