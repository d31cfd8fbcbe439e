package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the text of a SET or RESET says of the setting afterwards. Stateless. */
final class SetCommands {
  /** The server cuts longer identifiers, but not longer strings. */
  private static final int MAX_IDENTIFIER = 63;

  /** A number that the server shows as it was written. */
  private static final Pattern PLAIN_NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,8}");

  private SetCommands() {}

  /** Returns whether a value is one that the server does not cut. */
  static boolean isPlain(@Nullable String value) {
    return value != null && value.length() <= MAX_IDENTIFIER;
  }

  /**
   * Returns whether the value alone says what the setting is afterwards. That holds for custom
   * settings and for the time zone; others are completed (DateStyle), resolved (search_path) or
   * have facts that follow from them (role): the server is asked.
   *
   * @param text whether it is what set_config was given, of any length
   */
  static boolean isFollowed(String name, String value, boolean text) {
    if (!text && !isPlain(value)) {
      return false;
    }
    return name.equals("timezone")
        ? isZone(value)
        : name.indexOf('.') > 0 && !ServerSettings.isAlwaysRead(name);
  }

  private static boolean isZone(String value) {
    return isPlain(value)
        && !isShownOtherwise(value)
        && !value.equalsIgnoreCase("local")
        && !value.equalsIgnoreCase("default");
  }

  /** Returns whether the server reads a number in a value, and shows another text. */
  private static boolean isShownOtherwise(String value) {
    boolean number =
        !value.isEmpty()
            && (Character.isDigit(value.charAt(0)) || "+-.".indexOf(value.charAt(0)) >= 0);
    return number && !PLAIN_NUMBER.matcher(value).matches();
  }

  /** Returns whether a timeout may be short after a statement. */
  static boolean mayHurry(StatementKind kind, @Nullable SessionCommand command) {
    if (kind != StatementKind.SET && kind != StatementKind.RESET && kind != StatementKind.DISCARD) {
      return false;
    }
    if (command == null) {
      return true;
    }
    String value = command.value();
    return kind == StatementKind.SET
        ? ServerSettings.isTimeout(command.name())
            && (value == null || !ServerSettings.isLongTimeout(value))
        : command.name().equals("all") || ServerSettings.isTimeout(command.name());
  }
}
