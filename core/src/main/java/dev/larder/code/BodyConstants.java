package dev.larder.code;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the texts that a body executes, where they are the same each time: from constants, from
 * variables that never have another value, from what the trigger is told, and from what {@code ||},
 * format, quote_ident and quote_literal make of them. A value that may differ becomes a parameter
 * where it is quoted as a constant. Exact: returns the text that the server would compute, or null.
 * Used by one thread, when the whole body has been read.
 */
final class BodyConstants {
  /** Stands before the name of a type. */
  static final String TYPE = "::";

  /** Stands for any constant in quotes. */
  private static final String ANY = "$9999";

  private static final String BEFORE_CONSTANTS = " \n\t(,=[";
  private static final String BEHIND_CONSTANTS = " \n\t),=;:]";

  /** Begins and ends a name that the server may set in quotes, or not. */
  private static final char NAME = '\ue000';

  private static final int DEEPEST = 20;

  /** Characters of all that is computed for a body: each variable may double what it is made of. */
  private static final int MOST_WORK = 1 << 18;

  private final Tokens tokens;
  private final BodySql sql;
  private final Assignments assignments;
  private final @Nullable TriggerPlace place;
  private final Set<String> builtins = new HashSet<>();
  private int depth;
  private int anys;
  private int work;

  BodyConstants(Tokens tokens, BodySql sql, Assignments assignments, @Nullable TriggerPlace place) {
    this.tokens = tokens;
    this.sql = sql;
    this.assignments = assignments;
    this.place = place;
  }

  /** Returns the functions, operators and types that were taken for the server's own. */
  Set<String> builtins() {
    return builtins;
  }

  /** Returns the text that is executed; null if it may be another each time. */
  @Nullable String executed(int from, int end) {
    anys = 0;
    String text = value(from, end, true);
    if (text == null || !namesStandAlone(text)) {
      return null;
    }
    String executed = text.replace(String.valueOf(NAME), "");
    return constantsStandAlone(executed) ? executed : null;
  }

  /** What stands beside a name belongs to it only where the server sets it in no quotes. */
  private static boolean namesStandAlone(String text) {
    String[] parts = text.split(String.valueOf(NAME), -1);
    for (int i = 1; i < parts.length; i++) {
      String before = parts[i - 1];
      String behind = parts[i];
      boolean outer = i == 1 || i == parts.length - 1;
      if ((before.isEmpty() || behind.isEmpty()) ? !outer : areOneName(before, behind)) {
        return false;
      }
    }
    return true;
  }

  private static boolean areOneName(String before, String behind) {
    return isPartOfName(before.charAt(before.length() - 1)) && isPartOfName(behind.charAt(0));
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || "_$\"'&".indexOf(c) >= 0 || c >= 128;
  }

  /** A constant within a comment or another constant could end it. */
  private boolean constantsStandAlone(String text) {
    for (int i = text.indexOf(ANY); i >= 0; i = text.indexOf(ANY, i + 1)) {
      int end = i + ANY.length();
      boolean alone =
          (i == 0 || BEFORE_CONSTANTS.indexOf(text.charAt(i - 1)) >= 0)
              && (end == text.length() || BEHIND_CONSTANTS.indexOf(text.charAt(end)) >= 0);
      if (!alone) {
        return false;
      }
    }
    Tokens inner = Tokens.of(text, LexOptions.SINGLE_BYTE);
    return inner.count(i -> inner.get(i).text().equals(ANY)) == anys;
  }

  /**
   * Returns the value of an expression, or null.
   *
   * @param orNull whether it may be NULL, too
   */
  private @Nullable String value(int from, int end, boolean orNull) {
    if (depth == DEEPEST || from >= end) {
      return null;
    }
    depth++;
    List<int[]> parts = split(from, end, "||");
    StringBuilder value = new StringBuilder();
    for (int[] part : parts) {
      String text = part(part[0], part[1], orNull);
      work += text == null ? 0 : text.length() + 1;
      if (text == null || work > MOST_WORK) {
        value = null;
        break;
      }
      value.append(text);
    }
    depth--;
    if (parts.size() > 1) {
      builtins.add("||");
    }
    return value == null ? null : value.toString();
  }

  private List<int[]> split(int from, int end, String symbol) {
    List<int[]> parts = new ArrayList<>();
    int level = 0;
    int start = from;
    for (int i = from; i < end; i++) {
      level += tokens.get(i).depth();
      if (level == 0 && tokens.isSymbol(i, symbol)) {
        parts.add(new int[] {start, i});
        start = i + 1;
      }
    }
    parts.add(new int[] {start, end});
    return parts;
  }

