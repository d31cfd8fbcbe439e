package dev.larder.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.catalog.CatalogVersion;
import dev.larder.store.FaultPoint;
import dev.larder.store.FaultPoints;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the catalog is trusted, with a database that is stepped through by the test. */
@Timeout(30)
@Tag("regression")
class CatalogTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final SteppedDatabase database = new SteppedDatabase();

  @Test
  void nothingIsLoadedBeforeItIsUsed() {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.current()).isNull();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(catalog.current()).isNotNull();
      assertThat(database.calls).containsExactly("load");
    }
  }

  @Test
  void theConnectionIsClosedSoonAfterTheLastUserHasGone() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      catalog.retain();
      catalog.retain();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      catalog.release();
      assertThat(database.released.getCount()).isEqualTo(1);
      catalog.release();
      assertThat(database.released.await(20, TimeUnit.SECONDS)).isTrue();
      catalog.retain();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.calls).containsExactly("load", "fingerprint");
    }
  }

  @Test
  void anErrorInItsThreadIsNotTheEnd() throws Exception {
    AtomicInteger left = new AtomicInteger(5);
    database.error = () -> left.getAndDecrement() > 0 ? new OutOfMemoryError("injected") : null;
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(catalog.failureCount()).isEqualTo(5);
    }
  }

  @Test
  void aThreadThatDiesIsReplaced() throws Exception {
    AtomicInteger left = new AtomicInteger(2);
    database.errorOfRelease =
        () -> left.getAndDecrement() > 0 ? new StackOverflowError("injected") : null;
    database.error = () -> left.get() > 0 ? new OutOfMemoryError("injected") : null;
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(left.get()).isNotPositive();
    }
  }

  @Test
  void whereNoThreadCanBeStartedItIsTriedAgain() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.STARTING && left.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
        });
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.current()).isNull();
      assertThat(catalog.failureCount()).isEqualTo(1);
      Waiting.until("a thread is started at last", () -> catalog.current() != null);
      assertThat(catalog.failureCount()).isEqualTo(3);
    } finally {
      FaultPoints.inject(null);
    }
  }

  @Test
  void aScarceConnectionIsClosedWhileItIsNotNeeded() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion before = catalog.current();
      catalog.connectBriefly();
      assertThat(database.released.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(catalog.current()).isSameAs(before);
    }
  }

  @Test
  void requestWithdrawsTheCatalogUntilItIsCompared() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion before = catalog.current();
      database.gated = true;
      catalog.reloadRequested();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNull();
      database.letThrough();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(catalog.current()).isSameAs(before);
      assertThat(database.calls).containsExactly("load", "fingerprint");
    }
  }

  @Test
  void loadThatStartedBeforeTheRequestIsNotEnough() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      database.gated = true;
      assertThat(catalog.current()).isNull();
      database.awaitCall("load");
      database.fingerprint = 2;
      database.content = 2;
      catalog.reloadRequested();
      database.letThrough();
      database.awaitCall("fingerprint");
      assertThat(catalog.current()).isNull();
      database.letThrough();
      database.awaitCall("load");
      assertThat(catalog.current()).isNull();
      database.letThrough();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion version = catalog.current();
      assertThat(version).isNotNull();
      assertThat(version.fingerprint()).isEqualTo("2");
    }
  }

  @Test
  void foreignChangeIsToldBetweenWithdrawalAndPublication() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    LinkedBlockingQueue<String> tellings = new LinkedBlockingQueue<>();
    Catalog[] self = new Catalog[1];
    Runnable onChange =
        () -> {
          CatalogVersion current = self[0].current();
          told.add(current == null ? "none" : current.fingerprint());
          tellings.add("told");
        };
    try (Catalog catalog = new Catalog(database, SHORT, (change, same) -> onChange.run())) {
      self[0] = catalog;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.content = 2;
      database.fingerprint = 2;
      while (told.isEmpty()) {
        catalog.current();
        tellings.poll(1, TimeUnit.MILLISECONDS);
      }
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      CatalogVersion changed = catalog.current();
      assertThat(changed).isNotNull();
      assertThat(changed.fingerprint()).isEqualTo("2");
      assertThat(told).containsExactly("none");
    }
  }

  @Test
  void sameContentUnderAnotherFingerprintIsNoChange() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> told.add("told"))) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.fingerprint = 2;
      catalog.reloadRequested();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.calls).containsExactly("load", "fingerprint", "load");
      assertThat(told).isEmpty();
    }
  }

  @Test
  void failureIsCountedAndRetried() throws Exception {
    try (Catalog catalog = new Catalog(database, LONG, (change, same) -> {})) {
      database.broken = true;
      assertThat(catalog.current()).isNull();
      database.awaitCall("load");
      database.awaitCall("load");
      assertThat(catalog.current()).isNull();
      assertThat(catalog.failureCount()).isPositive();
      database.broken = false;
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
    }
  }

  @Test
  void aCatalogIsNotTrustedWhenTheDatabaseStaysSilent() throws Exception {
    try (Catalog catalog = new Catalog(database, SHORT, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      database.broken = true;
      Waiting.until("it is not trusted any more", () -> catalog.current() == null);
      assertThat(catalog.failureCount()).isGreaterThanOrEqualTo(CatalogThread.TRUSTED_FAILURES);
    }
  }

  @Test
  void idleThreadEndsAndTrustBeginsAnew() throws Exception {
    try (Catalog catalog = new Catalog(database, SHORT, (change, same) -> {})) {
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.released.await(20, TimeUnit.SECONDS)).isTrue();
      int before = database.calls.size();
      assertThat(catalog.awaitLoaded(WAIT)).isTrue();
      assertThat(database.calls.size()).isGreaterThan(before);
      List<String> calls = List.of(database.calls.toArray(String[]::new));
      assertThat(calls.subList(1, calls.size())).containsOnly("fingerprint");
    }
  }

  @Test
  void closedCatalogKnowsNothing() {
    Catalog catalog = new Catalog(database, LONG, (change, same) -> {});
    assertThat(catalog.awaitLoaded(WAIT)).isTrue();
    catalog.close();
    assertThat(catalog.current()).isNull();
    assertThat(catalog.awaitLoaded(WAIT)).isFalse();
  }

  @Test
  void pollPeriodMustBePositive() {
    assertThatThrownBy(() -> new Catalog(database, Duration.ZERO, (change, same) -> {}))
        .hasMessageContaining("pollPeriod is PT0S");
  }
}
