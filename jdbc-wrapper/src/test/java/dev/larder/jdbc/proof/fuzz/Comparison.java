package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs a program on both sides and compares what each statement gave. */
final class Comparison {
  private static final int POOL = 4;
  private static final int REPEATS = 3;

  /** So many steps in a row may fail before the transaction is ended. */
  private static final int MAX_FAILED = 3;

  private final Databases databases;
  private final FuzzCounts counts;
  private final List<Step> pool = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  private final int[] failed = new int[Program.SESSIONS];

  /**
   * Whether the program ends here. A hit waits for no lock: what waited on one side only was done
   * on the other, and stays.
   */
  private boolean apart;

  Comparison(Databases databases, FuzzCounts counts) {
    this.databases = databases;
    this.counts = counts;
  }

  void run(Program program) throws SQLException {
    counts.programs++;
    for (Step step : program.steps()) {
      if (apart) {
        break;
      }
      history.add(step.toString());
      if (step.read()) {
        read(step);
      } else {
        compare(step);
        databases.awaitCatalog();
        readAgain();
      }
      endFailed(step.session());
    }
    counts.hits += databases.hits();
    counts.narrowedHits += databases.narrowedHits();
    counts.narrowedLookups += databases.narrowedLookups();
  }

  private void read(Step step) throws SQLException {
    for (int i = 0; i < REPEATS; i++) {
      compare(step);
    }
    pool.add(step);
    if (pool.size() > POOL) {
      pool.remove(0);
    }
  }

  private void readAgain() throws SQLException {
    for (int session = 0; session < Program.SESSIONS; session++) {
      for (Step step : pool) {
        compare(step.on(session));
      }
    }
  }

  private void compare(Step step) throws SQLException {
    if (apart) {
      return;
    }
    counts.statements++;
    counts.reads += step.read() ? 1 : 0;
    counts.writes += step.read() ? 0 : 1;
    List<String> expected = databases.driver.get(step.session()).run(step);
    List<String> actual = databases.larder.get(step.session()).run(step);
    boolean error = false;
    for (String line : expected) {
      if (line.startsWith("error ")) {
        error = true;
        counts.errors++;
        counts.states.merge(line.substring(6, 11), 1L, Long::sum);
      }
    }
    failed[step.session()] = error ? failed[step.session()] + 1 : 0;
    if (!expected.equals(actual)) {
      if (waited(expected) || waited(actual)) {
        counts.locked++;
        apart = true;
        return;
      }
      assertThat(actual).as("%s%n=> %s", String.join("\n", history), step).isEqualTo(expected);
    }
    apart = tookTooLong(expected); // It would again, each time that it is asked.
  }

  private static boolean tookTooLong(List<String> seen) {
    return seen.stream().anyMatch(line -> line.startsWith("error 57014"));
  }

  /** Whether the statement was given up for a lock, or for taking too long. */
  private static boolean waited(List<String> seen) {
    return tookTooLong(seen) || seen.stream().anyMatch(line -> line.startsWith("error 55P03"));
  }

  private void endFailed(int session) throws SQLException {
    if (failed[session] > MAX_FAILED) {
      databases.driver.get(session).reset();
      databases.larder.get(session).reset();
      failed[session] = 0;
      history.add(session + " rolls back");
    }
  }
}
