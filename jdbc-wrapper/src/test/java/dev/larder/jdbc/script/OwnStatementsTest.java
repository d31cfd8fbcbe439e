package dev.larder.jdbc.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.feed.ThreadPosition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No statement of Larder's own inside a transaction of the application's changes its outcome: each
 * of them is provoked in transactions of all kinds, with and without the driver's own savepoints.
 */
@Tag("gate")
@Tag("each-server")
final class OwnStatementsTest {
  private static final List<String> AUTOSAVES =
      List.of("autosave=never", "autosave=always", "autosave=conservative");

  /** What is in the cache before. */
  private static final String READS =
      """
      a! autocommit off
      a! savepoint u
      a! commit
      a! autocommit on
      b> SET app.tenant = 't2'
      b? SELECT v FROM doc ORDER BY id
      a> SET app.tenant = 't1'
      a? SELECT v FROM doc ORDER BY id
      a? SELECT id, v FROM t ORDER BY id
      a> SET app.tenant = 't1'
      """;

  /** How the transaction is before the statement of Larder's own. */
  private static final Map<String, String> SITUATIONS = new LinkedHashMap<>();

  static {
    SITUATIONS.put("plain", "a! autocommit off");
    SITUATIONS.put("begun by a text", "a> BEGIN");
    SITUATIONS.put("writing", "a! autocommit off\na> UPDATE t SET v = v + 1 WHERE id = 1");
    SITUATIONS.put("read-only", "a! readonly on\na! autocommit off");
    SITUATIONS.put("read-only by a text", "a! autocommit off\na> SET TRANSACTION READ ONLY");
    SITUATIONS.put("failed", "a! autocommit off\na> SELECT 1/0");
    SITUATIONS.put("failed behind a savepoint", "a! autocommit off\na> SAVEPOINT s\na> SELECT 1/0");
    SITUATIONS.put(
        "rolled back", "a! autocommit off\na> SAVEPOINT s\na> SELECT 1/0\na> ROLLBACK TO s");
    SITUATIONS.put("short timeout", "a! autocommit off\na> SET LOCAL statement_timeout = '900ms'");
    SITUATIONS.put(
        "short timeout of the session", "a> SET statement_timeout = '900ms'\na! autocommit off");
    SITUATIONS.put("repeatable read", "a! isolation 4\na! autocommit off");
    SITUATIONS.put("serializable", "a! isolation 8\na! autocommit off");
    SITUATIONS.put(
        "with a cursor",
        "a! autocommit off\na> DECLARE c CURSOR FOR SELECT id FROM t ORDER BY id\na> FETCH c");
    SITUATIONS.put("with a number", "a! autocommit off\na> SELECT nextval('numbers')");
    SITUATIONS.put("with messages", "a> SET client_min_messages = debug5\na! autocommit off");
  }

  /** What makes Larder send something. */
  private static final Map<String, String> CAUSES = new LinkedHashMap<>();

