package dev.larder.memcached.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionCodec;
import dev.larder.memcached.format.VersionValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import net.spy.memcached.ops.GetOperation;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatusCode;
import org.junit.jupiter.api.Test;

class CombinedReadsTest {
  private static final OperationStatus DONE = new OperationStatus(true, "", StatusCode.SUCCESS);
  private static final OperationStatus LOST = new OperationStatus(false, "", StatusCode.CANCELLED);
  private static final byte[] OLD = VersionCodec.encode(VersionValue.raw(new Token(0, 1)));
  private static final byte[] NEW = VersionCodec.encode(VersionValue.raw(new Token(0, 2)));

  private final List<Sent> sent = new ArrayList<>();
  private boolean full;
  private final CombinedReads reads =
      new CombinedReads(
          (keys, callback) -> {
            if (full) {
              throw new IllegalStateException();
            }
            sent.add(new Sent(List.copyOf(keys), callback));
          });

  private record Sent(Collection<String> keys, GetOperation.Callback callback) {
    void answer(byte[] value) {
      keys.forEach(key -> callback.gotData(key, 0, value));
      callback.receivedStatus(DONE);
      callback.complete();
    }
  }

  private static long token(Future<Map<String, byte[]>> answer, String key) throws Exception {
    return VersionCodec.decode(answer.get().get(key)).token().low();
  }

  @Test
  void whoeverAsksWhileOneIsUnderWayIsAnsweredByTheNext() throws Exception {
    Future<Map<String, byte[]>> first = reads.ask(List.of("a", "b"));
    Future<Map<String, byte[]>> second = reads.ask(List.of("a", "c"));
    Future<Map<String, byte[]>> third = reads.ask(List.of("a", "d"));
    assertThat(sent).hasSize(1);

    sent.get(0).answer(OLD);
    assertThat(token(first, "b")).isEqualTo(1);
    assertThat(second.isDone()).as("what was under way may be older than the question").isFalse();
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1).keys()).containsExactlyInAnyOrder("a", "c", "d");

    sent.get(1).answer(NEW);
    assertThat(token(second, "a")).isEqualTo(2);
    assertThat(token(third, "d")).isEqualTo(2);
    Future<Map<String, byte[]>> fourth = reads.ask(List.of("a"));
    assertThat(sent).hasSize(3);
    sent.get(2).answer(NEW);
    assertThat(token(fourth, "a")).isEqualTo(2);
  }

  @Test
  void failureIsThatOfItsOwnRoundTripOnly() throws Exception {
    Future<Map<String, byte[]>> first = reads.ask(List.of("a"));
    Future<Map<String, byte[]>> second = reads.ask(List.of("a"));
    sent.get(0).callback().receivedStatus(LOST);
    sent.get(0).callback().complete();
    sent.get(0).callback().complete();
    assertThat(first.isDone()).isTrue();
    assertThatThrownBy(first::get).hasCauseInstanceOf(TimeoutException.class);
    assertThat(sent).hasSize(2);
    sent.get(1).answer(NEW);
    assertThat(token(second, "a")).isEqualTo(2);

    full = true;
    assertThatThrownBy(() -> reads.ask(List.of("a")).get())
        .hasCauseInstanceOf(TimeoutException.class);
    full = false;
    Future<Map<String, byte[]>> after = reads.ask(List.of("a"));
    sent.get(2).answer(OLD);
    assertThat(token(after, "a")).isEqualTo(1);
  }

  @Test
  void anErrorInSendingEndsTheRoundTripOfItsOwn() throws Exception {
    AtomicInteger stack = new AtomicInteger();
    List<GetOperation.Callback> callbacks = new ArrayList<>();
    CombinedReads broken =
        new CombinedReads(
            (keys, callback) -> {
              if (stack.getAndIncrement() == 0) {
                throw new StackOverflowError();
              }
              callbacks.add(callback);
            });
    assertThatThrownBy(() -> broken.ask(List.of("a"))).isInstanceOf(StackOverflowError.class);
    Future<Map<String, byte[]>> next = broken.ask(List.of("a"));
    assertThat(callbacks).hasSize(1);
    callbacks.get(0).receivedStatus(DONE);
    callbacks.get(0).complete();
    assertThat(next.get()).isEmpty();
  }
}
