package dev.larder.jdbc.statement;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.session.PoolerQuestions;
import java.sql.SQLException;

/**
 * Sends reads whose results may be kept. Behind a pooler it asks, in the same transaction, under
 * which settings they read. Confined to the thread that uses the connection.
 */
final class ProvenReads {
  private final PhysicalConnection physical;
  private final StatementPipeline pipeline;
  private final FormatOfResults formats;
  private boolean proven = true;

  ProvenReads(PhysicalConnection physical, StatementPipeline pipeline, FormatOfResults formats) {
    this.formats = formats;
    this.physical = physical;
    this.pipeline = pipeline;
  }

  /** Returns whether the last one surely read under the settings of its key. */
  boolean isSo() {
    return proven;
  }

  /** Sends what a miss or a comparison reads. */
  <T> T send(
      CachingStatement statement, Plan plan, Effects effects, Lookup.Miss miss, SqlCall<T> run)
      throws SQLException {
    PoolerQuestions pooler = physical.state().pooler();
    proven = pooler == null;
    if (pooler == null || !miss.isAdmissible()) {
      return pipeline.send(statement, plan, miss.key().binds(), effects, run);
    }
    CommitMode mode = physical.session().commitMode();
    if (mode == CommitMode.AUTO && physical.isIdleAtServer()) {
      return sendAlone(pooler, statement, plan, effects, miss, run);
    }
    boolean asked =
        mode != CommitMode.CLOSED
            && pooler.proves(
                miss.key().session(), miss.resolution().key(), physical.isIdleAtServer());
    physical.isIdleAtServer(); // A transaction may have begun.
    T answer = pipeline.send(statement, plan, miss.key().binds(), effects, run);
    proven = asked;
    return answer;
  }

  /** Puts a transaction around question and read. */
  private <T> T sendAlone(
      PoolerQuestions pooler,
      CachingStatement statement,
      Plan plan,
      Effects effects,
      Lookup.Miss miss,
      SqlCall<T> run)
      throws SQLException {
    SqlCall<T> sent = statement.allAtOnce(formats.asUsual(statement, plan, run));
    return physical
        .sender()
        .sendInBlock(
            effects.ofExecution(plan, miss.key().binds()),
            () -> {
              proven = pooler.provesAlone(miss.key().session(), miss.resolution().key());
              return sent.call();
            },
            statement);
  }
}
