package dev.larder.jdbc.effects;

import dev.larder.engine.Plan;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts that set one custom setting for a transaction alone, to a value that the server shows as it
 * is written, and do nothing else: {@code SET LOCAL} and {@code set_config(…, true)}. Stateless.
 */
public final class LocalSettings {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_$]*(?:\\.[a-z_][a-z0-9_$]*)+");

  /** The server cuts longer names, and longer values that are written as names. */
  private static final int MAX_NAME = 63;

  private static final int MAX_VALUE = 1_000;

  /** A constant in quotes: the server shows it as it is written. */
  private static final Pattern SET_LOCAL =
      Pattern.compile(
          "\\s*set\\s+local\\s+[\\w.$\"]+\\s*(?:=|\\sto\\s)\\s*'[^'\\\\]*'\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE);

  /** One call, whose column has no other name. */
  private static final Pattern SET_CONFIG =
      Pattern.compile(
          "\\s*select\\s+(?:pg_catalog\\.)?set_config\\s*\\([^()\\\\]*\\)\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE);

  private LocalSettings() {}

  /** Tells what calls of {@code set_config} set, where the names of the text mean what they say. */
  @FunctionalInterface
  public interface Calls {
    /** Returns what they set in one execution. */
    SettingChanges changes() throws SQLException;
  }

  /** Returns whether {@code plan} is of the form of such a text, whatever it sets. */
  public static boolean isOfTheForm(Plan plan) {
    StatementKind kind = plan.shape().kind();
    return kind == StatementKind.SET
        ? SET_LOCAL.matcher(plan.sql()).matches()
        : kind == StatementKind.QUERY && SET_CONFIG.matcher(plan.sql()).matches();
  }

  /** Returns what a plan of the form sets for the transaction, or null. */
  public static @Nullable SessionCommand command(Plan plan, Calls calls) throws SQLException {
    StatementFacts only = plan.only();
    if (only == null) {
      return null;
    }
    SessionCommand command = only.command();
    if (only.kind() == StatementKind.QUERY) {
      List<SessionCommand> told =
          only.settingCalls().size() == 1 ? calls.changes().told() : List.of();
      command = told.size() == 1 ? told.get(0) : null;
    }
    return command != null && command.local() && isPlain(command) ? command : null;
  }

  private static boolean isPlain(SessionCommand command) {
    String value = command.value();
    return value != null
        && value.length() <= (command.form() == SessionCommand.Form.TEXT ? MAX_VALUE : MAX_NAME)
        && value.chars().allMatch(c -> c >= ' ' && c < 127 && c != '\\')
        && command.name().length() <= MAX_NAME
        && NAME.matcher(command.name()).matches();
  }

  /** Returns a call of {@code set_config}, to stand in a select list. */
  public static String asCall(SessionCommand command) {
    return "pg_catalog.set_config('%s', %s, true)".formatted(command.name(), quoted(command));
  }

  /** Returns the text of {@code SET LOCAL}, which takes no snapshot. */
  public static String asSet(SessionCommand command) {
    return "SET LOCAL \"%s\" = %s".formatted(command.name().replace(".", "\".\""), quoted(command));
  }

  private static String quoted(SessionCommand command) {
    return '\'' + String.valueOf(command.value()).replace("'", "''") + '\'';
  }
}
