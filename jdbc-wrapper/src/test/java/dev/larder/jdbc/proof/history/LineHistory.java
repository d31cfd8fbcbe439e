package dev.larder.jdbc.proof.history;

import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import java.util.Arrays;

/**
 * The versions of one line in one window, from the one that the window began with, at index 0, to
 * the last. Versions are dense: each is one more than the one before, because the counter's row is
 * locked until a transaction ends. Used by one thread.
 */
final class LineHistory {
  static final long NEVER = Long.MAX_VALUE;

  private final int line;
  private long base = 1;
  private int last;
  private int ready;
  private int capacity = 1024;

  /** What the rows hold at the beginning. */
  private final long[] baseVersions = new long[Line.MOST_SLOTS];

  private final long[] baseIds = new long[Line.MOST_SLOTS];

  long[] ids = new long[capacity];
  long[] sent = new long[capacity];
  long[] acked = new long[capacity];
  int[] written = new int[capacity];
  int[] deleted = new int[capacity];
  int[] present = new int[capacity];
  int[] kinds = new int[capacity];
  boolean[] rewrites = new boolean[capacity];
  boolean[] known = new boolean[capacity];
  long[] sumOfVersions = new long[capacity];
  long[] sumOfIds = new long[capacity];

  /** For each version and slot the index of the next version that writes the slot. */
  int[] next = new int[capacity * Line.MOST_SLOTS];

  /** For each version the versions of the other lines that whoever sees it must see too. */
  long[] depends = new long[capacity * Line.count()];

  LineHistory(Line line) {
    this.line = line.ordinal();
    for (int slot = 0; slot < Line.MOST_SLOTS; slot++) {
      baseVersions[slot] = (line.initialSlots() & 1 << slot) != 0 ? 1 : 0;
    }
    present[0] = line.initialSlots();
    known[0] = true;
  }

  long base() {
    return base;
  }

  int last() {
    return last;
  }

  long lastVersion() {
    return base + last;
  }

  /** Returns the index of a version, or −1 where it is not in the window. */
  int indexOf(long version) {
    long index = version - base;
    return index < 0 || index > last ? -1 : (int) index;
  }

  /** Adds what a transaction did; parts may come in any order of versions. */
  void add(long[] entry, int at) {
    int index = (int) (entry[at + 2] - base);
    if (index <= 0) {
      throw new IllegalStateException(
          Line.of(line) + " version " + entry[at + 2] + " is before the window");
    }
    while (index >= capacity) {
      grow();
    }
    if (known[index]) {
      throw new IllegalStateException(
          Line.of(line)
              + " version "
              + entry[at + 2]
              + " was written twice: by "
              + described(ids[index], kinds[index], sent[index], acked[index])
              + " and "
              + described(entry[at], entry[at + 5], entry[at + 3], entry[at + 4]));
    }
    known[index] = true;
    ids[index] = entry[at];
    written[index] = (int) entry[at + 6];
    deleted[index] = (int) entry[at + 7];
    rewrites[index] = (entry[at + 1] & 1L << 48) != 0;
    sent[index] = entry[at + 3];
    acked[index] = outcome(entry, at) == Outcome.COMMITTED ? entry[at + 4] : NEVER;
    kinds[index] = (int) entry[at + 5];
    last = Math.max(last, index);
  }

  private static String described(long id, long kind, long sent, long acked) {
    return HistoryLog.describeId(id) + " of kind " + kind + ", sent " + sent + ", acked " + acked;
  }

  boolean has(long version) {
    int index = indexOf(version);
    return index >= 0 && known[index];
  }

  static Outcome outcome(long[] entry, int at) {
    return Outcome.values()[(int) (entry[at + 1] >>> 40) & 0xff];
  }

