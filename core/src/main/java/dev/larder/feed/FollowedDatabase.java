package dev.larder.feed;

import dev.larder.catalog.CatalogVersion;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a feed tells a database of its log. Thread-safe. */
public final class FollowedDatabase {
  private final String name;
  private final TableVersions versions;
  private final Supplier<@Nullable CatalogVersion> catalog;
  private final FollowedWrites writes;
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

  /** Returns a transaction whose first change has come. */
  public LoggedTransaction begin() {
    return new LoggedTransaction(versions, catalog.get());
  }

  /** Says which tables are covered from now on. */
  @SuppressWarnings("ReferenceEquality") // One that was found may be as empty.
  public void covered(Coverage seen) {
    Coverage before = coverage;
    if (before == Coverage.UNKNOWN || !seen.equals(before)) {
      coverage = seen;
      // Of the time since the last look nobody knows what was written.
      versions.publish(versions.announce(WriteSet.UNKNOWN));
    }
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
