package dev.larder.engine;

import dev.larder.catalog.Catalog;
import dev.larder.catalog.CatalogLoader;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM shares about one database, whatever cache or connection asks: the versions of its
 * tables, its catalog and the transactions that wait for the second phase. Thread-safe.
 */
public final class Database {
  /** How often a change of the catalog by others is looked for while the cache is in use. */
  public static final Duration CATALOG_POLL_PERIOD = Duration.ofSeconds(5);

  /**
   * How many prepared transactions are remembered; the writes of one that is forgotten count as
   * unknown.
   */
  private static final int MAX_PREPARED = 10_000;

  private static final Map<DatabaseIdentity, Database> ALL = new ConcurrentHashMap<>();

  private final DatabaseIdentity identity;
  private final TableVersions versions = new TableVersions();
  private final Catalog catalog;
  private final Map<String, WriteSet> prepared = new ConcurrentHashMap<>();

  /** The same writes elsewhere; of the unknown database only, which may be any. */
  private final Map<PendingWrite, Map<Database, PendingWrite>> elsewhere =
      new ConcurrentHashMap<>();

  private volatile @Nullable String incarnation;

  private Database(DatabaseIdentity identity, CatalogLoader loader) {
    this.identity = identity;
    this.catalog = new Catalog(loader, CATALOG_POLL_PERIOD, this::changedByOthers);
  }

  /**
   * Returns the one object of this JVM for {@code identity}; {@code loader} is called where it does
   * not exist yet.
   */
  public static Database of(DatabaseIdentity identity, Supplier<CatalogLoader> loader) {
    return ALL.computeIfAbsent(identity, key -> new Database(key, loader.get()));
  }

  /** Returns which database this is. */
  public DatabaseIdentity identity() {
    return identity;
  }

  /** Returns the catalog. */
  public Catalog catalog() {
    return catalog;
  }

  TableVersions versions() {
    return versions;
  }

  /** Returns the present epoch; see {@link TableVersions#epoch()}. */
  public long epoch() {
    return versions.epoch();
  }

  /** Announces; see {@link TableVersions#announce}. */
  public PendingWrite announce(WriteSet writes) {
    PendingWrite write = versions.announce(writes);
    if (identity.equals(DatabaseIdentity.UNKNOWN)) {
      elsewhere.put(write, announceElsewhere());
    }
    return write;
  }

  private Map<Database, PendingWrite> announceElsewhere() {
    Map<Database, PendingWrite> writes = new HashMap<>();
    for (Database database : ALL.values()) {
      if (database != this) {
        writes.put(database, database.announce(WriteSet.UNKNOWN));
      }
    }
    return writes;
  }

  /** Publishes; see {@link TableVersions#publish}. */
  public void publish(PendingWrite write) {
    versions.publish(write);
    Map<Database, PendingWrite> others = elsewhere.remove(write);
    if (others != null) {
      others.forEach(Database::publish);
    }
  }

  /**
   * Publishes a write whose outcome was unknown. It may have been DDL that was committed unseen, so
   * a write of everything has the catalog read again first.
   */
  public void publishLate(PendingWrite write) {
    if (write.writes().unknown()) {
      catalogChanged();
    }
    publish(write);
  }

  /**
   * Makes {@code write} one of everything: what was found out about it may no longer be all that it
   * does. See {@link TableVersions#widen}.
   */
  public void widen(PendingWrite write) {
    versions.widen(write);
  }

  /**
   * Says that DDL has passed through. Until the catalog is read again nothing is resolved, and the
   * writes that are under way, which were looked up in the old one, count as writes of everything.
   * Call before the DDL is published.
   */
  public void catalogChanged() {
    catalog.reloadRequested();
    versions.widenPending();
  }

  /** As {@link #catalogChanged} for a change that was found, and that ended unannounced. */
  private void changedByOthers() {
    PendingWrite everything = versions.announce(WriteSet.UNKNOWN);
    versions.widenPending();
    versions.publish(everything);
  }

  /** Makes sure that no entry filled before now is hit again. */
  public void invalidateAll() {
    publish(announce(WriteSet.UNKNOWN));
  }

  /**
   * Notes the server's start time and timeline as a connection sees them. Where they are not those
   * seen before, the server has crashed, was restored or was promoted in between, and committed
   * rows may be gone: everything is invalid.
   */
  public void incarnationSeen(String seen) {
    String before = incarnation;
    if (!seen.equals(before)) {
      incarnation = seen;
      if (before != null) {
        invalidateAll();
      }
    }
  }

  /** Remembers what the transaction that was prepared as {@code gid} wrote. */
  public void prepared(String gid, WriteSet writes) {
    if (prepared.size() < MAX_PREPARED) {
      prepared.put(gid, writes);
    }
  }

  /**
   * Returns what the prepared transaction {@code gid} wrote: unknown where this JVM did not prepare
   * it.
   */
  public WriteSet preparedWrites(String gid) {
    return prepared.getOrDefault(gid, WriteSet.UNKNOWN);
  }

  /** Forgets the prepared transaction {@code gid}, which has ended. */
  public void preparedEnded(String gid) {
    prepared.remove(gid);
  }
}
