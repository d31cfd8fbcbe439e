package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.SessionCommand.Form;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.ProtocolStep;
import org.jspecify.annotations.Nullable;

/**
 * Which {@link SettingScopes} follow from others by what was sent. A statement that has run is
 * followed by the server's rules. Where nobody knows which of several have run, or where the
 * driver's own savepoints come in, nothing is known any more that could have been changed. Pure.
 *
 * @param paths what values of search_path mean
 * @param catalog the mark of the catalog that they mean it in, or null
 */
record SettingRules(SearchPaths paths, @Nullable Object catalog) {
  /** The server cuts longer names. */
  private static final int MAX_NAME = 63;

  /** Returns what holds after {@code sent}. */
  SettingScopes after(SettingScopes present, Sent sent) {
    boolean wasOpen = sent.before() != TransactionStatus.IDLE;
    SettingScopes scopes =
        wasOpen ? present.begun() : present.isOpen() ? SettingScopes.unknown(false) : present;
    if (sent.mayRestart() && ProtocolStep.DOUBT_SEVERAL_THAT_END.isTaken()) {
      return restarted(scopes, sent);
    }
    return switch (sent.after()) {
      case IDLE -> wasOpen ? ended(scopes, sent) : alone(scopes, sent);
      case FAILED ->
          ProtocolStep.IGNORE_WHAT_WAS_REFUSED.isTaken()
              ? failed(scopes.begun(), sent)
              : run(scopes.begun(), sent);
      case OPEN -> open(scopes.begun(), sent);
    };
  }

  /** Several statements may have ended a transaction and have begun another, or none. */
  private static SettingScopes restarted(SettingScopes scopes, Sent sent) {
    boolean open = sent.after() != TransactionStatus.IDLE;
    if (scopes.isTouched() || sent.touchesSettings()) {
      return SettingScopes.unknown(open);
    }
    SettingScopes ended = scopes.rolledBack();
    return open ? ended.begun().level(Isolation.UNKNOWN) : ended;
  }

  /** A transaction was open and is no longer. */
  private static SettingScopes ended(SettingScopes scopes, Sent sent) {
    boolean rollback = sent.kinds().is(StatementKind.ROLLBACK);
    boolean commit =
        sent.kinds().is(StatementKind.COMMIT) || sent.kinds().is(StatementKind.PREPARE_TRANSACTION);
    if (rollback || (commit && (refused(sent) || sent.before() == TransactionStatus.FAILED))) {
      return scopes.rolledBack();
    }
    return commit && !sent.failed() ? scopes.committed() : SettingScopes.unknown(false);
  }

  private static boolean refused(Sent sent) {
    return sent.failure() == Sent.Failure.REFUSED;
  }

  /** What was sent was a transaction of its own. */
  private SettingScopes alone(SettingScopes scopes, Sent sent) {
    if (!sent.touchesSettings()) {
      return scopes;
    }
    return sent.failed() ? scopes.unclear() : run(scopes.begun(), sent).committed();
  }

  /** The transaction has failed, or had failed already. */
  private static SettingScopes failed(SettingScopes scopes, Sent sent) {
    if (sent.before() == TransactionStatus.FAILED && !sent.kinds().areSeveral()) {
      return scopes; // Nothing has run. Of several, ROLLBACK TO may have let others run.
    }
    if (sent.kinds().areSeveral() || !refused(sent)) {
      return concerns(sent) ? scopes.lost().level(Isolation.UNKNOWN) : scopes;
    }
    return sent.touchesSettings() ? scopes.triedAny() : scopes;
  }

  private SettingScopes open(SettingScopes scopes, Sent sent) {
    if (sent.mayHaveRolledBack()) {
      boolean unclear = concerns(sent) && (sent.kinds().areSeveral() || !refused(sent));
      SettingScopes tried = sent.touchesSettings() ? scopes.triedAny() : scopes;
      return unclear || scopes.isTouched() ? tried.lost().level(Isolation.UNKNOWN) : tried;
    }
    if (!sent.kinds().isChained()) {
      return run(scopes, sent);
    }
    if (sent.before() == TransactionStatus.FAILED
        && ProtocolStep.DOUBT_LEVEL_AFTER_FAILURE.isTaken()) {
      // It has the level of the session, or of the one that failed, depending on where that was.
      return scopes.rolledBack().begun().level(Isolation.UNKNOWN);
    }
    return scopes.chained(
        sent.kinds().is(StatementKind.COMMIT) && sent.before() != TransactionStatus.FAILED
            ? scopes.committed()
            : scopes.rolledBack());
  }

  /** Whether settings, savepoints or the level may be others, if it has run. */
  private static boolean concerns(Sent sent) {
    return sent.touchesSettings()
        || sent.kinds().all().stream()
            .map(StatementFacts::kind)
            .anyMatch(
                kind ->
                    switch (kind) {
                      case BEGIN, SAVEPOINT, RELEASE, ROLLBACK_TO, SET_CONSTRAINTS -> true;
                      default -> false;
                    });
  }

