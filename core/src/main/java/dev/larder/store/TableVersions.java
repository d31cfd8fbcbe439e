package dev.larder.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one database's tables: the state that decides whether an entry may be hit. One
 * object for each database and JVM, shared by every cache and connection to it, however they spell
 * its address. Thread-safe; no method blocks or does I/O.
 *
 * <h2>What is promised</h2>
 *
 * <p>A hit returns rows that the database itself could have returned: no commit that changes them
 * became visible before the read began. This holds whether or not the commit was acknowledged, so
 * that reads are monotonic within a session and between sessions. It rests on every writer
 * announcing and publishing, and on every reader capturing and validating, in the order described
 * here; the order is the protocol, and {@code ProtocolModelTest} tries every interleaving of it.
 *
 * <h2>The state</h2>
 *
 * <p>There is one <em>epoch</em> E, which only grows, and for each table a <em>tag</em> with a
 * <em>stamp</em>: a version, which only grows, and an <em>in-flight count</em>, the number of
 * writers between announce and publish. The pseudo-tag ALL stands for writes that might have hit
 * anything; every entry depends on it. Versions are values of E, so that they can be compared with
 * the E that a transaction saw when it began.
 *
 * <h2>A writer</h2>
 *
 * <ol>
 *   <li><b>Announces</b> before anything is sent that may commit: it raises the in-flight count of
 *       every tag first, then counts the {@linkplain Announces announce} of every tag, and advances
 *       E last. From here on nobody can validate an entry of these tags, and nobody's earlier
 *       validation is good any more.
 *   <li>Sends, and waits for the outcome. The commit becomes visible somewhere in here.
 *   <li><b>Publishes</b> once the outcome is definite, and before the application learns of it: it
 *       takes a new version from E and, tag by tag, in one atomic step sets the version and lowers
 *       the in-flight count. After an error too: a statement that failed may have been a commit
 *       that succeeded.
 * </ol>
 *
 * <p>When the outcome is not known (the connection died), nothing is published: the in-flight count
 * stays until somebody knows that the server process is gone. No time limit would do, for a server
 * process may commit long after its client has died.
 *
 * <h2>A reader</h2>
 *
 * <ol>
 *   <li><b>Validates</b> what it found: it reads E; if the entry was validated at this very E, that
 *       is all. Else it reads the announces of the entry's tags; if they are as they were at a
 *       validation, that is all. Else every stamp must equal the captured one, which had no writer
 *       in flight; the entry then remembers the E and the announces that were read <em>before</em>
 *       the stamps.
 *   <li>On a miss <b>captures</b> the stamps before anything is sent, and gives up filling if one
 *       has in-flight writers; executes; and fills with the captured stamps, however long that
 *       took.
 * </ol>
 *
 * <p>In a REPEATABLE READ transaction the reader also reads E before its first statement is sent,
 * runs that statement at the server, which fixes the snapshot, and fills or hits afterwards only
 * where {@link VersionVector#notAfter} says that no table was written since.
 *
 * <h2>Why it holds</h2>
 *
 * <p><b>Equal stamps without in-flight writers at capture and at validation: no commit in
 * between.</b> A commit becomes visible only inside its writer's window, in which its tags'
 * in-flight count is at least 1. If the window overlaps the capture or the validation, that reading
 * finds a writer in flight. If it lies between them, its publish set a version taken from E later
 * than any that the tag had had, and versions do not fall: the stamps differ. So the rows, which
 * were read after the capture, are those that a read at the validation would return. That in-flight
 * count is a count matters where windows overlap each other: the end of one must not look like the
 * end of all. That the version grows in the same step in which the in-flight count falls matters
 * too: between the two a reader would find the old stamp again.
 *
 * <p><b>Equal E: no commit since the last validation.</b> A writer advances E after it has raised
 * every in-flight count and before it sends. If E is still what it was before a successful
 * validation, a writer either had raised its in-flight count before the stamps were read, and the
 * validation would have failed; or it has not advanced E yet, and so has not sent anything. This is
 * why E comes after the in-flight count: the other way round a reader could read the new E,
 * validate between the two steps, and be believed after the commit. And it is why the entry
 * remembers the E read before the stamps and not a later one.
 *
 * <p><b>Equal announces: no commit of these tags since the last validation.</b> For the same
 * reason, as a writer counts its announce after the in-flight counts and before E. A count never
 * falls, so that equal sums mean equal counts, in whatever order they are read. Most writes are of
 * other tags: an E that has changed then costs a look at the counts, which stay in the processor's
 * caches, and not at the stamps, which do not.
 *
 * <p><b>REPEATABLE READ.</b> A version not after e0, and no writer in flight, at the capture (or
 * the validation) means that every write published by then had taken its version before e0 was
 * read. Its commit was visible by then, so the snapshot, taken later, contains it; and no other
 * commit has happened. So the table is, at the capture, as the snapshot shows it.
 *
 * <p><b>Columns beside rows.</b> A result can depend on a table's rows by tags of these rows, and
 * beside them by tags of the columns that it uses ({@link ColumnTags}). A write of rows that only
 * sets other columns changes the first and not the second. So where tags of rows have changed, and
 * of their tables no tag of a column has, the rows are, by the same argument, what a read now would
 * return. Such a result is kept anew, as if it had just been read: everything that it depends on is
 * captured <em>before</em> the columns are looked at, else a write between the two would be lost.
 *
 * <h2>The catalog changes</h2>
 *
 * <p>What a statement may write is looked up in a version of the catalog before it is announced. A
 * statement that changes the catalog (a new trigger, a new foreign key) is itself a write of
 * everything, and before it publishes it withdraws the version: without one nothing is resolved,
 * and so nothing is hit or filled. Statements are then judged by the last version, as if the change
 * had not been noticed yet: what they write besides is dropped with all else, once the catalogs are
 * found to differ, and before there is a hit. Whoever reads the catalog again and finds that it
 * differs first makes the version old and then {@linkplain #widenPending widens} everything under
 * way to ALL, before there is a version again. A writer, after it has announced and before it
 * sends, compares the catalogVersion with that of its lookup and widens its own write if they
 * differ. One of the two sees the other, for each does its own entry before it looks; so there is
 * no moment at which anything is hit while a write may do what was not announced.
 *
 * <p>Where only single tables were changed, and a write of them does besides what it did before,
 * only what writes these is widened, and only their results are dropped.
 *
 * <p>A query that waits for a lock may find a function, a trigger or a view that writes where its
 * lookup found none. So queries are announced too, with no tags: that disturbs nobody, but lets
 * them be widened.
 *
 * <h2>Tags come and go</h2>
 *
 * <p>Tags are interned weakly, so that a table nobody has results of costs nothing. Entries refer
 * to the tag object and a pending write does too, and so a tag that could still decide anything is
 * not collected: an entry never meets a second tag of its table. A tag that is made again starts at
 * the present E, not below any version that its predecessor had: else a REPEATABLE READ transaction
 * could take a table for older than its snapshot.
 */
public final class TableVersions {
  /** The result of {@link #validateStep} when the entry may be hit. */
  static final int CURRENT = -1;

  /** The result of {@link #validateStep} when it may not. */
  static final int NOT_CURRENT = -2;

  /**
   * Only grows. When a commit is sent, it has been advanced since the in-flight count of the
   * writer's tags was raised. Is at least every version of every tag.
   */
  private final AtomicLong epoch = new AtomicLong(1);

  private final Announces announces = new Announces();
  private final TableTag all = new TableTag(TableTag.Scope.ALL, 0, () -> 1);
  private final List<TableTag> everything = List.of(all);

  /**
   * At most one tag that is reachable from anywhere else for each key. The maintenance runs on the
   * thread that finds it due.
   */
  private final Cache<TagKey, TableTag> tags =
      Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

  /**
   * Contains every write whose tags may have writers in flight: keeps these tags from being
   * collected.
   */
  private final PendingWrites pending = new PendingWrites();

  final RecentWrites recent = new RecentWrites(this);

  private record TagKey(TableTag.Scope scope, long oid) {}

  /** Creates the versions of a database that nobody has read or written yet. */
  public TableVersions() {}

  /** Returns the tag of everything: every captured vector contains it, and it adds up counts. */
  public TableTag all() {
    return all;
  }

  /** Returns the one tag of this scope and relation; a new one starts at the present epoch. */
  public TableTag tag(TableTag.Scope scope, long oid) {
    if (scope == TableTag.Scope.ALL) {
      return all;
    }
    return tags.get(new TagKey(scope, oid), key -> new TableTag(scope, oid, epoch::get));
  }

  /** Returns the epoch: it grows at every announce and every publish. */
  public long epoch() {
    return epoch.get();
  }

  /**
   * Marks {@code writes} as under way: until the returned write is published no reader hits or
   * fills an entry that depends on them. Call before anything that may commit is sent. A set that
   * is empty disturbs nobody until it is widened. Where it throws, nothing is under way.
   */
  public PendingWrite announce(WriteSet writes) {
    boolean nothing = writes.isEmpty();
    PendingWrite write = new PendingWrite(writes, nothing ? 0 : System.nanoTime());
    pending.add(write);
    if (nothing) {
      return write;
    }
    int done = 0;
    try {
      List<? extends Tag> tags = tagsOf(write);
      boolean more = ProtocolStep.ANNOUNCE.isTaken();
      while (more) {
        more = announceStep(tags, done);
        done++;
        FaultPoint.ANNOUNCING.pass();
      }
    } catch (Throwable t) {
      // Nothing will be sent: what was raised is lowered again, and no other writer's count.
      write.announcedOnly(done);
      publish(write);
      throw t;
    }
    if (!ProtocolStep.PUBLISH_AFTER_OUTCOME.isTaken()) {
      publish(write);
    }
    return write;
  }

  /**
   * Ends {@code write}: entries filled before are never hit again. Call when the outcome is
   * definite, also after an error. The second and later calls do nothing.
   */
  public void publish(PendingWrite write) {
    int before = write.end();
    if (before == PendingWrite.ENDED) {
      return;
    }
    if (write.writes().isEmpty() && before == PendingWrite.OPEN) {
      pending.remove(write);
      return;
    }
    int step = 0;
    List<? extends Tag> tags = tagsOf(write);
    while (publishStep(write, tags, before, step)) {
      step++;
    }
    pending.remove(write);
    long millis = System.currentTimeMillis();
    WriteSet writes = write.writes();
    for (TableTag table : writes.unknown() ? everything : writes.tags()) {
      table.published(millis, writes, all);
    }
  }

  /**
   * Keeps every reader from hitting and filling entries that depend on {@code tags} until the
   * returned write is published, as if somebody were writing them all the time. No change of the
   * catalog makes that a write of everything.
   */
  public PendingWrite withhold(List<TableTag> tags) {
    PendingWrite write = new PendingWrite(new WriteSet(tags, false), System.nanoTime());
    write.writes().bumped().forEach(Tag::raise);
    write.writes().bumped().forEach(announces::add);
    epoch.incrementAndGet();
    return write;
  }

  /**
   * Makes {@code write}, while it is under way, one of everything: its announce is extended to ALL,
   * and its publish will be. For a write that may do more than it was announced with, because the
   * catalog changed after it was looked up.
   */
  public void widen(PendingWrite write) {
    if (write.writes().unknown()) {
      return;
    }
    int step = 0;
    while (widenStep(write, step)) {
      step++;
    }
  }

  /**
   * Widens everything that is under way. Whoever finds that the catalog has changed calls it before
   * the new one is used; a writer that announces later sees the change and widens its write itself,
   * so that none is missed.
   */
  public void widenPending() {
    if (ProtocolStep.WIDEN_PENDING.isTaken()) {
      pending.forEach(this::widen);
    }
  }

  /**
   * Captures the versions of {@code tags} and ALL, or returns null while one of them has in-flight
   * writers.
   */
  public @Nullable VersionVector capture(List<? extends Tag> tags) {
    return captured(new VersionVector(all, tags));
  }

  /**
   * Captures the versions of tags that became known by the answer of a statement: as they have been
   * since before it was sent, or null where one of them was written since, or has in-flight
   * writers.
   *
   * @param epoch was read before the statement was sent
   */
  public @Nullable VersionVector captureSince(long epoch, List<? extends Tag> tags) {
    VersionVector vector = captured(new VersionVector(all, tags, epoch));
    return vector != null && vector.notAfter(epoch) ? vector : null;
  }

  private static @Nullable VersionVector captured(VersionVector vector) {
    for (int i = 0; i < vector.size(); i++) {
      if (!vector.capture(i)) {
        return null;
      }
    }
    return vector;
  }

  /**
   * Returns whether {@code entry} may be hit now: nothing that it read has been written or is being
   * written.
   */
  public boolean isCurrent(CacheEntry entry) {
    long seen = epoch.get();
    return entry.validatedEpoch() == seen || validate(entry, seen);
  }

  /** Returns the writes that are under way, for status displays. */
  public Collection<PendingWrite> pending() {
    return pending.all();
  }

  private boolean validate(CacheEntry entry, long seen) {
    long announced = announces.sum(entry);
    if (entry.validatedAnnounces() == announced) {
      entry.validatedAt(seen);
      return true;
    }
    int step = 0;
    while (step >= 0) {
      step = validateStep(entry, seen, announced, step);
    }
    return step == CURRENT;
  }

  // The steps below are what the protocol consists of. Each makes at most one access to what the
  // threads share; the order is theirs, and the model of the protocol interleaves them.

  /** Does one step of the {@link #announce} of {@code tags} and returns whether another follows. */
  boolean announceStep(List<? extends Tag> tags, int step) {
    int size = tags.size();
    if (step < size) {
      if (ProtocolStep.COUNT_IN_FLIGHT.isTaken()) {
        tags.get(step).raise();
      }
      return true;
    }
    if (step < 2 * size) {
      if (ProtocolStep.COUNT_ANNOUNCES.isTaken()) {
        announces.add(tags.get(step - size));
      }
      return true;
    }
    epoch.incrementAndGet();
    if (recent.on) {
      recent.add(tags);
    }
    return false;
  }

  /**
   * Does one step of {@link #publish} and returns whether another follows.
   *
   * @param tags of the write
   * @param before how far the write was when it ended
   */
  boolean publishStep(PendingWrite write, List<? extends Tag> tags, int before, int step) {
    if (step == 0) {
      write.takeVersion(epoch.incrementAndGet());
    } else {
      Tag tag = step <= tags.size() ? tags.get(step - 1) : all;
      boolean counts = tag instanceof TableTag || ProtocolStep.PUBLISH_ROWS.isTaken();
      tag.publish(counts ? write.version() : 0);
    }
    return step < tags.size() + (before == PendingWrite.WIDENED ? 1 : 0);
  }

  /** Does one step of {@link #widen} and returns whether another follows. */
  boolean widenStep(PendingWrite write, int step) {
    switch (step) {
      case 0 -> all.raise();
      case 1 -> announces.add(all);
      case 2 -> epoch.incrementAndGet();
      case 3 -> {
        return !write.widen();
      }
      default -> {
        all.publish(epoch.incrementAndGet()); // The write has ended, or holds ALL already: undone.
        return false;
      }
    }
    return true;
  }

  /**
   * Does one step of the slow part of {@link #isCurrent}.
   *
   * @param seen the epoch that was read before
   * @param announced the sum of the announces that was read before
   * @return the next step, {@link #CURRENT} or {@link #NOT_CURRENT}
   */
  int validateStep(CacheEntry entry, long seen, long announced, int step) {
    if (step < entry.versions().size()) {
      return entry.versions().holds(step) ? step + 1 : NOT_CURRENT;
    }
    entry.validatedAt(seen, announced);
    return CURRENT;
  }

  /** Advances the epoch and returns its new value, which nobody else gets. */
  long advance() {
    return epoch.incrementAndGet();
  }

  /**
   * Returns the tags whose in-flight count {@code write} raises, or has raised where it broke off.
   */
  List<? extends Tag> tagsOf(PendingWrite write) {
    List<? extends Tag> tags = write.writes().unknown() ? everything : write.writes().bumped();
    int raised = write.raised();
    return raised < tags.size() ? tags.subList(0, raised) : tags;
  }
}
