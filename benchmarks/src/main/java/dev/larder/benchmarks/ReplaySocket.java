package dev.larder.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A socket that reaches the server until it is told to answer by itself: then each request gets the
 * last answer that the server gave to a request of its kind, and nothing enters the kernel any
 * more. Two requests are of one kind if they consist of the same messages, but for the values that
 * are bound, in the same state of the transaction. Confined to one thread at a time, as the
 * connection is.
 */
final class ReplaySocket extends Socket {
  private static final int MAX_KINDS = 64;

  private enum Mode {
    PASSING,
    RECORDING,
    ANSWERING
  }

  private final long[] kinds = new long[MAX_KINDS];
  private final byte[][] answers = new byte[MAX_KINDS][];
  private int known;
  private Mode mode = Mode.PASSING;
  private long asked;

  /** How the last answer ended: with the state of the transaction, as every ReadyForQuery does. */
  private byte transactionState = 'I';

  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private byte[] current = {};
  private int position;
  private long answered;

  /** Begins to record; the connection must be at rest. */
  void record() {
    mode = Mode.RECORDING;
  }

  /** From now on nothing reaches the server. */
  void answerFromRecording() {
    keep();
    mode = Mode.ANSWERING;
  }

  /** Lets everything through again; the server has not noticed anything. */
  void passThrough() {
    mode = Mode.PASSING;
  }

  /** Returns how many requests were answered without the server. */
  long answered() {
    return answered;
  }

  /** Ends the exchange that was recorded last. */
  private void keep() {
    if (answer.size() > 0) {
      int kind = find(asked);
      if (kind < 0) {
        if (known == MAX_KINDS) {
          throw new IllegalStateException("more than " + MAX_KINDS + " kinds of requests");
        }
        kind = known++;
        kinds[kind] = asked;
      }
      answers[kind] = answer.toByteArray();
      transactionState = lastOf(answers[kind]);
      answer.reset();
    }
  }

  private int find(long kind) {
    for (int i = 0; i < known; i++) {
      if (kinds[i] == kind) {
        return i;
      }
    }
    return -1;
  }

  private void request(byte[] bytes, int offset, int length) throws IOException {
    if (mode == Mode.RECORDING) {
      keep();
      asked = kindOf(bytes, offset, offset + length, transactionState);
      return;
    }
    long kind = kindOf(bytes, offset, offset + length, transactionState);
    int found = find(kind);
    if (found < 0) {
      throw new IOException("a request of a kind that the server was never asked");
    }
    current = answers[found];
    transactionState = lastOf(current);
    position = 0;
    answered++;
  }

  /**
   * Hashes what the messages of a request are: their types and contents, but of Bind (PostgreSQL
   * manual, "Message Formats") only the names of portal and statement.
   */
  private static long kindOf(byte[] bytes, int from, int to, int state) throws IOException {
    long hash = state;
    int message = from;
    byte type = 0;
    while (message < to) {
      type = bytes[message];
      int end = message + 1 + lengthAt(bytes, message + 1);
      int hashed = end;
      if (type == 'B') {
        hashed = afterZero(bytes, afterZero(bytes, message + 5));
      }
      hash = 31 * hash + type;
      for (int i = message + 5; i < hashed; i++) {
        hash = 31 * hash + bytes[i];
      }
      message = end;
    }
    if (message != to || (type != 'S' && type != 'Q')) {
      throw new IOException("a request that is not whole messages up to Sync or Query");
    }
    return hash;
  }

  private static byte lastOf(byte[] bytes) {
    return bytes[bytes.length - 1];
  }

  private static int lengthAt(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  private static int afterZero(byte[] bytes, int at) {
    int end = at;
    while (bytes[end] != 0) {
      end++;
    }
    return end + 1;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new Answers(super.getInputStream());
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new Requests(super.getOutputStream());
  }

  /** What the driver reads. */
  private final class Answers extends InputStream {
    private final InputStream server;

    Answers(InputStream server) {
      this.server = server;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (mode != Mode.ANSWERING) {
        int count = server.read(bytes, offset, length);
        if (mode == Mode.RECORDING && count > 0) {
          answer.write(bytes, offset, count);
        }
        return count;
      }
      int count = Math.min(length, current.length - position);
      if (count == 0) {
        throw new IOException("more was read than the server once answered");
      }
      System.arraycopy(current, position, bytes, offset, count);
      position += count;
      return count;
    }

    @Override
    public int available() throws IOException {
      return mode == Mode.ANSWERING ? current.length - position : server.available();
    }
  }

  /** What the driver writes: a whole request at a time, for it has a buffer of its own. */
  private final class Requests extends OutputStream {
    private final OutputStream server;

    Requests(OutputStream server) {
      this.server = server;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (mode != Mode.PASSING) {
        request(bytes, offset, length);
      }
      if (mode != Mode.ANSWERING) {
        server.write(bytes, offset, length);
      }
    }

    @Override
    public void flush() throws IOException {
      if (mode != Mode.ANSWERING) {
        server.flush();
      }
    }
  }
}