  static {
    CAUSES.put(
        "settings, before a read", "a> SELECT become_here('t2')\na? SELECT v FROM doc ORDER BY id");
    CAUSES.put(
        "settings, before a write",
        "a> SELECT become_here('t2')\na> UPDATE t SET v = v + 1 WHERE id = 2");
    CAUSES.put(
        "settings, before what must come first",
        """
        a> SET LOCAL search_path TO DEFAULT
        a> LOCK TABLE r IN SHARE MODE
        a> SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
        a? SELECT v FROM t WHERE id = 1""");
    CAUSES.put(
        "settings, before a lock",
        """
        a> SET LOCAL search_path TO DEFAULT
        a> LOCK TABLE r IN SHARE MODE
        b> UPDATE t SET v = 77 WHERE id = 3
        a? SELECT id, v FROM t ORDER BY id""");
    CAUSES.put(
        "settings, after a role",
        "a> SET LOCAL ROLE script_one\na> SET TRANSACTION DEFERRABLE\na? SELECT owner FROM owned");
    CAUSES.put(
        "a begin, before the level",
        """
        a? SELECT id, v FROM t ORDER BY id
        a> UPDATE t SET v = v + 1 WHERE id = 2
        a> SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
        a> SELECT 1/0""");
    CAUSES.put(
        "a begin, after nothing but a hit",
        "a? SELECT id, v FROM t ORDER BY id\na> SET TRANSACTION READ WRITE\na> SELECT 1/0");
    CAUSES.put(
        "the driver's savepoint, before a rollback to one that is gone",
        """
        a? SELECT id, v FROM t ORDER BY id
        a! rollbackto u
        a> UPDATE t SET v = v + 1 WHERE id = 2""");
    CAUSES.put(
        "the driver's savepoint, before the release of one that is gone",
        """
        a? SELECT id, v FROM t ORDER BY id
        a! release u
        a> UPDATE t SET v = v + 1 WHERE id = 2""");
    CAUSES.put(
        "the driver's savepoint, before a text that releases one that is gone",
        """
        a? SELECT id, v FROM t ORDER BY id
        a> RELEASE nosuch
        a> UPDATE t SET v = v + 1 WHERE id = 2""");
    CAUSES.put(
        "a hit, before a text that names a savepoint that is gone",
        """
        a? SELECT id, v FROM t ORDER BY id
        a> ROLLBACK TO nosuch
        a> UPDATE t SET v = v + 1 WHERE id = 2""");
    CAUSES.put(
        "what was held back, before a write",
        """
        a> SELECT set_config('app.tenant', 't2', true)
        a? SELECT v FROM doc ORDER BY id
        a> UPDATE t SET v = v + 1 WHERE id = 2
        a> SELECT 1/0""");
    CAUSES.put(
        "what was held back, before the level",
        """
        a> SET LOCAL app.tenant = 't2'
        a> SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
        a? SELECT v FROM doc ORDER BY id""");
    CAUSES.put(
        "the position, in a chained transaction",
        """
        a> UPDATE t SET v = v + 1 WHERE id = 2
        a> COMMIT AND CHAIN
        a> SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
        b> UPDATE t SET v = 77 WHERE id = 3
        a? SELECT id, v FROM t ORDER BY id""");
  }

  /** What is left of the transaction, and of the session. */
  private static final String END =
      """
      a> FETCH c
      a! warnings
      a> SELECT count(*) FROM pg_cursors
      a> SELECT lastval() > 0
      a> SHOW statement_timeout
      a> SHOW transaction_read_only
      a> SHOW transaction_isolation
      a> UPDATE t SET v = v + 1 WHERE id = 1
      a> COMMIT
      a! warnings
      b? SELECT id, v FROM t ORDER BY id
      a? SELECT v FROM doc ORDER BY id
      """;

  @AutoClose private static Stage stage;

  @BeforeAll
  static void setUp() throws SQLException {
    stage = new Stage(Way.DEFAULT);
  }

  static Stream<String> causes() {
    return CAUSES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("causes")
  void noneChangesTheOutcome(String cause) throws SQLException {
    List<String> failures = new ArrayList<>();
    long hits = 0;
    String count =
        cause.startsWith("settings")
            ? "setting_questions"
            : cause.contains("held") ? "held_back" : "hits";
    long before = stage.count(count);
    try (ThreadPosition position = ThreadPosition.begin(List.of())) {
      for (String situation : SITUATIONS.keySet()) {
        for (String autosave : AUTOSAVES) {
          String text = READS + SITUATIONS.get(situation) + '\n' + CAUSES.get(cause) + '\n' + END;
          Scenario scenario =
              Scenario.parse("own", "== " + situation + " | " + autosave + "\n" + text).get(0);
          Stage.Outcome outcome = stage.play(scenario);
          hits += outcome.hits();
          failures.addAll(differences(situation + ", " + autosave, outcome));
        }
      }
      assertThat(position.written()).isNotEmpty();
    }
    assertThat(hits).isPositive();
    assertThat(stage.count(count) - before).as(count).isGreaterThan(AUTOSAVES.size());
    assertThat(String.join("\n", failures)).as("%d differences", failures.size()).isEmpty();
  }

  private static List<String> differences(String name, Stage.Outcome outcome) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < outcome.bare().size(); i++) {
      String seen = outcome.larder().get(i);
      if (!outcome.bare().get(i).equals(seen)) {
        differences.add(name + ": " + outcome.bare().get(i) + "\n   LARDER  ->  " + seen);
      }
    }
    return differences;
  }
}
