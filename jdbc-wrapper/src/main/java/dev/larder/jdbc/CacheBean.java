package dev.larder.jdbc;

import java.util.List;
import java.util.Map;

/** A cache as JMX shows it. Thread-safe. */
final class CacheBean implements LarderCacheMXBean {
  private final LarderCache cache;

  CacheBean(LarderCache cache) {
    this.cache = cache;
  }

  private long count(String column) {
    return cache.status().get(column) instanceof Number number ? number.longValue() : 0;
  }

  @Override
  public String getName() {
    return cache.name();
  }

  @Override
  public String getDatabase() {
    return cache.database();
  }

  @Override
  public Map<String, String> getSettings() {
    return cache.settings();
  }

  @Override
  public boolean isEnabled() {
    return cache.enabled();
  }

  @Override
  public void setEnabled(boolean on) {
    cache.enabled(on);
  }

  @Override
  public long getEntries() {
    return count("entries");
  }

  @Override
  public long getSizeBytes() {
    return count("size_bytes");
  }

  @Override
  public long getMaxBytes() {
    return count("max_bytes");
  }

  @Override
  public long getHits() {
    return count("hits");
  }

  @Override
  public long getMisses() {
    return count("misses");
  }

  @Override
  public long getBypasses() {
    return count("bypasses");
  }

  @Override
  public double getHitRatio() {
    return cache.status().get("hit_ratio") instanceof Double ratio ? ratio : Double.NaN;
  }

  @Override
  public long getAdmissions() {
    return count("admissions");
  }

  @Override
  public long getRejections() {
    return count("rejections");
  }

  @Override
  public long getInvalidations() {
    return count("invalidations");
  }

  @Override
  public long getEvictions() {
    return count("evictions");
  }

  @Override
  public long getExpirations() {
    return count("expirations");
  }

  @Override
  public long getSavedMillis() {
    return cache.savedTime().toMillis();
  }

  @Override
  public long getVerifiedHits() {
    return count("verified_hits");
  }

  @Override
  public long getUnverifiableHits() {
    return count("unverifiable_hits");
  }

  @Override
  public long getWrongHits() {
    return count("wrong_hits");
  }

  @Override
  public List<String> getQuarantinedTables() {
    return cache.quarantine().stream().map(row -> String.valueOf(row.get("table_name"))).toList();
  }

  @Override
  public List<String> releaseQuarantine() {
    return cache.releaseQuarantine();
  }

  @Override
  public Map<String, Long> getBypassesByReason() {
    return cache.bypasses();
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public boolean clearTable(String table) {
    return cache.clearTable(table);
  }

  @Override
  public void resetStatistics() {
    cache.resetStatistics();
  }
}
