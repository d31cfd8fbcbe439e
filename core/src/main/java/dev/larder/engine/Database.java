package dev.larder.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.feed.FeedLink;
import dev.larder.feed.FeedSource;
import dev.larder.feed.FollowedDatabase;
import dev.larder.radar.RadarLink;
import dev.larder.remote.RemoteDatabase;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.RecentWrites;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.watch.Catalog;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all caches and connections of this JVM share of one database: the versions of its tables,
 * its catalog and its prepared transactions. Thread-safe.
 */
public final class Database {
  /** How often a change of the catalog by others is looked for while the cache is in use. */
  public static final Duration CATALOG_POLL_PERIOD = Duration.ofSeconds(5);

  /**
   * Weakly: a connection, an entry (through its cache) and a thread that waits for an outcome refer
   * to their database, and nobody else decides by its versions.
   */
  private static final Cache<DatabaseIdentity, Database> ALL =
      Caffeine.newBuilder().executor(Runnable::run).weakValues().build();

  private final DatabaseIdentity identity;
  private final boolean unidentified;
  private final TableVersions versions = new TableVersions();
  private final Quarantine quarantine = new Quarantine(versions, this::written);
  private final Catalog catalog;
  private final RemoteLink remote;
  private final RadarLink radar;
  private final FeedLink feed;
  private final PreparedTransactions prepared;
  final OtherLoaders loaders;
  final Elsewhere elsewhere = new Elsewhere(this);

  private volatile ServerGeneration serverGeneration = ServerGeneration.NONE;

  /** What the database was last recognized by; guarded by this. */
  private String mark = "";

  private Database(
      DatabaseIdentity identity,
      CatalogLoader loader,
      @Nullable RemoteDatabase primary,
      @Nullable FeedSource feeds) {
    this.identity = identity;
    this.unidentified = identity.isUnknown();
    this.remote =
        new RemoteLink(
            RemoteLink.LINGER, identity, primary, loader, () -> this.serverGeneration().number());
    CatalogChanges changes = new CatalogChanges(this);
    this.catalog = new Catalog(remote.catalogLoader(), CATALOG_POLL_PERIOD, changes::differs);
    this.loaders = new OtherLoaders(identity, versions, this::heard);
    this.radar =
        new RadarLink(identity.describe(), catalog, versions, this::written, OtherLoaders.group());
    this.prepared = new PreparedTransactions(this);
    this.catalog.watch(radar::look);
    FollowedDatabase followed =
        new FollowedDatabase(identity.describe(), versions, catalog::current);
    this.feed = new FeedLink(followed, identity.isUnknown() ? null : feeds);
    this.loaders.join();
  }

  /**
   * Returns the one object of this JVM for {@code identity}.
   *
   * @param loader is called where there is no such object yet
   * @param primary what is told to whoever shares results with other JVMs; null if nobody may
   * @param feeds starts to follow the log; null if nobody can
   */
  public static Database of(
      DatabaseIdentity identity,
      Supplier<CatalogLoader> loader,
      @Nullable RemoteDatabase primary,
      @Nullable FeedSource feeds) {
    return ALL.get(identity, key -> new Database(key, loader.get(), primary, feeds));
  }

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

  /** Returns what looks for writers that are not Larder. */
  public RadarLink radar() {
    return radar;
  }

  /** Returns what follows the writes of others by the server's log. */
  public FeedLink feed() {
    return feed;
  }

  TableVersions versions() {
    return versions;
  }

  /** Returns whether results may be hit elsewhere while this catalog is being read. */
  public boolean isHitElsewhere() {
    return remote.cache() != null || loaders.areThere();
  }

  /** See {@link TableVersions#epoch()}. */
  public long epoch() {
    return versions.epoch();
  }

