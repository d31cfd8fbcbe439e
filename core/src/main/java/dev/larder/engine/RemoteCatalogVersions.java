package dev.larder.engine;

import dev.larder.catalog.CatalogStamps;
import dev.larder.catalog.CatalogVersion;
import dev.larder.log.CacheLog;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes with each reading of the catalog the shared version from before, and tells the log where
 * the catalog cannot be read. Loads on one thread at a time; otherwise thread-safe.
 */
final class RemoteCatalogVersions implements CatalogLoader {
  private final CatalogLoader loader;
  private final String database;
  private final Supplier<@Nullable RemoteCache> remote;
  private final LongSupplier serverGeneration;
  private volatile @Nullable Noted latest;

  /** Touched by whoever loads only. */
  private @Nullable CatalogVersion loaded;

  private record Noted(CatalogVersion catalog, RemoteCatalogVersion remoteVersion) {}

  /**
   * Creates it.
   *
   * @param database in words, for the log
   * @param remote what is shared now, or null
   * @param serverGeneration the number of that in which the catalog is read
   */
  RemoteCatalogVersions(
      CatalogLoader loader,
      String database,
      Supplier<@Nullable RemoteCache> remote,
      LongSupplier serverGeneration) {
    this.loader = loader;
    this.database = database;
    this.remote = remote;
    this.serverGeneration = serverGeneration;
  }

  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  @Nullable RemoteCatalogVersion of(CatalogVersion catalog) {
    Noted known = latest;
    return known != null && known.catalog() == catalog ? known.remoteVersion() : null;
  }

  void forget() {
    latest = null;
  }

  private @Nullable RemoteCatalogVersion before() {
    RemoteCache shared = remote.get();
    return shared == null ? null : shared.catalogVersion(serverGeneration.getAsLong());
  }

  @Override
  public CatalogVersion load() throws Exception {
    RemoteCatalogVersion before = before();
    CatalogVersion catalog = reported(loader::load);
    loaded = catalog;
    note(catalog, before);
    return catalog;
  }

  /** A catalog that is found to be the same is a version read now. */
  @Override
  public String fingerprint() throws Exception {
    RemoteCatalogVersion before = before();
    String fingerprint = reported(loader::fingerprint);
    CatalogVersion known = loaded;
    if (known != null && known.fingerprint().equals(fingerprint)) {
      note(known, before);
    }
    return fingerprint;
  }

  /** Where results are shared, a catalog under other stamps is read anew, with its version. */
  @Override
  public CatalogStamps stamps() throws Exception {
    return remote.get() == null ? reported(loader::stamps) : CatalogStamps.of("");
  }

  private void note(CatalogVersion catalog, @Nullable RemoteCatalogVersion before) {
    latest = before == null ? null : new Noted(catalog, before);
  }

  @Override
  public DatabaseControls controls() throws Exception {
    return reported(loader::controls);
  }

  @Override
  public @Nullable RadarSample sample(String announcement, String name, Collection<Long> tables)
      throws Exception {
    return loader.sample(announcement, name, tables);
  }

  @Override
  public void release() {
    loader.release();
  }

  private <T> T reported(Callable<T> reading) throws Exception {
    try {
      return reading.call();
    } catch (Throwable e) {
      CacheLog.trouble(CacheLog.Trouble.CATALOG, database + ", see the exception", e);
      throw e;
    }
  }
}
