package dev.larder.log;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prepares other people's words for a log, an exception, SHOW, JMX and the console: credentials are
 * left out, and a character that would begin a line, steer a terminal or turn the direction of the
 * text is shown as an escape. Each pass is linear. Stateless.
 */
public final class MessageText {
  private static final String LEFT_OUT = "…";

  /** The name of a parameter that may hold a credential, and what separates its value. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "(password|passwd|passphrase|pwd|secret|token|credential|(?:encryption|access|private|api)[_.-]?key)"
              + "[a-z]{0,16}\"?'?\\s?(?:=|:|%(?:25){0,3}3d)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern NEXT_PARAMETER =
      Pattern.compile("&|%(?:25){0,3}26", Pattern.CASE_INSENSITIVE);

  private MessageText() {}

  /** Returns {@code words} without credentials, in one line. */
  public static String of(String words) {
    return escaped(withoutCredentials(words));
  }

  /** Returns the message of {@code thrown}, or its class if it has none; as {@link #of(String)}. */
  public static String of(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : of(message.strip());
  }

  /**
   * Returns the part of a URL that names the server: without parameters, user and password. What
   * stands before the last {@code @} counts as credentials.
   */
  public static String server(String url) {
    int at = url.lastIndexOf('@');
    int begin = Math.max(0, url.indexOf("//") + 2);
    String shown =
        at < begin
            ? url
            : (begin > 2 ? url.substring(0, begin) : "") + LEFT_OUT + url.substring(at);
    int question = shown.indexOf('?');
    return of(question < 0 ? shown : shown.substring(0, question));
  }

  /**
   * Returns {@code words} without what may be a credential: user and password before the {@code @}
   * of a URL, and the value of a parameter whose name speaks of a password or key, up to the next
   * {@code &} or the end.
   */
  static String withoutCredentials(String words) {
    String rest = words.indexOf('@') < 0 ? words : withoutUsers(words);
    Matcher credential = CREDENTIAL.matcher(rest);
    if (!credential.find()) {
      return rest;
    }
    StringBuilder shown = new StringBuilder(rest.length());
    Matcher next = NEXT_PARAMETER.matcher(rest);
    int from = 0;
    do {
      shown.append(rest, from, credential.end()).append(LEFT_OUT);
      from = next.find(credential.end()) ? next.start() : rest.length();
    } while (credential.find(from));
    return shown.append(rest, from, rest.length()).toString();
  }

  private static String withoutUsers(String words) {
    StringBuilder shown = new StringBuilder(words.length());
    int start = 0;
    for (int i = 0; i <= words.length(); i++) {
      if (i == words.length() || Character.isWhitespace(words.charAt(i))) {
        appendWithoutUser(shown, words.substring(start, i));
        shown.append(words, i, Math.min(i + 1, words.length()));
        start = i + 1;
      }
    }
    return shown.toString();
  }

  private static void appendWithoutUser(StringBuilder shown, String word) {
    int at = word.lastIndexOf('@');
    int slashes = word.indexOf("//");
    boolean url = slashes >= 0 && slashes < at;
    int colon = word.indexOf(':');
    if (url) {
      shown.append(word, 0, slashes + 2).append(LEFT_OUT).append(word, at, word.length());
    } else if (colon >= 0 && colon < at) {
      shown.append(LEFT_OUT).append(word, at, word.length());
    } else {
      shown.append(word);
    }
  }

  /** Returns {@code words} with each invisible character but the space as an escape of Java's. */
  public static String escaped(String words) {
    int first = 0;
    while (first < words.length() && !isEscaped(words.charAt(first))) {
      first++;
    }
    if (first == words.length()) {
      return words;
    }
    StringBuilder shown = new StringBuilder(words.length() + 16).append(words, 0, first);
    for (int i = first; i < words.length(); i++) {
      char c = words.charAt(i);
      if (isEscaped(c)) {
        shown.append(escape(c));
      } else {
        shown.append(c);
      }
    }
    return shown.toString();
  }

  private static boolean isEscaped(char c) {
    if (c >= ' ' && c < 0x7f) {
      return false;
    }
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static String escape(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format("\\u%04x", (int) c);
    };
  }

  /**
   * Returns {@code thrown} as a log may show it: itself if all its messages are fit for that, else
   * a copy with the same stack traces.
   */
  static @Nullable Throwable shown(@Nullable Throwable thrown) {
    return thrown == null || isFit(thrown, 0) ? thrown : new Shown(thrown, 0);
  }

  private static boolean isFit(Throwable thrown, int depth) {
    String words = thrown.toString();
    Throwable cause = thrown.getCause();
    return depth <= Shown.DEEPEST
        && of(words).equals(words)
        && (cause == null || isFit(cause, depth + 1))
        && Arrays.stream(thrown.getSuppressed()).allMatch(each -> isFit(each, depth + 1));
  }

  /** A copy of what was thrown, for the log only. */
  private static final class Shown extends Exception {
    private static final long serialVersionUID = 1;

    /** Causes may go in a circle. */
    private static final int DEEPEST = 20;

    Shown(Throwable thrown, int depth) {
      super(of(thrown.toString()), depth < DEEPEST ? copy(thrown.getCause(), depth) : null);
      setStackTrace(thrown.getStackTrace());
      if (depth < DEEPEST) {
        for (Throwable each : thrown.getSuppressed()) {
          addSuppressed(new Shown(each, depth + 1));
        }
      }
    }

    private static @Nullable Throwable copy(@Nullable Throwable cause, int depth) {
      return cause == null ? null : new Shown(cause, depth + 1);
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message begins with the other's class.
    public String toString() {
      return String.valueOf(getMessage());
    }
  }
}
