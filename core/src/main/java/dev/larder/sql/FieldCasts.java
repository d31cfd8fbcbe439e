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
  private final Set<String> names = new HashSet<>();
  private final Set<String> values = new HashSet<>();
  private final Map<String, Set<String>> fields = new HashMap<>();
  private final Map<String, Set<String>> columns = new HashMap<>();
  private final Deque<Integer> brackets = new ArrayDeque<>();

  FieldCasts(Tokens tokens) {
    this.tokens = tokens;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        brackets.push(i);
      } else if (tokens.isSymbol(i, ")") && !brackets.isEmpty()) {
        collectCall(brackets.pop(), i);
      } else if (tokens.get(i).kind().isName()) {
        collectName(i);
      }
    }
    values.forEach(this::addFields);
  }

  /** Returns the names of what may be types. */
  Set<String> names() {
    return names;
  }

  private void collectName(int index) {
    String name = tokens.get(index).name();
    if (tokens.isSymbol(index - 1, ".")) {
      Token owner = tokens.get(index - 2);
      if (owner.kind().isName()) {
        fields.computeIfAbsent(owner.name(), key -> new HashSet<>()).add(name);
      } else {
        names.add(name);
      }
    } else if (!brackets.isEmpty()
        && (tokens.isSymbol(index - 1, "(") || tokens.isSymbol(index - 1, ","))) {
      int owner = brackets.element() - 1;
      if (tokens.get(owner).isIdentifier() && !isFirstOfItem(owner)) {
        columns.computeIfAbsent(tokens.get(owner).name(), key -> new HashSet<>()).add(name);
      }
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

  private void addFields(String owner) {
    for (String field : fields.getOrDefault(owner, Set.of())) {
      boolean column = columns.getOrDefault(owner, Set.of()).contains(field);
      if (!column && !field.equals(owner)) {
        names.add(field);
      }
    }
  }
}
