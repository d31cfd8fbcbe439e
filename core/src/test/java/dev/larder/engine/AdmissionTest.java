package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdmissionTest {
  private static final String SQL = "SELECT a FROM t WHERE b = ?";
  private static final long FAST = 40_000;
  private static final int RATE = 5_000;

  private static final int SLOW = 5_000_000;

  private final SplittableRandom random = new SplittableRandom(21);
  private SimulatedLoad load = new SimulatedLoad(SQL, 2);
  private int newest = 1_000_000;

  private IntSupplier allNew() {
    return () -> ++newest;
  }

  private IntSupplier among(int keys) {
    return () -> random.nextInt(keys);
  }

  /** Of so many executions in a hundred the key is one of a few, of the others it is new. */
  private IntSupplier hitting(double share) {
    return () -> random.nextDouble() < share ? random.nextInt(20) : ++newest;
  }

  @Test
  void whatIsNeverHitIsLeftAloneWithinTenSeconds() {
    load.run(10, RATE, FAST, allNew());
    assertThat(load.isProbed()).isTrue();

    load.reset();
    load.run(60, RATE, FAST, allNew());
    assertThat(load.bypassRatio()).isBetween(0.95, 0.99);
    assertThat(load.changes).isZero();
  }

  @Test
  void whatIsHardlyEverHitIsDoubtedAtOnce() {
    load.run(2, 100, FAST, allNew());
    assertThat(load.isProbed()).isTrue();

    load.reset();
    load.run(10, 100, FAST, allNew());
    assertThat(load.bypassRatio()).isGreaterThan(0.95);
    assertThat(load.changes).isZero();
  }

  @Test
  void whatIsRareOrSlowIsNotDoubted() {
    load.run(120, 5, FAST, allNew());
    assertThat(load.isProbed()).isFalse();

    load = new SimulatedLoad(SQL, 2);
    load.run(2, 100, 2_000_000, allNew());
    assertThat(load.isProbed()).isFalse();
  }

  /** What a doubted shape looks up on second sight is never hit then. */
  @ParameterizedTest
  @ValueSource(ints = {100, 500})
  void keysThatComeExactlyTwiceAreAdmitted(int apart) {
    int[] next = {0};
    IntSupplier twice =
        () -> {
          int i = next[0]++;
          return i / apart % 2 == 0
              ? i / (2 * apart) * apart + i % apart
              : (i - apart) / (2 * apart) * apart + i % apart;
        };
    load.run(60, 1_000, FAST, twice);
    assertThat(load.isProbed()).isFalse();
    load.reset();
    load.run(30, 1_000, FAST, twice);
    assertThat(load.hitRatio()).isGreaterThan(0.45);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 20_000})
  void aDoubtedShapeWhoseRowsAreWrittenBetweenReadsIsLeftAlone(int keys) {
    IntSupplier written =
        () -> {
          int key = random.nextInt(keys);
          load.write(key);
          return key;
        };
    load.run(30, 1_000, FAST, written);
    load.reset();
    load.run(60, 1_000, FAST, written);
    assertThat(load.bypassRatio()).isGreaterThan(0.95);
  }

  /** As a warm start asks many before the application has asked for one. */
  @Test
  void whatTheBackgroundAsksForIsNotDoubted() {
    load.inBackground = true;
    load.run(1, 500, FAST, allNew());
    load.inBackground = false;
    assertThat(load.isProbed()).isFalse();
    load.run(1, 100, FAST, allNew());
    assertThat(load.isProbed()).isFalse();
  }

  @Test
  void countsThatAreSetToZeroDoubtNothing() {
    load.run(0.5, 200, FAST, hitting(0.7));
    load.shape.statistics().reset();
    load.run(0.5, 200, FAST, hitting(0.7));
    assertThat(load.isProbed()).isFalse();
  }

  @Test
  void whatIsHitFromTheStartIsNotDoubted() {
    load.run(60, RATE, FAST, hitting(0.98));
    assertThat(load.changes).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 5_000})
  void aDoubtedShapeWhoseKeysComeAgainIsAdmittedBeforeLong(int keys) {
    load.run(2, 100, FAST, allNew());
    assertThat(load.isProbed()).isTrue();
    load.run(5.0 * keys / 100, 100, FAST, among(keys));
    assertThat(load.isProbed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 20, 1_000, 20_000})
  void whatBecomesFriendlyIsAdmittedAgainWithinTenSeconds(int keys) {
    load.run(20, RATE, FAST, allNew());
    load.run(10, RATE, FAST, among(keys));
    assertThat(load.isProbed()).isFalse();

    load.run(10, RATE, FAST, among(keys));
    load.reset();
    load.run(20, RATE, FAST, among(keys));
    assertThat(load.hitRatio()).isGreaterThan(0.9);
    assertThat(load.changes).isZero();
  }

  @Test
  void eachOfManyChangesIsNoticed() {
    for (int i = 0; i < 5; i++) {
      load.run(15, RATE, FAST, allNew());
      assertThat(load.isProbed()).isTrue();
      load.run(15, RATE, FAST, among(500));
      assertThat(load.isProbed()).isFalse();
    }
    assertThat(load.changes).isEqualTo(10);
  }

  @Test
  void aLoadThatJustPaysOrJustDoesNotIsNotJudgedAnewEachTime() {
    for (int percent = 0; percent <= 40; percent += 2) {
      load = new SimulatedLoad(SQL, 2);
      load.run(300, 2_000, FAST, hitting(percent / 100.0));
      assertThat(load.changes).as("changes at %d %%", percent).isLessThanOrEqualTo(3);
      if (percent <= 6) {
        assertThat(load.isProbed()).as("%d %%", percent).isTrue();
      } else if (percent >= 24) {
        assertThat(load.isProbed()).as("%d %%", percent).isFalse();
      }
    }
  }

  /** As one does that loads classes, or is held up by other work while a process starts. */
  @Test
  void aFirstMissThatTookLongDoesNotEndTheAdmission() {
    load.costNanos = 1_000_000_000;
    load.run(0.001, 1_000, FAST, allNew());
    load.costNanos = 20_000;
    load.run(60, 1_000, FAST, hitting(0.98));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.changes).isZero();
  }

  @Test
  void missesThatCostMoreThanUsualAreLeftAloneAllTheSame() {
    load.costNanos = 10_000_000;
    load.run(20, 1_000, FAST, hitting(0.5));
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void aBusyStartDoesNotCountForEverWhereAllAreRemoteHits() {
    load = new SimulatedLoad(SQL, 2, true);
    load.costNanos = 1_000;
    load.run(10, RATE, 3_000_000, allNew()); // Fifteen at a time on two processors.
    load.share(50);
    load.remoteNanos = 1_000_000;
    load.run(120, 500, 3_000_000, among(50));
    assertThat(load.isProbed()).isFalse();
  }

  /** Friendly for as long as it takes to be admitted, and no longer. */
  @Test
  void whatIsAdmittedInVainIsAdmittedLaterTheNextTime() {
    for (int i = 0; i < 60; i++) {
      load.run(4, RATE, FAST, among(100));
      load.run(4, RATE, FAST, allNew());
    }
    load.reset();
    for (int i = 0; i < 60; i++) {
      load.run(2, RATE, FAST, among(100));
      load.run(8, RATE, FAST, allNew());
    }
    assertThat(load.changes).isLessThan(20);
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void keysThatTakeLongToComeAgainAreAdmittedOnceAndStay() {
    IntSupplier keys = among(300_000);
    load.run(120, RATE, FAST, keys);
    assertThat(load.isProbed()).isFalse();
    assertThat(load.changes).isLessThanOrEqualTo(2);

    load.reset();
    load.run(180, RATE, FAST, keys);
    assertThat(load.changes).isZero();
    assertThat(load.hitRatio()).isGreaterThan(0.8);
  }

  @Test
  void whatIsWrittenAsOftenAsItIsReadIsLeftAlone() {
    IntSupplier keys =
        () -> {
          int key = random.nextInt(100);
          load.write(key);
          return key;
        };
    load.run(10, RATE, FAST, keys);
    assertThat(load.isProbed()).isTrue();
    load.run(10, RATE, FAST, among(100));
    assertThat(load.isProbed()).isFalse();
  }

  @Test
  void aMissThatIsNothingBesideTheQueryIsBorne() {
    load.run(60, 200, SLOW, hitting(0.02));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.changes).isZero();
  }

  @Test
  void whatIsNeverHitIsLeftAloneThoughAMissIsNothingBesideTheQuery() {
    load.run(20, 200, SLOW, allNew());
    assertThat(load.isProbed()).isTrue();

    load.reset();
    load.run(60, 200, SLOW, allNew());
    assertThat(load.bypassRatio()).isBetween(0.95, 0.99);
    assertThat(load.changes).isZero();
  }

  @Test
  void aKeyOfASlowQueryIsKeptWhenItComesForTheSecondTime() {
    load.run(60, 200, SLOW, allNew());
    assertThat(load.isProbed()).isTrue();

    load.reset();
    load.run(30, 200, SLOW, among(500));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.hitRatio()).isGreaterThan(0.7);
  }

  @Test
  void fewExecutionsAreNotJudged() {
    load.run(60, 4, FAST, allNew());
    assertThat(load.isProbed()).isFalse();
  }

  @Test
  void whatCostsMuchToKeepNeedsMoreHits() {
    load.bytes = 60_000;
    load.run(20, RATE, FAST, hitting(0.15));
    assertThat(load.isProbed()).isTrue();

    load = new SimulatedLoad(SQL, 2);
    load.run(20, RATE, FAST, hitting(0.15));
    assertThat(load.isProbed()).isFalse();
  }

  /** Of 400 µs at the server 375 are waiting for the 31 other threads. */
  @Test
  void timeThatIsWaitingForOtherThreadsIsNotSavedByAHit() {
    load.run(20, 10_000, 400_000, hitting(0.06));
    assertThat(load.isProbed()).isFalse();

    load = new SimulatedLoad(SQL, 2);
    load.run(20, 80_000, 400_000, hitting(0.06));
    assertThat(load.isProbed()).isTrue();
  }

  /** As above, with pauses in which nothing runs. */
  @Test
  void pausesHideNoWaiting() {
    for (int i = 0; i < 60; i++) {
      load.run(0.3, 80_000, 400_000, hitting(0.06));
      load.pause(0.9);
    }
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void aRemoteCacheThatIsSlowerThanTheDatabaseIsLeftAlone() {
    load.run(2, RATE, FAST, hitting(0.9));
    for (int i = 0; i < 100; i++) {
      load.admissions.hit(load.shape, 60_000);
    }
    load.run(10, RATE, FAST, hitting(0.9));
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void aSlowRemoteCacheIsAskedForTheLessTheSlowerItIs() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(1_000);
    load.remoteNanos = 1_000_000;
    load.run(20, 16_000, 50_000, among(1_000));
    load.reset();
    load.run(20, 16_000, 50_000, among(1_000));
    assertThat(load.bypassRatio()).isBetween(1 - 1 / 250.0, 1 - 1 / 2_000.0);
    load.remoteNanos = 20_000;
    load.run(10, 16_000, 500_000, among(1_000));
    load.reset();
    load.run(5, 16_000, 500_000, among(1_000));
    assertThat(load.hitRatio()).isGreaterThan(0.98);
  }

  /** As few keys are looked up, at first, as there were executions then. */
  @Test
  void aRemoteCacheIsSeenToBeFastAgainThoughThereAreFewExecutionsThen() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(1_000);
    load.remoteNanos = 1_000_000;
    load.run(20, 16_000, 50_000, among(1_000));
    assertThat(load.isProbed()).isTrue();
    load.remoteNanos = 20_000;
    load.run(30, 200, 500_000, among(1_000));
    assertThat(load.isProbed()).isFalse();
  }

  /**
   * Few are looked up where hits are slow, and not where misses cost much: keys must come twice.
   */
  @Test
  void keysThatComeAgainAreAdmittedSoonThoughMissesHaveCostMuch() {
    load.costNanos = 140_000;
    load.run(20, 11_000, 50_000, allNew());
    assertThat(load.isProbed()).isTrue();
    load.run(10, 1_000, 50_000, among(20));
    assertThat(load.isProbed()).isFalse();
  }

  /** As at the start of a process, where a cache is filled that is to have all keys. */
  @Test
  void aCacheThatIsFilledIsAdmittedSoonThoughItsFirstMissesHaveCostMuch() {
    load.costNanos = 80_000;
    load.run(1, 30_000, 60_000, among(100_000));
    assertThat(load.isProbed()).isTrue();
    load.run(5, 30_000, 60_000, among(100_000));
    assertThat(load.isProbed()).isFalse();
  }

  /** What a miss was seen to take while all were looked up counts, however few are timed now. */
  @Test
  void whereMissesCostMoreThanUsualNothingIsAdmittedInVainForLong() {
    load.costNanos = 20_000;
    IntSupplier oneInFive = () -> random.nextDouble() < 0.2 ? random.nextInt(2_000) : ++newest;
    load.run(60, 30_000, 60_000, oneInFive);
    load.reset();
    load.run(120, 30_000, 60_000, oneInFive);
    assertThat(load.isProbed()).isTrue();
    assertThat(load.changes).isLessThanOrEqualTo(2);
  }

  /** All are hits, and nothing was ever missed. */
  @Test
  void aRemoteCacheThatBecomesSlowIsLeftAloneAndComesBackOnceItIsFast() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(50);
    load.remoteNanos = 100_000;
    load.run(60, RATE, 200_000, among(50));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.hitRatio()).isGreaterThan(0.98);

    load.remoteNanos = 3_000_000;
    load.run(10, RATE, 200_000, among(50));
    assertThat(load.isProbed()).isTrue();

    load.remoteNanos = 100_000;
    load.run(10, RATE, 200_000, among(50));
    assertThat(load.isProbed()).isFalse();
    load.reset();
    load.run(60, RATE, 200_000, among(50));
    assertThat(load.changes).isZero();
  }

  /** An execution now and then takes the database longer than many do. */
  @Test
  void aRemoteCacheThatOnlySeemsFasterIsLeftAlone() {
    load = new SimulatedLoad(SQL, 2, true);
    load.remoteNanos = 100_000;
    load.seldomNanos = 400_000;
    load.run(5, 200, 400_000, among(1_000));
    load.share(1_000);
    load.run(15, RATE, 60_000, among(1_000));
    assertThat(load.isProbed()).isTrue();

    load = new SimulatedLoad(SQL, 2, true);
    load.remoteNanos = 30_000;
    load.seldomNanos = 400_000;
    load.share(1_000);
    load.run(60, RATE, 60_000, among(1_000));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.hitRatio()).as("trials take little").isGreaterThan(0.98);
  }

  /** Each takes so long that there are few. */
  @Test
  void fewHitsThatAreSlowAreJudged() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(50);
    load.remoteNanos = 30_000_000;
    load.run(15, 20, 2_000_000, among(50));
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void aSlowRemoteCacheIsWorthItWhereTheDatabaseIsSlowerYet() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(50);
    load.remoteNanos = 3_000_000;
    load.run(120, RATE, 50_000_000, among(50));
    assertThat(load.isProbed()).isFalse();
    assertThat(load.changes).isZero();
    assertThat(load.calls - load.hits).as("asked to know").isBetween(1L, 6L);
  }

  @Test
  void aRemoteCacheThatIsAboutAsFastAsTheDatabaseIsNotJudgedAnewEachTime() {
    load = new SimulatedLoad(SQL, 2, true);
    load.share(50);
    load.remoteNanos = 700_000;
    load.run(10, RATE, 600_000, among(50));
    for (int i = 0; i < 60; i++) {
      load.run(5, RATE, i % 2 == 0 ? 680_000 : 720_000, among(50));
    }
    assertThat(load.changes).isLessThanOrEqualTo(2);
  }

  @Test
  void countsThatAreSetToZeroBeginAWindow() {
    load.run(10, RATE, FAST, among(100));
    load.shape.statistics().reset();
    load.run(10, RATE, FAST, among(100));
    assertThat(load.isProbed()).isFalse();
    load.shape.statistics().reset();
    load.run(10, RATE, FAST, allNew());
    assertThat(load.isProbed()).isTrue();
  }

  @Test
  void aHintAdmitsWhateverItCosts() {
    load = new SimulatedLoad("/* larder:on */ " + SQL, 2);
    load.run(20, RATE, FAST, allNew());
    assertThat(load.isProbed()).isFalse();
    assertThat(load.admissions.shown(load.shape).state()).isEqualTo("admitted");
  }

  @Test
  void allIsAdmittedWhereProfitDoesNotMatter() {
    Admissions all = new Admissions(false, false, () -> 0, 2);
    all.missed(load.shape, FAST, 0, 0);
    assertThat(load.shape.admission()).isNull();
    assertThat(all.shown(load.shape).state()).isNull();
  }

  @Test
  void theStateAndItsNumbersAreShown() {
    assertThat(load.admissions.shown(load.shape).microsPerSecond()).isNull();
    load.run(20, RATE, FAST, allNew());
    Admission.Shown probed = load.admissions.shown(load.shape);
    assertThat(probed.state()).isEqualTo("probed");
    // 5,000 look-ups a second that cost 5 µs and 600 bytes each.
    assertThat(Double.parseDouble(probed.microsPerSecond())).isBetween(-28_000.0, -22_000.0);
    assertThat(probed.because()).contains(" 0 were hits; a hit saves 39.0 µs, a miss costs 5.1 µs");

    load.run(20, RATE, FAST, among(10));
    Admission.Shown admitted = load.admissions.shown(load.shape);
    assertThat(admitted.state()).isEqualTo("admitted");
  }
}
