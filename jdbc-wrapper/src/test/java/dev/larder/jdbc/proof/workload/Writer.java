package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog;
import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The transactions that write. Those that are a statement of their own, or rare, are elsewhere. */
final class Writer {
  /** Those that statements can write as they like. */
  static final List<Line> PLAIN =
      List.of(Line.ITEM, Line.PART, Line.PARENT, Line.SOURCE, Line.LISTED);

  /** What is written by the connection of the client itself, and nobody else. */
  private static final Set<WriteKind> IN_SESSION =
      EnumSet.of(
          WriteKind.AUTOCOMMIT,
          WriteKind.MODIFYING_WITH,
          WriteKind.MULTIPLE_STATEMENTS,
          WriteKind.EXPLICIT,
          WriteKind.SAVEPOINT,
          WriteKind.BATCH,
          WriteKind.DELETES,
          WriteKind.COPY);

  private final Client client;
  private final Random random;
  private final SingleStatements single;
  private final RareWrites rare;
  private final OtherWrites other;
  private final FaultyWrites faulty;

  /** What a transaction does before it commits. */
  @FunctionalInterface
  interface Body {
    void run(Slots slots) throws SQLException;
  }

  Writer(Client client) {
    this.client = client;
    this.random = client.random();
    this.single = new SingleStatements(client);
    this.rare = new RareWrites(client, this);
    this.other = new OtherWrites(client, this);
    this.faulty = new FaultyWrites(client);
  }

  void write(WriteKind kind) throws SQLException {
    if (IN_SESSION.contains(kind)) {
      run(kind);
      return;
    }
    int session = client.log().session();
    client.log().session(0);
    try {
      run(kind);
    } finally {
      client.log().session(session);
    }
  }

  private void run(WriteKind kind) throws SQLException {
    Change change = new Change(client.nextId(), kind.ordinal());
    switch (kind) {
      case AUTOCOMMIT -> single.update(change);
      case MODIFYING_WITH -> single.modifyingWith(change);
      case MULTIPLE_STATEMENTS -> single.multipleStatements(change);
      case UNKNOWN -> unknown(change);
      case EXPLICIT -> explicit(change);
      case SAVEPOINT -> transaction(change, slots -> savepoint(change, slots));
      case ROLLED_BACK -> rolledBack(change);
      case BATCH -> transaction(change, slots -> batch(change, slots));
      case FAILED -> transaction(change, slots -> fail(change, slots));
      case DELETES -> transaction(change, slots -> deletes(change, slots));
      case COPY, UPDATABLE, XA -> other.write(kind, change);
      case TERMINATED, FROZEN, CANCELLED -> faulty.write(kind, change);
      default -> rare.write(kind, change);
    }
  }

