package dev.larder.code;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Comments to the end of a line. Stateless. */
final class LineComments {
  private LineComments() {}

  /** Returns whether {@code next} matches at the beginning of a line behind such a comment. */
  static boolean isFollowedBy(Pattern next, String text) {
    Matcher line = next.matcher(text);
    int comment = text.indexOf("--");
    while (comment >= 0) {
      int end = comment;
      while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
        end++;
      }
      if (end < text.length() && line.region(end + 1, text.length()).lookingAt()) {
        return true;
      }
      comment = text.indexOf("--", end);
    }
    return false;
  }
}
