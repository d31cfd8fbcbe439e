package dev.larder.engine;

import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.ResolvedStatement.Clock;
import dev.larder.store.Moment;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of which moment a session has seen each table, so that no outdated result takes it back in time.
 * Kept from the first miss on of a query that may be outdated. Thread-safe.
 *
 * <p>Moments are epochs. What was seen at one may hold every write that was announced by then, and
 * none that was announced later. What a session was shown last takes it nowhere if it is shown
 * again, though a write that outdated it was announced before it was there. Moments of the clock
 * are those of {@link ShownClock}.
 */
public final class SessionReads {
  /** Where there are more tables, all count as seen. */
  private static final int MOST = 256;

  private final Database database;
  private final List<Noting> noting;
  private boolean kept;
  private @Nullable Duration staleness;
  private volatile Refresh.@Nullable Taker refreshes;

  /** By the tables' oids: a table below others has tags with theirs. Guarded by this. */
  private final Map<Long, Seen> seen = new HashMap<>();

  /** What it has prepared and nobody has ended. Guarded by this. */
  private final Set<String> prepared = new HashSet<>();

  /** Guarded by this. */
  private long everything;

  /** When it has read the clock. Guarded by this. */
  private Seen clock = Seen.NEVER;

  /** How often it was noted that it has. Guarded by this. */
  private long clockNotes;

  /** How often it was noted what was seen. Guarded by this. */
  private long notes;

  /**
   * Of which moment a table was seen.
   *
   * @param epoch the last at which it was seen
   * @param last the kept result that showed it last; null where it was something else
   * @param before the last epoch at which anything but {@code last} has shown it
   * @param note which of the {@link #notes} says so
   */
  private record Seen(long epoch, @Nullable Shown last, long before, long note) {
    private static final Seen NEVER = new Seen(0, null, 0, 0);

    Seen then(long now, @Nullable Shown shown, long noted) {
      if (noted == note) {
        return this; // Several tags are of one table.
      }
      boolean again = shown != null && shown == last;
      return new Seen(Math.max(epoch, now), shown, again ? before : epoch, noted);
    }

    Seen as(Shown shown, long moment) {
      return new Seen(Math.max(before, moment), shown, before, note);
    }

    /** Returns the last epoch at which anything but {@code shown} has shown the table. */
    long without(Shown shown) {
      return shown == last ? before : epoch;
    }
  }

  /** What a session had seen when it began to ask the database. */
  final class Before {
    private final long noted = notes;
    private final long clockNoted = clockNotes;

    private Before() {}

    /** Notes that the answer is what {@code shown} stands for, if nothing else was seen since. */
    void wasShown(Collection<TableTag> tables, Shown shown) {
      synchronized (SessionReads.this) {
        if (notes == noted + 1) {
          for (TableTag table : tables) {
            seen.computeIfPresent(table.oid(), (oid, was) -> was.as(shown, shown.epoch()));
          }
        }
        if (clockNotes == clockNoted + 1 && shown instanceof ShownClock read) {
          clock = clock.as(read, read.there());
        }
      }
    }
  }

  /** Notes what a session does, once it is told where. */
  @FunctionalInterface
  public interface Noting {
    /** Has {@code reads} told from now on. */
    void noteIn(SessionReads reads);
  }

  /**
   * Creates the reads of a session, of which nothing is kept yet.
   *
   * @param noting are told when they are to be kept
   */
  public SessionReads(Database database, Noting... noting) {
    this.database = database;
    this.noting = List.of(noting);
  }

  /** Has the reads kept from now on: so far the session may have seen anything. */
  public synchronized void begin() {
    if (!kept) {
      kept = true;
      everything();
      sawClock();
      noting.forEach(each -> each.noteIn(this));
    }
  }

  /** Returns whether they are kept. */
  synchronized boolean areKept() {
    return kept;
  }

  /** Says for how long the session may use results that are outdated; null for none. */
  public synchronized void staleness(@Nullable Duration declared) {
    staleness = declared;
  }

  /** Returns what {@link #staleness(Duration)} has said last. */
  public synchronized @Nullable Duration staleness() {
    return staleness;
  }

