package dev.larder.changefeed.server;

import dev.larder.changefeed.pgoutput.PgoutputDecoder;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyDual;

/**
 * The log as it comes over a connection: changes for the decoder, and the server's keepalives in
 * between, in their order. One thread reads; it does nothing while nothing comes.
 *
 * <p>See "Streaming Replication Protocol" in the manual of PostgreSQL.
 */
final class LogStream {
  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
  private static final long CONFIRM_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int STATUS_BYTES = 1 + 4 * Long.BYTES + 1;

  private final CopyDual copy;
  private final PgoutputDecoder decoder;
  private final Position position;
  private long confirmedNanos = System.nanoTime();
  private volatile long heardNanos = System.nanoTime();
  private final AtomicLong bytes = new AtomicLong();

  /** Up to where the log was handled. */
  interface Position {
    /** Says that everything before {@code position} was. */
    void reached(long position);

    /** Returns the greatest that was reached. */
    long reached();
  }

  /** Begins to read, by START_REPLICATION. */
  LogStream(Connection connection, String command, PgoutputDecoder decoder, Position position)
      throws SQLException {
    this.copy = connection.unwrap(PGConnection.class).getCopyAPI().copyDual(command);
    this.decoder = decoder;
    this.position = position;
  }

  /** Reads until the connection ends. */
  void read() throws SQLException {
    while (true) {
      byte @Nullable [] message = copy.readFromCopy();
      if (message == null) {
        throw new SQLException("The server has ended the stream of its log.", "08006");
      }
      heardNanos = System.nanoTime();
      bytes.addAndGet(message.length);
      handle(ByteBuffer.wrap(message));
    }
  }

  /** Returns when something came last, by {@link System#nanoTime}. */
  long heardNanos() {
    return heardNanos;
  }

  /** Returns how much has come. */
  long bytes() {
    return bytes.get();
  }

  private void handle(ByteBuffer message) throws SQLException {
    boolean asked = false;
    byte kind = message.get();
    if (kind == 'w') {
      message.position(message.position() + 3 * Long.BYTES);
      decoder.read(message.slice());
    } else if (kind == 'k') {
      long end = message.getLong();
      message.getLong();
      asked = message.get() != 0;
      position.reached(end);
    } else {
      throw new SQLException("The log has a message of the kind " + kind + ".", "08P01");
    }
    if (asked || System.nanoTime() - confirmedNanos > CONFIRM_NANOS) {
      confirm();
    }
  }

  /** Tells the server what it need not keep. */
  private void confirm() throws SQLException {
    confirmedNanos = System.nanoTime();
    long reached = position.reached();
    long micros = ChronoUnit.MICROS.between(EPOCH, Instant.now());
    byte[] status =
        ByteBuffer.allocate(STATUS_BYTES)
            .put((byte) 'r')
            .putLong(reached)
            .putLong(reached)
            .putLong(reached)
            .putLong(micros)
            .put((byte) 0)
            .array();
    copy.writeToCopy(status, 0, status.length);
    copy.flushCopy();
  }
}
