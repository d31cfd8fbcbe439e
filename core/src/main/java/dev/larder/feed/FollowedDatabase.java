package dev.larder.feed;

import dev.larder.catalog.CatalogVersion;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a feed tells a database of its log. Thread-safe. */
public final class FollowedDatabase {
  private static final Coverage.Gap NEW =
      new Coverage.Gap("transactions are open that began before it was covered", "");

  private final String name;
  private final TableVersions versions;
  private final Supplier<@Nullable CatalogVersion> catalog;
  private final FollowedWrites writes;
  private @Nullable Coverage latest; // Guarded by the writes.
  private volatile String server = "";
  private volatile Coverage coverage = Coverage.UNKNOWN;
  private volatile BooleanSupplier endIfUnused = () -> false;

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
    return new LoggedTransaction(versions, catalog.get());
  }

  /**
   * Says which tables the feed tells of, as was just seen. One that is new to it counts only once
   * all transactions have ended that are in progress now: they may have written it before.
   */
  public void covered(Coverage seen) {
    synchronized (writes) { // Who settles this holds the lock of these already.
      if (!seen.equals(latest)) {
        latest = seen;
        coverNow(seen);
      }
    }
  }

  private void coverNow(Coverage seen) {
    Set<String> kept = new HashSet<>(seen.covered());
    kept.retainAll(coverage.covered());
    Map<String, Coverage.Gap> gaps = new HashMap<>(seen.uncovered());
    for (String table : seen.covered()) {
      if (!kept.contains(table)) {
        gaps.put(table, NEW);
      }
    }
    apply(new Coverage(kept, gaps));
    if (kept.size() < seen.covered().size()) {
      writes.onceAllHaveEnded(() -> settled(seen));
    }
  }

  private void settled(Coverage seen) {
    if (seen.equals(latest)) {
      apply(seen);
    }
  }

  private void apply(Coverage present) {
    coverage = present;
    // Of a table that was not told of, nobody knows what was written.
    versions.publish(versions.announce(WriteSet.UNKNOWN));
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
}
