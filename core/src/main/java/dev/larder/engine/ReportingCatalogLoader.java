package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Tells the log where the catalog cannot be read. As thread-safe as the loader. */
final class ReportingCatalogLoader implements CatalogLoader {
  private final CatalogLoader loader;
  private final String database;

  ReportingCatalogLoader(CatalogLoader loader, DatabaseIdentity database) {
    this.loader = loader;
    this.database = database.describe();
  }

  @Override
  public CatalogVersion load() throws Exception {
    return reported(loader::load);
  }

  @Override
  public String fingerprint() throws Exception {
    return reported(loader::fingerprint);
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

  /** A reading of the catalog. */
  private interface Reading<T> {
    T read() throws Exception;
  }

  private <T> T reported(Reading<T> reading) throws Exception {
    try {
      return reading.read();
    } catch (Throwable e) {
      CacheLog.trouble(CacheLog.Trouble.CATALOG, database + ", see the exception", e);
      throw e;
    }
  }
}
