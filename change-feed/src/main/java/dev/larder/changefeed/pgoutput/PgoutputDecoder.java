package dev.larder.changefeed.pgoutput;

import dev.larder.feed.LoggedTransaction;
import dev.larder.keys.LoggedRow;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the commits in the messages of {@code pgoutput}, and what they have written. Whatever a
 * transaction's size, it keeps its tags only; of large ones, which are streamed before they commit,
 * as many may be open as the server has sessions. After a {@link MalformedMessage} it must not be
 * used any more. Used by one thread.
 *
 * <p>See "Logical Replication Message Formats" in the manual of PostgreSQL.
 */
public final class PgoutputDecoder {

  private final Sink sink;
  private final Map<Long, LoggedTable> tables = new HashMap<>();
  private final Map<Integer, Streamed> streams = new HashMap<>();

  /** The transaction whose changes come now, unless they are streamed. */
  private @Nullable LoggedTransaction open;

  private int openTransaction;

  /** How many descriptions of tables have come. */
  private long described;

  /** The transaction of which a part is streamed now. */
  private @Nullable Streamed stream;

  /** What is told of commits. */
  public interface Sink {
    /** Returns a transaction whose first change has come. */
    LoggedTransaction begin();

    /**
     * Takes a commit.
     *
     * @param transaction its identifier, without the epoch
     */
    void committed(int transaction, LoggedTransaction logged);

    /** Says that every commit before {@code position} in the log was told of. */
    void reached(long position);
  }

  /** A transaction that has not ended. Tables are as it sees them: it may have changed them. */
  private record Streamed(LoggedTransaction logged, Map<Long, LoggedTable> tables) {}

  /** Creates what has read nothing yet. */
  public PgoutputDecoder(Sink sink) {
    this.sink = sink;
  }

  /**
   * Reads a message.
   *
   * @throws MalformedMessage if it is not understood
   */
  public void read(ByteBuffer bytes) {
    MessageReader message = new MessageReader(bytes);
    byte kind = message.next();
    switch (kind) {
      case 'B' -> begin(message);
      case 'C' -> commit(message);
      case 'S' -> streamStart(message);
      case 'E' -> streamStop();
      case 'c' -> streamCommit(message);
      case 'A' -> streamAbort(message);
      case 'O' -> requireOpen();
      default -> inside(kind, message);
    }
  }

  /** Reads what has the identifier of its transaction in front of it where it is streamed. */
  private void inside(byte kind, MessageReader message) {
    if (stream != null) {
      message.number();
    }
    switch (kind) {
      case 'R' -> tables().put(message.oid(), LoggedTable.read(++described, message));
      case 'I' -> insert(message);
      case 'U' -> update(message);
      case 'D' -> delete(message);
      case 'T' -> truncate(message);
      case 'Y' -> {}
      default -> throw new MalformedMessage("a message of the kind " + kind);
    }
  }

  private void begin(MessageReader message) {
    if (open != null || stream != null) {
      throw new MalformedMessage("a transaction begins inside of another");
    }
    message.wide();
    message.wide();
    openTransaction = message.number();
    message.end();
    open = sink.begin();
  }

  private void commit(MessageReader message) {
    LoggedTransaction committed = open;
    if (committed == null) {
      throw new MalformedMessage("a commit without a transaction");
    }
    open = null;
    commit(openTransaction, committed, message);
  }

  private void commit(int transaction, LoggedTransaction committed, MessageReader message) {
    message.next();
    message.wide();
    long end = message.wide();
    message.wide();
    message.end();
    sink.committed(transaction, committed);
    sink.reached(end);
  }

  private void streamStart(MessageReader message) {
    if (open != null || stream != null) {
      throw new MalformedMessage("a stream begins inside of a transaction");
    }
    int transaction = message.number();
    boolean first = message.next() == 1;
    message.end();
    if (first) {
      streams.put(transaction, new Streamed(sink.begin(), new HashMap<>()));
    }
    stream = known(transaction);
  }

  private void streamStop() {
    if (stream == null) {
      throw new MalformedMessage("a stream ends that has not begun");
    }
    stream = null;
  }

  private void streamCommit(MessageReader message) {
    int transaction = message.number();
    Streamed committed = known(transaction);
    streams.remove(transaction);
    // The server does not describe them again. Others may have altered them since, and described
    // them: what is taken back to a savepoint holds no lock.
    committed.tables().forEach((oid, table) -> tables.merge(oid, table, LoggedTable::later));
    commit(transaction, committed.logged(), message);
  }

  private void streamAbort(MessageReader message) {
    int transaction = message.number();
    known(transaction);
    if (transaction == message.number()) {
      streams.remove(transaction);
    } // Else a part of it is taken back, and what it has written counts all the same.
    message.end();
  }

  private Streamed known(int transaction) {
    Streamed known = streams.get(transaction);
    if (known == null) {
      throw new MalformedMessage("a stream goes on that has not begun");
    }
    return known;
  }

  private void insert(MessageReader message) {
    long relation = message.oid();
    LoggedTable table = table(relation);
    require(message.next() == 'N');
    LoggedTuple made = LoggedTuple.read(table, message);
    message.end();
    requireOpen().row(relation, null, made.whole());
  }

  private void update(MessageReader message) {
    long relation = message.oid();
    LoggedTable table = table(relation);
    byte kind = message.next();
    LoggedTuple old = null;
    if (kind != 'N') {
      require(kind == 'K' || kind == 'O');
      old = LoggedTuple.read(table, message);
      require(message.next() == 'N');
    }
    LoggedTuple made = LoggedTuple.read(table, message);
    message.end();
    LoggedRow.Values before = before(table, kind, old, made);
    requireOpen().row(relation, before, made.since(before));
  }

  /** Without an old row the replica identity is as it was, and nothing else is known. */
  private static LoggedRow.Values before(
      LoggedTable table, byte kind, @Nullable LoggedTuple old, LoggedTuple made) {
    if (old == null) {
      return table.full() ? column -> null : made.key();
    }
    return kind == 'O' ? old.whole() : old.key();
  }

  private void delete(MessageReader message) {
    long relation = message.oid();
    LoggedTable table = table(relation);
    byte kind = message.next();
    require(kind == 'K' || kind == 'O');
    LoggedTuple old = LoggedTuple.read(table, message);
    message.end();
    requireOpen().row(relation, kind == 'O' ? old.whole() : old.key(), null);
  }

  private void truncate(MessageReader message) {
    int relations = message.number();
    message.next();
    for (int i = 0; i < relations; i++) {
      requireOpen().anyRows(message.oid());
    }
    message.end();
  }

  private Map<Long, LoggedTable> tables() {
    return stream == null ? tables : stream.tables();
  }

  private LoggedTable table(long relation) {
    LoggedTable table = tables().get(relation);
    if (table == null) {
      throw new MalformedMessage("a row of a table that was not described");
    }
    return table;
  }

  private LoggedTransaction requireOpen() {
    LoggedTransaction now = stream == null ? open : stream.logged();
    if (now == null) {
      throw new MalformedMessage("a change outside of a transaction");
    }
    return now;
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new MalformedMessage("a row of a kind that is not known");
    }
  }
}
