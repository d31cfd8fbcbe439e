package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.result.CachedResult;
import dev.larder.store.TableTag.Scope;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Since when an entry may be outdated. */
class RecentWritesTest {
  private final TableVersions versions = new TableVersions();
  private final RecentWrites writes = RecentWrites.of(versions);
  private final TableTag tag = versions.tag(Scope.RELATION, 1);
  private final TableTag other = versions.tag(Scope.RELATION, 2);

  @BeforeEach
  void begin() {
    writes.begin();
  }

  private CacheEntry entry() {
    long epoch = versions.epoch();
    VersionVector captured = Objects.requireNonNull(versions.capture(List.of(tag)));
    CacheEntry entry =
        new CacheEntry(new CachedResult(24), captured, Long.MAX_VALUE, (event, weightBytes) -> {});
    entry.currentAt(epoch);
    return entry;
  }

  private void write(TableTag... written) {
    versions.publish(versions.announce(new WriteSet(List.of(written), false)));
  }

  private Outdating outdating(CacheEntry entry) {
    return Objects.requireNonNull(writes.outdating(entry));
  }

  @Test
  void theFirstWriteAfterTheEntryWasCurrentCounts() {
    write(tag);
    CacheEntry entry = entry();
    write(other);
    long before = System.nanoTime();
    write(tag, other);
    long between = System.nanoTime();
    write(tag);

    assertThat(outdating(entry).ageNanos(between)).isBetween(0L, between - before);
    assertThat(outdating(entry)).isSameAs(outdating(entry));
  }

  @Test
  void aWriteThatIsUnderWayCounts() {
    CacheEntry entry = entry();
    long before = System.nanoTime();
    PendingWrite write = versions.announce(new WriteSet(List.of(tag), false));
    long announced = System.nanoTime();

    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(outdating(entry).ageNanos(announced)).isBetween(0L, announced - before);
    versions.publish(write);
  }

  @Test
  void anEntryThatWasFoundCurrentLaterIsYounger() {
    CacheEntry entry = entry();
    write(other);
    assertThat(versions.isCurrent(entry)).isTrue();
    long before = System.nanoTime();
    write(tag);
    long after = System.nanoTime();
    assertThat(outdating(entry).ageNanos(after)).isBetween(0L, after - before);
  }

  @Test
  void afterAWriteOfEverythingNothingIsKnown() {
    CacheEntry entry = entry();
    write(tag);
    assertThat(writes.outdating(entry)).isNotNull();
    versions.publish(versions.announce(WriteSet.UNKNOWN));
    assertThat(writes.outdating(entry)).isNull();
  }

  @Test
  void ofAWriteThatIsForgottenNothingIsKnown() {
    CacheEntry entry = entry();
    write(tag);
    writes.forget();
    write(tag);
    assertThat(writes.outdating(entry)).isNull();
    CacheEntry later = entry();
    write(tag);
    assertThat(writes.outdating(later)).isNotNull();
  }

  @Test
  void whatIsWithheldIsNoWrite() {
    CacheEntry entry = entry();
    PendingWrite withheld = versions.withhold(List.of(tag));
    assertThat(versions.isCurrent(entry)).isFalse();
    assertThat(writes.outdating(entry)).isNull();
    versions.publish(withheld);
  }

  @Test
  void afterMoreWritesThanAreKeptNothingIsKnown() {
    CacheEntry entry = entry();
    write(tag);
    for (int i = 0; i < 4_095; i++) {
      write(other);
    }
    CacheEntry later = entry();
    write(tag);
    assertThat(writes.outdating(entry)).isNull();
    assertThat(writes.outdating(later)).isNotNull();
  }

  @Test
  void anEntryFromBeforeIsNotKnown() {
    TableVersions others = new TableVersions();
    TableTag table = others.tag(Scope.RELATION, 1);
    long epoch = others.epoch();
    CacheEntry entry =
        new CacheEntry(
            new CachedResult(24),
            Objects.requireNonNull(others.capture(List.of(table))),
            Long.MAX_VALUE,
            (event, weightBytes) -> {});
    entry.currentAt(epoch);
    RecentWrites.of(others).begin();
    others.publish(others.announce(new WriteSet(List.of(table), false)));
    assertThat(RecentWrites.of(others).outdating(entry)).isNull();
  }
}
