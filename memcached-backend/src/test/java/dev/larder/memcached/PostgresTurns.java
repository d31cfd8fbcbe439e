package dev.larder.memcached;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the round trips of connections to PostgreSQL: how often they asked it to say when it is
 * ready (manual, 55.2). A BEGIN that the driver sends ahead of a statement does not count, for its
 * answer is held back until the statement is there: whoever waited for it would wait for ever.
 * Thread-safe.
 */
final class PostgresTurns implements CountingProxy.Watch {
  /** The first messages, which have no type: SSLRequest, GSSENCRequest. */
  private static final int FIRST_WITHOUT_SESSION = 80_877_103;

  private static final int LAST_WITHOUT_SESSION = 80_877_104;

  private final String mark;

  // Guarded by this.
  private final Map<Integer, Integer> turns = new HashMap<>();
  private final Set<Integer> marked = new HashSet<>();
  private final Set<Integer> begun = new HashSet<>();
  private final Set<Integer> ahead = new HashSet<>();

  /**
   * Begins at 0.
   *
   * @param mark the text that tells the connections that count from others
   */
  PostgresTurns(String mark) {
    this.mark = mark;
  }

  /** Returns how many round trips there were on connections that have sent the mark. */
  synchronized int count() {
    return marked.stream().mapToInt(connection -> turns.getOrDefault(connection, 0)).sum();
  }

  @Override
  public byte[] request(int connection, DataInputStream from) throws IOException {
    return hasBegun(connection) ? message(connection, from) : first(connection, from);
  }

  private synchronized boolean hasBegun(int connection) {
    return begun.contains(connection);
  }

  private byte[] first(int connection, DataInputStream from) throws IOException {
    int length = from.readInt();
    ByteBuffer message = ByteBuffer.allocate(length).putInt(length);
    from.readFully(message.array(), Integer.BYTES, length - Integer.BYTES);
    int code = message.getInt();
    if (code < FIRST_WITHOUT_SESSION || code > LAST_WITHOUT_SESSION) {
      synchronized (this) {
        begun.add(connection);
      }
    }
    return message.array();
  }

  private byte[] message(int connection, DataInputStream from) throws IOException {
    byte type = from.readByte();
    int length = from.readInt();
    ByteBuffer message = ByteBuffer.allocate(1 + length).put(type).putInt(length);
    from.readFully(message.array(), 1 + Integer.BYTES, length - Integer.BYTES);
    note(connection, type, new String(message.array(), StandardCharsets.ISO_8859_1));
    return message.array();
  }

  private synchronized void note(int connection, byte type, String text) {
    if (text.contains(mark)) {
      marked.add(connection);
    }
    ahead.remove(connection);
    if (type == 'Q' && text.startsWith("BEGIN", 1 + Integer.BYTES) && marked.contains(connection)) {
      ahead.add(connection);
    } else if (type == 'S' || type == 'Q') {
      turns.merge(connection, 1, Integer::sum);
    }
    notifyAll();
  }

  @Override
  public synchronized void answered(int connection) throws InterruptedException {
    while (ahead.contains(connection)) {
      wait();
    }
  }
}
