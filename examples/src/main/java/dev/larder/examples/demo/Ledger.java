package dev.larder.examples.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the writer has written, against which every answer is checked.
 *
 * <p>Every balance starts at 0 and grows by 1 with each committed write to its row, so that a
 * balance is the row's version. The writer notes a write as <em>sent</em> before COMMIT goes out
 * and as <em>acknowledged</em> when it has returned. A reader notes what was acknowledged before it
 * asks, and compares with what was sent after it got its answer. An answer is right when
 *
 * <ul>
 *   <li>it is at least as new as everything acknowledged before it was asked for (not stale),
 *   <li>and no newer than everything sent by the time it came (not made up, and not dirty: rolled
 *       back writes set balances far outside),
 *   <li>and no older than what the same thread saw before (monotone),
 *   <li>and consistent: the balances of a branch's accounts add up to the branch's balance, because
 *       they change in one transaction.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class Ledger {
  /** A table with a balance in each row. */
  enum Rows {
    ACCOUNT,
    TELLER,
    BRANCH
  }

  private static final int KEPT = 5;

  private final Map<Rows, AtomicIntegerArray> sent;
  private final Map<Rows, AtomicIntegerArray> acknowledged;
  private final AtomicLong wrong = new AtomicLong();
  private final List<String> examples = new ArrayList<>();

  Ledger(int accounts, int tellers, int branches) {
    sent = balances(accounts, tellers, branches);
    acknowledged = balances(accounts, tellers, branches);
  }

  private static Map<Rows, AtomicIntegerArray> balances(int accounts, int tellers, int branches) {
    Map<Rows, AtomicIntegerArray> balances = new EnumMap<>(Rows.class);
    balances.put(Rows.ACCOUNT, new AtomicIntegerArray(accounts + 1));
    balances.put(Rows.TELLER, new AtomicIntegerArray(tellers + 1));
    balances.put(Rows.BRANCH, new AtomicIntegerArray(branches + 1));
    return balances;
  }

  private static <T> T of(Map<Rows, T> balances, Rows rows) {
    return Objects.requireNonNull(balances.get(rows));
  }

  /** Notes that COMMIT of a write to this row is about to be sent. */
  void sent(Rows rows, int id) {
    of(sent, rows).incrementAndGet(id);
  }

  /** Notes that COMMIT has returned. */
  void acknowledged(Rows rows, int id) {
    of(acknowledged, rows).incrementAndGet(id);
  }

  /** What one thread has seen: its next reads may not be older. For one thread. */
  final class Seen {
    private final Map<Rows, int[]> last = new EnumMap<>(Rows.class);

    Seen() {
      sent.forEach((rows, balances) -> last.put(rows, new int[balances.length()]));
    }

    /** Returns the version that a read which begins now must at least see. */
    int least(Rows rows, int id) {
      return Math.max(of(acknowledged, rows).get(id), of(last, rows)[id]);
    }

    /**
     * Checks a balance that was read.
     *
     * @param least what {@link #least} returned before the read
     */
    void check(Rows rows, int id, int least, int read) {
      int most = of(sent, rows).get(id);
      if (read < least) {
        wrong(
            "%s %d: read version %d, but %d was seen or acknowledged before",
            rows, id, read, least);
      } else if (read > most) {
        wrong("%s %d: read version %d, but only %d was sent", rows, id, read, most);
      } else {
        of(last, rows)[id] = read;
      }
    }

    /** Checks a value that never changes. */
    void same(String what, long expected, long read) {
      if (read != expected) {
        wrong("%s is %d, but must be %d", what, read, expected);
      }
    }
  }

  /** Counts a wrong row. */
  void wrong(String format, Object... arguments) {
    wrong.incrementAndGet();
    synchronized (examples) {
      if (examples.size() < KEPT) {
        examples.add(String.format(Locale.ROOT, format, arguments));
      }
    }
  }

  long wrong() {
    return wrong.get();
  }

  /** Returns the first wrong rows in words. */
  List<String> examples() {
    synchronized (examples) {
      return List.copyOf(examples);
    }
  }
}
