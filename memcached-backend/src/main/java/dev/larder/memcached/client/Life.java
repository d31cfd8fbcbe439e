package dev.larder.memcached.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.ConnectionObserver;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.OperationFactory;
import net.spy.memcached.ops.GetOperation;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one run of a memcached server. Once it is lost, no request of it is sent any
 * more. Thread-safe.
 */
public final class Life {
  private final long number;
  private final MemcachedClient client;
  private final OneLifeFactory factory;
  private final OperationFactory operations;
  private final CombinedReads reads = new CombinedReads(this::read);

  private final ServerClock clock;

  private Life(long number, MemcachedClient client, OneLifeFactory factory, ServerClock clock) {
    this.number = number;
    this.clock = clock;
    this.client = client;
    this.factory = factory;
    this.operations = factory.getOperationFactory();
  }

  /** Returns a life that has begun, or null if the server cannot be reached within the timeout. */
  static @Nullable Life begin(long number, InetSocketAddress address, Duration timeout, int queue) {
    SpyLog.useLoggingOfTheJdk();
    InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
    if (resolved.isUnresolved()) {
      return null;
    }
    OneLifeFactory factory = new OneLifeFactory(timeout, queue);
    MemcachedClient client = null;
    Life life = null;
    try {
      client = new MemcachedClient(factory, List.of(resolved));
      ServerClock clock = awaitConnected(client, timeout) ? readClock(client) : null;
      life = clock == null ? null : new Life(number, client, factory, clock);
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (client != null && life == null) {
        client.shutdown(); // Even if the client has thrown, as it does where it is interrupted.
      }
    }
    return life;
  }

  private static boolean awaitConnected(MemcachedClient client, Duration timeout)
      throws InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    client.addObserver(
        new ConnectionObserver() {
          @Override
          public void connectionEstablished(SocketAddress address, int attempts) {
            connected.countDown();
          }

          @Override
          public void connectionLost(SocketAddress address) {}
        });
    if (!client.getAvailableServers().isEmpty()) {
      return true;
    }
    return connected.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static @Nullable ServerClock readClock(MemcachedClient client) {
    for (Map<String, String> stats : client.getStats().values()) {
      String seconds = stats.get("time");
      if (seconds != null) {
        return new ServerClock(Long.parseLong(seconds), System.nanoTime());
      }
    }
    return null;
  }

  /**
   * Returns when an item expires that is not to live longer than until {@code deadline}, or a
   * second longer.
   *
   * @param deadline by {@link System#nanoTime}
   */
  int dateOf(long deadline) {
    return clock.dateOf(deadline);
  }

  /** Returns what tells this life from others of the same server and JVM. */
  long number() {
    return number;
  }

  private void read(Collection<String> keys, GetOperation.Callback callback) {
    OneLifeConnection connection = factory.connection();
    if (connection == null) {
      throw new IllegalStateException("not connected");
    }
    connection.enqueueOperation(keys.iterator().next(), operations.get(keys, callback));
  }

  /** Returns how versions are read. */
  CombinedReads reads() {
    return reads;
  }

  /** Returns the client. */
  public MemcachedClient client() {
    return client;
  }

  /** Returns whether the connection has ended. */
  boolean isLost() {
    OneLifeConnection connection = factory.connection();
    return connection == null || connection.isLost();
  }

  /** Closes the connection. */
  void end() {
    client.shutdown();
  }
}
