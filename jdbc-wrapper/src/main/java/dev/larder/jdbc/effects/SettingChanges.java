package dev.larder.jdbc.effects;

import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.keys.BoundValue;
import dev.larder.lexer.StatementText;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.SettingCall;
import dev.larder.sql.SettingCall.Argument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is set beside what commands say. Immutable.
 *
 * @param any whether anything is
 * @param untold whether settings may change in ways that the text does not tell
 * @param told what calls of {@code set_config} in the text set, in order, where they are all of it
 */
public record SettingChanges(boolean any, boolean untold, List<SessionCommand> told) {
  /** Nothing is set. */
  public static final SettingChanges NONE = new SettingChanges(false, false, List.of());

  /** Anything may be set. */
  public static final SettingChanges UNTOLD = new SettingChanges(true, true, List.of());

  public SettingChanges {
    told = List.copyOf(told);
  }

  /** Returns those of a text that may change settings, or of one that does not. */
  static SettingChanges untold(boolean untold) {
    return untold ? UNTOLD : NONE;
  }

  /**
   * Returns what one execution of calls sets; anything, unless it is known what the server gets.
   */
  public static SettingChanges of(
      List<SettingCall> calls, @Nullable Object[] literals, @Nullable Object[] binds) {
    List<SessionCommand> commands = new ArrayList<>();
    for (SettingCall call : calls) {
      Object name = argument(call.name(), literals, binds);
      Object value = argument(call.value(), literals, binds);
      Object local = argument(call.local(), literals, binds);
      if (!(name instanceof String setting)
          || !(value instanceof String text)
          || !(local instanceof Boolean ends)
          || isCut(text)) {
        return UNTOLD;
      }
      String folded = Tokens.fold(setting);
      if (!isFollowed(folded)) {
        return UNTOLD;
      }
      commands.add(new SessionCommand(folded, text, ends, SessionCommand.Form.TEXT));
    }
    return new SettingChanges(true, false, commands);
  }

  /** Others may be refused once a transaction has begun, or set more than they say. */
  private static boolean isFollowed(String name) {
    return name.indexOf('.') > 0
        || name.equals("search_path")
        || name.equals("role")
        || name.equals("timezone")
        || ServerSettings.isIrrelevant(name);
  }

  /** Whether the server may receive less: a value of type char loses the blanks at its end. */
  private static boolean isCut(String text) {
    return text.endsWith(" ") || text.indexOf('\0') >= 0;
  }

  private static @Nullable Object argument(
      Argument argument, @Nullable Object[] literals, @Nullable Object[] binds) {
    int index = argument.index();
    return switch (argument.source()) {
      case LITERAL -> index < literals.length ? text(literals[index]) : null;
      case PARAMETER -> index < binds.length ? sent(binds[index]) : null;
      case TRUE -> true;
      case FALSE -> false;
    };
  }

  private static @Nullable Object text(@Nullable Object literal) {
    return literal instanceof String written && written.indexOf('\\') < 0
        ? StatementText.unquoted(written)
        : null;
  }

  private static @Nullable Object sent(@Nullable Object bind) {
    return bind instanceof BoundValue bound ? bound.boundValue() : bind;
  }
}
