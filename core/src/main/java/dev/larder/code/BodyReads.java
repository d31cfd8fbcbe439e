package dev.larder.code;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a body in SQL or PL/pgSQL reads besides its arguments and what is in every key, as its words
 * say: comments and strings count too. It shows that a routine declared IMMUTABLE is not, and never
 * that it is. Immutable.
 *
 * @param anything whether it reads more than settings: a table, the clock, what belongs to the
 *     session, a setting without a literal name, or whatever dynamic SQL says
 * @param settings the settings that it reads by a literal name
 */
record BodyReads(boolean anything, Set<String> settings) {
  private static final String BEFORE = "(?<![a-z0-9_$\\x80-\\uffff])";
  private static final String AFTER = "(?![a-z0-9_$\\x80-\\uffff])";

  private static final Pattern ANYTHING =
      Pattern.compile(
          BEFORE
              + "(?:execute|show|u&"
              + "|now(?=\\s*+\\()|current_(?:date|time|timestamp|query)|localtime(?:stamp)?|timeofday"
              + "|(?:clock|statement|transaction)_timestamp"
              + "|pg_settings|pg_show_all_settings|information_schema"
              + "|system_user|pg_backend_pid|inet_client_(?:addr|port)|txid_current\\w{0,20}"
              + "|pg_current_(?:snapshot|xact_id\\w{0,20}))"
              + AFTER
              + "|'\\s*+(?:now|today|tomorrow|yesterday)"
              + "|"
              + BEFORE
              + "age\\s*+\\([^(),]*+\\)");

  private static final Pattern SETTING = Pattern.compile(BEFORE + "current_setting" + AFTER);

  private static final Pattern LITERAL =
      Pattern.compile("\\s*+\\(\\s*+'([a-z0-9_]++\\.[a-z0-9_.]++)'\\s*+[,)]");

  /** Without one of these a body names no table, nor the type of its rows. */
  private static final Pattern FROM =
      Pattern.compile(BEFORE + "(?:from|join|table|using|cast|declare)" + AFTER + "|::");

  /** A table of the server's own; a function of such a name has a parenthesis. */
  private static final Pattern SYSTEM_TABLE =
      Pattern.compile(
          "(?:from|join|,)\\s*+(?:only\\s++)?+(?:\"?+pg_catalog\"?+\\s*+\\.\\s*+)?+"
              + "\"?+pg_\\w++(?!\\s*+\\()");

  private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"]|\"\")++)\"");

  BodyReads {
    settings = Set.copyOf(settings);
  }

  /**
   * Reads a body.
   *
   * @param text in lower case
   * @param words those of the body
   * @param relations the names of all tables and views, in lower case
   */
  static BodyReads of(String text, Set<String> words, Set<String> relations) {
    boolean anything =
        ANYTHING.matcher(text).find()
            || SYSTEM_TABLE.matcher(text).find()
            || (FROM.matcher(text).find() && namesOne(text, words, relations));
    Set<String> settings = new HashSet<>();
    Matcher setting = SETTING.matcher(text);
    Matcher literal = LITERAL.matcher(text);
    while (setting.find()) {
      boolean known = literal.region(setting.end(), text.length()).lookingAt();
      anything |= !known;
      if (known) {
        settings.add(literal.group(1));
      }
    }
    return new BodyReads(anything, settings);
  }

  /**
   * The server calls the type of a table's rows as the table, and that of their arrays {@code _t}.
   */
  private static boolean isOne(String word, Set<String> relations) {
    int start = 0;
    while (start < word.length() && word.charAt(start) == '_') {
      start++;
    }
    return relations.contains(word) || (start > 0 && relations.contains(word.substring(start)));
  }

  /** Returns whether a word is a relation, or quotes one whose name is no word. */
  private static boolean namesOne(String text, Set<String> words, Set<String> relations) {
    return words.stream().anyMatch(word -> isOne(word, relations))
        || (text.indexOf('"') >= 0
            && QUOTED
                .matcher(text)
                .results()
                .anyMatch(name -> relations.contains(name.group(1).replace("\"\"", "\""))));
  }
}
