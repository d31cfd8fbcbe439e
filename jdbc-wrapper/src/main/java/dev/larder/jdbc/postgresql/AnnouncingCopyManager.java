package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
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

  /** The driver's COPY FROM. */
  private static final class AnnouncedCopyIn implements CopyIn {
    private final CopyIn copy;
    private final StatementGate.Passage passage;

    AnnouncedCopyIn(CopyIn copy, StatementGate.Passage passage) {
      this.copy = copy;
      this.passage = passage;
    }

    @Override
    public void writeToCopy(byte[] buffer, int offset, int length) throws SQLException {
      try {
        copy.writeToCopy(buffer, offset, length);
      } catch (SQLException | RuntimeException | Error e) {
        failed(e);
        throw e;
      }
    }

    @Override
    public void writeToCopy(ByteStreamWriter from) throws SQLException {
      try {
        copy.writeToCopy(from);
      } catch (SQLException | RuntimeException | Error e) {
        failed(e);
        throw e;
      }
    }

    @Override
    public void flushCopy() throws SQLException {
      try {
        copy.flushCopy();
      } catch (SQLException | RuntimeException | Error e) {
        failed(e);
        throw e;
      }
    }

    /** Where the server has ended the COPY, nobody ends or cancels it any more. */
    private void failed(Throwable thrown) {
      if (!copy.isActive()) {
        passage.leave(thrown);
      }
    }

    @Override
    public long endCopy() throws SQLException {
      Throwable thrown = null;
      try {
        return copy.endCopy();
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        passage.leave(thrown);
      }
    }

    @Override
    public void cancelCopy() throws SQLException {
      Throwable thrown = null;
      try {
        copy.cancelCopy();
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        passage.leave(thrown);
      }
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

  /** The driver's COPY TO. */
  private static final class AnnouncedCopyOut implements CopyOut {
    private final CopyOut copy;
    private final StatementGate.Passage passage;

    AnnouncedCopyOut(CopyOut copy, StatementGate.Passage passage) {
      this.copy = copy;
      this.passage = passage;
    }

    @Override
    public byte @org.jspecify.annotations.Nullable [] readFromCopy() throws SQLException {
      return read(true);
    }

    @Override
    public byte @org.jspecify.annotations.Nullable [] readFromCopy(boolean block)
        throws SQLException {
      return read(block);
    }

    private byte @org.jspecify.annotations.Nullable [] read(boolean block) throws SQLException {
      try {
        byte[] row = copy.readFromCopy(block);
        if (!copy.isActive()) {
          passage.leave(null);
        }
        return row;
      } catch (SQLException | RuntimeException | Error e) {
        passage.leave(e);
        throw e;
      }
    }

    @Override
    public void cancelCopy() throws SQLException {
      Throwable thrown = null;
      try {
        copy.cancelCopy();
      } catch (SQLException | RuntimeException | Error e) {
        thrown = e;
        throw e;
      } finally {
        passage.leave(thrown);
      }
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
}