  private void grow() {
    capacity *= 2;
    ids = Arrays.copyOf(ids, capacity);
    sent = Arrays.copyOf(sent, capacity);
    acked = Arrays.copyOf(acked, capacity);
    written = Arrays.copyOf(written, capacity);
    deleted = Arrays.copyOf(deleted, capacity);
    present = Arrays.copyOf(present, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    rewrites = Arrays.copyOf(rewrites, capacity);
    known = Arrays.copyOf(known, capacity);
    sumOfVersions = Arrays.copyOf(sumOfVersions, capacity);
    sumOfIds = Arrays.copyOf(sumOfIds, capacity);
    next = Arrays.copyOf(next, capacity * Line.MOST_SLOTS);
    depends = Arrays.copyOf(depends, capacity * Line.count());
  }

  /** Works out, once everything is added, what each version holds. */
  void complete() {
    ready = 0;
    long[] versions = baseVersions.clone();
    long[] holders = baseIds.clone();
    for (int i = 0; i <= last; i++) {
      if (!known[i]) {
        throw new IllegalStateException(
            "nobody has written version " + (base + i) + " of " + Line.of(line));
      }
      for (int slot = 0; i > 0 && slot < Line.MOST_SLOTS; slot++) {
        if ((written[i] & 1 << slot) != 0) {
          boolean gone = (deleted[i] & 1 << slot) != 0;
          versions[slot] = gone ? 0 : base + i;
          holders[slot] = gone ? 0 : ids[i];
        }
      }
      if (i > 0) {
        present[i] = present[i - 1] & ~written[i] | written[i] & ~deleted[i];
        sent[i] = Math.max(sent[i], sent[i - 1]);
      }
      sumOfVersions[i] = Arrays.stream(versions).sum();
      sumOfIds[i] = Arrays.stream(holders).sum();
    }
    link();
  }

  private void link() {
    for (int slot = 0; slot < Line.MOST_SLOTS; slot++) {
      next[last * Line.MOST_SLOTS + slot] = Integer.MAX_VALUE;
      for (int i = last; i > 0; i--) {
        boolean writes = (written[i] & 1 << slot) != 0;
        next[(i - 1) * Line.MOST_SLOTS + slot] = writes ? i : next[i * Line.MOST_SLOTS + slot];
      }
    }
  }

  /** Returns the index of the version that wrote what was seen in a slot, or −1: nobody did. */
  int writerOf(int slot, long version, long id) {
    if (version == baseVersions[slot] && version != 0 && id == baseIds[slot]) {
      return 0;
    }
    int index = indexOf(version);
    boolean wrote =
        index > 0 && (written[index] & ~deleted[index] & 1 << slot) != 0 && ids[index] == id;
    return wrote ? index : -1;
  }

  /** Returns the index of the last version that has what {@code writer} wrote in a slot. */
  int lastWith(int writer, int slot) {
    int following = next[writer * Line.MOST_SLOTS + slot];
    return following == Integer.MAX_VALUE ? last : following - 1;
  }

  /** Returns what must be seen of another line by whoever sees the version at {@code index}. */
  long dependency(int index, int other) {
    int lines = Line.count();
    while (ready < index) {
      ready++;
      for (int l = 0; l < lines; l++) {
        int at = ready * lines + l;
        depends[at] = Math.max(depends[at], depends[at - lines]);
      }
    }
    return depends[index * lines + other];
  }

  /** Goes on to the next window: what is last now is what that begins with. */
  void advance() {
    for (int slot = 0; slot < Line.MOST_SLOTS; slot++) {
      for (int i = last; i > 0; i--) {
        if ((written[i] & 1 << slot) != 0) {
          boolean gone = (deleted[i] & 1 << slot) != 0;
          baseVersions[slot] = gone ? 0 : base + i;
          baseIds[slot] = gone ? 0 : ids[i];
          break;
        }
      }
    }
    ids[0] = ids[last];
    kinds[0] = kinds[last];
    sent[0] = 0;
    acked[0] = 0;
    present[0] = present[last];
    Arrays.fill(known, 1, last + 1, false);
    Arrays.fill(depends, 0, (last + 1) * Line.count(), 0);
    base += last;
    last = 0;
  }
}
