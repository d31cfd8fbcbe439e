package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the names behind a dot that may be types which a value is cast to: {@code (a).date}, and
 * {@code x.date} of a function in FROM whose value is no row. A column that the text lists for the
 * function, or that is called like it, is none; and what stands behind the name of a table or of a
 * subquery never is.
 */
final class FieldCasts {
  /** Functions in FROM that never return anything but rows. */
  private static final Set<String> ROWS = Set.of("json_table", "xmltable");

  private final Tokens tokens;
  private final Set<String> values = new HashSet<>();
  private final Map<String, Set<String>> columns = new HashMap<>();
  private final Deque<Integer> brackets = new ArrayDeque<>();

  FieldCasts(Tokens tokens) {
    this.tokens = tokens;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        brackets.push(i);
      } else if (tokens.isSymbol(i, ")") && !brackets.isEmpty()) {
        collectCall(brackets.pop(), i);
      } else if (tokens.get(i).kind().isName() && !brackets.isEmpty()) {
        collectColumn(i, brackets.element() - 1);
      }
    }
  }

  /**
   * Returns the names of what may be types.
   *
   * @param ofValues the names behind the dot of what has no name
   * @param ofNames the names behind the dot of a name, by that
   */
  Set<String> among(Set<String> ofValues, Map<String, Set<String>> ofNames) {
    Set<String> found = new HashSet<>(ofValues);
    for (String value : values) {
      Set<String> listed = columns.getOrDefault(value, Set.of());
      for (String field : ofNames.getOrDefault(value, Set.of())) {
        if (!listed.contains(field) && !field.equals(value)) {
          found.add(field);
        }
      }
    }
    return found;
  }

  private void collectColumn(int index, int owner) {
    boolean listed = tokens.isSymbol(index - 1, "(") || tokens.isSymbol(index - 1, ",");
    if (listed && tokens.get(owner).isIdentifier() && !isFirstOfItem(owner)) {
      String list = tokens.get(owner).name();
      columns.computeIfAbsent(list, key -> new HashSet<>()).add(tokens.get(index).name());
    }
  }

  /** Notes what the value of a call may be referred to by, where the brackets are those of one. */
  private void collectCall(int open, int close) {
    Token owner = tokens.get(open - 1);
    boolean call = (owner.isIdentifier() || owner.is("cast")) && isFirstOfItem(open - 1);
    if (!(call || tokens.is(open - 2, "rows", "from"))
        || ROWS.contains(owner.name())
        || tokens.isCommonTable(close + 1)) {
      return;
    }
    values.add(owner.name());
    Token alias = tokens.get(tokens.is(close + 1, "as") ? close + 2 : close + 1);
    if (alias.kind().isName()) {
      values.add(alias.name());
    }
  }

  /** Whether the name that ends with {@code index} begins an item of FROM, or may. */
  private boolean isFirstOfItem(int index) {
    Token before = tokens.get(tokens.nameStart(index) - 1);
    return before.is("from")
        || before.is("join")
        || before.is("lateral")
        || before.isSymbol(",")
        || before.isSymbol("(");
  }
}
