package dev.larder.curve;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The curve against caches of single sizes that really forget what was used least recently. */
final class MissRatioCurveTest {
  private static final long FOREVER = Long.MAX_VALUE;

  private final TableVersions versions = new TableVersions();
  private final TableTag table = versions.tag(TableTag.Scope.RELATION, 1);
  private final List<TableTag> tags = List.of(table);
  private final MissRatioCurve curve = new MissRatioCurve();

  private long now() {
    return requireNonNull(versions.capture(tags)).presentSum();
  }

  /** A cache of one size. */
  private static final class Lru {
    final long maxBytes;
    final Map<Integer, Long> entries = new LinkedHashMap<>(16, 0.75f, true);
    final Map<Integer, Integer> versions = new HashMap<>();
    long bytes;
    long hits;

    Lru(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    void access(int key, long weight, int version) {
      Integer kept = versions.put(key, version);
      if (entries.get(key) != null) {
        hits += kept != null && kept == version ? 1 : 0;
        return;
      }
      entries.put(key, weight);
      bytes += weight;
      Iterator<Long> oldest = entries.values().iterator();
      while (bytes > maxBytes) {
        bytes -= oldest.next();
        oldest.remove();
      }
    }
  }

  private static long weight(int key) {
    return 200 + key % 7 * 100L;
  }

  /** Of many keys few are asked for often, and which of them the curve looks at is chance. */
  @ParameterizedTest
  @CsvSource({
    "500, 1000000",
    "5000, 1000000",
    "20000, 1000000",
    "60000, 1000000",
    "400000, 1000000",
    "5000, 100",
    "20000, 100",
    "60000, 100",
    "400000, 100",
    "20000, 2000",
    "400000, 2000"
  })
  void theRatioIsThatOfACacheOfTheSize(int keys, int accessesBetweenWrites) {
    List<Lru> caches =
        List.of(new Lru(200_000), new Lru(400_000), new Lru(3_000_000), new Lru(40_000_000));
    Random random = new Random(1);
    int accesses = 400_000;
    long captured = now();
    for (int i = 0; i < accesses; i++) {
      int key = (int) Math.pow(keys, random.nextDouble());
      if (i % accessesBetweenWrites == accessesBetweenWrites - 1) {
        versions.publish(versions.announce(new WriteSet(List.of(table), false)));
        captured = now();
      }
      int version = i / accessesBetweenWrites;
      curve.kept(key, weight(key), tags, captured, FOREVER, 0);
      caches.forEach(cache -> cache.access(key, weight(key), version));
    }
    for (Lru cache : caches) {
      assertThat(curve.ratio(cache.maxBytes))
          .as("%s bytes", cache.maxBytes)
          .isCloseTo((double) cache.hits / accesses, within(0.01));
    }
    assertThat(curve.keys()).isLessThanOrEqualTo(MissRatioCurve.MAX_KEYS);
    assertThat(curve.ratio(curve.leastBytes(0.01))).isCloseTo(curve.bestRatio(), within(0.01));
  }

  /** One of them alone would be told apart easily, and whether a sample has them is chance. */
  @Test
  void keysThatShareACellAreHotTogether() {
    long captured = now();
    int[] few =
        IntStream.range(0, 1_000_000).filter(MissRatioCurveTest::isOfOneCell).limit(3).toArray();
    Random random = new Random(1);
    int accesses = 1_000_000;
    int hits = -few.length;
    for (int i = 0; i < accesses; i++) {
      boolean again = random.nextInt(5) < 2;
      hits += again ? 1 : 0;
      curve.kept(again ? few[random.nextInt(few.length)] : -i, 500, tags, captured, FOREVER, 0);
    }
    assertThat(curve.bestRatio()).isCloseTo((double) hits / accesses, within(0.01));
  }

  private static boolean isOfOneCell(int key) {
    return (MissRatioCurve.mixed(key) & (HotKeys.CELLS - 1)) == 0;
  }

  /** What was asked for most before is not now, and what is asked for most now was not before. */
  @Test
  void hotKeysThatChangeAreFoundAnew() {
    long captured = now();
    Random random = new Random(1);
    int accesses = 2_000_000;
    Lru cache = new Lru(3_000_000);
    for (int i = 0; i < accesses; i++) {
      int phase = i / (accesses / 4);
      int key = random.nextInt(5) < 4 ? phase * 100 + random.nextInt(100) : -i;
      curve.kept(key, 500, tags, captured, FOREVER, 0);
      cache.access(key, 500, 0);
    }
    double came = (double) cache.hits / accesses;
    assertThat(curve.ratio(cache.maxBytes)).isCloseTo(came, within(0.02));
  }

  @Test
  void whatWasWrittenOrIsTooOldIsNoHitAtAnySize() {
    curve.kept(1, 100, tags, now(), FOREVER, 0);
    curve.kept(1, 100, tags, now(), FOREVER, 0);
    assertThat(curve.bestRatio()).isEqualTo(0.5);

    versions.publish(versions.announce(new WriteSet(List.of(table), false)));
    curve.kept(1, 100, tags, now(), 10, 0);
    curve.kept(1, 100, tags, now(), 20, 10);
    assertThat(curve.bestRatio()).isEqualTo(0.25);
    curve.kept(1, 100, tags, now(), 20, 19);
    assertThat(curve.bestRatio()).isEqualTo(0.4);
  }

  @Test
  void missesOfEverySizeLowerTheRatio() {
    assertThat(curve.bestRatio()).isNaN();
    curve.kept(1, 100, tags, now(), FOREVER, 0);
    curve.kept(1, 100, tags, now(), FOREVER, 0);
    curve.missed();
    curve.missed();
    assertThat(curve.bestRatio()).isEqualTo(0.25);
  }

  @Test
  void aResultNeedsRoomForItselfAndWhatCameInBetween() {
    long captured = now();
    for (int i = 0; i < 2; i++) {
      for (int key = 0; key < 10; key++) {
        curve.kept(key, 10_000, tags, captured, FOREVER, 0);
      }
    }
    assertThat(curve.ratio(90_000)).isZero();
    assertThat(curve.ratio(110_000)).isEqualTo(0.5);
    assertThat(curve.leastBytes(0)).isBetween(100_000L, 110_000L);
  }

  @Test
  void positionsAreUsedAgain() {
    long captured = now();
    for (int i = 0; i < 200_000; i++) {
      curve.kept(i % 100, 1_000, tags, captured, FOREVER, 0);
    }
    assertThat(curve.ratio(50_000)).isZero();
    assertThat(curve.ratio(120_000)).isGreaterThan(0.99);
  }
}
