package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;

/** The transactions that lock whole tables, change the catalog, or end elsewhere. */
final class RareWrites {
  private final Client client;
  private final Writer writer;
  private final Random random;

  RareWrites(Client client, Writer writer) {
    this.client = client;
    this.writer = writer;
    this.random = client.random();
  }

  void write(WriteKind kind, Change change) throws SQLException {
    switch (kind) {
      case TWO_PHASE -> twoPhase(change);
      case TRUNCATE -> writer.transaction(change, slots -> truncate(change, slots));
      case REWRITE -> writer.transaction(change, slots -> rewrite(change, slots));
      case VIEW -> writer.transaction(change, slots -> view(change, slots));
      case TRIGGER, SCHEME -> catalog(kind, change);
      case LOST -> lost(change);
      default -> throw new IllegalArgumentException(kind.toString());
    }
  }

  private void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void execute(String sql) throws SQLException {
    execute(client.connection(), sql);
  }

  private Line plainLine() {
    return client.arena().plainLine(random);
  }

  private void truncate(Change change, Slots slots) throws SQLException {
    Line line = plainLine();
    String tables =
        line == Line.PARENT
            ? "parent, child, orphan"
            : line == Line.LISTED ? "member, head" : line.table();
    execute("LOCK TABLE " + tables + " IN ACCESS EXCLUSIVE MODE");
    slots.bump(change, line);
    slots.refill(change, line);
  }

  private void rewrite(Change change, Slots slots) throws SQLException {
    execute("LOCK TABLE item IN ACCESS EXCLUSIVE MODE");
    slots.bump(change, Line.ITEM);
    execute("ALTER TABLE item ALTER COLUMN pad TYPE int USING pad + 1");
    change.rewrote();
  }

  private void view(Change change, Slots slots) throws SQLException {
    slots.bump(change, Line.CHOICE);
    Line shown = random.nextBoolean() ? Line.ITEM : Line.PART;
    execute(ProofSchema.choice(change.version(Line.CHOICE), change.id(), shown));
  }

  private void catalog(WriteKind kind, Change change) throws SQLException {
    if (client.arena().beginCatalogChange()) {
      try {
        if (kind == WriteKind.TRIGGER) {
          trigger(change);
        } else {
          new SchemeWrites(client, writer).write(change);
        }
      } finally {
        client.arena().endCatalogChange();
      }
    }
  }

  /**
   * Switches the trigger while a writer that was looked up before waits for the table, and lets
   * that writer go on until results have been filled under the new catalog.
   */
  private void trigger(Change change) throws SQLException {
    String how = client.arena().switchTrigger() ? "ENABLE" : "DISABLE";
    execute("SELECT pg_advisory_lock(" + Slots.SLOW_WRITE_LOCK + ')');
    try {
      writer.transaction(
          change,
          slots -> {
            execute("ALTER TABLE tap " + how + " TRIGGER tap_copy");
            awaitSlowWrite(client, Line.TAP);
          });
      LarderProbe.awaitCatalog(client.connection());
      for (Query query : Query.ALL) {
        if (query.reads(Line.TAP.ordinal())) {
          client.read(query, false);
        }
      }
    } finally {
      execute("SELECT pg_advisory_unlock(" + Slots.SLOW_WRITE_LOCK + ')');
    }
  }

  /** Has a client write a line whose table this transaction locks, and waits until it does. */
  static void awaitSlowWrite(Client client, Line line) {
    client.arena().catalogChanges(line);
    for (int i = 0; i < 100 && client.arena().waitsForSlowWrite(); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    LockSupport.parkNanos(client.random().nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
  }

  private void twoPhase(Change change) throws SQLException {
    Connection connection = client.connection();
    String gid = "'proof-" + change.id() + "'";
    try {
      connection.setAutoCommit(false);
      Slots slots = new Slots(connection, random);
      Line line = plainLine();
      slots.bump(change, line);
      slots.change(change, line);
      execute("PREPARE TRANSACTION " + gid);
    } catch (SQLException e) {
      client.expect(e);
      connection.rollback();
      return;
    } finally {
      connection.setAutoCommit(true);
    }
    boolean commits = random.nextInt(4) > 0;
    long sent = System.nanoTime();
    execute((commits ? "COMMIT" : "ROLLBACK") + " PREPARED " + gid);
    if (commits) {
      change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
    }
  }

  private void lost(Change change) throws SQLException {
    long sent = 0;
    client.arena().faulted();
    try (Connection connection = client.arena().connectToDie()) {
      try {
        client.arena().lost(connection.unwrap(PGConnection.class).getBackendPID());
        connection.setAutoCommit(false);
        Slots slots = new Slots(connection, random);
        Line line = plainLine();
        slots.bump(change, line);
        slots.change(change, line);
        sent = System.nanoTime();
        connection.commit();
        throw new IllegalStateException("a commit was answered on a connection that was cut");
      } catch (SQLException e) {
        if (sent == 0) {
          client.expect(e);
        } else {
          change.log(client.log(), sent, Long.MAX_VALUE, Outcome.UNKNOWN);
        }
      }
    }
  }
}
