package dev.larder.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A connection whose socket has seen everything that will be asked. */
public abstract class Wire {
  private static final String SELECT =
      "SELECT id, branch, balance, filler FROM account WHERE id = ?";
  private static final String VOLATILE =
      "SELECT id, balance, clock_timestamp() AS at FROM account WHERE id = ?";
  private static final String UPDATE = "UPDATE account SET balance = ? WHERE id = ?";
  private static final String UPDATE_LEDGER = "UPDATE ledger SET amount = ? WHERE id = ?";

  /** One text in many copies, so that no two executions in a row share a string. */
  private static final class Text {
    private static final int COPIES = 16;

    private final String[] copies = new String[COPIES];
    private int round;

    Text(String sql) {
      Arrays.setAll(copies, i -> new String(sql.toCharArray()));
    }

    String next() {
      return copies[round++ % COPIES];
    }
  }

  /** As often as it takes the driver to settle on a named statement and binary results. */
  private static final int REHEARSALS = 20;

  private final Text select = new Text(SELECT);
  private final Text volatileSelect = new Text(VOLATILE);
  private final Text update = new Text(UPDATE);
  private final Text updateLedger = new Text(UPDATE_LEDGER);

  Connection connection;
  ReplaySocket socket;
  int key;
  long reads;
  long bypasses;
  long writes;

  abstract Connection connect(BenchmarkDatabase database) throws SQLException;

  /** Called after the rehearsal, when nothing reaches the server any more. */
  void begin() throws SQLException {}

  /** Throws unless everything since {@link #begin} was what it should have been. */
  void check() throws SQLException {}

  /** Connects, and has the server answer everything that will be asked. */
  @Setup(Level.Trial)
  public void prepare(WireCost benchmark) throws SQLException {
    connection = connect(benchmark.database);
    socket = ReplaySocketFactory.socketOf(connection);
    socket.record();
    for (int i = 0; i < REHEARSALS; i++) {
      read();
      bypass();
      write();
    }
    connection.setAutoCommit(false);
    for (int i = 0; i < REHEARSALS; i++) {
      transaction();
    }
    connection.setAutoCommit(true);
    reportWrites();
    socket.answerFromRecording();
    reads = 0;
    bypasses = 0;
    writes = 0;
    begin();
  }

  /** Later the server would do it late, for it hears of nothing more, and the radar wonder. */
  private void reportWrites() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
    }
  }

  /** Checks, and disconnects. */
  @TearDown(Level.Trial)
  public void disconnect() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.setAutoCommit(true);
    }
    if (socket.answered() < reads + bypasses + writes) {
      throw new IllegalStateException(
          socket.answered() + " answers to " + (reads + bypasses + writes) + " executions");
    }
    check();
    socket.passThrough();
    connection.close();
  }

  /** Reads one row by a key that was never asked for. */
  int read() throws SQLException {
    reads++;
    return select(select, ++key);
  }

  /** Reads one row by a query that is never cached. */
  int bypass() throws SQLException {
    bypasses++;
    return select(volatileSelect, 1);
  }

  private int select(Text text, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text.next())) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getInt("balance") : 0;
      }
    }
  }

  /** Updates one row. */
  int write() throws SQLException {
    return update(update);
  }

  private int update(Text text) throws SQLException {
    writes++;
    try (PreparedStatement statement = connection.prepareStatement(text.next())) {
      statement.setInt(1, ++key);
      statement.setInt(2, 1);
      return statement.executeUpdate();
    }
  }

  /** Updates, reads its own write, updates another table, and commits. */
  int transaction() throws SQLException {
    int changed = update(update);
    bypasses++;
    changed += select(select, 1);
    changed += update(updateLedger);
    connection.commit();
    return changed;
  }
}
