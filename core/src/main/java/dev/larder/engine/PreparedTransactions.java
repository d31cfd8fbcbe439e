package dev.larder.engine;

import dev.larder.store.ProtocolStep;
import dev.larder.store.WriteSet;
import dev.larder.watch.Catalog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What prepared transactions of one database wrote, by their names. Thread-safe. */
public final class PreparedTransactions {
  /** How many are remembered; the writes of others count as unknown. */
  private static final int MOST = 10_000;

  private final Catalog catalog;
  private final Map<String, Prepared> all = new ConcurrentHashMap<>();

  /** What a transaction wrote that was prepared while the catalog was at {@code catalogVersion}. */
  private record Prepared(WriteSet writes, long catalogVersion) {
    Prepared and(Prepared other) {
      return new Prepared(
          writes.union(other.writes), Math.min(catalogVersion, other.catalogVersion));
    }
  }

  PreparedTransactions(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Remembers what the transaction that is prepared as {@code gid} wrote, beside what was
   * remembered of that name: the server may refuse it because it is taken.
   *
   * @param catalogVersion the number of the catalog version by which the writes were found
   */
  public void remember(String gid, WriteSet writes, long catalogVersion) {
    if (all.size() < MOST || all.containsKey(gid)) {
      all.merge(gid, new Prepared(writes, catalogVersion), Prepared::and);
    }
  }

  /** Returns what is {@link #remember}ed; unknown if nothing, or the catalog has changed since. */
  public WriteSet writes(String gid) {
    if (!ProtocolStep.REMEMBER_PREPARED.isTaken()) {
      return WriteSet.NONE;
    }
    Prepared known = all.get(gid);
    return known != null && known.catalogVersion() == catalog.version()
        ? known.writes()
        : WriteSet.UNKNOWN;
  }

  /** Returns whether a transaction was prepared and has not ended, as far as is known. */
  boolean isOpen(String gid) {
    return all.containsKey(gid);
  }

  /** Forgets the prepared transaction {@code gid}, which has ended. */
  public void ended(String gid) {
    all.remove(gid);
  }
}