  /** Says what asks the session's queries again in the background; without it, nobody does. */
  public void refreshes(Refresh.Taker taker) {
    refreshes = taker;
  }

  Refresh.@Nullable Taker refreshes() {
    return refreshes;
  }

  /**
   * Notes that something was sent and answered.
   *
   * @param resolved what it means, or null where that is not known
   * @param nameless whether it reads no table, whatever it means
   * @param alone whether it was a transaction of its own: of others more rows may be fetched later
   */
  public void sent(@Nullable ResolvedStatement resolved, boolean nameless, boolean alone) {
    if (!alone || (resolved == null ? !nameless : resolved.clock() != Clock.UNREAD)) {
      sawClock();
    }
    if (resolved == null ? !nameless : !resolved.told()) {
      everything();
    } else if (resolved != null) {
      saw(resolved.readTags());
      wrote(resolved.writes());
    }
  }

  /** Notes that something was written, and perhaps committed. */
  public void wrote(WriteSet writes) {
    if (!writes.isEmpty()) {
      sawClock(); // A default may do so, or a trigger, whose rows it can read.
    }
    if (!ProtocolStep.SEE_OWN_WRITES.isTaken()) {
      return;
    }
    if (writes.unknown()) {
      everything();
    } else {
      saw(writes.tags());
    }
  }

  /** Notes that the session may have seen anything. */
  public synchronized void everything() {
    notes++;
    seen.clear();
    everything = Math.max(everything, database.epoch());
  }

  /**
   * Notes that what the session has written was prepared, and may be committed by another one.
   * Until that has ended the session reads nothing outdated; where nobody is told of its end,
   * never.
   *
   * @param names of the prepared transactions; empty where they are not known
   */
  public synchronized void prepared(List<String> names) {
    if (names.isEmpty() || !names.stream().allMatch(database.prepared()::isOpen)) {
      everything = Long.MAX_VALUE;
    }
    prepared.addAll(names);
  }

  private boolean isPreparedOpen() {
    if (prepared.removeIf(name -> !database.prepared().isOpen(name))) {
      everything(); // It was announced before it ended.
    }
    return !prepared.isEmpty();
  }

  /** Notes that the session has seen tables as they are now. */
  void saw(Collection<TableTag> tables) {
    saw(tables, database.epoch(), null);
  }

  /** Notes that the session was shown a result that is kept. */
  void saw(Collection<TableTag> tables, Shown shown) {
    saw(tables, shown.epoch(), shown);
  }

  private synchronized void saw(Collection<TableTag> tables, long epoch, @Nullable Shown shown) {
    if (tables.isEmpty()) {
      return;
    }
    notes++;
    for (TableTag table : tables) {
      seen.compute(
          table.oid(), (oid, was) -> (was == null ? Seen.NEVER : was).then(epoch, shown, notes));
    }
    if (seen.size() > MOST) {
      everything();
    }
  }

  /** Notes that the session may have read the clock. */
  public synchronized void sawClock() {
    clock = clock.then(Moment.now(), null, ++clockNotes);
  }

  /** Notes that the session was shown a result that is kept, and depends on the time. */
  synchronized void sawClock(ShownClock shown) {
    clock = clock.then(shown.there(), shown, ++clockNotes);
  }

  /** Returns whether to read a result that depends on the time takes the clock back. */
  synchronized boolean mayReadClock(ShownClock shown) {
    return kept && clock.without(shown) < shown.sent();
  }

  /** Returns what the session has seen so far; null where that is not kept. */
  synchronized @Nullable Before before() {
    return kept ? new Before() : null;
  }

  /**
   * Returns whether to read a result once more takes nothing back.
   *
   * @param epoch before which the result was current
   */
  synchronized boolean mayRead(Shown shown, List<TableTag> tables, long epoch) {
    if (!ProtocolStep.KEEP_SESSIONS_FORWARD.isTaken()) {
      return true;
    }
    if (isPreparedOpen() || everything >= epoch) {
      return false;
    }
    for (TableTag table : tables) {
      if (seen.getOrDefault(table.oid(), Seen.NEVER).without(shown) >= epoch) {
        return false;
      }
    }
    return true;
  }
}
