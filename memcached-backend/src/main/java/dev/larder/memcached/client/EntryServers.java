package dev.larder.memcached.client;

import dev.larder.memcached.format.EntryCodec;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.RemoteEntry;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

/**
 * The servers that hold the entries, each its share of the names. Best effort: a server that does
 * not answer has nothing. Thread-safe; no method throws.
 */
public final class EntryServers {
  private static final byte[] LEASE = {'1'};

  /** What the server says of a lease that somebody has. */
  private static final Set<StatusCode> TAKEN =
      EnumSet.of(StatusCode.ERR_NOT_STORED, StatusCode.ERR_EXISTS);

  private final Ketama<MemcachedServer> servers;
  private final EntryCodec codec;
  private final LongAdder undecodable = new LongAdder();

  /** Creates the store of entries on {@code servers}, at least one, which the caller closes. */
  public EntryServers(List<MemcachedServer> servers, EntryCodec codec) {
    Map<String, MemcachedServer> byName = new LinkedHashMap<>();
    for (MemcachedServer server : servers) {
      byName.put(server.address().getHostString() + ":" + server.address().getPort(), server);
    }
    this.servers = new Ketama<>(byName);
    this.codec = codec;
  }

  /** Returns whether {@code server} holds what is called {@code name}. */
  @SuppressWarnings("ReferenceEquality") // Servers have no other equality.
  public boolean isAt(MemcachedServer server, String name) {
    return servers.serverOf(name) == server;
  }

  /** Returns the entry that {@code bytes} are; null for bytes that are none, which are counted. */
  public @Nullable RemoteEntry decode(String name, byte[] key, byte[] bytes) {
    RemoteEntry entry = codec.decode(name, key, bytes);
    if (entry == null) {
      undecodable.increment();
    }
    return entry;
  }

  /**
   * Asks for the entry of {@code key}, so that the versions can be asked for, too.
   *
   * @return waits for the answer, at most until the timeout; null for no entry
   */
  public Supplier<@Nullable RemoteEntry> ask(String name, byte[] key) {
    MemcachedServer server = servers.serverOf(name);
    long deadline = System.nanoTime() + server.timeoutNanos();
    Life life = server.life();
    try {
      Future<byte[]> sent = life == null ? null : life.client().asyncGet(name, RawBytes.INSTANCE);
      return () -> {
        byte[] bytes = server.answer(sent, deadline);
        return bytes == null ? null : decode(name, key, bytes);
      };
    } catch (IllegalStateException e) {
      return () -> null; // The queue is full, or the client has been shut down.
    }
  }

  /**
   * Keeps {@code entry} and does not wait.
   *
   * @param askedNanos before its versions were read, by {@link System#nanoTime}
   * @param liveNanos how long it may live after that; {@link Long#MAX_VALUE} for ever
   * @return whether it was handed to the client: an entry that is too large is not
   */
  public boolean keep(String name, byte[] key, RemoteEntry entry, long askedNanos, long liveNanos) {
    Life life = servers.serverOf(name).life();
    byte[] bytes = life == null ? null : codec.encode(name, key, entry);
    if (life == null || bytes == null) {
      return false;
    }
    try {
      int expiry =
          liveNanos == Long.MAX_VALUE ? ServerClock.NEVER : life.dateOf(askedNanos + liveNanos);
      Future<?> sent = life.client().set(name, expiry, bytes, RawBytes.INSTANCE);
      return !sent.isCancelled();
    } catch (IllegalStateException e) {
      return false; // The queue is full, or the client has been shut down.
    }
  }

  /**
   * Takes the lease of an entry, which expires after {@code seconds}; returns whether no other JVM
   * is known to have it.
   */
  public boolean lease(String name, int seconds) {
    MemcachedServer server = servers.serverOf(name);
    long deadline = System.nanoTime() + server.timeoutNanos();
    Life life = server.life();
    if (life == null) {
      return true;
    }
    try {
      OperationFuture<Boolean> sent =
          life.client().add(Names.ofLease(name), seconds, LEASE, RawBytes.INSTANCE);
      return !server.await(sent, deadline) || !TAKEN.contains(sent.getStatus().getStatusCode());
    } catch (IllegalStateException e) {
      return true; // The queue is full, or the client has been shut down.
    }
  }

  /**
   * Ends the lease of an entry and does not wait. It is at the entry's server, so that whoever gets
   * it next finds what was kept before. If it has expired, this may end another JVM's.
   */
  public void release(String name) {
    Life life = servers.serverOf(name).life();
    if (life != null) {
      try {
        Future<?> unused = life.client().delete(Names.ofLease(name));
      } catch (IllegalStateException e) {
        // It expires by itself.
      }
    }
  }

  /** Returns how many entries were found that did not decode. */
  public long undecodable() {
    return undecodable.sum();
  }
}
