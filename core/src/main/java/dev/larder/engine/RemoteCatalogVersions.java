package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes with each reading of the catalog which version it had before, by what JVMs share; nothing
 * where nothing is shared. As a loader as thread-safe as the one below; otherwise thread-safe.
 */
final class RemoteCatalogVersions implements CatalogLoader {
  private final CatalogLoader loader;
  private final Supplier<@Nullable RemoteCache> remote;
  private final LongSupplier serverGeneration;
  private volatile @Nullable Noted latest;

  /** Touched by whoever loads only. */
  private @Nullable CatalogVersion loaded;

  private record Noted(CatalogVersion catalog, RemoteCatalogVersion remoteVersion) {}

  /**
   * Creates it.
   *
   * @param remote what is shared now, or null
   * @param serverGeneration the number of the server's life in which the catalog is read
   */
  RemoteCatalogVersions(
      CatalogLoader loader, Supplier<@Nullable RemoteCache> remote, LongSupplier serverGeneration) {
    this.loader = loader;
    this.remote = remote;
    this.serverGeneration = serverGeneration;
  }

  /** Returns what {@code catalog} can be told from others by, or null. */
  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  @Nullable RemoteCatalogVersion of(CatalogVersion catalog) {
    Noted known = latest;
    return known != null && known.catalog() == catalog ? known.remoteVersion() : null;
  }

  /** Forgets what was noted: it is shared by other means from now on. */
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
    CatalogVersion catalog = loader.load();
    loaded = catalog;
    note(catalog, before);
    return catalog;
  }

  /** A catalog that is found to be the same is a version read now. */
  @Override
  public String fingerprint() throws Exception {
    RemoteCatalogVersion before = before();
    String fingerprint = loader.fingerprint();
    CatalogVersion known = loaded;
    if (known != null && known.fingerprint().equals(fingerprint)) {
      note(known, before);
    }
    return fingerprint;
  }

  private void note(CatalogVersion catalog, @Nullable RemoteCatalogVersion before) {
    latest = before == null ? null : new Noted(catalog, before);
  }

  @Override
  public DatabaseControls controls() throws Exception {
    return loader.controls();
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
}
