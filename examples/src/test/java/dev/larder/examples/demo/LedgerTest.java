package dev.larder.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.demo.Ledger.Rows;
import org.junit.jupiter.api.Test;

final class LedgerTest {
  private final Ledger ledger = new Ledger(10, 1, 1);
  private final Ledger.Seen seen = ledger.new Seen();

  @Test
  void whatWasAcknowledgedIsRight() {
    write();
    read(1);
    assertThat(ledger.wrong()).isZero();
  }

  @Test
  void whatIsSentMayBeSeenOrNot() {
    ledger.sent(Rows.ACCOUNT, 7);
    read(0);
    read(1);
    assertThat(ledger.wrong()).isZero();
  }

  @Test
  void anOldVersionIsStale() {
    write();
    read(0);
    assertThat(ledger.wrong()).isEqualTo(1);
    assertThat(ledger.examples().get(0))
        .isEqualTo("ACCOUNT 7: read version 0, but 1 was seen or acknowledged before");
  }

  @Test
  void aVersionThatWasNotSentIsMadeUp() {
    write();
    read(2);
    assertThat(ledger.examples()).containsExactly("ACCOUNT 7: read version 2, but only 1 was sent");
  }

  @Test
  void aThreadMayNotSeeTimeRunBackwards() {
    ledger.sent(Rows.ACCOUNT, 7);
    read(1);
    read(0);
    assertThat(ledger.wrong()).isEqualTo(1);
  }

  @Test
  void aRolledBackBalanceIsWrong() {
    read(-1_000_000);
    assertThat(ledger.wrong()).isEqualTo(1);
  }

  @Test
  void anInconsistentSumIsWrong() {
    seen.same("sum", 5, 4);
    assertThat(ledger.examples()).containsExactly("sum is 4, but must be 5");
  }

  private void write() {
    ledger.sent(Rows.ACCOUNT, 7);
    ledger.acknowledged(Rows.ACCOUNT, 7);
  }

  private void read(int version) {
    seen.check(Rows.ACCOUNT, 7, seen.least(Rows.ACCOUNT, 7), version);
  }
}
