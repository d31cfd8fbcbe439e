package dev.larder.examples.demo;

import java.util.concurrent.ThreadLocalRandom;

/** Which rows are asked for: most often the same few, as in life. Immutable. */
final class Keys {
  /** Of this many reads one goes to any account, the others to the busy ones. */
  static final int READS_A_STRANGER = 10;

  /** How many accounts get most reads. */
  static final int BUSY = 100;

  private final Bank bank;

  Keys(Bank bank) {
    this.bank = bank;
  }

  int account() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int bound = random.nextInt(READS_A_STRANGER) == 0 ? bank.accounts() : BUSY;
    return 1 + random.nextInt(bound);
  }

  int branch() {
    return 1 + ThreadLocalRandom.current().nextInt(bank.branches());
  }

  int teller() {
    return 1 + ThreadLocalRandom.current().nextInt(bank.tellers());
  }

  int tellerOf(int branch) {
    int tellers = bank.tellers() / bank.branches();
    return (branch - 1) * tellers + 1 + ThreadLocalRandom.current().nextInt(tellers);
  }
}
