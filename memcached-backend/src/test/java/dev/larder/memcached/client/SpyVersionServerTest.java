package dev.larder.memcached.client;

import static dev.larder.memcached.protocol.VersionReply.Outcome.CHANGED;
import static dev.larder.memcached.protocol.VersionReply.Outcome.FOUND;
import static dev.larder.memcached.protocol.VersionReply.Outcome.MISSING;
import static dev.larder.memcached.protocol.VersionReply.Outcome.NOT_STORED;
import static dev.larder.memcached.protocol.VersionReply.Outcome.STORED;
import static dev.larder.memcached.protocol.VersionReply.Outcome.UNKNOWN;
import static dev.larder.memcached.protocol.VersionReply.Outcome.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.Memcached;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.memcached.protocol.VersionItem;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.memcached.protocol.VersionReply.Outcome;
import dev.larder.memcached.protocol.VersionRequest;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NeedsProgram(Program.MEMCACHED)
class SpyVersionServerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String KEY = "larder:V:1";

  private final Token writer = Token.random();
  private final Token other = Token.random();
  private Memcached memcached;
  private MemcachedServer server;
  private SpyVersionServer versions;

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    server = new MemcachedServer(memcached.address(), TIMEOUT, 1_000).start();
    versions = new SpyVersionServer(server);
    awaitAvailable();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    memcached.close();
  }

  private void awaitAvailable() {
    Waiting.until("in use again", server::isAvailable);
  }

  private VersionReply send(VersionRequest request) {
    return versions.send(List.of(request)).get(0);
  }

  private VersionItem gets() {
    VersionReply reply = send(new VersionRequest.Gets(KEY));
    assertThat(reply.outcome()).isEqualTo(FOUND);
    return reply.item();
  }

  private Outcome append(Token mark) {
    return send(new VersionRequest.Append(KEY, Mark.of(mark))).outcome();
  }

  private Outcome add(VersionValue value) {
    return send(new VersionRequest.Add(KEY, value)).outcome();
  }

  @Test
  void eachRequestDoesWhatTheModelOfTheServerDoes() {
    VersionValue raw = VersionValue.raw(Token.random());

    assertThat(send(new VersionRequest.Gets(KEY)).outcome()).isEqualTo(MISSING);
    assertThat(append(writer)).isEqualTo(NOT_STORED);
    assertThat(add(raw)).isEqualTo(STORED);
    assertThat(add(raw)).isEqualTo(NOT_STORED);
    assertThat(append(writer)).isEqualTo(STORED);
    VersionItem item = gets();
    assertThat(item.value()).isEqualTo(raw.announced(Mark.of(writer)));
    assertThat(append(other)).isEqualTo(STORED);
    assertThat(send(new VersionRequest.Cas(item, raw)).outcome()).isEqualTo(CHANGED);
    assertThat(gets().value().writers()).containsExactly(writer, other);
    assertThat(send(new VersionRequest.Cas(gets(), raw)).outcome()).isEqualTo(STORED);
    assertThat(gets().value()).isEqualTo(raw);
  }

  @Test
  void swapOfWhatWasEvictedIsNotDone() throws Exception {
    add(VersionValue.raw(writer));
    VersionItem item = gets();
    memcached.ask("delete " + KEY);

    assertThat(send(new VersionRequest.Cas(item, item.value())).outcome()).isEqualTo(MISSING);
  }

  @Test
  void requestsOfOneBatchAreDoneInTheirOrder() {
    for (int i = 0; i < 200; i++) {
      String key = "larder:V:batch" + i;
      VersionValue raw = VersionValue.raw(Token.random());

      List<VersionReply> replies =
          versions.send(
              List.of(
                  new VersionRequest.Add(key, raw),
                  new VersionRequest.Append(key, Mark.of(writer)),
                  new VersionRequest.Gets(key)));

      assertThat(replies.get(2).item().value()).isEqualTo(raw.announced(Mark.of(writer)));
    }
  }

  @Test
  void multiGetTellsWhatIsMissingFromWhatDoesNotDecode() throws Exception {
    add(VersionValue.raw(writer));
    memcached.ask("set larder:V:2 0 0 3\r\nabc");

    List<VersionReply> replies = versions.multiGet(List.of("larder:V:3", KEY, "larder:V:2"));

    assertThat(replies)
        .extracting(VersionReply::outcome)
        .containsExactly(MISSING, FOUND, UNREADABLE);
  }

  @Test
  void numberOfAnEarlierRunOfTheServerIsNotBelieved() throws Exception {
    add(VersionValue.raw(writer));
    VersionItem item = gets();
    memcached.kill();
    memcached.restart();
    assertThat(append(writer)).isEqualTo(UNKNOWN);
    awaitAvailable();
    VersionValue now = VersionValue.raw(other);
    assertThat(add(now)).isEqualTo(STORED);
    VersionItem again = gets();
    assertThat(again.cas())
        .as("the server counts anew, so that the test can fail")
        .isEqualTo(item.cas());

    assertThat(send(new VersionRequest.Cas(item, item.value())).outcome()).isEqualTo(CHANGED);

    assertThat(gets().value()).isEqualTo(now);
  }

  @Test
  void serverThatIsGoneIsUnknownAtOnceAndComesBackByItself() throws Exception {
    memcached.kill();
    assertThat(append(writer)).isEqualTo(UNKNOWN);
    assertThat(server.isAvailable()).isFalse();

    long begin = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(versions.multiGet(List.of(KEY)).get(0).outcome()).isEqualTo(UNKNOWN);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .as("a hundred times the timeout, if each of them waited")
        .isLessThan(TIMEOUT.multipliedBy(30));

    memcached.restart();
    awaitAvailable();
    assertThat(send(new VersionRequest.Gets(KEY)).outcome()).isEqualTo(MISSING);
  }

  @Test
  void serverThatHangsCostsOneTimeoutAndItsAnswersAreNotMixedUpAfterwards() throws Exception {
    add(VersionValue.raw(Token.random()));
    memcached.suspend();
    try {
      long begin = System.nanoTime();
      assertThat(append(writer)).isEqualTo(UNKNOWN);
      for (int i = 0; i < 100; i++) {
        assertThat(append(other)).isEqualTo(UNKNOWN);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .as("a hundred times the timeout, if each of them waited")
          .isLessThan(TIMEOUT.multipliedBy(30));
    } finally {
      memcached.resume();
    }
    awaitAvailable();

    Token third = Token.random();
    assertThat(append(third)).isEqualTo(STORED);
    assertThat(gets().value().writers()).contains(third).doesNotContain(other);
  }

  @Test
  void interruptedThreadGetsItsAnswerAndStaysInterrupted() {
    add(VersionValue.raw(Token.random()));
    Thread.currentThread().interrupt();

    Outcome outcome = append(writer);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcome).isEqualTo(STORED);
  }

  /** Threads append while the server is killed, started again, flushed and stopped. */
  @Test
  void nothingIsAcknowledgedThatWasNotDone() throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Integer>> running = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
    try {
      for (int thread = 0; thread < threads; thread++) {
        String key = "larder:V:storm" + thread;
        running.add(pool.submit(() -> storm(key, end)));
      }
      for (int round = 0; round < 2; round++) {
        memcached.suspend();
        Waiting.pass(Duration.ofMillis(1_400));
        memcached.resume();
        awaitAvailable();
        memcached.ask("flush_all");
        memcached.kill();
        memcached.restart();
        awaitAvailable();
      }
      int acknowledged = 0;
      for (Future<Integer> future : running) {
        acknowledged += future.get();
      }
      assertThat(acknowledged).isPositive();
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Appends marks, each followed by a read in the same batch: where both are answered, in one life
   * of the server nobody else's eviction can have come between, so that the mark must be there, or
   * all earlier ones of that value must be gone, too.
   */
  private int storm(String key, long end) {
    int acknowledged = 0;
    while (System.nanoTime() < end) {
      Token seed = Token.random();
      Token mark = Token.random();
      List<VersionReply> replies =
          versions.send(
              List.of(
                  new VersionRequest.Append(key, Mark.of(mark)),
                  new VersionRequest.Gets(key),
                  new VersionRequest.Add(key, VersionValue.raw(seed).announced(Mark.of(mark))),
                  new VersionRequest.Gets(key)));
      VersionItem first = replies.get(1).item();
      VersionItem second = replies.get(3).item();
      if (replies.get(0).outcome() == STORED && first != null) {
        assertThat(first.value().writers()).endsWith(mark);
        acknowledged++;
      }
      if (replies.get(2).outcome() == STORED && second != null) {
        assertThat(second.value().token()).isEqualTo(seed);
        acknowledged++;
      }
      if (second != null && second.value().writers().size() > 20) {
        send(new VersionRequest.Cas(second, VersionValue.raw(Token.random())));
      }
    }
    return acknowledged;
  }
}
