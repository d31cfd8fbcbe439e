package dev.larder.memcached.client;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import net.spy.memcached.ops.GetOperation;
import net.spy.memcached.ops.OperationStatus;
import org.jspecify.annotations.Nullable;

/**
 * Questions of many threads at once for versions, and for entries beside, put in few round trips:
 * those that are asked while one is under way go together in the next. Never in the one under way:
 * what that reads may be older than the question. So each answer was read after its question was
 * asked. Thread-safe.
 */
final class CombinedReads {
  private final Wire wire;

  // Guarded by this.
  private boolean underWay;
  private @Nullable Batch next;

  /** Sends a request and does not wait. */
  interface Wire {
    /**
     * Reads {@code keys}; {@code callback} is told in whichever thread; what it is told first
     * counts.
     *
     * @throws IllegalStateException if nothing was sent
     */
    void send(Collection<String> keys, GetOperation.Callback callback);
  }

  /** Creates it; nothing is sent before somebody asks. */
  CombinedReads(Wire wire) {
    this.wire = wire;
  }

  /**
   * Asks for {@code keys} and does not wait. The answer has what is there of them, and perhaps
   * more, and is not to be changed; it fails if the server has not answered.
   */
  Future<Map<String, byte[]>> ask(Collection<String> keys) {
    Batch batch;
    synchronized (this) {
      if (underWay) {
        batch = next == null ? new Batch() : next;
        batch.keys.addAll(keys);
        next = batch;
        return batch.answer;
      }
      underWay = true;
      batch = new Batch();
    }
    batch.keys.addAll(keys);
    batch.send();
    return batch.answer;
  }

  /** The one under way has ended. */
  private void sendNext() {
    Batch batch;
    synchronized (this) {
      batch = next;
      next = null;
      underWay = batch != null;
    }
    if (batch != null) {
      batch.send();
    }
  }

  /** One round trip. */
  private final class Batch implements GetOperation.Callback {
    /** Guarded by the outer object until it is sent. */
    final Set<String> keys = new LinkedHashSet<>();

    final CompletableFuture<Map<String, byte[]>> answer = new CompletableFuture<>();

    // Of the thread of the client.
    private final Map<String, byte[]> values = new HashMap<>();
    private boolean answered;

    /** The client may say that an operation is complete again when it cancels it. */
    private final AtomicBoolean ended = new AtomicBoolean();

    void send() {
      // An interrupted thread cannot add to the client's queue.
      boolean interrupted = Thread.interrupted();
      try {
        wire.send(keys, this);
      } catch (IllegalStateException e) {
        complete();
      } catch (Throwable t) {
        complete(); // Or nothing would be asked any more on this connection.
        throw t;
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void gotData(String key, int flags, byte[] data) {
      values.put(key, data);
    }

    @Override
    public void receivedStatus(OperationStatus status) {
      answered = status.isSuccess();
    }

    @Override
    public void complete() {
      if (ended.getAndSet(true)) {
        return;
      }
      // First, for those who wait are woken one by one.
      sendNext();
      if (answered) {
        answer.complete(values);
      } else {
        answer.completeExceptionally(new TimeoutException());
      }
    }
  }
}
