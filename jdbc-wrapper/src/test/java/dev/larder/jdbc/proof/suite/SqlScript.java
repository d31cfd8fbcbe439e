package dev.larder.jdbc.proof.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A script for psql, taken apart into its statements and commands by the rules of psql's scanner
 * ({@code src/fe_utils/psqlscan.l}). Knows nothing of what they mean, but for quotes, brackets and
 * bodies in BEGIN ATOMIC.
 */
final class SqlScript {
  private static final Pattern VARIABLE =
      Pattern.compile(":(?:(\\w+)|'(\\w+)'|\"(\\w+)\"|\\{\\?(\\w+)\\})");
  private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\w$]*|\\d[\\w.]*");
  private static final Pattern DOLLAR = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\w]*)?\\$");
  private static final Pattern COMMAND = Pattern.compile("\\\\([^\\s\\\\]*)");
  private static final Pattern ROUTINE =
      Pattern.compile("create\\s+(or\\s+replace\\s+)?(function|procedure)\\b.*", Pattern.DOTALL);
  private static final Pattern QUOTES_WITH_BACKSLASH =
      Pattern.compile("set\\s+standard_conforming_strings\\s*(=|to)\\s*'?(off|on)'?");

  /** The commands that send the statement before them. */
  private static final Set<String> SENDING =
      Set.of("g", "gx", "gset", "gexec", "gdesc", "crosstabview", "watch", "r", "reset");

  private final String script;
  private int at;
  private final StringBuilder buffer = new StringBuilder();
  private final List<Piece.Variable> variables = new ArrayList<>();
  private boolean blank = true;
  private int brackets;
  private int bodies;
  private boolean several;
  private boolean backslashes;

  SqlScript(String script) {
    this.script = script;
  }

  /** Returns the next piece, or null at the end. */
  @Nullable Piece next() {
    while (at < script.length()) {
      char c = script.charAt(at);
      if (c == '\\') {
        Piece command = backslash();
        if (command != null) {
          return command;
        }
      } else if (c == ';' && brackets == 0 && bodies == 0) {
        at++;
        Piece statement = statement(null, "");
        if (!statement.text().isEmpty()) {
          return statement;
        }
      } else {
        token(c);
      }
    }
    return blank ? null : statement(null, "");
  }

  /** Returns the lines up to the one that ends the data of COPY, and goes on behind it. */
  String copyData() {
    int line = script.indexOf('\n', at) + 1;
    int start = line == 0 ? script.length() : line;
    for (int end = start; end < script.length(); end = endOfLine(end) + 1) {
      if (script.startsWith("\\.", end)
          && script.substring(end, endOfLine(end)).trim().length() == 2) {
        at = endOfLine(end);
        return script.substring(start, end);
      }
    }
    at = script.length();
    return script.substring(start);
  }

  private int endOfLine(int from) {
    int end = script.indexOf('\n', from);
    return end < 0 ? script.length() : end;
  }

  private Piece statement(@Nullable String command, String arguments) {
    int line = 1 + (int) script.substring(0, at).chars().filter(c -> c == '\n').count();
    String text = buffer.toString();
    Piece piece = new Piece(line, text, several, List.copyOf(variables), command, arguments);
    Matcher quotes = QUOTES_WITH_BACKSLASH.matcher(text.toLowerCase(Locale.ROOT));
    if (quotes.matches()) {
      backslashes = "off".equals(quotes.group(2));
    }
    buffer.setLength(0);
    variables.clear();
    blank = true;
    several = false;
    brackets = 0;
    bodies = 0;
    return piece;
  }

  private @Nullable Piece backslash() {
    char next = at + 1 < script.length() ? script.charAt(at + 1) : ' ';
    if (next == ';' || next == ':') {
      buffer.append(next);
      several |= next == ';';
      blank = false;
      at += 2;
      return null;
    }
    Matcher name = matcher(COMMAND);
    String command = name.lookingAt() ? name.group(1) : "";
    at = name.end();
    String arguments = arguments();
    if (SENDING.contains(command)) {
      return statement(command, arguments);
    }
    int line = 1 + (int) script.substring(0, at).chars().filter(c -> c == '\n').count();
    return new Piece(line, "", false, List.of(), command, arguments);
  }

  /** Reads up to the end of the line, or to the next command on it. */
  private String arguments() {
    int start = at;
    char quote = 0;
    int end = endOfLine(at);
    for (; at < end; at++) {
      char c = script.charAt(at);
      if (quote == 0 && c == '\\') {
        break;
      }
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"' || c == '`')) {
        quote = c;
      }
    }
    String arguments = script.substring(start, at).strip();
    at += script.startsWith("\\\\", at) ? 2 : 0;
    return arguments;
  }

  private Matcher matcher(Pattern pattern) {
    return pattern.matcher(script).region(at, script.length()).useTransparentBounds(true);
  }

  private void token(char c) {
    int start = at;
    switch (c) {
      case '-' -> at = script.startsWith("--", at) ? endOfLine(at) : at + 1;
      case '/' -> at = script.startsWith("/*", at) ? afterComment() : at + 1;
      case '\'' -> at = afterQuote(at, backslashes);
      case '"' -> at = afterQuote(at, false);
      case '$' -> at = afterDollar();
      case ':' -> colon();
      case '(' -> {
        brackets++;
        at++;
      }
      case ')' -> {
        brackets = Math.max(0, brackets - 1);
        at++;
      }
      default -> word();
    }
    boolean comment = script.startsWith("--", start) || script.startsWith("/*", start);
    blank &= comment || Character.isWhitespace(c);
    if (!blank) {
      buffer.append(script, start, at);
    }
  }

  private int afterComment() {
    int depth = 1;
    int end = at + 2;
    for (; depth > 0 && end < script.length(); end++) {
      if (script.startsWith("/*", end)) {
        depth++;
        end++;
      } else if (script.startsWith("*/", end)) {
        depth--;
        end++;
      }
    }
    return end;
  }

  private int afterQuote(int start, boolean escapes) {
    char quote = script.charAt(start);
    for (int end = start + 1; end < script.length(); end++) {
      char c = script.charAt(end);
      if (escapes && c == '\\') {
        end++;
      } else if (c == quote) {
        return end + 1;
      }
    }
    return script.length();
  }

  private int afterDollar() {
    Matcher tag = matcher(DOLLAR);
    if (!tag.lookingAt()) {
      return at + 1;
    }
    int end = script.indexOf(tag.group(), tag.end());
    return end < 0 ? script.length() : end + tag.group().length();
  }

  private void colon() {
    Matcher variable = matcher(VARIABLE);
    if (script.startsWith("::", at)) {
      at += 2;
    } else if (variable.lookingAt()) {
      int start = buffer.length();
      for (int group = 1; group <= variable.groupCount(); group++) {
        String name = variable.group(group);
        if (name != null) {
          char mark = new char[] {0, '\'', '"', '?'}[group - 1];
          int end = start + variable.end() - at;
          variables.add(new Piece.Variable(start, end, mark, name));
        }
      }
      at = variable.end();
    } else {
      at++;
    }
  }

  private void word() {
    Matcher word = matcher(WORD);
    if (!word.lookingAt()) {
      at += Character.charCount(script.codePointAt(at));
      return;
    }
    at = word.end();
    String name = word.group().toLowerCase(Locale.ROOT);
    if (name.equals("e") && at < script.length() && script.charAt(at) == '\'') {
      at = afterQuote(at, true);
    }
    boolean begins = name.equals("begin") || (name.equals("case") && bodies > 0);
    if (begins && brackets == 0 && isRoutine()) {
      bodies++;
    } else if (name.equals("end") && bodies > 0) {
      bodies--;
    }
  }

  private boolean isRoutine() {
    return ROUTINE.matcher(buffer.toString().toLowerCase(Locale.ROOT)).matches();
  }
}
