package dev.larder.engine;

import dev.larder.catalog.CatalogLoader;
import dev.larder.catalog.CatalogSnapshot;
import dev.larder.catalog.DatabaseControls;
import dev.larder.catalog.RadarSample;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemotePicture;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes with each reading of the catalog which version it had before, by what JVMs share; nothing
 * where nothing is shared. As a loader as thread-safe as the one below; otherwise thread-safe.
 */
final class CatalogPictures implements CatalogLoader {
  private final CatalogLoader loader;
  private final Supplier<@Nullable RemoteCache> remote;
  private final LongSupplier incarnation;
  private volatile @Nullable Pictured latest;

  /** Touched by whoever loads only. */
  private @Nullable CatalogSnapshot loaded;

  private record Pictured(CatalogSnapshot snapshot, RemotePicture picture) {}

  /**
   * Creates it.
   *
   * @param remote what is shared now, or null
   * @param incarnation the number of the server's life in which the catalog is read
   */
  CatalogPictures(
      CatalogLoader loader, Supplier<@Nullable RemoteCache> remote, LongSupplier incarnation) {
    this.loader = loader;
    this.remote = remote;
    this.incarnation = incarnation;
  }

  /** Returns what {@code snapshot} can be told from others by, or null. */
  @SuppressWarnings("ReferenceEquality") // Snapshots have no other equality.
  @Nullable RemotePicture of(CatalogSnapshot snapshot) {
    Pictured known = latest;
    return known != null && known.snapshot() == snapshot ? known.picture() : null;
  }

  /** Forgets what was noted: it is shared by other means from now on. */
  void forget() {
    latest = null;
  }

  private @Nullable RemotePicture before() {
    RemoteCache shared = remote.get();
    return shared == null ? null : shared.picture(incarnation.getAsLong());
  }

  @Override
  public CatalogSnapshot load() throws Exception {
    RemotePicture before = before();
    CatalogSnapshot snapshot = loader.load();
    loaded = snapshot;
    note(snapshot, before);
    return snapshot;
  }

  /** A catalog that is found to be the same is a picture taken now. */
  @Override
  public String fingerprint() throws Exception {
    RemotePicture before = before();
    String fingerprint = loader.fingerprint();
    CatalogSnapshot known = loaded;
    if (known != null && known.fingerprint().equals(fingerprint)) {
      note(known, before);
    }
    return fingerprint;
  }

  private void note(CatalogSnapshot snapshot, @Nullable RemotePicture before) {
    latest = before == null ? null : new Pictured(snapshot, before);
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
