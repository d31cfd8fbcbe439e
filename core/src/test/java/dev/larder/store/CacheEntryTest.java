package dev.larder.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.result.CachedResult;
import dev.larder.store.TableTag.Scope;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CacheEntryTest {
  /** 12 + 4 * 4 + 4 * 8 + 2. */
  private static final long OWN = 112;

  private final TableVersions versions = new TableVersions();
  private final TableTag tag = versions.tag(Scope.RELATION, 1);
  private final QueryKey key =
      new QueryKey(
          SqlLexer.lex("select a from t", LexOptions.PREPARED).shape(),
          KeyWeightTest.session(List.of("public"), Map.of()),
          new Object[0],
          new Object[] {1},
          0);

  private CacheEntry entry(@Nullable Weighed shared) {
    return new CacheEntry(
        new CachedResult(1000),
        requireNonNull(versions.capture(List.of(tag))),
        null,
        50,
        TableVersionsTest.NOBODY,
        shared,
        0);
  }

  @Test
  void theFirstEntryOfAShapeAndASessionWeighsThemToo() {
    CacheEntry first = entry(null);
    CacheEntry second = entry(() -> 300);
    assertThat(first.weightBytes()).isZero();

    first.kept(key, 20, 150);
    second.kept(key, 20, 150);

    long own = 20 + key.heapBytes() + OWN + first.versions().heapBytes() + 1000;
    assertThat(second.weightBytes()).isEqualTo(own + 300);
    assertThat(first.weightBytes())
        .isEqualTo(own + KeyWeight.of(key.shape()) + KeyWeight.of(key.session()));
  }

  @Test
  void whenTheEntryThatWeighsThemIsForgottenTheNextOneDoes() {
    CacheEntry first = entry(null);
    CacheEntry second = entry(null);
    CacheEntry third = entry(null);
    first.kept(key, 0, 0);
    second.kept(key, 0, 0);

    second.forgotten(key);
    third.kept(key, 0, 0);
    assertThat(third.weightBytes()).isEqualTo(second.weightBytes());

    first.forgotten(key);
    third.kept(key, 0, 0);
    assertThat(third.weightBytes()).isEqualTo(first.weightBytes());
    assertThat(key.shape().charge()).isFalse();
    assertThat(key.session().charge()).isFalse();
  }

  @Test
  void itLivesFromItsAdmissionToItsDeadline() {
    CacheEntry entry = entry(null);
    entry.kept(key, 0, 150);

    assertThat(entry.deadlineNanos()).isEqualTo(150);
    assertThat(entry.admittedNanos()).isEqualTo(100);
    assertThat(entry.timeToLiveNanos()).isEqualTo(50);
  }

  @Test
  void whatIsSharedIsHandedOut() {
    Weighed shared = () -> 1;

    assertThat(entry(shared).attached()).isSameAs(shared);
    assertThat(entry(null).attached()).isNull();
  }

  @Test
  void aCheckThatSucceededIsRemembered() {
    CacheEntry entry = entry(null);
    assertThat(entry.validatedEpoch()).isEqualTo(-1);
    versions.publish(
        versions.announce(new WriteSet(List.of(versions.tag(Scope.RELATION, 2)), false)));

    assertThat(versions.isCurrent(entry)).isTrue();
    assertThat(entry.validatedEpoch()).isEqualTo(versions.epoch());
  }

  @Test
  void vectorsSayWhatIsNewerAndWhatTheyOccupy() {
    VersionVector before = entry(null).versions();
    long epoch = versions.epoch();
    versions.publish(versions.announce(new WriteSet(List.of(tag), false)));
    VersionVector after = entry(null).versions();

    assertThat(before.notAfter(epoch)).isTrue();
    assertThat(after.notAfter(epoch)).isFalse();
    assertThat(after.notAfter(versions.epoch())).isTrue();
    assertThat(after.notAfter(Long.MAX_VALUE)).isTrue();
    // 12 + 2 * 4; two references; two numbers: of the tag and of ALL.
    assertThat(after.heapBytes()).isEqualTo(32 + 24 + 32);
  }

  @Test
  void aSessionIsAccountedForOnce() {
    SessionFingerprint session = KeyWeightTest.session(List.of("a"), Map.of());

    assertThat(session.charge()).isTrue();
    assertThat(session.charge()).isFalse();
    session.discharge();
    assertThat(session.charge()).isTrue();
  }

  @Test
  void keysAndSessionsThatDifferHaveOtherHashes() {
    QueryKey other = new QueryKey(key.shape(), key.session(), new Object[0], new Object[] {2}, 0);

    assertThat(other.hashCode()).isNotEqualTo(key.hashCode()).isNotZero();
    assertThat(KeyWeightTest.session(List.of("a"), Map.of()).hashCode())
        .isNotEqualTo(KeyWeightTest.session(List.of("b"), Map.of()).hashCode());
  }
}
