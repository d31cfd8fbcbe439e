package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of the settings that a session is asked for, besides those of every key. Confined to
 * the thread that uses the connection.
 */
final class SettingNames {
  /** A session with more custom settings than this is not cached until it resets them all. */
  private static final int MAX_NAMES = 64;

  private final Set<String> names = new TreeSet<>();
  private boolean tooMany;

  Set<String> all() {
    return names;
  }

  /** Returns whether more were set than are read. */
  boolean areTooMany() {
    return tooMany;
  }

  /** Adds names; returns whether all are read from now on. */
  boolean add(Collection<String> others) {
    boolean all = true;
    for (String name : others) {
      boolean read = names.size() < MAX_NAMES || names.contains(name);
      if (read) {
        names.add(name);
      }
      all &= read;
    }
    tooMany |= !all;
    return all;
  }

  /** Adds what was set; returns whether all is read from now on. */
  boolean addSet(Sent sent) {
    List<StatementFacts> statements = sent.kinds().all();
    // Without a command the name is one that only the server can read.
    boolean unreadable =
        statements.stream()
            .anyMatch(
                statement -> statement.kind() == StatementKind.SET && statement.command() == null);
    tooMany |= unreadable;
    boolean added =
        add(
            Stream.concat(
                    sent.settings().told().stream(),
                    statements.stream()
                        .filter(statement -> statement.kind() == StatementKind.SET)
                        .map(StatementFacts::command))
                .filter(SettingNames::isFurther)
                .map(SessionCommand::name)
                .toList());
    return added && !unreadable;
  }

  private static boolean isFurther(@Nullable SessionCommand command) {
    return command != null && ServerSettings.isReadOnceSet(command.name());
  }

  void clear() {
    names.clear();
    tooMany = false;
  }
}