  /** Runs a transaction, commits it in one of the ways there are, and logs it. */
  void transaction(Change change, Body body) throws SQLException {
    Connection connection = client.connection();
    long sent = 0;
    String number = "";
    try {
      connection.setAutoCommit(false);
      body.run(new Slots(connection, random));
      number = client.arena().crashes() ? FaultyWrites.numberOf(connection) : "";
      sent = System.nanoTime();
      commit(connection);
      change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
    } catch (SQLException e) {
      if (sent != 0 && client.isCrash(e) && client.arena().hasCommitted(number)) {
        change.log(client.log(), sent, Long.MAX_VALUE, Outcome.UNKNOWN);
      }
      client.expect(e);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private void commit(Connection connection) throws SQLException {
    switch (random.nextInt(4)) {
      case 0 -> connection.setAutoCommit(true);
      case 1 -> {
        try (Statement statement = connection.createStatement()) {
          statement.execute("COMMIT");
        }
      }
      default -> connection.commit();
    }
  }

  private void explicit(Change change) throws SQLException {
    Connection connection = client.connection();
    int before = connection.getTransactionIsolation();
    int level =
        switch (random.nextInt(12)) {
          case 0 -> Connection.TRANSACTION_REPEATABLE_READ;
          case 1 -> Connection.TRANSACTION_SERIALIZABLE;
          default -> before;
        };
    connection.setTransactionIsolation(level);
    try {
      transaction(change, slots -> write(change, slots, level == before));
    } finally {
      connection.setTransactionIsolation(before);
    }
  }

  /** Writes some lines in their order, so that most transactions do not wait in a circle. */
  private void write(Change change, Slots slots, boolean readCommitted) throws SQLException {
    for (Line line : someLines()) {
      slots.bump(change, line);
      for (int i = random.nextInt(Slots.changes(line) + 1); i > 0; i--) {
        slots.change(change, line);
      }
      if (random.nextInt(3) == 0) {
        readOwn(change);
      }
    }
    if (readCommitted) {
      Query other = client.choose();
      if (!other.meets(change)) {
        client.readOrFail(other, false);
      }
    }
    readOwn(change);
  }

  private Set<Line> someLines() {
    Set<Line> lines = EnumSet.noneOf(Line.class);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int die = random.nextInt(8);
      lines.add(
          die == 0 ? Line.TAP : die == 1 ? hotLine(random) : client.arena().plainLine(random));
    }
    return lines;
  }

  /** Reads something that the transaction has written. */
  private void readOwn(Change change) throws SQLException {
    Query query = client.choose();
    for (int tries = 0; tries < 40; tries++) {
      for (int l = 0; l < Line.count(); l++) {
        if (query.reads(l) && change.has(Line.of(l)) && query.slots() > 0) {
          check(change, query);
          return;
        }
      }
      query = client.choose();
    }
  }

  private void check(Change change, Query query) throws SQLException {
    judge(
        query,
        from -> {
          String contradiction = change.contradiction(client.log(), from);
          return contradiction == null ? null : "not its own write is seen, but " + contradiction;
        });
  }

  /**
   * Runs a query whose answer is no part of the history: it depends on what the transaction wrote.
   *
   * @param verdict says what is wrong in what was observed from a position on, or null
   */
  private void judge(Query query, IntFunction<@Nullable String> verdict) throws SQLException {
    HistoryLog log = client.log();
    log.beginRead(query.number(), System.nanoTime());
    int from = log.position();
    try {
      query.run(client.connection(), log, false);
      String wrong = verdict.apply(from);
      if (wrong != null) {
        log.violation("In a transaction that writes, " + wrong + ": " + query);
      }
    } finally {
      log.cancelRead();
    }
  }

  private Line plainLine() {
    return client.arena().plainLine(random);
  }

  /** Returns a line that is one row among others. */
  static Line hotLine(Random random) {
    return Line.of(Line.HOT_1.ordinal() + random.nextInt(Line.count() - Line.HOT_1.ordinal()));
  }

  private void savepoint(Change change, Slots slots) throws SQLException {
    Line line = plainLine();
    slots.bump(change, line);
    slots.change(change, line);
    Connection connection = client.connection();
    Savepoint savepoint = connection.setSavepoint();
    Change undone = new Change(client.nextId(), 0);
    undone.bumped(line, change.version(line));
    slots.change(undone, line);
    Line next = plainLine();
    if (next.ordinal() > line.ordinal()) {
      slots.bump(undone, next);
    }
    judge(client.choose(), from -> null); // May be what was written: it must not be kept.
    connection.rollback(savepoint);
    judge(
        client.choose(),
        from ->
            undone.isSeenIn(client.log(), from) ? "what was undone by a savepoint is seen" : null);
  }

  private void rolledBack(Change change) throws SQLException {
    Connection connection = client.connection();
    try {
      connection.setAutoCommit(false);
      write(change, new Slots(connection, random), false);
      connection.rollback();
    } catch (SQLException e) {
      client.expect(e);
      connection.rollback();
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** The counters are locked by reads, so that only the batch says what is written. */
  private void batch(Change change, Slots slots) throws SQLException {
    Line first = PLAIN.get(random.nextInt(PLAIN.size() - 1));
    Line second = PLAIN.get(PLAIN.indexOf(first) + 1);
    int slot = 1 + random.nextInt(Line.SLOTS - 1);
    try (Statement statement = client.connection().createStatement()) {
      for (Line line : List.of(first, second)) {
        long version = slots.lock(line) + 1;
        String set = " SET n = " + version + ", w = " + change.id() + " WHERE k = ";
        statement.addBatch("UPDATE " + line.table() + set + "0");
        statement.addBatch(
            line == Line.LISTED
                ? "UPDATE member" + set.replace(" WHERE", ", list = 1 WHERE") + slot
                : "UPDATE " + line.table() + set + slot);
        change.bumped(line, version);
      }
      int[] counts = statement.executeBatch();
      if (counts[1] > 0) {
        change.wrote(first, slot);
      }
      if (counts[3] > 0 && second == Line.LISTED) {
        change.wroteMember(slot, 1);
      } else if (counts[3] > 0) {
        change.wrote(second, slot);
      }
    }
  }

  private void fail(Change change, Slots slots) throws SQLException {
    slots.bump(change, plainLine());
    try (Statement statement = client.connection().createStatement()) {
      statement.execute("SELECT 1 / 0");
    } catch (SQLException e) {
      client.expect(e);
    }
    judge(client.choose(), from -> "a query is answered though it has failed");
  }

  private void deletes(Change change, Slots slots) throws SQLException {
    Line line =
        client.arena().favours(Line.LISTED)
            ? Line.LISTED
            : List.of(Line.PARENT, Line.SOURCE, Line.LISTED).get(random.nextInt(3));
    slots.bump(change, line);
    slots.delete(change, line, 1 + random.nextInt(Line.SLOTS - 1));
    if (random.nextBoolean()) {
      slots.put(change, line, 1 + random.nextInt(Line.SLOTS - 1));
    }
    readOwn(change);
  }

  /** A write during which the catalog changes and is read anew. */
  void slow(Line line) throws SQLException {
    Change change = new Change(client.nextId(), WriteKind.SLOW.ordinal());
    if (random.nextBoolean()) {
      single.slowUpdate(change, line);
    } else {
      transaction(change, slots -> slots.slowBump(change, line));
    }
  }

  private void unknown(Change change) throws SQLException {
    if (random.nextInt(3) == 0) {
      transaction(change, slots -> block(change, slots));
    } else {
      single.unknown(change);
    }
  }

  private void block(Change change, Slots slots) throws SQLException {
    Line line = plainLine();
    long version = slots.lock(line) + 1;
    try (Statement statement = client.connection().createStatement()) {
      statement.execute(
          "DO $$ BEGIN UPDATE "
              + line.table()
              + " SET n = "
              + version
              + ", w = "
              + change.id()
              + " WHERE k = 0; END $$");
      change.bumped(line, version);
      if (line == Line.LISTED) {
        slots.touchInBlock(change);
      }
    }
  }
}
