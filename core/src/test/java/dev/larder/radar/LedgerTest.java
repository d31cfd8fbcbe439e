package dev.larder.radar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.RowAccount;
import dev.larder.watch.RadarSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is somebody else's, and that nothing else is. */
class LedgerTest {
  private static final long TABLE = 16_500;

  private final Ledger ledger = new Ledger();

  private static RadarSample.Table counts(long changed, long removed) {
    return new RadarSample.Table(TABLE, changed, removed, Set.of());
  }

  /** What Larder has written, and how much of that the server has surely been told. */
  private static TableRows own(long changed, long reported) {
    return new TableRows(TABLE, changed, 0, changed - reported, 0, 0, 0, false, false);
  }

  private static TableRows doubted(long doubts, boolean open) {
    return new TableRows(TABLE, 0, 0, 0, 0, doubts, open ? 1 : 0, false, false);
  }

  @Test
  void firstLookDecidesNothing() {
    assertThat(ledger.compare(counts(100, 5), own(0, 0), own(0, 0)).blind()).isTrue();
    assertThat(ledger.compare(counts(100, 5), own(0, 0), own(0, 0)))
        .isEqualTo(Ledger.Finding.NOTHING);
  }

  @Test
  void rowsThatLarderDidNotWriteAreSomebodyElses() {
    ledger.compare(counts(100, 0), own(40, 40), own(40, 40));
    assertThat(ledger.compare(counts(117, 2), own(50, 50), own(50, 50)).rows()).isEqualTo(7 + 2);
    assertThat(ledger.compare(counts(117, 2), own(50, 50), own(50, 50)).rows())
        .as("told once")
        .isZero();
    assertThat(ledger.compare(counts(120, 2), own(50, 50), own(50, 50)).rows()).isEqualTo(3);
  }

  @Test
  void rowsThatTheServerLearnsOfLateAreLarders() {
    ledger.compare(counts(100, 0), own(40, 10), own(45, 10));
    ledger.compare(counts(100, 0), own(45, 10), own(45, 10));
    // What was written before the first look, too, is counted only now.
    assertThat(ledger.compare(counts(135, 0), own(45, 45), own(45, 45)))
        .isEqualTo(Ledger.Finding.NOTHING);
  }

  @Test
  void nothingIsDecidedWhileRowsThatNobodyCountedMayBeReported() {
    ledger.compare(counts(100, 0), doubted(0, false), doubted(0, false));
    assertThat(ledger.compare(counts(100, 0), doubted(0, false), doubted(1, true)).blind())
        .isTrue();
    assertThat(ledger.compare(counts(150, 0), doubted(1, true), doubted(1, true)).blind()).isTrue();
    assertThat(ledger.compare(counts(190, 0), doubted(1, false), doubted(1, false)).blind())
        .as("the bound is found anew")
        .isTrue();
    assertThat(ledger.compare(counts(191, 0), doubted(1, false), doubted(1, false)).rows())
        .isEqualTo(1);
  }

  @Test
  void statisticsThatBeganAnewDecideNothing() {
    ledger.compare(counts(100, 7), own(0, 0), own(0, 0));
    assertThat(ledger.compare(counts(3, 0), own(0, 0), own(0, 0)).blind()).isTrue();
    assertThat(ledger.compare(counts(4, 0), own(0, 0), own(0, 0)).rows()).isEqualTo(1);
  }

  @Test
  void rowsThatOnConflictTakesBackAreNobodys() {
    TableRows conflicts = new TableRows(TABLE, 5, 0, 0, 0, 0, 0, true, false);
    ledger.compare(counts(5, 0), conflicts, conflicts);
    assertThat(ledger.compare(counts(8, 3), conflicts, conflicts))
        .isEqualTo(Ledger.Finding.NOTHING);
    assertThat(ledger.compare(counts(12, 3), conflicts, conflicts).rows()).isEqualTo(4);
  }

  @Test
  void aFileIsAFindingOnlyIfItIsNewAndEmpty() {
    assertThat(files(10L, 11L).blind()).isTrue();
    assertThat(files(11L)).as("one is known by now").isEqualTo(Ledger.Finding.NOTHING);
    assertThat(files(11L, 12L).emptied()).isTrue();
    assertThat(files(11L, 12L)).as("told once").isEqualTo(Ledger.Finding.NOTHING);
    assertThat(files()).isEqualTo(Ledger.Finding.NOTHING);
    assertThat(files(13L).emptied()).isTrue();
  }

  private Ledger.Finding files(Long... blank) {
    return ledger.compare(new RadarSample.Table(TABLE, 1, 1, Set.of(blank)), own(0, 0), own(0, 0));
  }

  /**
   * Sessions write, report late, and write rows that nobody counts, in any order; whatever the
   * server shows then, nothing is taken for somebody else's. And a stranger's rows are found in the
   * end.
   */
  @Test
  void noOrderOfEventsMakesLardersRowsSomebodyElses() {
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      Ledger tried = new Ledger();
      OwnRows own = new OwnRows();
      List<Simulated> sessions = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        sessions.add(new Simulated(own.session()));
      }
      long now = System.nanoTime();
      for (int step = 0; step < 60; step++) {
        now += random.nextInt(900) * 1_000_000L;
        sessions.get(random.nextInt(3)).act(random, now);
        if (random.nextInt(3) == 0) {
          assertThat(look(tried, own, sessions, 0).rows()).as("seed %s", seed).isZero();
        }
      }
      for (int i = 0; i < 3; i++) {
        now += 2_000_000_000L;
        for (Simulated session : sessions) {
          session.answered(now);
        }
      }
      look(tried, own, sessions, 0);
      assertThat(look(tried, own, sessions, 5).rows()).as("seed %s", seed).isEqualTo(5);
    }
  }

  private static Ledger.Finding look(
      Ledger ledger, OwnRows own, List<Simulated> sessions, long strangers) {
    TableRows before = totals(own);
    long changed = strangers;
    for (Simulated session : sessions) {
      changed += session.reported;
    }
    return ledger.compare(counts(1_000 + changed, 0), before, totals(own));
  }

  private static TableRows totals(OwnRows own) {
    TableRows totals = TableRows.NONE;
    for (TableRows rows : own.rows(Set.of())) {
      totals = totals.and(rows);
    }
    return totals;
  }

  /** A session as the server's: it reports when it is idle, at most once in a second. */
  private static final class Simulated {
    final OwnRows.Session session;
    long pending;
    long reported;
    long lastReport = Long.MIN_VALUE / 2;

    Simulated(OwnRows.Session session) {
      this.session = session;
    }

    void act(Random random, long now) {
      boolean outside = random.nextInt(3) > 0;
      int rows = random.nextInt(10);
      pending += rows;
      // The server reports before its answer is seen here; the count comes first, as in a
      // transaction, or the look waits while the statement is under way.
      if (random.nextInt(6) == 0) {
        session.wrote(RowAccount.uncounted(Set.of(TABLE)), -1);
      } else {
        session.wrote(new RowAccount(TABLE, true, false, false, Set.of()), rows);
      }
      if (outside) {
        answered(now);
      } else {
        session.answered(false, now);
      }
    }

    void answered(long now) {
      if (now - lastReport >= 1_000_000_000L) {
        reported += pending;
        pending = 0;
        lastReport = now;
      }
      session.answered(true, now);
    }
  }
}
