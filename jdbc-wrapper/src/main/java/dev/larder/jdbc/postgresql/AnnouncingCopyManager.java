package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.ByteStreamWriter;

/** The driver's COPY, whose writes are announced when it begins and published when it ends. */
final class AnnouncingCopyManager extends CopyManager {
  private final StatementGate gate;

  AnnouncingCopyManager(BaseConnection connection, StatementGate gate) throws SQLException {
    super(connection);
    this.gate = gate;
  }

  // Every other copyIn of the driver's begins with this one.
  @Override
  public CopyIn copyIn(String sql) throws SQLException {
    StatementGate.Passage passage = gate.enter(sql);
    try {
      return new AnnouncedCopyIn(super.copyIn(sql), passage);
    } catch (SQLException | RuntimeException | Error e) {
      passage.leave(e);
      throw e;
    }
  }

  @Override
  public CopyOut copyOut(String sql) throws SQLException {
    // COPY (query) TO may run a query that writes.
    StatementGate.Passage passage = gate.enter(sql);
    try {
      return new AnnouncedCopyOut(super.copyOut(sql), passage);
    } catch (SQLException | RuntimeException | Error e) {
      passage.leave(e);
      throw e;
    }
  }

  @Override
  public CopyDual copyDual(String sql) throws SQLException {
    return super.copyDual(sql);
  }

  /** A call of the driver's that returns nothing. */
  private interface Step {
    void run() throws SQLException;
  }

  /** A COPY that is under way; whoever ends it publishes. */
  private abstract static class Announced<C extends CopyOperation> implements CopyOperation {
    final C copy;
    final StatementGate.Passage passage;

    Announced(C copy, StatementGate.Passage passage) {
      this.copy = copy;
      this.passage = passage;
    }

    /** Does something that may fail; where the server ends the COPY, nobody else will. */
    final void on(Step step) throws SQLException {
      Throwable thrown = null;
      try {
        step.run();
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        if (!copy.isActive()) {
          passage.leave(thrown);
        }
      }
    }

    /** Does something after which the COPY has ended, whatever it says. */
    final void last(Step step) throws SQLException {
      Throwable thrown = null;
      try {
        step.run();
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        passage.leave(thrown);
      }
    }

    @Override
    public void cancelCopy() throws SQLException {
      last(copy::cancelCopy);
    }

    @Override
    public int getFieldCount() {
      return copy.getFieldCount();
    }

    @Override
    public int getFormat() {
      return copy.getFormat();
    }

    @Override
    public int getFieldFormat(int field) {
      return copy.getFieldFormat(field);
    }

    @Override
    public boolean isActive() {
      return copy.isActive();
    }

    @Override
    public long getHandledRowCount() {
      return copy.getHandledRowCount();
    }
  }

  /** The driver's COPY FROM. */
  private static final class AnnouncedCopyIn extends Announced<CopyIn> implements CopyIn {
    AnnouncedCopyIn(CopyIn copy, StatementGate.Passage passage) {
      super(copy, passage);
    }

    @Override
    public void writeToCopy(byte[] buffer, int offset, int length) throws SQLException {
      on(() -> copy.writeToCopy(buffer, offset, length));
    }

    @Override
    public void writeToCopy(ByteStreamWriter from) throws SQLException {
      on(() -> copy.writeToCopy(from));
    }

    @Override
    public void flushCopy() throws SQLException {
      on(copy::flushCopy);
    }

    @Override
    public long endCopy() throws SQLException {
      long[] rows = new long[1];
      last(
          () -> {
            rows[0] = copy.endCopy();
            passage.wrote(rows[0]);
          });
      return rows[0];
    }
  }

  /** The driver's COPY TO. */
  private static final class AnnouncedCopyOut extends Announced<CopyOut> implements CopyOut {
    AnnouncedCopyOut(CopyOut copy, StatementGate.Passage passage) {
      super(copy, passage);
    }

    @Override
    public byte @Nullable [] readFromCopy() throws SQLException {
      return readFromCopy(true);
    }

    @Override
    public byte @Nullable [] readFromCopy(boolean block) throws SQLException {
      byte[][] row = new byte[1][];
      on(() -> row[0] = copy.readFromCopy(block));
      return row[0];
    }
  }
}
