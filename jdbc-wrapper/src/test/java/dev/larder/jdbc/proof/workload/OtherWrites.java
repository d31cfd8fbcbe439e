package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.LarderXADataSource;
import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import dev.larder.jdbc.proof.history.Line;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.postgresql.PGConnection;

/** The transactions that write by other means than statements of SQL, or end by other means. */
final class OtherWrites {
  private final Client client;
  private final Writer writer;
  private final Random random;

  OtherWrites(Client client, Writer writer) {
    this.client = client;
    this.writer = writer;
    this.random = client.random();
  }

  void write(WriteKind kind, Change change) throws SQLException {
    switch (kind) {
      case COPY -> writer.transaction(change, slots -> copy(change, slots));
      case UPDATABLE -> writer.transaction(change, slots -> updatable(change, slots));
      case XA -> xa(change);
      default -> throw new IllegalArgumentException(kind.toString());
    }
  }

  private Line line() {
    return List.of(Line.ITEM, Line.SOURCE, Line.LISTED).get(random.nextInt(3));
  }

  private int slot() {
    return 1 + random.nextInt(Line.SLOTS - 1);
  }

  private void copy(Change change, Slots slots) throws SQLException {
    Line line = line();
    int slot = slot();
    slots.bump(change, line);
    slots.delete(change, line, slot);
    boolean listed = line == Line.LISTED;
    String row = slot + "\t" + change.version(line) + "\t" + change.id();
    String into = listed ? "member (k, n, w, list, code, pad)" : line.table() + " (k, n, w)";
    String rest = listed ? "\t2\tc" + slot + "\t0\n" : "\n";
    try {
      client
          .connection()
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY " + into + " FROM STDIN", new StringReader(row + rest));
    } catch (IOException e) {
      throw new SQLException("a reader of a text has failed", e);
    }
    if (listed) {
      change.wroteMember(slot, 2);
    } else {
      change.wrote(line, slot);
    }
  }

  private void updatable(Change change, Slots slots) throws SQLException {
    Line line = line();
    boolean listed = line == Line.LISTED;
    slots.bump(change, line);
    try (PreparedStatement statement =
        client
            .connection()
            .prepareStatement(
                (listed
                        ? "SELECT k, n, w, list FROM member"
                        : "SELECT k, n, w FROM " + line.table())
                    + " WHERE k > 0 ORDER BY k",
                ResultSet.TYPE_SCROLL_INSENSITIVE,
                ResultSet.CONCUR_UPDATABLE)) {
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          int slot = row.getInt(1);
          switch (random.nextInt(4)) {
            case 0 -> {
              row.updateLong(2, change.version(line));
              row.updateLong(3, change.id());
              if (listed) {
                int list = random.nextInt(Line.LISTS);
                row.updateInt(4, list);
                change.wroteMember(slot, list);
              } else {
                change.wrote(line, slot);
              }
              row.updateRow();
            }
            case 1 -> {
              row.deleteRow();
              if (listed) {
                change.deletedMember(slot);
              } else {
                change.deleted(line, slot);
              }
            }
            default -> {}
          }
        }
      }
    }
  }

  private void xa(Change change) throws SQLException {
    LarderXADataSource source = client.arena().xaSource();
    XAConnection connection = source.getXAConnection();
    try (Connection handle = connection.getConnection()) {
      XAResource resource = connection.getXAResource();
      Branch branch = new Branch(change.id());
      resource.start(branch, XAResource.TMNOFLAGS);
      boolean ready = false;
      try {
        Slots slots = new Slots(handle, random);
        Line line = client.arena().plainLine(random);
        slots.bump(change, line);
        slots.change(change, line);
        ready = true;
      } catch (SQLException e) {
        client.expect(e);
      }
      resource.end(branch, ready ? XAResource.TMSUCCESS : XAResource.TMFAIL);
      boolean onePhase = random.nextBoolean();
      if (ready && !onePhase) {
        resource.prepare(branch);
      }
      if (!ready || random.nextInt(4) == 0) {
        resource.rollback(branch);
        return;
      }
      long sent = System.nanoTime();
      resource.commit(branch, onePhase);
      change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
    } catch (XAException e) {
      throw new SQLException("a branch has failed", e);
    } finally {
      connection.close();
    }
  }

  /** The name of a branch. */
  private record Branch(long id) implements Xid {
    @Override
    public int getFormatId() {
      return 7;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return Long.toString(id).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] getBranchQualifier() {
      return new byte[] {1};
    }
  }
}
