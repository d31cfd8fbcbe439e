package dev.larder.code;

import dev.larder.lexer.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the words of a body say of it, wherever they stand, in comments and strings too. Immutable
 * and thread-safe.
 *
 * @param text in lower case
 */
record BodyText(String text) {
  private static final String NO_LETTER_BEFORE = "(?<![a-z_\\x80-\\uffff])";
  private static final String NO_LETTER_AFTER = "(?![a-z0-9_$\\x80-\\uffff])";
  private static final String DYNAMIC = "do(?!\\s++(?:nothing|update)\\b)|execute";

  private static final String SET = "\\s*+(?:re)?set" + NO_LETTER_AFTER;

  private static final Pattern DDL =
      Pattern.compile(
          word(
                  "alter|analyse|analyze|cluster|comment|create|discard|drop|grant|import|load"
                      + "|prepare|reassign|reindex|revoke|security|vacuum|"
                      + DYNAMIC)
              + "|u&");

  private static final Pattern HIDES_CALLS = Pattern.compile(word("set_config|" + DYNAMIC) + "|u&");

  /**
   * SET and RESET begin a statement, or anything may stand before them. What is created may be
   * temporary, which sessions tell with their settings.
   */
  private static final Pattern CHANGES_SETTINGS =
      Pattern.compile(
          word("set_config|pg_settings|pg_reload_conf|discard|pg_temp\\w*|" + DYNAMIC)
              + "|"
              + NO_LETTER_BEFORE
              + "(?:create|replace|into|local|global)(?:\\s++(?:temp(?:orary)?|table|view|sequence)"
              + NO_LETTER_AFTER
              + "|\\s*+(?:--|/\\*))"
              + "|(?:^|[;>/]|"
              + NO_LETTER_BEFORE
              + "(?:atomic|begin|else|loop|then))"
              + SET
              + "|u&");

  private static final Pattern SET_NEXT = Pattern.compile(SET);

  private static final Pattern USERS =
      Pattern.compile(word("user|(?:current|session)_user|current_role|getpgusername"));

  /** In LANGUAGE sql INTO makes a table, but for that of INSERT and MERGE. */
  private static final Pattern SELECT_INTO =
      Pattern.compile("(?<![a-z_])(?<!(?:insert|merge)\\s)into" + NO_LETTER_AFTER);

  /** The relation that a statement of a body names as its target; or a word that is none. */
  private static final Pattern TARGET =
      Pattern.compile(
          NO_LETTER_BEFORE
              + "(?:insert\\s++into|merge\\s++into|delete\\s++from|update|truncate(?:\\s++table)?)\\s++"
              + "(?:only\\s++)?((?:[a-z_][a-z0-9_]*\\.)?[a-z_][a-z0-9_]*)");

  private static final Pattern WORD =
      Pattern.compile("[a-z_\\x80-\\uffff][a-z0-9_$\\x80-\\uffff]*");

  /** So long are the server's names at most. */
  private static final int NAME_BYTES = 63;

  /** Returns whether it may run DDL. */
  boolean runsDdl() {
    return DDL.matcher(text).find();
  }

  /** Returns whether a query in it makes a table, in LANGUAGE sql. */
  boolean selectsInto() {
    return SELECT_INTO.matcher(text).find();
  }

  /** Returns whether it may call what it does not name. */
  boolean hidesCalls() {
    return HIDES_CALLS.matcher(text).find();
  }

  /** Returns whether it may change settings. */
  boolean setsSettings() {
    return CHANGES_SETTINGS.matcher(text).find() || LineComments.isFollowedBy(SET_NEXT, text);
  }

  /** Returns whether it names who the user is. */
  boolean namesUsers() {
    return USERS.matcher(text).find();
  }

  /** Returns what stands where the target of a write stands. */
  Set<String> targets() {
    Set<String> named = new TreeSet<>();
    TARGET.matcher(text).results().forEach(target -> named.add(target.group(1)));
    return named;
  }

  /**
   * Returns its words, those that are too long as the server cuts them too, and those of {@code
   * symbols} that are in it.
   */
  Set<String> words(Collection<String> symbols) {
    Set<String> words =
        WORD.matcher(text)
            .results()
            .map(MatchResult::group)
            .flatMap(word -> Stream.of(word, asServerCuts(word)))
            .collect(Collectors.toSet());
    symbols.stream().filter(text::contains).forEach(words::add);
    return words;
  }

  /** Returns what the server takes a name that is too long for. */
  private static String asServerCuts(String word) {
    if (word.length() * 3 <= NAME_BYTES) {
      return word;
    }
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= NAME_BYTES
        ? word
        : new String(bytes, 0, NAME_BYTES, StandardCharsets.UTF_8).replace("\ufffd", "");
  }

  /** Returns a word that stands wherever the name does, or null if there is none. */
  static @Nullable String wordOf(String name) {
    Matcher word = WORD.matcher(Tokens.foldLoosely(name));
    return word.find() ? word.group() : null;
  }

  private static String word(String alternatives) {
    return NO_LETTER_BEFORE + "(?:" + alternatives + ")" + NO_LETTER_AFTER;
  }
}
