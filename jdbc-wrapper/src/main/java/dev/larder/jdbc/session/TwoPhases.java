package dev.larder.jdbc.session;

import dev.larder.engine.PreparedTransactions;
import dev.larder.engine.SessionReads;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.sql.StatementKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows on one connection which names of prepared transactions are taken and freed. */
record TwoPhases(PreparedTransactions prepared, Overlap overlap) {
  /**
   * Follows what was sent and answered.
   *
   * @param reads of the session; null where they are not kept
   */
  void follow(StatementKinds kinds, Sent.Failure failure, @Nullable SessionReads reads) {
    List<String> names = kinds.preparedNames();
    if (!names.isEmpty()) {
      names.forEach(gid -> prepare(gid, kinds, failure));
      if (reads != null) {
        reads.prepared(names);
      }
    } else if (failure == Sent.Failure.NONE) {
      ended(kinds.preparedName(StatementKind.COMMIT_PREPARED));
      ended(kinds.preparedName(StatementKind.ROLLBACK_PREPARED));
    }
  }

  /** Of a text of several it is not known which of them has failed. */
  private void prepare(String gid, StatementKinds kinds, Sent.Failure failure) {
    boolean several = kinds.areSeveral() || overlap.isDoubtful();
    if (!several && failure == Sent.Failure.REFUSED) {
      prepared.refused(gid);
    } else {
      prepared.prepared(gid, !several && failure == Sent.Failure.NONE);
    }
  }

  private void ended(@Nullable String gid) {
    if (gid != null) {
      prepared.ended(gid);
    }
  }
}
