package dev.larder.code;

import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a body assigns: its variables, and the row of its trigger. Used by one thread. */
final class Assignments {
  /** The variables that are rows of a trigger. */
  private static final Set<String> ROWS = Set.of("new", "old");

  /** What the server declares, some of it anew in each handler of exceptions. */
  private static final Pattern SERVERS = Pattern.compile("tg_.*|sqlerrm|sqlstate|found");

  private static final Value SEVERAL = new Value(0, 0, 0, false);

  private final Tokens tokens;
  private final Set<String> fields = new HashSet<>();
  private final Map<String, Integer> times = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();
  private final Map<String, Integer> texts = new HashMap<>();
  private boolean any;

  /**
   * The tokens of what is assigned.
   *
   * @param declared the end of the declaration: before, its name means another variable
   * @param always whether the variable has never another value, NULL included
   */
  record Value(int declared, int from, int end, boolean always) {}

  Assignments(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Notes that NEW may become another row as a whole. */
  void replace() {
    any = true;
  }

  /** Notes the variable that starts at {@code index} as assigned; a label may stand before NEW. */
  void assign(int index) {
    int end = tokens.afterName(index);
    int row = isRow(index) ? index : index + 2;
    if (row < end && isRow(row)) {
      boolean field = tokens.isSymbol(row + 1, ".") && tokens.get(row + 2).kind().isName();
      any |= !field || tokens.get(row).name().equals("old");
      fields.add(tokens.get(row + 2).name());
    }
    count(index, end);
  }

  /** Notes that what is named there may be assigned as a whole. */
  void assignAny(int from, int end) {
    any |= IntStream.range(from, Math.max(from, end)).anyMatch(this::isRow);
    count(from, end);
  }

  private void count(int from, int end) {
    for (int i = from; i < end; i++) {
      times.merge(tokens.get(i).name(), 1, Integer::sum);
    }
  }

  private boolean isRow(int index) {
    Token token = tokens.get(index);
    return token.kind().isName() && ROWS.contains(token.name());
  }

  /** Notes the declaration of a variable for the whole body, from its name on. */
  void declare(int index, int end) {
    int type = tokens.is(index + 1, "constant") ? index + 2 : index + 1;
    int behind = type + 1;
    String name = tokens.get(index).name();
    boolean text =
        (tokens.is(type, "text") || tokens.is(type, "varchar")) && !SERVERS.matcher(name).matches();
    boolean given =
        tokens.isSymbol(behind, ":=")
            || tokens.isSymbol(behind, "=")
            || tokens.is(behind, "default");
    if (text && given) {
      give(name, new Value(end, behind + 1, end, true));
    } else if (text && behind == end) {
      texts.put(name, end);
    }
  }

  /** Notes what is assigned to the variable whose whole name is at {@code index}. */
  void give(int index, int from, int end) {
    String name = tokens.get(index).name();
    Integer declared = texts.get(name);
    if (declared != null) {
      give(name, new Value(declared, from, end, false));
    }
  }

  private void give(String name, Value value) {
    values.merge(name, value, (one, other) -> SEVERAL);
  }

  /** Returns the only value that the variable of text at {@code index} ever gets, or null. */
  @Nullable Value only(int index) {
    String variable = tokens.get(index).name();
    Value value = values.getOrDefault(variable, SEVERAL);
    // A declaration counts, too.
    boolean once = times.getOrDefault(variable, 0) == (value.always() ? 1 : 2);
    return once && value.end() > 0 && value.declared() < index ? value : null;
  }

  /** Returns whether the body may assign a variable of that name, or declare one. */
  boolean mayAssign(String variable) {
    return times.containsKey(variable);
  }

  /** Returns the fields of NEW that are assigned, or null where it may be any. */
  @Nullable Set<String> fields() {
    return any ? null : fields;
  }
}
