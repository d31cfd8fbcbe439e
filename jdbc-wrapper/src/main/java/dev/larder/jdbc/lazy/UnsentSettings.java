package dev.larder.jdbc.lazy;

import dev.larder.engine.CacheCount;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.effects.LocalSettings;
import dev.larder.sql.SessionCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that a transaction above the pool has made for itself. No connection has them: the
 * one that is borrowed gets them first. Confined to the thread that uses the connection.
 */
final class UnsentSettings {
  private static final int MAX = 64;

  private final UsualSession session;
  private final List<String> texts = new ArrayList<>();
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
    texts.add(query ? "SELECT " + LocalSettings.asCall(command) : LocalSettings.asSet(command));
    return true;
  }

  /** Returns the usual session with these settings. */
  SessionView view() {
    return view;
  }

  /** Counts those that no connection was needed for. */
  void count() {
    texts.forEach(text -> session.like().cache().count(CacheCount.HELD_BACK));
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