  private @Nullable String part(int from, int end, boolean orNull) {
    if (tokens.isSymbol(end - 2, "::") && tokens.is(end - 1, "text")) {
      builtins.add(TYPE + "text");
      return part(from, end - 2, orNull);
    }
    if (end == from + 1) {
      return tokens.get(from).kind().isName() ? variable(from, orNull) : given(sql.constant(from));
    }
    if (tokens.isSymbol(from, "(")) {
      return tokens.afterClosing(from) == end ? value(from + 1, end - 1, orNull) : null;
    }
    if (tokens.isSymbol(from + 1, "[")) {
      return end == from + 4 && tokens.isSymbol(from + 3, "]") ? argument(from) : null;
    }
    boolean call = tokens.isSymbol(from + 1, "(") && tokens.afterClosing(from + 1) == end;
    return call && tokens.get(from).kind() == Kind.WORD ? call(from, end - 1) : null;
  }

  /** Refuses a text that has in it what stands for something else here. */
  private static @Nullable String given(@Nullable String text) {
    return text == null || !isGiven(text) ? null : text;
  }

  private static boolean isGiven(String text) {
    return !text.contains(ANY) && text.indexOf(NAME) < 0;
  }

  private @Nullable String variable(int index, boolean orNull) {
    String name = tokens.get(index).name();
    Assignments.Value only = assignments.only(index);
    if (only != null) {
      builtins.addAll(List.of(TYPE + "text", TYPE + "varchar"));
      return only.always() || orNull ? value(only.from(), only.end(), orNull) : null;
    }
    return place == null || assignments.mayAssign(name)
        ? null
        : switch (name) {
          case "tg_table_name", "tg_relname" -> given(place.table());
          case "tg_table_schema" -> given(place.schema());
          default -> null;
        };
  }

  private @Nullable String argument(int index) {
    List<String> arguments = place == null ? null : place.arguments();
    Token number = tokens.get(index + 2);
    boolean known =
        tokens.get(index).name().equals("tg_argv")
            && !assignments.mayAssign("tg_argv")
            && number.text().matches("[0-9]{1,3}");
    if (arguments == null || !known) {
      return null;
    }
    int at = Integer.parseInt(number.text());
    return at < arguments.size() ? given(arguments.get(at)) : null;
  }

  private @Nullable String call(int index, int close) {
    List<int[]> arguments = split(index + 2, close, ",");
    String name = tokens.get(index).name();
    int from = arguments.get(0)[0];
    int end = arguments.get(0)[1];
    builtins.add(name);
    return switch (name) {
      case "format" -> format(arguments);
      case "quote_ident" -> arguments.size() == 1 ? name(from, end) : null;
      case "quote_literal" -> arguments.size() == 1 ? literal(from, end) : null;
      default -> null;
    };
  }

  /** As format does, but for widths. */
  private @Nullable String format(List<int[]> arguments) {
    String format = value(arguments.get(0)[0], arguments.get(0)[1], false);
    if (format == null || !isGiven(format)) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    int next = 1;
    for (int i = 0; i < format.length(); i++) {
      if (format.charAt(i) != '%') {
        text.append(format.charAt(i));
        continue;
      }
      int dollar = i + 2 < format.length() && format.charAt(i + 2) == '$' ? i + 2 : i;
      if (dollar > i) {
        next = Character.digit(format.charAt(i + 1), 10);
      }
      boolean percent = format.startsWith("%%", i);
      i = dollar + 1;
      char type = i < format.length() ? format.charAt(i) : 'x';
      String value = percent ? "%" : formatted(type, next, arguments);
      if (value == null) {
        return null;
      }
      text.append(value);
      next += percent ? 0 : 1;
    }
    return text.toString();
  }

  private @Nullable String formatted(char type, int number, List<int[]> arguments) {
    if (number < 1 || number >= arguments.size()) {
      return null;
    }
    int from = arguments.get(number)[0];
    int end = arguments.get(number)[1];
    if (tokens.is(from, "variadic")) {
      return null;
    }
    return switch (type) {
      case 's' -> value(from, end, false);
      case 'I' -> name(from, end);
      case 'L' -> literal(from, end);
      default -> null;
    };
  }

  /** Returns a value as a name, in quotes where the server sets them. */
  private @Nullable String name(int from, int end) {
    String value = value(from, end, false);
    if (value == null || value.isEmpty() || !isGiven(value)) {
      return null;
    }
    if (!value.matches("[a-z_][a-z0-9_]*")) {
      return '"' + value.replace("\"", "\"\"") + '"';
    }
    return QuotedWords.mayBeQuoted(value) ? null : NAME + value + NAME;
  }

  /** Returns a value as a constant, whatever it is. */
  private @Nullable String literal(int from, int end) {
    int before = anys;
    String value = value(from, end, false);
    if (value != null && isGiven(value) && !value.contains("\\")) {
      return "'" + value.replace("'", "''") + "'";
    }
    anys = before + 1;
    return ANY;
  }
}
