package dev.larder.jdbc.connection;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement in a transaction block of its own, of which other JVMs are told between its end and
 * its commit. Used once, by one thread.
 */
final class OwnBlock {
  private final PostgresSession session;
  private final SharedWrites sharedWrites;
  private final Announcements announcements;
  private @Nullable PendingWrite pending;
  private SharedWrites.@Nullable Told told;

  OwnBlock(PostgresSession session, SharedWrites sharedWrites, Announcements announcements) {
    this.session = session;
    this.sharedWrites = sharedWrites;
    this.announcements = announcements;
  }

  /** Returns what was announced, or null. */
  @Nullable PendingWrite pending() {
    return pending;
  }

  /** Returns what other JVMs were told, or null. */
  SharedWrites.@Nullable Told told() {
    return told;
  }

  /**
   * Runs and commits the statement. Where the driver does not like what the server has answered, as
   * rows where none were wanted, it has run: without the block it would be committed.
   */
  <T extends @Nullable Object> T run(SqlCall<T> inBlock, Supplier<Effects> effects)
      throws SQLException {
    T answer;
    try {
      answer = inBlock.call();
    } catch (SQLException e) {
      if (session.status() == TransactionStatus.OPEN
          && session.isDefinite(e)
          && !session.isAnswer(e)) {
        commit(effects.get());
      }
      throw e;
    }
    commit(effects.get());
    return answer;
  }

  private void commit(Effects effects) throws SQLException {
    told = sharedWrites.beforeCommit(effects);
    pending = announcements.announce(effects, true);
    FaultPoint.SENDING.pass();
    session.block().commit();
    FaultPoint.ANSWERED.pass();
  }
}