  // ---- statements that have run

  private SettingScopes run(SettingScopes present, Sent sent) {
    SettingScopes scopes = present;
    for (StatementFacts statement : sent.kinds().all()) {
      scopes = run(scopes, statement.kind(), statement.command());
    }
    for (SessionCommand command : sent.settings().told()) {
      scopes = set(scopes, StatementKind.SET, command);
    }
    return sent.settings().untold() ? scopes.unclear() : scopes;
  }

  private SettingScopes run(
      SettingScopes scopes, StatementKind kind, @Nullable SessionCommand command) {
    return switch (kind) {
      case BEGIN -> leveled(scopes, command);
      case SAVEPOINT -> scopes.savepoint(name(command));
      case RELEASE -> scopes.released(name(command));
      case ROLLBACK_TO -> scopes.rolledBackTo(name(command));
      case SET_TRANSACTION -> characteristics(scopes, command);
      case SET, RESET, DISCARD -> command == null ? scopes.unclear() : set(scopes, kind, command);
      // Triggers that were put off may set what those settings are that were read before.
      case SET_CONSTRAINTS -> scopes.isTouched() ? scopes.unclear() : scopes;
      default -> scopes;
    };
  }

  /** Returns the name of a savepoint if it is surely the server's, too. */
  private static @Nullable String name(@Nullable SessionCommand command) {
    return command == null || !isPlain(command.name()) ? null : command.name();
  }

  /** Returns whether the server takes {@code name} as it is: not cut, and folded alike. */
  static boolean isPlain(String name) {
    return name.length() <= MAX_NAME && name.chars().allMatch(character -> character < 128);
  }

  private static SettingScopes characteristics(
      SettingScopes scopes, @Nullable SessionCommand command) {
    if (command == null) {
      return scopes.unclear().level(Isolation.UNKNOWN);
    }
    if (!command.name().equals("session characteristics")) {
      return leveled(scopes, command);
    }
    Isolation level = Isolation.ofModes(command.value());
    return level == null ? scopes : scopes.set(settings -> settings.with(level), command.local());
  }

  private static SettingScopes leveled(SettingScopes scopes, @Nullable SessionCommand command) {
    Isolation level = command == null ? null : Isolation.ofModes(command.value());
    return level == null ? scopes : scopes.level(level);
  }

  // ---- settings

  /** Returns what holds once the transaction, which begins if none is open, has set something. */
  SettingScopes held(SettingScopes scopes, SessionCommand command) {
    return set(scopes.begun(), StatementKind.SET, command);
  }

  private SettingScopes set(SettingScopes scopes, StatementKind kind, SessionCommand command) {
    String name = command.name();
    if (kind == StatementKind.DISCARD
        || name.equals("session authorization")
        || name.equals("session_authorization")) {
      // The role follows, by other rules in each version of the server.
      return SettingScopes.unknown(scopes.isOpen());
    }
    String value = kind == StatementKind.SET ? command.value() : null;
    if (name.equals("transaction_isolation")) {
      return scopes.level(value == null ? Isolation.UNKNOWN : Isolation.of(value));
    }
    if (ServerSettings.isIrrelevant(name)) {
      return scopes;
    }
    SettingScopes tried = isCustom(name) ? scopes.tried(name) : scopes;
    return tried.set(
        settings -> value == null ? null : changed(settings, name, value, command.form()),
        command.local());
  }

  static boolean isCustom(String name) {
    return name.indexOf('.') > 0;
  }

  /** Returns the settings after one was set; null where only the server knows them. */
  private @Nullable Settings changed(Settings settings, String name, String value, Form form) {
    return switch (name) {
      case "default_transaction_isolation" -> {
        Isolation level = Isolation.of(value);
        yield level == Isolation.UNKNOWN ? null : settings.with(level);
      }
      case "search_path" -> {
        SearchPaths.Meaning meaning =
            form != Form.SINGLE || SetCommands.isPlain(value)
                ? meaning(value, form, settings.fingerprint().currentUser())
                : null;
        yield meaning == null ? null : settings.withPath(meaning);
      }
      case "role" -> {
        String user = user(settings, value);
        SearchPaths.Meaning meaning = meaning(settings.shownPath(), Form.TEXT, user);
        yield meaning == null ? null : settings.withRole(user, meaning.schemas());
      }
      default ->
          SetCommands.isFollowed(name, value, form == Form.TEXT)
              ? settings.with(name, value)
              : null;
    };
  }

  private SearchPaths.@Nullable Meaning meaning(String path, Form form, String user) {
    return paths.find(new SearchPaths.Setting(path, form, user), catalog);
  }

  /** Returns whom SET ROLE makes the current user. */
  static String user(Settings settings, String role) {
    return role.equals("none") ? settings.fingerprint().sessionUser() : role;
  }
}
