package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.jdbc.PgConnection;

/**
 * Finds out whether a driver that gave up in the middle of an exchange still takes each answer for
 * that to its own question: it does not count answers. Thread-safe.
 */
final class StepCheck {
  /** How long a server may take that has nothing else to do, in milliseconds. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final AtomicLong TOKENS = new AtomicLong();

  private StepCheck() {}

  /**
   * Asks something that has one answer. A connection on which that is not what comes, or not within
   * seconds, is closed: every answer on it would be a wrong one.
   *
   * @param failed whether the transaction has failed
   */
  static boolean passes(PgConnection driver, boolean failed) {
    String token = "larder_" + TOKENS.incrementAndGet() + '_' + System.nanoTime();
    try {
      int timeout = driver.getNetworkTimeout();
      driver.setNetworkTimeout(
          null, timeout == 0 ? TIMEOUT_MILLIS : Math.min(timeout, TIMEOUT_MILLIS));
      if (failed ? isRefused(driver, token) : isReturned(driver, token)) {
        driver.setNetworkTimeout(null, timeout);
        return true;
      }
      driver.abort(Runnable::run);
    } catch (SQLException e) {
      // It is closed, or about to be found so.
    }
    return false;
  }

  private static boolean isReturned(PgConnection driver, String token) {
    try {
      String question = "SELECT '" + token + "'::pg_catalog.text";
      return OwnStatements.ask(
          driver, question, row -> row.next() && token.equals(row.getString(1)));
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }

  /** An error of syntax is found before it is found that the transaction has failed. */
  private static boolean isRefused(PgConnection driver, String token) {
    try {
      OwnStatements.run(driver, token);
      return false;
    } catch (SQLException | RuntimeException e) {
      String message = e.getMessage();
      return message != null && message.contains(token);
    }
  }
}
