package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.memcached.client.MemcachedServer;
import dev.larder.remote.RemoteAnnouncement;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteTokens;
import dev.larder.remote.WritersInProgress;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two JVMs' caches with bounded staleness; the first one's way to memcached can be cut. */
@NeedsProgram(Program.MEMCACHED)
class MemcachedCacheTest {
  private static final long RUN = 1;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final CachedResult RESULT =
      CachedResult.of(
          new ResultColumns(List.of(new ResultColumn("n", 0, 0, 20, 8, -1, true))),
          new RawRows(new byte[][][] {{new byte[8]}}),
          false);

  private final TableTag table = new TableVersions().tag(TableTag.Scope.RELATION, 16_384);
  private final WriteSet writes = new WriteSet(List.of(table), false);
  private final Set<String> inProgress = ConcurrentHashMap.newKeySet();
  private Memcached memcached;
  private TornProxy way;
  private MemcachedCache first;
  private MemcachedCache second;

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    way = new TornProxy(memcached.address());
    first = open(MemcachedServer.text(way.address()));
    second = open(MemcachedServer.text(memcached.address()));
  }

  @AfterEach
  void end() throws Exception {
    first.close();
    second.close();
    way.close();
    memcached.close();
  }

  private MemcachedCache open(String server) {
    return open(server, "100s");
  }

  private MemcachedCache open(String server, String maxStaleness) {
    return new MemcachedCache(
        MemcachedSettings.of(
            Map.of(
                "larder.memcached.servers",
                server,
                "larder.memcached.onUnreachable",
                "boundedStaleness",
                "larder.memcached.maxStaleness",
                maxStaleness,
                // A machine that does other things, too, is no memcached that does not answer.
                "larder.memcached.timeout",
                "5000ms")),
        new RemoteDatabase() {
          @Override
          public String systemIdentifier() {
            return "7";
          }

          @Override
          public long oid() {
            return 5;
          }

          @Override
          public @Nullable WritersInProgress writersInProgress() {
            return new WritersInProgress(RUN, inProgress);
          }

          @Override
          public CachedResult adopt(CachedResult result) {
            return result;
          }
        });
  }

  private RemoteQuestion question(@Nullable RemoteCatalogVersion catalogToken, long askedNanos) {
    QueryKey key =
        new QueryKey(
            SqlLexer.lex("select n from t", LexOptions.of(true, true)).shape(),
            new SessionFingerprint("space", "s", "c", List.of(), new TreeMap<>()),
            new Object[0],
            new Object[0],
            0);
    return new RemoteQuestion(
        key, askedNanos, Long.MAX_VALUE, List.of(table), 3, catalogToken, RUN);
  }

  /** Asks until the versions are good. */
  private RemoteReading readable(MemcachedCache cache) {
    long deadline = System.nanoTime() + 60 * SECOND;
    while (true) {
      RemoteReading reading = cache.read(question(cache.catalogVersion(RUN), System.nanoTime()));
      if (reading.verdict(List.of(table)) == RemoteReading.Verdict.READABLE) {
        return reading;
      }
      assertThat(System.nanoTime()).as("%s", reading).isLessThan(deadline);
    }
  }

  private RemoteTokens tokens(RemoteReading reading) {
    RemoteTokens tokens = reading.tokens(List.of(table));
    assertThat(tokens).isNotNull();
    return tokens;
  }

  /** Keeps it, and waits for the answer to what is asked next on the same connection. */
  private void keep(MemcachedCache cache, long askedNanos) {
    RemoteTokens tokens = tokens(readable(cache));
    cache.keep(question(cache.catalogVersion(RUN), askedNanos), tokens, RESULT);
    RemoteReading unused = readable(cache);
  }

  @Test
  void ageCountsFromTheLookUp() {
    keep(first, System.nanoTime() - 200 * SECOND);
    assertThat(readable(second).shared()).as("too old when it came").isNull();

    keep(first, System.nanoTime());
    assertThat(readable(second).shared()).isNotNull();

    long now = System.nanoTime();
    long left = first.nearNanos(question(null, now), false);
    long after = System.nanoTime();
    assertThat(left).isBetween(100 * SECOND - (after - now), 100 * SECOND);
    assertThat(first.nearNanos(question(null, now - 60 * SECOND), false))
        .isLessThanOrEqualTo(40 * SECOND);
    assertThat(first.nearNanos(question(null, now - 200 * SECOND), true)).isNegative();
  }

  @Test
  void resultThatMayLiveLongerThanHereIsNotTaken() {
    keep(second, System.nanoTime());
    assertThat(readable(first).shared()).isNotNull();
    try (MemcachedCache stricter = open(MemcachedServer.text(memcached.address()), "50s")) {
      assertThat(readable(stricter).shared()).isNull();
    }
  }

  @Test
  void whoeverCommittedUnannouncedReadsNothingThatIsOlderThanThat() {
    keep(second, System.nanoTime());
    assertThat(readable(first).shared()).isNotNull();
    way.cut();
    RemoteAnnouncement write = first.announce(writes, null);
    assertThat(write.acknowledged()).isFalse();
    way.mend();
    awaitAvailable(first);

    assertThat(
            first
                .read(question(first.catalogVersion(RUN), System.nanoTime()))
                .verdict(List.of(table)))
        .as("its own JVM knows better, though the shared versions are good")
        .isEqualTo(RemoteReading.Verdict.BEING_WRITTEN);
    assertThat(readable(second).shared()).as("the others do not know").isNotNull();

    first.publish(write);
    assertThat(readable(first).shared()).isNull();
    assertThat(readable(second).shared()).isNull();
  }

  @Test
  void whatWasLostUnannouncedIsToldWhenThePrimaryDoesNotNameItAnyMore() {
    keep(second, System.nanoTime());
    way.cut();
    inProgress.add("x1");
    RemoteAnnouncement write = first.announce(writes, null);
    way.mend();
    awaitAvailable(first);
    long runs = first.status().barrierRuns();
    first.lost(write);
    awaitRuns(runs + 2);
    assertThat(readable(second).shared()).as("it has not been told yet").isNotNull();
    assertThat(
            first
                .read(question(first.catalogVersion(RUN), System.nanoTime()))
                .verdict(List.of(table)))
        .isEqualTo(RemoteReading.Verdict.BEING_WRITTEN);

    inProgress.clear();
    assertThat(readable(first).shared()).isNull();
    assertThat(readable(second).shared()).isNull();
  }

  @Test
  void leaseIsOfOneUntilItIsReleasedOrExpires() {
    RemoteQuestion question = question(null, System.nanoTime());
    assertThat(first.lease(question, 1)).isTrue();
    assertThat(first.lease(question, 1)).as("it is not told from another's").isFalse();
    assertThat(second.lease(question, 1)).isFalse();
    first.release(question);
    assertThat(first.lease(question, 1)).as("asked on the same connection").isTrue();
    first.release(question);
    Waiting.until("the other gets it", () -> second.lease(question, 1));

    Waiting.until(Duration.ofSeconds(10), () -> "it expires", () -> first.lease(question, 1));
    assertThat(second.lease(question, 1)).isFalse();
  }

  @Test
  void leaseLastsAsLongAsItMayTake() {
    RemoteQuestion question = question(null, System.nanoTime());
    for (int i = 0; i < 2; i++) {
      long begun = System.nanoTime();
      assertThat(first.lease(question, SECOND)).isTrue();
      Waiting.until("it expires", () -> second.lease(question, 1));
      assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(SECOND);
      second.release(question);
      Waiting.until("it is released", () -> first.lease(question, 1));
      first.release(question);
    }
  }

  @Test
  void everybodyHasTheLeaseWhileMemcachedDoesNotAnswer() {
    RemoteQuestion question = question(null, System.nanoTime());
    assertThat(second.lease(question, 60 * SECOND)).isTrue();
    assertThat(first.lease(question, 60 * SECOND)).isFalse();
    way.cut();
    assertThat(first.lease(question, 60 * SECOND)).isTrue();
    first.release(question); // Which says nothing either.
    way.mend();
    awaitAvailable(first);
    assertThat(first.lease(question, 60 * SECOND)).isFalse();
  }

  private void awaitRuns(long runs) {
    Waiting.until("the barrier has run", () -> first.status().barrierRuns() >= runs);
  }

  private static void awaitAvailable(MemcachedCache cache) {
    Waiting.until("the breaker is closed", () -> cache.status().breaker().equals("closed"));
  }
}
