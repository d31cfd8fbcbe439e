package dev.larder.benchmarks.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Map;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** Keeps Hibernate's query results and its timestamps in Caffeine, without a layer in between. */
public final class CaffeineRegions extends RegionFactoryTemplate {
  private static final long serialVersionUID = 1L;
  private static final int ENTRIES = 1_000_000;

  /** For Hibernate. */
  public CaffeineRegions() {}

  @Override
  protected StorageAccess createQueryResultsRegionStorageAccess(
      String region, SessionFactoryImplementor factory) {
    return new Storage();
  }

  @Override
  protected StorageAccess createTimestampsRegionStorageAccess(
      String region, SessionFactoryImplementor factory) {
    return new Storage();
  }

  @Override
  protected void prepareForUse(SessionFactoryOptions options, Map<String, Object> settings) {}

  @Override
  protected void releaseFromUse() {}

  private static final class Storage implements StorageAccess {
    private final Cache<Object, Object> cache = Caffeine.newBuilder().maximumSize(ENTRIES).build();

    @Override
    public @Nullable Object getFromCache(Object key, SharedSessionContractImplementor session) {
      return cache.getIfPresent(key);
    }

    @Override
    public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
      cache.put(key, value);
    }

    @Override
    public boolean contains(Object key) {
      return cache.asMap().containsKey(key);
    }

    @Override
    public void evictData() {
      cache.invalidateAll();
    }

    @Override
    public void evictData(Object key) {
      cache.invalidate(key);
    }

    @Override
    public void release() {
      cache.invalidateAll();
    }
  }
}
