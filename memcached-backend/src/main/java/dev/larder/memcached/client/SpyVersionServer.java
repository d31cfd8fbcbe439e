package dev.larder.memcached.client;

import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.VersionCodec;
import dev.larder.memcached.format.VersionValue;
import dev.larder.memcached.protocol.VersionItem;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.memcached.protocol.VersionRequest;
import dev.larder.memcached.protocol.VersionServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import net.spy.memcached.CASValue;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

/** The versions on a real memcached. Thread-safe. */
public final class SpyVersionServer implements VersionServer {
  private static final int FOR_EVER = 0;
  private static final byte[] TURN = {'1'};

  private final MemcachedServer server;

  /** Creates a version server that is {@code server}, which the caller closes. */
  public SpyVersionServer(MemcachedServer server) {
    this.server = server;
  }

  @Override
  public List<VersionReply> send(List<? extends VersionRequest> requests) {
    long deadline = System.nanoTime() + server.timeoutNanos();
    Life life = server.life();
    List<@Nullable OperationFuture<?>> sent = new ArrayList<>();
    boolean interrupted = Thread.interrupted(); // An interrupted thread cannot add to the queue.
    for (VersionRequest request : requests) {
      sent.add(life == null ? null : start(life, request));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    List<VersionReply> replies = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      replies.add(reply(life, requests.get(i), sent.get(i), deadline));
    }
    return replies;
  }

  private static @Nullable OperationFuture<?> start(Life life, VersionRequest request) {
    MemcachedClient client = life.client();
    String key = request.key();
    try {
      if (request instanceof VersionRequest.Gets) {
        return client.asyncGets(key, RawBytes.INSTANCE);
      } else if (request instanceof VersionRequest.Append append) {
        return client.append(key, VersionCodec.encodeMark(append.mark()), RawBytes.INSTANCE);
      } else if (request instanceof VersionRequest.Add add) {
        return client.add(key, FOR_EVER, VersionCodec.encode(add.value()), RawBytes.INSTANCE);
      } else if (request instanceof VersionRequest.Remove) {
        return client.delete(key);
      } else if (request instanceof VersionRequest.TakeTurn turn) {
        return client.add(Names.ofTurn(key), turn.seconds(), TURN, RawBytes.INSTANCE);
      } else if (request instanceof VersionRequest.EndTurn) {
        return client.delete(Names.ofTurn(key));
      } else if (request instanceof VersionRequest.Cas cas && cas.item().life() == life.number()) {
        byte[] value = VersionCodec.encode(cas.value());
        return client.asyncCAS(key, cas.item().cas(), FOR_EVER, value, RawBytes.INSTANCE);
      }
    } catch (IllegalStateException e) {
      return null; // The queue is full, or the client has been shut down.
    }
    return null;
  }

  private VersionReply reply(
      @Nullable Life life,
      VersionRequest request,
      @Nullable OperationFuture<?> sent,
      long deadline) {
    if (life == null) {
      return VersionReply.UNKNOWN;
    }
    if (request instanceof VersionRequest.Cas cas && cas.item().life() != life.number()) {
      return VersionReply.of(VersionReply.Outcome.CHANGED); // Nothing was sent.
    }
    if (sent == null || !server.await(sent, deadline)) {
      return VersionReply.UNKNOWN;
    }
    StatusCode status = sent.getStatus().getStatusCode();
    if (request instanceof VersionRequest.Gets) {
      return status == StatusCode.SUCCESS
          ? found(request.key(), MemcachedServer.answerOf(sent), life)
          : VersionReply.of(
              status == StatusCode.ERR_NOT_FOUND
                  ? VersionReply.Outcome.MISSING
                  : VersionReply.Outcome.UNKNOWN);
    }
    return VersionReply.of(outcome(request, status));
  }

  /**
   * Of the answers in which the server says no, only those count that say why: one for lack of
   * memory may mean anything.
   */
  private static VersionReply.Outcome outcome(VersionRequest request, StatusCode status) {
    boolean swap = request instanceof VersionRequest.Cas;
    return switch (status) {
      case SUCCESS -> VersionReply.Outcome.STORED;
      case ERR_NOT_STORED -> VersionReply.Outcome.NOT_STORED;
      case ERR_EXISTS -> swap ? VersionReply.Outcome.CHANGED : VersionReply.Outcome.NOT_STORED;
      case ERR_NOT_FOUND -> swap ? VersionReply.Outcome.MISSING : VersionReply.Outcome.NOT_STORED;
      default -> VersionReply.Outcome.UNKNOWN;
    };
  }

  private static VersionReply found(String key, @Nullable Object answer, Life life) {
    if (answer instanceof CASValue<?> value && value.getValue() instanceof byte[] bytes) {
      VersionValue decoded = VersionCodec.decode(bytes);
      return decoded == null
          ? VersionReply.of(VersionReply.Outcome.UNREADABLE)
          : VersionReply.found(new VersionItem(key, decoded, value.getCas(), life.number()));
    }
    return VersionReply.UNKNOWN;
  }

  @Override
  public List<VersionReply> multiGet(List<String> keys) {
    return look(keys, null).versions();
  }

  /**
   * What was read in one round trip.
   *
   * @param versions in the order of their keys
   * @param entry not to be changed; null if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares it.
  public record Looked(List<VersionReply> versions, byte @Nullable [] entry) {}

  /**
   * As {@link #multiGet}, with an entry in the same round trip.
   *
   * @param entry its name; null for none
   */
  public Looked look(List<String> keys, @Nullable String entry) {
    long deadline = System.nanoTime() + server.timeoutNanos();
    Life life = server.life();
    Future<Map<String, byte[]>> asked =
        life == null ? null : life.reads().ask(entry == null ? keys : with(keys, entry));
    Map<String, byte[]> found = server.answer(asked, deadline);
    List<VersionReply> replies = new ArrayList<>(keys.size());
    for (String key : keys) {
      replies.add(found == null ? VersionReply.UNKNOWN : reply(key, found.get(key)));
    }
    return new Looked(replies, found == null || entry == null ? null : found.get(entry));
  }

  private static List<String> with(List<String> keys, String more) {
    List<String> all = new ArrayList<>(keys.size() + 1);
    all.addAll(keys);
    all.add(more);
    return all;
  }

  private static VersionReply reply(String key, byte @Nullable [] bytes) {
    if (bytes == null) {
      return VersionReply.of(VersionReply.Outcome.MISSING);
    }
    VersionValue value = VersionCodec.decode(bytes);
    return value == null
        ? VersionReply.of(VersionReply.Outcome.UNREADABLE)
        : VersionReply.found(new VersionItem(key, value, 0, 0));
  }
}
