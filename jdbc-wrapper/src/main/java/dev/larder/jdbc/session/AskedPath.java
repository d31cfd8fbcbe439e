package dev.larder.jdbc.session;

import dev.larder.sql.SessionCommand;
import dev.larder.sql.SessionCommand.Form;
import org.jspecify.annotations.Nullable;

/**
 * A search path that was set, or that another role was set for, and whose meaning only the server
 * knows: the answer to the next question teaches it. Confined to the thread that uses the
 * connection.
 */
final class AskedPath {
  private SearchPaths.@Nullable Setting setting;

  /** What is unknown for no other reason. */
  private @Nullable SettingScopes scopes;

  /** Notes what was sent: the path that the session has now if nobody knows its meaning. */
  void set(SettingScopes before, SettingScopes after, Sent sent) {
    SessionCommand command = sent.onlySet();
    Settings settings = before.now();
    SearchPaths.Setting set =
        after.now() != null || sent.failed() || settings == null || command == null
            ? null
            : of(settings, command);
    if (set != null) {
      setting = set;
      scopes = after;
    } else if (scopes != null && !scopes.isSameScope(after)) {
      boolean otherwise = scopes.isSameScope(before) && !sent.failed() && setsCustom(command);
      scopes = otherwise ? after : null;
    }
  }

  /** No path means something else because of a custom setting. */
  private static boolean setsCustom(@Nullable SessionCommand command) {
    return command != null && SettingRules.isCustom(command.name());
  }

  /** Returns whether the answer to the next question teaches the meaning of a path. */
  boolean isPending() {
    return scopes != null;
  }

  private static SearchPaths.@Nullable Setting of(Settings settings, SessionCommand command) {
    String value = command.value();
    if (value != null && command.name().equals("role")) {
      String user = SettingRules.user(settings, value);
      return new SearchPaths.Setting(settings.shownPath(), Form.TEXT, user);
    }
    return value != null
            && command.name().equals("search_path")
            && (command.form() != Form.SINGLE || SetCommands.isPlain(value))
        ? new SearchPaths.Setting(value, command.form(), settings.fingerprint().currentUser())
        : null;
  }

  /** Returns the path that an answer is the meaning of, or null; and forgets it. */
  SearchPaths.@Nullable Setting taken(SettingScopes present) {
    SettingScopes when = scopes;
    scopes = null;
    return when != null && when.isSameScope(present) ? setting : null;
  }
}