  /** As {@link TableVersions#announce}, in all databases that the write may concern. */
  public PendingWrite announce(WriteSet writes) {
    PendingWrite write = versions.announce(writes);
    try {
      boolean everywhere = unidentified || writes.everywhere();
      loaders.announced(write, everywhere);
      if (everywhere) {
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
    elsewhere.announce(write, ALL.asMap().values().stream().filter(this::isBeside).toList());
  }

  /** Returns whether {@code other} may be on the same server. */
  private boolean isBeside(Database other) {
    return identity.isUnknown()
        || identity.systemIdentifier().equals(other.identity.systemIdentifier());
  }

  /** As {@link TableVersions#publish}, wherever the write was announced. */
  public void publish(PendingWrite write) {
    versions.publish(write);
    loaders.published(write);
    if (!elsewhere.told.isEmpty()) {
      elsewhere.publish(write);
    }
  }

  /** Publishes a write whose outcome was unknown: it may have been DDL, if one of everything. */
  public void publishLate(PendingWrite write) {
    if (write.mayWriteAnything()) {
      catalogChanged(false);
    }
    publish(write);
  }

  /** See {@link TableVersions#widen}. */
  public void widen(PendingWrite write) {
    versions.widen(write);
    loaders.widened(write);
  }

  /**
   * Says that DDL may have passed. Until the catalog is read again nothing is resolved, hit or
   * kept. Call before the DDL is published.
   *
   * @param traced whether what has passed leaves a trace, though it be undone before the comparison
   */
  public void catalogChanged(boolean traced) {
    if (ProtocolStep.WITHDRAW_CATALOG.isTaken()) {
      if (traced) {
        catalog.comparisonRequested();
      } else {
        catalog.reloadRequested();
      }
      loaders.say(OtherLoaders.CATALOG);
    }
  }

  /** Follows what has happened through another class loader of this JVM. */
  private void heard(String words) {
    switch (words) {
      case OtherLoaders.CATALOG -> catalog.reloadRequested();
      case OtherLoaders.CONFIGURATION -> catalog.reconnectRequested();
      case OtherLoaders.JOINED -> prepared.doubt();
      case OtherLoaders.OUTDATED -> RecentWrites.of(versions).forget();
      default -> {}
    }
  }

  /**
   * Says that the server has been told to read its configuration again. A session notices that with
   * its next statement, and a new one has it from the start. So the catalogs are compared over new
   * connections, and then all settings are read again.
   */
  public void configurationReloaded() {
    for (Database database : ALL.asMap().values()) {
      if (database == this || isBeside(database)) {
        database.catalog.reconnectRequested();
        database.loaders.say(OtherLoaders.CONFIGURATION);
      }
    }
  }

  /**
   * Returns whether the catalog has changed since {@code catalogVersion} so that what was found out
   * then of {@code writes} may be wrong.
   */
  public boolean isOutdated(long catalogVersion, WriteSet writes) {
    return catalog.version() != catalogVersion
        && (isHitElsewhere() || catalog.concerns(catalogVersion, writes));
  }

  /** Makes sure that no entry of these tables filled before now is hit again in any JVM. */
  public void written(WriteSet writes) {
    PendingWrite write = announce(writes);
    forgetOutdated(); // It was at any time before now.
    publish(write);
    remote.invalidate(writes);
  }

  /** Makes sure that no entry that is outdated now is used all the same. */
  public void forgetOutdated() {
    RecentWrites.of(versions).forget();
    loaders.say(OtherLoaders.OUTDATED);
  }

  /** Makes sure that no entry filled before now is hit again. */
  public void invalidateAll() {
    publish(announce(WriteSet.UNKNOWN));
  }

  /** As {@link #invalidateAll}, in any JVM: for what was written without an announce. */
  public void invalidateEverywhere() {
    written(WriteSet.UNKNOWN);
  }

  /**
   * Notes the server generation that a connection is in. Where it is later than those seen before,
   * committed rows may be gone: everything is invalid when this returns, and connections of earlier
   * generations have no part in the cache any more.
   *
   * @return the very object that {@link #serverGeneration} returns, where they are equal
   */
  public synchronized ServerGeneration serverGenerationSeen(ServerGeneration seen) {
    ServerGeneration before = serverGeneration;
    if (seen.equals(before)) {
      return before;
    }
    if (seen.compareTo(before) > 0) {
      serverGeneration = seen;
      if (!before.equals(ServerGeneration.NONE)) {
        catalogChanged(false);
        invalidateAll();
      }
    }
    return seen;
  }

  /**
   * Notes by what the database was recognized. Where that differs from before, it was altered, or
   * another one has taken its place: everything is invalid when this returns.
   */
  public synchronized void markSeen(String seen) {
    if (!mark.equals(seen)) {
      boolean first = mark.isEmpty();
      mark = seen;
      if (!first) {
        catalogChanged(false);
        invalidateEverywhere();
      }
    }
  }

  /** Returns the latest server generation that was seen. */
  public ServerGeneration serverGeneration() {
    return serverGeneration;
  }

  /** Returns what is remembered of transactions that are prepared. */
  public PreparedTransactions prepared() {
    return prepared;
  }
}
