package dev.larder.code;

import dev.larder.lexer.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tokens of a {@link TriggerBody}. Stateless. */
final class TriggerTokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\G(?:(?<skip>\\s++|--[^\\n\\r]*+)"
              + "|(?<text>'[^'\\\\]*+(?:''[^'\\\\]*+)*+')"
              + "|(?<number>\\d++(?:\\.\\d++)?)"
              + "|(?<word>[A-Za-z_][A-Za-z0-9_]*+|\"[a-z_][a-z0-9_]*+\")"
              + "|(?<assign>:=)|(?<cast>::)"
              + "|(?<operator>[-+*/<>=~!@#%^&|?]+)"
              + "|(?<punctuation>[(),;.]))");

  private TriggerTokens() {}

  /** Returns the tokens in lower case, literals as {@code '}, or null where one is not known. */
  static @Nullable List<String> of(String body) {
    List<String> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(body);
    int end = 0;
    while (matcher.find()) {
      if (matcher.start() != end) {
        return null;
      }
      end = matcher.end();
      String token = matcher.group();
      if (matcher.group("skip") != null) {
        continue;
      }
      boolean glued = matcher.group("text") != null && prefixed(body, matcher.start());
      boolean comment = token.contains("--") || token.contains("/*");
      boolean operator = matcher.group("operator") != null;
      if (glued || (operator && (comment || mayBeTwo(token)))) {
        return null;
      }
      tokens.add(matcher.group("text") != null ? "'" : Tokens.fold(token.replace("\"", "")));
    }
    return end == body.length() ? tokens : null;
  }

  /** Whether the server may take a sign at the end for an operator of its own. */
  private static boolean mayBeTwo(String operator) {
    return operator.length() > 1 && (operator.endsWith("-") || operator.endsWith("+"));
  }

  private static boolean prefixed(String body, int start) {
    return start > 0 && Character.isLetterOrDigit(body.charAt(start - 1));
  }
}
