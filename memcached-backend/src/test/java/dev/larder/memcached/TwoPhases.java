package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A write in two phases, the second of which anybody may do. */
enum TwoPhases {
  /** By SQL. */
  TEXT {
    @Override
    void prepare(XADataSource source) throws SQLException {
      XAConnection xa = source.getXAConnection();
      try (Connection connection = xa.getConnection()) {
        run(connection, "BEGIN");
        run(connection, WRITE);
        run(connection, "PREPARE TRANSACTION 'two-phases'");
      } finally {
        xa.close();
      }
    }

    @Override
    void commit(XADataSource source) throws SQLException {
      XAConnection xa = source.getXAConnection();
      try (Statement statement = xa.getConnection().createStatement()) {
        statement.execute("COMMIT PREPARED 'two-phases'");
      } finally {
        xa.close();
      }
    }
  },
  /** As a transaction manager does it, which asks for what it does not know any more. */
  XA {
    @Override
    void prepare(XADataSource source) throws SQLException, XAException {
      XAConnection xa = source.getXAConnection();
      try (Connection connection = xa.getConnection()) {
        XAResource resource = xa.getXAResource();
        Xid branch = new Branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        run(connection, WRITE);
        resource.end(branch, XAResource.TMSUCCESS);
        int unused = resource.prepare(branch);
      } finally {
        xa.close();
      }
    }

    @Override
    void commit(XADataSource source) throws SQLException, XAException {
      XAConnection xa = source.getXAConnection();
      try {
        XAResource resource = xa.getXAResource();
        for (Xid branch : resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)) {
          resource.commit(branch, false);
        }
      } finally {
        xa.close();
      }
    }
  };

  private static final String WRITE = "UPDATE t SET v = 'b' WHERE id = 1";

  /** Writes and prepares, on a connection that is closed then. */
  abstract void prepare(XADataSource source) throws SQLException, XAException;

  /** Commits what is prepared, on another connection. */
  abstract void commit(XADataSource source) throws SQLException, XAException;

  private record Branch() implements Xid {
    @Override
    public int getFormatId() {
      return 7;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return "global".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] getBranchQualifier() {
      return "branch".getBytes(StandardCharsets.UTF_8);
    }
  }
}
