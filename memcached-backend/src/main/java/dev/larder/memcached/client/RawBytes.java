package dev.larder.memcached.client;

import net.spy.memcached.CachedData;
import net.spy.memcached.transcoders.Transcoder;

/**
 * Bytes as they are: nothing that comes from the network is ever deserialized by Java. Stateless.
 */
public final class RawBytes implements Transcoder<byte[]> {
  public static final RawBytes INSTANCE = new RawBytes();

  private RawBytes() {}

  @Override
  public boolean asyncDecode(CachedData data) {
    return false;
  }

  @Override
  public CachedData encode(byte[] bytes) {
    return new CachedData(0, bytes, getMaxSize());
  }

  @Override
  public byte[] decode(CachedData data) {
    return data.getData();
  }

  @Override
  public int getMaxSize() {
    return CachedData.MAX_SIZE;
  }
}
