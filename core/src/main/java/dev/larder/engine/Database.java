package dev.larder.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.catalog.CatalogVersion;
import dev.larder.remote.RemoteDatabase;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.watch.Catalog;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
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

  /**
   * Weakly: whatever could still decide by the versions of a database refers to it, a connection,
   * an entry (through its cache) or a thread that waits for an outcome.
   */
  private static final Cache<DatabaseIdentity, Database> ALL =
      Caffeine.newBuilder().executor(Runnable::run).weakValues().build();

  private final DatabaseIdentity identity;
  private final TableVersions versions = new TableVersions();
  private final Quarantine quarantine = new Quarantine(versions);
  private final Catalog catalog;
  private final RemoteLink remote;
  private final RadarLink radar;
  private final Map<String, Prepared> prepared = new ConcurrentHashMap<>();

  /**
   * The same writes elsewhere: those of the unknown database, which may be any, and those of what
   * all databases of a server share.
   */
  private final Map<PendingWrite, Map<Database, PendingWrite>> elsewhere =
      new ConcurrentHashMap<>();

  private volatile ServerGeneration serverGeneration = ServerGeneration.NONE;

  /** What the database was last recognized by; guarded by this. */
  private String mark = "";

  /** What a transaction wrote that was prepared while the catalog was at {@code catalogVersion}. */
  private record Prepared(WriteSet writes, long catalogVersion) {
    Prepared and(Prepared other) {
      return new Prepared(
          writes.union(other.writes), Math.min(catalogVersion, other.catalogVersion));
    }
  }

  private Database(
      DatabaseIdentity identity, CatalogLoader loader, @Nullable RemoteDatabase primary) {
    this.identity = identity;
    this.remote =
        new RemoteLink(
            RemoteLink.LINGER,
            identity,
            primary,
            new ReportingCatalogLoader(loader, identity),
            () -> this.serverGeneration().number());
    this.catalog = new Catalog(remote.catalogLoader(), CATALOG_POLL_PERIOD, this::catalogDiffers);
    this.radar = new RadarLink(this);
    this.catalog.watch(radar::look);
  }

  /**
   * Returns the one object of this JVM for {@code identity}; {@code loader} is called where it does
   * not exist yet.
   */
  public static Database of(DatabaseIdentity identity, Supplier<CatalogLoader> loader) {
    return ALL.get(identity, key -> new Database(key, loader.get(), null));
  }

  /**
   * As above.
   *
   * @param primary what is told to whoever shares results with other JVMs
   */
  public static Database of(
      DatabaseIdentity identity, Supplier<CatalogLoader> loader, RemoteDatabase primary) {
    return ALL.get(identity, key -> new Database(key, loader.get(), primary));
  }

  /** Returns how many databases this JVM knows. */
  static long count() {
    ALL.cleanUp();
    return ALL.estimatedSize();
  }

  /** Returns which database this is. */
  public DatabaseIdentity identity() {
    return identity;
  }

  /** Returns the catalog. */
  public Catalog catalog() {
    return catalog;
  }

  /** Returns what is shared with other JVMs. */
  public RemoteLink remote() {
    return remote;
  }

  /** Returns the tables of which wrong rows were held. */
  public Quarantine quarantine() {
    return quarantine;
  }

  /** See {@link Quarantine#isolate}; other JVMs read the tables anew. */
  List<String> isolate(
      Collection<String> tables, CatalogVersion catalog, Quarantine.Evidence evidence) {
    List<String> isolated = quarantine.isolate(tables, catalog, evidence);
    for (String table : isolated) {
      WriteSet rows = catalog.rowsOf(table, versions);
      invalidateElsewhere(rows == null ? WriteSet.UNKNOWN : rows);
    }
    return isolated;
  }

  /** Returns what looks for writers that are not Larder. */
  public RadarLink radar() {
    return radar;
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
    try {
      if (identity.isUnknown() || writes.everywhere()) {
        announceElsewhere(write);
      }
      FaultPoint.ANNOUNCED.pass();
    } catch (Throwable t) {
      publish(write); // Nothing will be sent.
      throw t;
    }
    return write;
  }

  private void announceElsewhere(PendingWrite write) {
    Map<Database, PendingWrite> others = new HashMap<>();
    elsewhere.put(write, others);
    for (Database database : ALL.asMap().values()) {
      if (database != this && isBeside(database)) {
        others.put(database, database.announce(WriteSet.UNKNOWN));
      }
    }
  }

  /** Returns whether {@code other} may be on the same server. */
  private boolean isBeside(Database other) {
    return identity.isUnknown()
        || identity.systemIdentifier().equals(other.identity.systemIdentifier());
  }

  /** Publishes; see {@link TableVersions#publish}. */
  public void publish(PendingWrite write) {
    versions.publish(write);
    Map<Database, PendingWrite> others = elsewhere.remove(write);
    if (others != null) {
      others.forEach(write.writes().everywhere() ? Database::publishLate : Database::publish);
      others.keySet().forEach(database -> database.invalidateElsewhere(WriteSet.UNKNOWN));
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
   * Says that DDL may have passed through. Until the catalog is read again nothing is resolved, so
   * that nothing is hit or kept. Call before the DDL is published.
   */
  public void catalogChanged() {
    if (ProtocolStep.WITHDRAW_CATALOG.isTaken()) {
      catalog.reloadRequested();
    }
  }

  /**
   * Says that something has run of which nobody knows what it does, though it is no DDL by itself.
   * What functions and triggers do to the catalog is then found as what others do is, but at once.
   */
  public void catalogDoubted() {
    catalog.doubted();
  }

  /**
   * Says that the server has been told to read its configuration again. A session notices that with
   * the next statement after it was told to; whoever connects now is let in after that. So the
   * catalogs are compared over new connections, and then all settings are read again.
   */
  public void configurationReloaded() {
    for (Database database : ALL.asMap().values()) {
      if (database == this || isBeside(database)) {
        database.catalog.reconnectRequested();
      }
    }
  }

  /**
   * The catalog was read and differs. Whatever is under way was looked up in the old one, and
   * counts as a write of everything, queries too: they may run triggers and functions that were not
   * there.
   */
  private void catalogDiffers() {
    PendingWrite everything = versions.announce(WriteSet.UNKNOWN);
    versions.widenPending();
    versions.publish(everything);
  }

  /** Makes sure that no entry filled before now is hit again. */
  public void invalidateAll() {
    publish(announce(WriteSet.UNKNOWN));
  }

  /**
   * Makes sure that no entry filled before now is hit again in any JVM. For what was written, or
   * found out to be wrong, without having been announced.
   */
  public void invalidateEverywhere() {
    invalidateAll();
    invalidateElsewhere(WriteSet.UNKNOWN);
  }

  /** Tells other JVMs, if results are shared with them, of what was written without an announce. */
  public void invalidateElsewhere(WriteSet writes) {
    remote.invalidate(writes);
  }

  /**
   * Notes the life of the server that a connection is in. Where it is later than those seen before,
   * committed rows may be gone in between: everything is invalid when this returns, for whomever it
   * returns, and connections of earlier lives have no part in the cache any more.
   *
   * @return the very object that {@link #serverGeneration} returns, where that is this life
   */
  public synchronized ServerGeneration serverGenerationSeen(ServerGeneration seen) {
    ServerGeneration before = serverGeneration;
    if (seen.equals(before)) {
      return before;
    }
    if (seen.compareTo(before) > 0) {
      serverGeneration = seen;
      if (!before.equals(ServerGeneration.NONE)) {
        catalogChanged();
        invalidateAll();
      }
    }
    return seen;
  }

  /**
   * Notes by what the database was recognized. Where that is not the same as before, it was
   * altered, or another one has taken its place and its identity: everything is invalid when this
   * returns.
   */
  public synchronized void markSeen(String seen) {
    if (!mark.equals(seen)) {
      boolean first = mark.isEmpty();
      mark = seen;
      if (!first) {
        catalogChanged();
        invalidateEverywhere();
      }
    }
  }

  /** Returns the latest life of the server that was seen. */
  public ServerGeneration serverGeneration() {
    return serverGeneration;
  }

  /**
   * Remembers what the transaction that is prepared as {@code gid} wrote. What was remembered as
   * that before stays: the server may refuse the name because it is taken.
   *
   * @param catalogVersion the catalogVersion of the catalog that this was found out with
   */
  public void prepared(String gid, WriteSet writes, long catalogVersion) {
    if (prepared.size() < MAX_PREPARED || prepared.containsKey(gid)) {
      prepared.merge(gid, new Prepared(writes, catalogVersion), Prepared::and);
    }
  }

  /**
   * Returns what the prepared transaction {@code gid} wrote: unknown where this JVM did not prepare
   * it, or the catalog has changed since.
   */
  public WriteSet preparedWrites(String gid) {
    if (!ProtocolStep.REMEMBER_PREPARED.isTaken()) {
      return WriteSet.NONE;
    }
    Prepared known = prepared.get(gid);
    return known != null && known.catalogVersion() == catalog.version()
        ? known.writes()
        : WriteSet.UNKNOWN;
  }

  /** Forgets the prepared transaction {@code gid}, which has ended. */
  public void preparedEnded(String gid) {
    prepared.remove(gid);
  }
}
