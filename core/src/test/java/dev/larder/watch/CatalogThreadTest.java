package dev.larder.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogVersion;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the thread of a catalog does when, with a database that is stepped through by the test. */
@Timeout(60)
@Tag("regression")
class CatalogThreadTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final SteppedDatabase database = new SteppedDatabase();

  @Test
  void whatIsDoubtedIsComparedAndUsedUntilThen() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion before = catalog.current();
      database.gated = true;
      catalog.doubted();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNotNull().isSameAs(before);
      database.letThrough();
      catalog.doubted();
      database.awaitCall("fingerprint");
      database.letThrough();
    }
  }

  @Test
  void aNewConnectionIsMadeOnceWhereItIsAskedFor() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.gated = true;
      catalog.reconnectRequested();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNull();
      database.letThrough();
      database.gated = false;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.releases).hasValue(1);
      catalog.reloadRequested();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.releases).hasValue(1);
      assertThat(database.calls).containsExactly("load", "fingerprint", "fingerprint");
    }
  }

  @Test
  void theGenerationGrowsBeforeAChangeIsTold() {
    List<Long> told = new CopyOnWriteArrayList<>();
    Catalog[] self = new Catalog[1];
    try (Catalog catalog =
        new Catalog(database, LONG, (change, same) -> told.add(self[0].version()))) {
      self[0] = catalog;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      long before = catalog.version();
      database.fingerprint = 2;
      catalog.reloadRequested();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(catalog.version()).isEqualTo(before);
      database.fingerprint = 3;
      database.content = 2;
      catalog.reloadRequested();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(catalog.version()).isGreaterThan(before);
      assertThat(told).containsExactly(catalog.version());
    }
  }

  /** Who finds the new version is not to judge by the old catalog: nobody widens that any more. */
  @Test
  void theCatalogThatDiffersIsTheLatestBeforeTheVersionGrows() {
    List<CatalogVersion> latest = new CopyOnWriteArrayList<>();
    Catalog[] self = new Catalog[1];
    try (Catalog catalog =
        new Catalog(database, LONG, (change, same) -> latest.add(self[0].latest()))) {
      self[0] = catalog;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion before = catalog.latest();
      database.fingerprint = 2;
      database.content = 2;
      catalog.reloadRequested();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(latest).hasSize(1).doesNotContain(before).containsExactly(catalog.latest());
    }
  }

  @Test
  void whatWasReadLastIsKnownThoughItMayNotBeUsed() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.latest()).isNull();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion before = catalog.current();
      database.gated = true;
      catalog.reloadRequested();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNull();
      assertThat(catalog.latest()).isNotNull().isSameAs(before);
      database.letThrough();
    }
  }

  @Test
  void whatOperatorsHaveSetIsReadBeforeACatalogIsPublished() throws Exception {
    DatabaseControls set = new DatabaseControls(Map.of("larder.mode", "off"), List.of(), null);
    database.controls = set;
    database.gated = true;
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.controls()).isEqualTo(DatabaseControls.NONE);
      assertThat(catalog.current()).isNull();
      database.awaitCall("load");
      assertThat(catalog.controls()).isEqualTo(set);
      database.letThrough();
    }
  }

  @Test
  void whatOperatorsHaveSetIsReadBetweenComparisonsAndNotAllTheTime() throws Exception {
    long start = System.nanoTime();
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.asked.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
      long elapsed = System.nanoTime() - start;
      assertThat(elapsed).isGreaterThan(Catalog.CONTROL_PERIOD.toNanos());
      assertThat(database.calls).containsExactly("load");
    }
  }

  @Test
  void whoWatchesLooksBeforeTheFirstReadingAndAfterEach() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      catalog.watch(
          loader -> {
            assertThat(loader).isSameAs(database);
            database.calls.add("look");
            database.entered.add("look");
          });
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.awaitCall("load");
      database.awaitCall("look");
      catalog.reloadRequested();
      database.awaitCall("fingerprint");
      database.awaitCall("look");
      assertThat(database.calls)
          .startsWith("look", "load", "look")
          .containsSubsequence("load", "look", "fingerprint", "look");
    }
  }

  @Test
  void connectionsAreScarceNoLongerAfterAWhile() throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    try (Catalog catalog =
        new Catalog(database, LONG, (change, same) -> {}, Duration.ofMillis(200))) {
      catalog.watch(loader -> looked.countDown());
      catalog.connectBriefly();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(looked.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void nobodyLooksWhereConnectionsAreScarce() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      catalog.watch(loader -> database.calls.add("look"));
      catalog.connectBriefly();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.released.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(database.calls).containsExactly("load");
    }
  }

  @Test
  void whoWaitsIsToldThatItTookTooLongOrWasInterrupted() throws Exception {
    database.gated = true;
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(Duration.ofMillis(10))).isFalse();
      Thread.currentThread().interrupt();
      assertThat(catalog.awaitLoaded(WAIT)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
      database.letThrough();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
    }
  }

  @Test
  void whoWaitsIsWokenByTheEnd() throws Exception {
    database.gated = true;
    Catalog catalog = new Catalog(database, LONG, (change, same) -> {});
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread waiting = new Thread(() -> answer.complete(catalog.awaitLoaded(LONG)));
    waiting.setDaemon(true);
    waiting.start();
    Waiting.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    catalog.close();
    assertThat(answer.get(30, TimeUnit.SECONDS)).isFalse();
    database.letThrough();
  }

  @Test
  void theThreadLastsAsLongAsTheCatalogIsUsedAndNotLongerThanTheProcess() throws Exception {
    try (Catalog catalog = new Catalog(database, SHORT, (change, same) -> {})) {
      database.atCall = catalog::current;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      for (int i = 0; i < 3 * CatalogThread.IDLE_POLLS; i++) {
        database.awaitCall("fingerprint");
      }
      assertThat(database.releases).hasValue(0);
      assertThat(database.daemon).isTrue();
    }
  }

  @Test
  void oneUserIsTheLastAsWell() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      catalog.retain();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      catalog.release();
      assertThat(database.released.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theThirdFailureInARowIsTheOneThatCounts() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.gated = true;
      database.broken = true;
      catalog.doubted();
      database.awaitCall("fingerprint");
      for (int failure = 1; failure < CatalogThread.TRUSTED_FAILURES; failure++) {
        database.letThrough();
        database.awaitCall("fingerprint");
        assertThat(catalog.current()).as("after %s failures", failure).isNotNull();
      }
      database.letThrough();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNull();
      database.letThrough();
    }
  }

  @Test
  void failuresAreRetriedEverMoreRarely() throws Exception {
    database.broken = true;
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      long start = System.nanoTime();
      assertThat(catalog.current()).isNull();
      for (int attempt = 0; attempt < 4; attempt++) {
        database.awaitCall("load");
      }
      // 100, 200 and 400 ms.
      assertThat(System.nanoTime() - start).isGreaterThan(Duration.ofMillis(600).toNanos());
    }
  }
}
