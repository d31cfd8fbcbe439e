package dev.larder.jdbc.proof.suite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;

/**
 * Runs a statement on two bare servers and through Larder on a third. What both bare ones agree on
 * must be Larder's answer, too; what they do not depends on more than the statement.
 */
final class StatementRun {
  private static final Pattern QUERY =
      Pattern.compile("[(\\s]*(select|values|table|with)\\b.*", Pattern.DOTALL);
  private static final Pattern WRITE =
      Pattern.compile("(insert|update|delete|merge|truncate|copy)\\b.*", Pattern.DOTALL);

  private final Side bare;
  private final Side twin;
  private final CachedSide cached;
  private final SuiteCounts counts;
  private final Findings findings;
  private final HitCheck check;

  /** Each of so many writes goes past Larder; 0 for none. */
  private final long pastLarder;

  private boolean broken;

  StatementRun(
      Side bare,
      Side twin,
      CachedSide cached,
      SuiteCounts counts,
      Findings findings,
      long pastLarder) {
    this.bare = bare;
    this.twin = twin;
    this.cached = cached;
    this.counts = counts;
    this.findings = findings;
    this.check = new HitCheck(cached, counts, findings);
    this.pastLarder = pastLarder;
  }

  /** Returns once whether a connection was lost since it was asked for the last time. */
  boolean broken() {
    boolean was = broken;
    broken = false;
    return was;
  }

  /**
   * Runs a statement, and compares.
   *
   * @param texts it, for each side with its own values
   * @param data what it copies, read when the first side wants it
   * @return the answers of the sides
   */
  List<Answer> run(List<String> texts, String place, Supplier<String> data) throws SQLException {
    List<String> copied = new ArrayList<>();
    Answer expected =
        bare.run(
            texts.get(0),
            () -> {
              copied.add(data.get());
              return copied.get(0);
            });
    Supplier<String> again = () -> copied.isEmpty() ? "" : copied.get(0);
    Answer other = twin.run(texts.get(1), again);
    Answer actual = cached(texts.get(2), place, again, expected);
    counts.statements++;
    counts.executions += 3;
    compare(texts.get(2), place, expected, other, actual);
    for (Side side : List.of(bare, twin, cached)) {
      broken |= side.connection().isClosed();
    }
    return List.of(expected, other, actual);
  }

  private Answer cached(String sql, String place, Supplier<String> data, Answer expected)
      throws SQLException {
    String lower = sql.toLowerCase(Locale.ROOT);
    if (pastLarder > 0 && WRITE.matcher(lower).matches() && counts.statements % pastLarder == 0) {
      counts.past++;
      Answer answer = Side.run(cached.driver(), sql, data);
      check.afterwards(sql);
      return answer;
    }
    if (!QUERY.matcher(lower).matches() || cached.transaction() == TransactionState.FAILED) {
      Answer answer = cached.run(sql, data);
      if (!cached.connection().isClosed()) {
        check.afterwards(sql);
      }
      return answer;
    }
    return query(sql, place, expected);
  }

  private Answer query(String sql, String place, Answer expected) throws SQLException {
    cached.awaitCatalog();
    Map<String, Long> before = cached.bypasses();
    long hits = cached.hits();
    long misses = cached.misses();
    long begun = System.nanoTime();
    Answer answer = cached.run(sql, () -> "");
    long nanos = System.nanoTime() - begun;
    if (cached.connection().isClosed()) {
      return answer;
    }
    String reason = reason(before, cached.bypasses());
    boolean hit = cached.hits() > hits;
    boolean cacheable = reason == null && (hit || cached.misses() > misses);
    if (!expected.failed() && (cacheable || reason != null)) {
      count(reason, place, sql);
    }
    if (hit) {
      check.compare(sql, place, answer);
    }
    if (cacheable && !answer.failed()) {
      check.repeat(sql, place, nanos);
    } else {
      check.afterwards(sql);
    }
    return answer;
  }

  private void count(@Nullable String reason, String place, String sql) {
    counts.queries++;
    if (reason == null) {
      counts.cacheable++;
    } else {
      counts.bypasses.merge(reason, 1L, Long::sum);
      findings.bypass(reason, place, sql);
    }
  }

  private static @Nullable String reason(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> grown = new HashMap<>(after);
    grown.entrySet().removeIf(count -> count.getValue().equals(before.get(count.getKey())));
    return grown.isEmpty() ? null : grown.keySet().iterator().next();
  }

  private void compare(String sql, String place, Answer expected, Answer other, Answer actual) {
    if (!expected.lines().equals(other.lines())) {
      counts.unsteady++;
      return;
    }
    String difference = expected.difference(actual);
    if (difference != null) {
      counts.differences.merge(difference, 1L, Long::sum);
      findings.difference(difference, place, sql, expected, actual);
    }
  }
}
