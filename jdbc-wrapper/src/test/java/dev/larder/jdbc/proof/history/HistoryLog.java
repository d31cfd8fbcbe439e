package dev.larder.jdbc.proof.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one thread did in one window of the history: its reads and writes, with the times of
 * invocation and return by {@link System#nanoTime}. Arrays that are allocated once, so that
 * recording a read costs some stores. Written by its thread; read by the checker while that thread
 * waits.
 */
public final class HistoryLog {
  /** How a transaction ended. */
  public enum Outcome {
    COMMITTED,
    ABORTED,
    /** The connection was lost: the commit may happen later, or never. */
    UNKNOWN
  }

  /** The slot of an observation that holds the greatest version of a table and a sum of ids. */
  public static final int MAXIMUM = 32;

  /** The slot of an observation that holds the number of rows and the sum of their versions. */
  public static final int TOTAL = 33;

  /** The slot of an observation that says which slots the rows after it are all of. */
  static final int COVERED = 34;

  static final int READ_HEADER = 4;
  static final int WRITE_SIZE = 8;

  private static final int READ_LONGS = 1 << 20;
  private static final int WRITE_LONGS = 1 << 16;
  private static final int ROOM = 1 << 13;

  final long[] reads = new long[READ_LONGS];
  final long[] writes = new long[WRITE_LONGS];
  int readEnd;
  int writeEnd;
  private int readStart;
  private int session;

  private final int thread;
  private final List<String> violations = new ArrayList<>();

  /** Creates an empty log of a thread. */
  public HistoryLog(int thread) {
    this.thread = thread;
  }

  int thread() {
    return thread;
  }

  /** Returns whether the window should end soon, for want of room. */
  public boolean isNearlyFull() {
    return readEnd + ROOM > READ_LONGS || writeEnd + ROOM > WRITE_LONGS;
  }

  /** Says in which session, a number above 0, what is noted from now on happens; 0 for any. */
  public void session(int number) {
    session = number;
  }

  /** Returns what {@link #session(int)} has said last. */
  public int session() {
    return session;
  }

  /** Begins a read, or a transaction that reads from one snapshot. */
  public void beginRead(int query, long invokedNanos) {
    readStart = readEnd;
    reads[readStart] = query | (long) session << 32;
    reads[readStart + 1] = invokedNanos;
    readEnd = readStart + READ_HEADER;
  }

  /** Notes a row of the read: the version and the writer's id that the slot holds. */
  public void observe(int line, int slot, long version, long id) {
    reads[readEnd] = pack(line, slot, version);
    reads[readEnd + 1] = id;
    readEnd += 2;
  }

  /** Notes that the rows that are observed next are all that exist of these slots. */
  public void covers(int line, int slots) {
    observe(line, COVERED, slots, 0);
  }

  /**
   * Ends the read.
   *
   * @param snapshot whether it is a transaction that reads from one snapshot
   */
  public void endRead(long returnedNanos, boolean snapshot) {
    reads[readStart + 2] = returnedNanos;
    reads[readStart + 3] = (snapshot ? 1L << 32 : 0) | (readEnd - readStart - READ_HEADER) / 2;
  }

  /** Forgets the read that has begun. */
  public void cancelRead() {
    readEnd = readStart;
  }

  /** Returns how far the log is, to compare what is observed from here on. */
  public int position() {
    return readEnd;
  }

  /** Returns a sum over the observations between two positions that does not know their order. */
  public long digest(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i += 2) {
      long mixed = (reads[i] * 0x9E3779B97F4A7C15L) ^ (reads[i + 1] * 0xC2B2AE3D27D4EB4FL);
      sum += (mixed ^ (mixed >>> 31)) * 0x165667B19E3779F9L;
    }
    return sum;
  }

  /** Returns the observations between two positions as text. */
  public String describe(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i += 2) {
      if (slotOf(reads[i]) != COVERED) {
        text.append(' ').append(describe(reads[i], reads[i + 1]));
      }
    }
    return text.isEmpty() ? " no rows" : text.toString();
  }

  static String describe(long packed, long id) {
    String name = Line.of(lineOf(packed)).name();
    return switch (slotOf(packed)) {
      case MAXIMUM -> name + " max(n)=" + versionOf(packed) + " sum(w)=" + id;
      case TOTAL -> name + " count=" + versionOf(packed) + " sum(n)=" + id;
      default -> name + "[" + slotOf(packed) + "]=" + versionOf(packed) + " by " + describeId(id);
    };
  }

  /** Returns an id as text: the thread and its count. */
  public static String describeId(long id) {
    return id == 0 ? "setup" : "t" + (id >>> 40) + "#" + (id & ((1L << 40) - 1));
  }

  /** Notes a part of a transaction: what it did to one line. Parts of one follow each other. */
  public void write(Change change, int line, long sentNanos, long ackedNanos, Outcome outcome) {
    int at = writeEnd;
    writes[at] = change.id();
    writes[at + 1] =
        (long) line << 32 | (long) outcome.ordinal() << 40 | (change.rewrites() ? 1L << 48 : 0);
    writes[at + 2] = change.version(line);
    writes[at + 3] = sentNanos;
    writes[at + 4] = ackedNanos;
    writes[at + 5] = change.kind() | (long) session << 32;
    writes[at + 6] = change.written(line);
    writes[at + 7] = change.deleted(line);
    writeEnd += WRITE_SIZE;
  }

  /** Notes something that was seen to be wrong at once. */
  public void violation(String text) {
    violations.add(text);
  }

  List<String> violations() {
    return violations;
  }

  void clear() {
    Arrays.fill(reads, 0, readEnd, 0);
    readEnd = 0;
    writeEnd = 0;
    readStart = 0;
    violations.clear();
  }

  static long pack(int line, int slot, long version) {
    return (long) line << 60 | (long) slot << 52 | version;
  }

  static int lineOf(long packed) {
    return (int) (packed >>> 60);
  }

  static int slotOf(long packed) {
    return (int) (packed >>> 52) & 0xff;
  }

  static long versionOf(long packed) {
    return packed & ((1L << 52) - 1);
  }
}
