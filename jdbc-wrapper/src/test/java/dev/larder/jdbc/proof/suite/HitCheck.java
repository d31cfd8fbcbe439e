package dev.larder.jdbc.proof.suite;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.postgresql.core.TransactionState;

/**
 * Compares each answer from memory with what the server says at that moment in that very session,
 * asked past Larder: so nothing need be known about settings, transactions and identifiers. What
 * was a hit, or may become one, is asked again after everything that might change it, in a
 * transaction behind a savepoint: for what fails then must not end what the file goes on with.
 */
final class HitCheck {
  private static final int POOL = 12;
  private static final int REPEATS = 2;

  /** What takes longer is not asked again and again. */
  private static final Duration SLOW = Duration.ofMillis(50);

  /** What changes nothing, or must be the first in a transaction. */
  private static final Pattern QUIET =
      Pattern.compile(
          "(begin|start|set\\s+transaction|savepoint|show|explain|declare|fetch|move|close|prepare\\s+\\w+\\s*(\\(|as)|end|release)\\b.*",
          Pattern.DOTALL);

  /** Where the server may answer several things, and which one depends on its plan. */
  private static final Pattern LEGAL =
      Pattern.compile(System.getProperty("larder.suite.legal", "none"));

  private final CachedSide cached;
  private final SuiteCounts counts;
  private final Findings findings;
  private final Map<String, String> pool = new LinkedHashMap<>();

  HitCheck(CachedSide cached, SuiteCounts counts, Findings findings) {
    this.cached = cached;
    this.counts = counts;
    this.findings = findings;
  }

  /** Asks for a query again that has just been answered and could be cached. */
  void repeat(String sql, String place, long nanos) throws SQLException {
    if (nanos > 20 * SLOW.toNanos()) {
      return;
    }
    for (int i = 0; i < REPEATS; i++) {
      ask(sql, place);
    }
    if (nanos < SLOW.toNanos()) {
      pool.remove(sql);
      pool.put(sql, place);
      if (pool.size() > POOL) {
        pool.remove(pool.keySet().iterator().next());
      }
    }
  }

  /** Asks for the last queries again, after {@code sql} may have changed their answers. */
  void afterwards(String sql) throws SQLException {
    if (pool.isEmpty()
        || QUIET.matcher(sql.toLowerCase(Locale.ROOT)).matches()
        || cached.transaction() == TransactionState.FAILED) {
      return;
    }
    cached.awaitCatalog();
    boolean open = cached.transaction() == TransactionState.OPEN;
    if (open) {
      cached.run("SAVEPOINT suite_hits", () -> "");
    }
    for (Map.Entry<String, String> query : Map.copyOf(pool).entrySet()) {
      if (ask(query.getKey(), query.getValue()).failed()) {
        pool.remove(query.getKey());
        if (open) {
          cached.run("ROLLBACK TO SAVEPOINT suite_hits", () -> "");
        }
      }
    }
    if (open) {
      cached.run("RELEASE SAVEPOINT suite_hits", () -> "");
    }
  }

  private Answer ask(String sql, String place) throws SQLException {
    long before = cached.hits();
    Answer answer = cached.run(sql, () -> "");
    counts.executions++;
    if (cached.hits() > before) {
      compare(sql, place, answer);
    }
    return answer;
  }

  /** Compares what was a hit with what the server says. */
  void compare(String sql, String place, Answer hit) throws SQLException {
    Answer present = Side.run(cached.driver(), sql, () -> "");
    counts.executions++;
    counts.hits++;
    if (!hit.sameInAnyOrder(present) && LEGAL.matcher(place).matches()) {
      counts.legal++;
    } else if (!hit.sameInAnyOrder(present)) {
      counts.stale++;
      findings.difference("STALE", place, sql, present, hit);
    }
  }
}
