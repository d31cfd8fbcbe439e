package dev.larder.feed;

import dev.larder.catalog.CatalogVersion;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a feed tells a database of its log. Thread-safe. */
public final class FollowedDatabase {
  /** More tables than this are all. */
  private static final int MOST_NAMED = 64;

  private final String name;
  private final TableVersions versions;
  private final Supplier<@Nullable CatalogVersion> catalog;
  private final FollowedWrites writes;

  /** Held by the thread that reads the log: the end of one feed must not end the next one. */
  private final Lock reading = new ReentrantLock();

  private volatile String server = "";
  private volatile Coverage coverage = Coverage.UNKNOWN;
  private volatile BooleanSupplier endIfUnused = () -> false;
  private volatile Runnable asksSoon = () -> {};

  /** Whether somebody has looked a result up since the server was asked last. */
  private volatile boolean used;

  /** Whether the next question is far, as nobody looks anything up. */
  private volatile boolean resting;

  /**
   * Creates what nothing was told of yet.
   *
   * @param name of the database, for people
   * @param catalog returns the present catalog, or null while there is none
   */
  public FollowedDatabase(
      String name, TableVersions versions, Supplier<@Nullable CatalogVersion> catalog) {
    this.name = name;
    this.versions = versions;
    this.catalog = catalog;
    this.writes = new FollowedWrites(versions);
  }

  /** Returns the name of the database, for people. */
  public String name() {
    return name;
  }

  /** Returns what a thread must hold that reads the log, or is about to. */
  public Lock reading() {
    return reading;
  }

  /** Returns the protocol by which commits are announced and published. */
  public FollowedWrites writes() {
    return writes;
  }

  /**
   * Says whose log is read from now on.
   *
   * @param read see {@link LogPosition#server}
   */
  public void server(String read) {
    server = read;
  }

  /** Returns up to where everything in the log was announced. */
  public LogPosition reached() {
    return new LogPosition(server, writes.position());
  }

  /** Returns a transaction whose first change has come. */
  public LoggedTransaction begin() {
    return new LoggedTransaction(versions, catalog);
  }

  /**
   * Says that the log tells of a commit: see {@link FollowedWrites#committed}.
   *
   * @param transaction its identifier, without the epoch
   */
  public void committed(int transaction, LoggedTransaction logged) {
    writes.committed(transaction, logged.writes(), logged::isPresent);
  }

  /**
   * Says which tables are covered from now on. Of the time since the last look nobody knows what
   * was written to those that are covered no more, and what was read from those that are covered
   * now may be from before they were: both are published.
   */
  @SuppressWarnings("ReferenceEquality") // One that was found may be as empty.
  public synchronized void covered(Coverage present) {
    Set<String> changed = new HashSet<>(coverage.covered());
    for (String table : present.covered()) {
      if (!changed.remove(table)) {
        changed.add(table);
      }
    }
    missed(changed); // Before anybody hits what was read before they were covered.
    if (coverage == Coverage.UNKNOWN || !present.equals(coverage)) {
      coverage = present;
    }
    missed(changed); // And what was hit as covered meanwhile.
  }

  /** Says that the log may not have told of writes to these tables. */
  public void missed(Set<String> tables) {
    WriteSet unknown = rows(tables);
    if (!unknown.isEmpty()) {
      versions.publish(versions.announce(unknown));
    }
  }

  private WriteSet rows(Set<String> tables) {
    CatalogVersion known = tables.size() > MOST_NAMED ? null : catalog.get();
    WriteSet writes = WriteSet.NONE;
    for (String table : tables) {
      WriteSet rows = known == null ? null : known.rowsOf(table, versions);
      writes = rows == null ? WriteSet.UNKNOWN : writes.union(rows);
      if (writes.unknown()) {
        return writes;
      }
    }
    return writes;
  }

  /** Returns which tables are covered: the same object until that changes. */
  public Coverage coverage() {
    return coverage;
  }

  /** Sets what ends the feed if nobody uses it. */
  void endIfUnused(BooleanSupplier end) {
    endIfUnused = end;
  }

  /**
   * Ends the feed if no connection has wanted it for a while: to be called now and then by its own
   * thread, which must then end.
   *
   * @return whether it has ended, or had before
   */
  public boolean endIfUnused() {
    return endIfUnused.getAsBoolean();
  }

  /** Says that somebody looks a result up: what the server was asked last is worth something. */
  public void use() {
    if (!used) {
      used = true;
      if (resting) {
        resting = false;
        askSoon();
      }
    }
  }

  /** Returns whether {@link #use} was called since the last call. For the thread that asks. */
  public boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /**
   * Says that the next question is far, so that the first use has it asked soon.
   *
   * @return false if there is one already
   */
  public boolean rest() {
    resting = true;
    if (used) {
      resting = false;
    }
    return resting;
  }

  /** Sets what has the server asked soon; it is called by any thread, and returns at once. */
  public void asksSoon(Runnable asking) {
    asksSoon = asking;
  }

  /** Says that somebody could use a result if it were known what is visible now. */
  public void askSoon() {
    asksSoon.run();
  }
}
