package dev.larder.jdbc.lazy;

import dev.larder.engine.CacheCount;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.effects.LocalSettings;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.sql.SessionCommand;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The settings that transactions above the pool have made for themselves. No connection has them:
 * the one that is borrowed gets those of the present one first. Confined to the thread that uses
 * the connection.
 */
final class UnsentSettings {
  private static final int MAX = 64;

  private final UsualSession session;
  private final List<String> texts = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> ended = new HashSet<>();
  private SessionView view;

  UnsentSettings(UsualSession session) {
    this.session = session;
    this.view = session.view();
  }

  /**
   * Adds one; returns false, and does nothing, if there are too many.
   *
   * @param query whether the application has called set_config
   */
  boolean add(SessionCommand command, boolean query) {
    if (texts.size() == MAX) {
      return false;
    }
    view = session.with(view, command);
    names.add(command.name());
    texts.add(query ? "SELECT " + LocalSettings.asCall(command) : LocalSettings.asSet(command));
    return true;
  }

  /** Returns the usual session with these settings. */
  SessionView view() {
    return view;
  }

  /** Ends a transaction that has needed no connection. */
  void end() {
    texts.forEach(text -> session.like().cache().count(CacheCount.HELD_BACK));
    texts.clear();
    ended.addAll(names);
    names.clear();
    view = session.view();
  }

  /**
   * Leaves on a connection what transactions that have ended would have left: a setting that was
   * unset is empty from then on, and a policy may tell the two apart.
   */
  void leaveOn(Borrowed made) throws SQLException {
    CachingConnection caching = made.caching();
    for (String name : ended) {
      if (caching != null && isUnset(caching.physical(), name)) {
        leaveOn(made.pooled(), name);
      }
    }
  }

  private static void leaveOn(Connection pooled, String name) throws SQLException {
    SessionCommand empty = new SessionCommand(name, "", true, SessionCommand.Form.TEXT);
    try (Statement statement = pooled.createStatement()) {
      statement.execute("SELECT " + LocalSettings.asCall(empty));
    }
    if (!pooled.getAutoCommit()) {
      pooled.rollback();
    }
  }

  private static boolean isUnset(PhysicalConnection physical, String name) {
    SessionFingerprint known = physical.state().tracker().current();
    return known == null
        || known.settings().getOrDefault(name, ServerSettings.UNSET).equals(ServerSettings.UNSET);
  }

  /** Makes them on a connection, in order. */
  void sendOn(Connection pooled) throws SQLException {
    try (Statement statement = pooled.createStatement()) {
      for (String text : texts) {
        statement.execute(text);
      }
    }
  }
}
