package dev.larder.jdbc.connection;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.gate.StatementGate;
import dev.larder.jdbc.session.Means;
import dev.larder.jdbc.session.SessionState;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is sent by other means than JDBC statements, between its announce and its publish. */
final class Passages {
  private final Sender sender;
  private final ConnectionEnd connectionEnd;
  private final SessionState state;
  private final Set<Sending> open;

  Passages(Sender sender, SessionState state, ConnectionEnd connectionEnd) {
    this.sender = sender;
    this.state = state;
    this.connectionEnd = connectionEnd;
    this.open = connectionEnd.passages();
  }

  /** Returns whether nothing is under way. */
  boolean areDone() {
    return open.isEmpty();
  }

  /** As {@link StatementGate#enter(String, boolean)}. */
  StatementGate.Passage enter(Effects effects, boolean unbegun) throws SQLException {
    Sending sending = sender.begin(effects, Means.aside(unbegun));
    connectionEnd.servedBy(state.origin());
    open.add(sending);
    return new StatementGate.Passage() {
      @Override
      public void wrote(long written) {
        sender.counted(written);
      }

      @Override
      public void leave(@Nullable Throwable thrown) {
        if (open.remove(sending)) {
          sender.end(sending, thrown);
        }
      }
    };
  }
}
