package dev.larder.memcached.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.CASValue;
import org.jspecify.annotations.Nullable;

/**
 * One memcached server: its present {@linkplain Life life} and a breaker. After a request without
 * an answer nothing is sent for callers any more, until a request of its own, sent in the
 * background, has been answered. Thread-safe; no method throws.
 */
public final class MemcachedServer implements AutoCloseable {
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LAST_RETRY = Duration.ofSeconds(1);
  private static final String PROBE = "larder-probe";

  private final InetSocketAddress address;
  private final Duration timeout;
  private final int queue;
  private final Breaker breaker = new Breaker();
  private final ScheduledExecutorService reviver;
  private volatile @Nullable Life life;
  private long lives;
  private Duration retryAfter = FIRST_RETRY;
  private volatile boolean closed;

  /**
   * Creates a server that nobody has reached yet; {@link #start} tries.
   *
   * @param timeout after which the outcome of a request is unknown
   * @param queue how many requests may wait to be sent
   */
  public MemcachedServer(InetSocketAddress address, Duration timeout, int queue) {
    this.address = address;
    this.timeout = timeout;
    this.queue = queue;
    this.reviver =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "larder-memcached-" + text(address));
              thread.setDaemon(true);
              return thread;
            });
    breaker.open();
  }

  /** Returns an address as users write it. */
  public static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
  }

  /** Begins to connect, in the background. */
  public MemcachedServer start() {
    reviveAfter(Duration.ZERO);
    return this;
  }

  /** Begins to connect, and waits until the first attempt has succeeded or failed. */
  public void connect() {
    Future<?> attempt = reviver.submit(this::revive);
    boolean interrupted = false;
    try {
      attempt.get(2 * timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (ExecutionException | TimeoutException e) {
      // It is tried again in the background.
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the address. */
  InetSocketAddress address() {
    return address;
  }

  /** Returns the timeout of a request, in nanoseconds. */
  public long timeoutNanos() {
    return timeout.toNanos();
  }

  /** Returns whether requests are sent. */
  public boolean isAvailable() {
    return !breaker.isOpen();
  }

  /** Returns how often it became unavailable, the time before the first connection included. */
  public long outages() {
    return breaker.openings();
  }

  /** Returns the life that requests may be sent in now, or null while there is none. */
  public @Nullable Life life() {
    Life now = life;
    if (breaker.isOpen() || now == null) {
      return null;
    }
    if (now.isLost()) {
      failed();
      return null;
    }
    return now;
  }

  /**
   * Waits for {@code future}, but not longer than until {@code deadline}, and returns whether the
   * server has answered. An answer that is missing opens the breaker. An interrupt does not end the
   * wait, which is short.
   */
  public boolean await(Future<?> future, long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      failed();
    } catch (ExecutionException e) {
      Life now = life;
      if (e.getCause() instanceof TimeoutException || now == null || now.isLost()) {
        failed();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return false;
  }

  /** As {@link #await}; returns the answer, or null for none or an empty one. */
  <T> @Nullable T answer(@Nullable Future<T> future, long deadline) {
    return future != null && await(future, deadline) ? answerOf(future) : null;
  }

  /** Returns the answer of a request that has been answered. */
  static <T> @Nullable T answerOf(Future<T> answered) {
    try {
      return answered.get();
    } catch (ExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A request was not answered. */
  void failed() {
    if (breaker.open()) {
      reviveAfter(Duration.ZERO);
    }
  }

  /**
   * Tries to get an answer, and tries again later without one, on another connection: this one may
   * be one that a firewall has forgotten.
   */
  private void revive() {
    boolean ended = false;
    try {
      ended = tryToRevive();
    } finally {
      if (!ended) {
        reviveAfter(retryAfter);
        Duration doubled = retryAfter.multipliedBy(2);
        retryAfter = doubled.compareTo(LAST_RETRY) < 0 ? doubled : LAST_RETRY;
      }
    }
  }

  private boolean tryToRevive() {
    Life now = life;
    if (now == null || now.isLost()) {
      end(now);
      now = Life.begin(++lives, address, timeout, queue);
      life = now;
    }
    if (!closed && now != null && answers(now)) {
      retryAfter = FIRST_RETRY;
      breaker.close();
      return true;
    }
    end(now);
    life = null;
    return closed;
  }

  private static void end(@Nullable Life life) {
    if (life != null) {
      life.end();
    }
  }

  private void reviveAfter(Duration delay) {
    try {
      Future<?> unused = reviver.schedule(this::revive, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      breaker.open(); // Closed for good.
    }
  }

  private boolean answers(Life now) {
    try {
      Future<CASValue<byte[]>> probe = now.client().asyncGets(PROBE, RawBytes.INSTANCE);
      return await(probe, System.nanoTime() + timeout.toNanos());
    } catch (IllegalStateException e) {
      return false; // Its queue is full.
    }
  }

  @Override
  public void close() {
    closed = true;
    breaker.open();
    reviver.shutdownNow();
    end(life);
  }
}
