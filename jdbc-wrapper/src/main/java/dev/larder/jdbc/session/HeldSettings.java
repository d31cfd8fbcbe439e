package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import dev.larder.store.SessionFingerprint;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has set that the server was not sent: the tracker shows the settings with it,
 * and here are those that the server has. Confined to the thread that uses the connection.
 */
public final class HeldSettings {
  private final SessionTracker tracker;
  private final AcceptedNames accepted = new AcceptedNames();

  /** The server's own, while it was not sent something; else null. */
  private @Nullable SettingScopes atServer;

  HeldSettings(SessionTracker tracker) {
    this.tracker = tracker;
  }

  /** Returns whether the server was not sent something. */
  public boolean any() {
    return atServer != null;
  }

  /**
   * Has the transaction set something for itself; returns false, and does nothing, if the server
   * may refuse it, or if it is not known what holds then.
   */
  public boolean add(SessionCommand command) {
    SessionFingerprint known = tracker.current();
    if (known == null
        || tracker.isAskedInVain()
        || !tracker.customNames().contains(command.name())
        || !accepted.has(command.name(), known.currentUser())) {
      return false;
    }
    SettingScopes before = tracker.scopes();
    tracker.become(tracker.rules().held(before, command));
    if (tracker.current() == null) {
      tracker.become(before);
      return false;
    }
    atServer = atServer == null ? before : atServer;
    return true;
  }

  /** Returns the names of what {@link #add} takes from the session as it is. */
  public Set<String> accepted() {
    SessionFingerprint known = tracker.current();
    return known == null ? Set.of() : accepted.of(known.currentUser());
  }

  /** Returns the settings that were read and are no module's. */
  public Set<String> free() {
    return accepted.free();
  }

  /** Takes all of it back. */
  public void forget() {
    sending();
    sent();
  }

  /** Follows from what the server has; until {@link #sent} the tracker shows what it did before. */
  public void sending() {
    SettingScopes known = atServer;
    atServer = null;
    if (known != null) {
      tracker.scopes(known);
    }
  }

  /** Has the tracker show what the server has. */
  public void sent() {
    tracker.become(tracker.scopes());
  }

  /** Notes that its transaction has ended by itself. */
  void ended() {
    atServer = null;
  }

  /** Changes what the server has as the tracker changes what it shows. */
  void change(UnaryOperator<SettingScopes> rule) {
    SettingScopes known = atServer;
    atServer = known == null ? null : rule.apply(known);
  }

  /** Takes over what the session has answered. */
  void read(SessionFacts facts, boolean inTransaction) {
    accepted.read(facts, inTransaction);
  }

  /** Notes what has run. */
  void ran(Sent sent) {
    accepted.ran(sent, tracker.current());
  }
}
