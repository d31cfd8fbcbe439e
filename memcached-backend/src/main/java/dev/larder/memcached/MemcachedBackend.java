package dev.larder.memcached;

import dev.larder.remote.RemoteBackend;
import dev.larder.remote.RemoteSettings;
import java.util.Map;

/** The backend that {@code larder.backend=memcached} chooses. Stateless. */
public final class MemcachedBackend implements RemoteBackend {
  /** For {@link java.util.ServiceLoader}. */
  public MemcachedBackend() {}

  @Override
  public String name() {
    return "memcached";
  }

  @Override
  public RemoteSettings settings(Map<String, String> options) {
    return MemcachedSettings.of(options);
  }
}
