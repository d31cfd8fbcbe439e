package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.result.CachedResult;
import dev.larder.store.TableTag.Scope;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TableVersionsTest {
  static final EntryOwner NOBODY = (event, weightBytes) -> {};

  private final TableVersions versions = new TableVersions();
  private final TableTag tag = versions.tag(Scope.RELATION, 1);
  private final TableTag other = versions.tag(Scope.RELATION, 2);

  @Test
  void entryIsCurrentUntilOneOfItsTablesIsAnnounced() {
    CacheEntry entry = entry(tag);
    CacheEntry untouched = entry(other);
    assertThat(versions.isCurrent(entry)).isTrue();

    PendingWrite write = versions.announce(writes(tag));

    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(versions.isCurrent(untouched)).isTrue();
    versions.publish(write);
    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(versions.isCurrent(entry(tag))).isTrue();
  }

  /** Whoever breaks off lowers what it has raised, and not what another writer has. */
  @Test
  void announceThatBreaksOffLeavesNothingBehindAndOthersAlone() {
    PendingWrite another = versions.announce(writes(other));
    for (int steps = 1; steps <= 3; steps++) {
      AtomicInteger left = new AtomicInteger(steps);
      FaultPoint.inject(
          point -> {
            if (point == FaultPoint.ANNOUNCING && left.decrementAndGet() == 0) {
              throw new OutOfMemoryError("injected");
            }
          });
      assertThatThrownBy(() -> versions.announce(writes(tag, other)))
          .isInstanceOf(OutOfMemoryError.class);
      FaultPoint.inject(null);
      assertThat(tag.inFlight()).isZero();
      assertThat(other.inFlight()).isEqualTo(1);
      assertThat(versions.pending()).containsExactly(another);
    }
    versions.publish(another);
    assertThat(other.inFlight()).isZero();
    assertThat(versions.isCurrent(entry(tag))).isTrue();
    assertThat(versions.isCurrent(entry(other))).isTrue();
  }

  @Test
  void whatIsUnderWayIsWidenedToEverything() {
    CacheEntry entry = entry(other);
    PendingWrite write = versions.announce(writes(tag));
    assertThat(versions.isCurrent(entry)).isTrue();

    versions.widenPending();

    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(versions.all().inFlight()).isEqualTo(1);
    versions.publish(write);
    assertThat(versions.all().inFlight()).isZero();
    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(versions.isCurrent(entry(other))).isTrue();
  }

  @Test
  void publishesAreCountedAndToldOfOnce() {
    PendingWrite write = versions.announce(writes(tag));
    assertThat(write.ended()).isFalse();
    assertThat(versions.pending()).containsExactly(write);
    assertThat(tag.publishes()).isZero();

    versions.publish(write);
    versions.publish(write);

    assertThat(write.ended()).isTrue();
    assertThat(versions.pending()).isEmpty();
    assertThat(tag.publishes()).isEqualTo(1);
    assertThat(tag.publishes(WriteReach.TABLE)).isEqualTo(1);
    assertThat(tag.publishes(WriteReach.KEY)).isZero();
    assertThat(versions.all().publishes(WriteReach.TABLE)).isEqualTo(1);
    assertThat(versions.all().publishes(WriteReach.EVERYTHING)).isZero();
    assertThat(tag.publishedAtMillis()).isPositive();
    assertThat(tag.inFlight()).isZero();
    assertThat(tag.scope()).isEqualTo(Scope.RELATION);
    assertThat(tag.oid()).isEqualTo(1);
  }

  @Test
  void nothingIsCapturedWhileATableHasAWriterInFlight() {
    PendingWrite write = versions.announce(writes(tag));

    assertThat(versions.capture(List.of(other, tag))).isNull();
    assertThat(versions.capture(List.of(other))).isNotNull();
    versions.publish(write);
    assertThat(versions.capture(List.of(other, tag))).isNotNull();
  }

  @Test
  void theSumOfVersionsIsTheSameWhileNothingIsWritten() {
    List<TableTag> both = List.of(tag, other);
    VersionVector captured = Objects.requireNonNull(versions.capture(both));
    VersionVector unwritten = Objects.requireNonNull(versions.capture(List.of(tag)));
    long before = captured.presentSum();
    assertThat(captured.sum()).isEqualTo(before);
    assertThat(captured.isSuperseded(before)).isFalse();

    PendingWrite write = versions.announce(writes(other));
    assertThat(captured.presentSum()).isEqualTo(VersionVector.IN_FLIGHT);
    assertThat(unwritten.presentSum()).isNotEqualTo(VersionVector.IN_FLIGHT);
    assertThat(captured.isSuperseded(before)).isFalse();
    versions.publish(write);

    assertThat(captured.presentSum()).isNotIn(before, VersionVector.IN_FLIGHT);
    assertThat(captured.sum()).isEqualTo(before);
    assertThat(captured.isSuperseded(before)).isTrue();
    assertThat(captured.isSuperseded(captured.presentSum())).isFalse();
  }

  @Test
  void theCountInFlightFallsOnlyWhenTheLastOfTwoWritesIsPublished() {
    PendingWrite first = versions.announce(writes(tag));
    PendingWrite second = versions.announce(writes(tag));

    versions.publish(first);
    assertThat(versions.capture(List.of(tag))).isNull();
    versions.publish(first); // the second time it does nothing
    assertThat(versions.capture(List.of(tag))).isNull();
    versions.publish(second);
    assertThat(versions.capture(List.of(tag))).isNotNull();
    assertThat(versions.pending()).isEmpty();
  }

  @Test
  void unknownWriteStopsAndOutdatesEverything() {
    CacheEntry entry = entry(tag);
    assertThat(versions.isCurrent(entry)).isTrue();

    PendingWrite write = versions.announce(WriteSet.UNKNOWN);

    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(versions.capture(List.of())).isNull();
    versions.publish(write);
    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(entry.versions().isSuperseded()).isTrue();
  }

  @Test
  void emptyWriteDisturbsNobody() {
    long epoch = versions.epoch();

    versions.publish(versions.announce(WriteSet.NONE));

    assertThat(versions.epoch()).isEqualTo(epoch);
    assertThat(versions.pending()).isEmpty();
  }

  @Test
  void widenedWriteStopsAndOutdatesEverything() {
    PendingWrite write = versions.announce(writes(tag));
    CacheEntry untouched = entry(other);
    assertThat(versions.isCurrent(untouched)).isTrue();

    versions.widenPending();
    versions.widen(write); // holds ALL once, however often it is widened
    assertThat(versions.isCurrent(untouched)).isFalse();
    assertThat(versions.capture(List.of(other))).isNull();

    versions.publish(write);
    assertThat(versions.isCurrent(untouched)).isFalse();
    assertThat(versions.capture(List.of(tag, other))).isNotNull();
  }

  @Test
  void writeThatHasEndedIsNotWidened() {
    PendingWrite write = versions.announce(writes(tag));
    versions.publish(write);

    versions.widen(write);

    assertThat(versions.capture(List.of(tag, other))).isNotNull();
  }

  @Test
  void aCountThatOverflowedNeverFallsToZero() {
    int writers = (int) Tag.IN_FLIGHT_MASK + 2;
    List<PendingWrite> writes = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      writes.add(versions.announce(writes(tag)));
    }
    long version = Tag.versionOf(tag.stamp());
    writes.forEach(versions::publish);

    assertThat(versions.capture(List.of(tag))).isNull();
    assertThat(Tag.versionOf(tag.stamp())).isGreaterThan(version);
    assertThat(versions.capture(List.of(other))).isNotNull();
  }

  @Test
  void aCountOneBelowOverflowStillCountsDown() {
    List<PendingWrite> writes = new ArrayList<>();
    for (int i = 0; i < (int) Tag.IN_FLIGHT_MASK - 1; i++) {
      writes.add(versions.announce(writes(tag)));
    }
    writes.forEach(versions::publish);

    assertThat(versions.capture(List.of(tag))).isNotNull();
  }

  @Test
  void versionIsNotAfterTheEpochOfItsPublishAndAfterTheOneBefore() {
    long before = versions.epoch();
    versions.publish(versions.announce(writes(tag)));
    VersionVector captured = capture(tag);

    assertThat(captured.notAfter(versions.epoch())).isTrue();
    assertThat(captured.notAfter(before)).isFalse();
    assertThat(capture(other).notAfter(before)).isTrue();
  }

  @Test
  void tagsOfOneRelationAndScopeAreOneObject() {
    assertThat(versions.tag(Scope.RELATION, 1)).isSameAs(tag);
    assertThat(versions.tag(Scope.BELOW, 1)).isNotSameAs(tag);
    assertThat(versions.tag(Scope.ALL, 5)).isSameAs(versions.all());
    assertThat(new TableVersions().tag(Scope.RELATION, 1)).isNotSameAs(tag);
  }

  @Test
  void tagThatNobodyHoldsIsCollected() {
    WeakReference<TableTag> unheld = new WeakReference<>(versions.tag(Scope.RELATION, 7));

    assertThat(isCollected(unheld)).isTrue();
  }

  @Test
  void entryHoldsItsTag() {
    CacheEntry entry = entry(versions.tag(Scope.RELATION, 7));
    WeakReference<Tag> held = new WeakReference<>(entry.versions().tag(1));

    assertThat(isCollected(held)).isFalse();
    versions.publish(versions.announce(writes(versions.tag(Scope.RELATION, 7))));
    assertThat(versions.isCurrent(entry)).isFalse();
  }

  @Test
  void pendingWriteHoldsItsTagThoughItsWriterHasGone() {
    versions.announce(writes(versions.tag(Scope.RELATION, 7)));
    WeakReference<TableTag> held = new WeakReference<>(versions.tag(Scope.RELATION, 7));

    assertThat(isCollected(held)).isFalse();
    assertThat(versions.capture(List.of(versions.tag(Scope.RELATION, 7)))).isNull();
    versions.pending().forEach(versions::publish);
    assertThat(isCollected(held)).isTrue();
  }

  /** A snapshot older than the write must not be taken for as new as the table. */
  @Test
  void tagMadeAgainStartsAtTheVersionOfTheLastWriteAtLeast() {
    long e0 = versions.epoch();
    WeakReference<TableTag> old = new WeakReference<>(versions.tag(Scope.RELATION, 7));
    versions.publish(versions.announce(writes(versions.tag(Scope.RELATION, 7))));
    assertThat(isCollected(old)).isTrue();

    VersionVector again = capture(versions.tag(Scope.RELATION, 7));

    assertThat(again.notAfter(e0)).isFalse();
  }

  @Test
  void entryOutdatedBeforeItsTagWasMadeAgainStaysOutdated() {
    CacheEntry entry = entry(versions.tag(Scope.RELATION, 7));
    versions.publish(versions.announce(writes(versions.tag(Scope.RELATION, 7))));
    for (int i = 0; i < 3; i++) {
      System.gc();
      entry(versions.tag(Scope.RELATION, 7));
    }

    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(entry.versions().isSuperseded()).isTrue();
  }

  @Test
  void nothingIsKeptForTablesThatNobodyHolds() {
    fill(1_000);
    long before = usedHeapBytes();
    fill(50_000);

    long kept = Long.MAX_VALUE;
    for (int i = 0; i < 100 && kept > 1_500_000; i++) {
      fill(1_000); // An interner lets go of a thousand at a time, when it is used.
      kept = usedHeapBytes() - before;
    }
    assertThat(kept).isLessThan(1_500_000);
    Reference.reachabilityFence(versions);
  }

  private void fill(int tables) {
    for (int oid = 0; oid < tables; oid++) {
      versions.publish(versions.announce(writes(versions.tag(Scope.RELATION, 1_000 + oid))));
    }
  }

  private static long usedHeapBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static boolean isCollected(WeakReference<?> reference) {
    for (int i = 0; i < 5 && reference.get() != null; i++) {
      System.gc();
    }
    return reference.get() == null;
  }

  private static WriteSet writes(TableTag... tags) {
    return new WriteSet(List.of(tags), false);
  }

  private VersionVector capture(TableTag... tags) {
    return Objects.requireNonNull(versions.capture(List.of(tags)));
  }

  private CacheEntry entry(TableTag tag) {
    return new CacheEntry(new CachedResult(24), capture(tag), Long.MAX_VALUE, NOBODY);
  }

  @Test
  void aWriteSaysSinceWhenAndAsWhatItIsUnderWay() {
    long before = System.nanoTime();
    PendingWrite write = versions.announce(writes(tag));
    PendingWrite another = versions.announce(writes(tag));
    assertThat(write.announcedNanos()).isBetween(before, System.nanoTime());
    assertThat(write).isEqualTo(write).isNotEqualTo(another);
    assertThat(write.isWidened()).isFalse();

    versions.widen(write);
    assertThat(write.isWidened()).isTrue();
    versions.publish(write);
    assertThat(write.isWidened()).isFalse();
    versions.publish(another);
  }

  /** What {@code MutantsTest} leaves out is left out. */
  @Test
  void stepsCanBeLeftOut() {
    try {
      ProtocolStep.leaveOut(ProtocolStep.ANNOUNCE);
      assertThat(ProtocolStep.ANNOUNCE.isTaken()).isFalse();
      PendingWrite write = versions.announce(writes(tag));
      assertThat(tag.inFlight()).isZero();

      ProtocolStep.leaveOut(ProtocolStep.PUBLISH_AFTER_OUTCOME);
      CacheEntry entry = entry(tag);
      assertThat(versions.announce(writes(tag)).ended()).isTrue();
      assertThat(tag.inFlight()).isZero();
      assertThat(versions.isCurrent(entry)).isFalse();
      assertThat(write.ended()).isFalse();
    } finally {
      ProtocolStep.leaveOut(null);
    }
  }
}
