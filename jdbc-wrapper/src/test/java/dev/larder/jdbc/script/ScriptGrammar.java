package dev.larder.jdbc.script;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Random scenarios of three sessions, for the contents of {@link Stage}. */
final class ScriptGrammar {
  private static final List<String> READS =
      List.of(
          "SELECT v FROM doc ORDER BY id",
          "SELECT tenant FROM opened ORDER BY id",
          "SELECT owner FROM owned",
          "SELECT v FROM x",
          "SELECT at FROM event",
          "SELECT v FROM t WHERE id = 1",
          "SELECT id, v FROM t ORDER BY id");

  private static final List<String> SETS =
      List.of(
          "SET app.tenant = 't1'",
          "SET app.tenant = 't2'",
          "SET LOCAL app.tenant = 't1'",
          "SET LOCAL app.tenant = 't2'",
          "RESET app.tenant",
          "SELECT set_config('app.tenant', 't1', true)",
          "SELECT set_config('app.tenant', 't2', false)",
          "SELECT set_config('app.tenant', 't2', true), set_config('search_path', 's1, s2', false)",
          "SELECT set_config('app.tenant', 't1', true)",
          "SELECT become('t2')",
          "SELECT become_here('t1')",
          "SELECT become_and_fail('t1')",
          "SET search_path TO s1",
          "SET search_path TO 's2'",
          "SET LOCAL search_path TO s1",
          "RESET search_path",
          "SET TIME ZONE 'Asia/Tokyo'",
          "SET LOCAL TIME ZONE 'UTC'",
          "SET ROLE script_one",
          "SET LOCAL ROLE script_two",
          "RESET ROLE",
          "RESET ALL",
          "DISCARD ALL",
          "SET default_transaction_isolation = 'repeatable read'",
          "SET LOCAL default_transaction_isolation = 'repeatable read'",
          "SET default_transaction_isolation = 'read committed'",
          "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ");

  private static final List<String> TRANSACTIONS =
      List.of(
          "BEGIN",
          "BEGIN",
          "BEGIN ISOLATION LEVEL REPEATABLE READ",
          "BEGIN ISOLATION LEVEL READ COMMITTED",
          "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
          "COMMIT",
          "COMMIT",
          "ROLLBACK",
          "COMMIT AND CHAIN",
          "ROLLBACK AND CHAIN",
          "SAVEPOINT s",
          "SAVEPOINT s",
          "SAVEPOINT u",
          "RELEASE s",
          "ROLLBACK TO s",
          "ROLLBACK TO s",
          "ROLLBACK TO u",
          "SELECT 1/0",
          "ROLLBACK; SET app.tenant = 't2'",
          "COMMIT; BEGIN",
          "BEGIN; SET LOCAL app.tenant = 't1'",
          "SET app.tenant = 't2'; SELECT 1/0",
          "ROLLBACK TO s; SET app.tenant = 't1'; COMMIT");

  /** Each session writes a row of its own, so that none waits for another. */
  private static final List<String> WRITES =
      List.of("UPDATE t SET v = v + 1 WHERE id = %d", "UPDATE s1.x SET v = v || 'x' WHERE %d = 1");

  private static final List<String> CALLS =
      List.of(
          "autocommit off",
          "autocommit on",
          "commit",
          "rollback",
          "isolation 4",
          "isolation 2",
          "schema s1",
          "query SET app.tenant = 't1'",
          "query ROLLBACK TO s",
          "query BEGIN",
          "batch SET app.tenant = 't1' ;; SET LOCAL app.tenant = 't2'",
          "batch ROLLBACK ;; SET app.tenant = 't2'");

  private ScriptGrammar() {}

  /** Returns scenarios, whose text says all about them. */
  static Arbitrary<Scenario> scenarios() {
    Arbitrary<String> options =
        Arbitraries.of(
            "", "autosave=always", "autosave=conservative", "preferQueryMode=simple", "");
    Arbitrary<List<Step>> steps = steps().list().ofMinSize(6).ofMaxSize(30);
    return steps.flatMap(
        lines ->
            options.map(
                option ->
                    new Scenario(
                        "random",
                        option,
                        option.isEmpty() ? List.of() : List.of(option),
                        false,
                        withReads(lines))));
  }

  private static Arbitrary<Step> steps() {
    Arbitrary<Character> session = Arbitraries.of('a', 'a', 'a', 'b', 'c');
    return session.flatMap(
        name ->
            Arbitraries.frequencyOf(
                Tuple.of(7, Arbitraries.of(READS).map(sql -> step(name, Step.Kind.READ, sql))),
                Tuple.of(5, Arbitraries.of(SETS).map(sql -> step(name, Step.Kind.RUN, sql))),
                Tuple.of(
                    7, Arbitraries.of(TRANSACTIONS).map(sql -> step(name, Step.Kind.RUN, sql))),
                Tuple.of(2, Arbitraries.of(CALLS).map(text -> step(name, Step.Kind.CALL, text))),
                Tuple.of(
                    2,
                    Arbitraries.of(WRITES)
                        .map(sql -> step(name, Step.Kind.RUN, sql.formatted(name - 'a' + 1))))));
  }

  private static Step step(char session, Step.Kind kind, String text) {
    return new Step(session, kind, text);
  }

  /** Whatever was done, sessions read in the end, and say what is set in them. */
  private static List<Step> withReads(List<Step> steps) {
    List<Step> all = new ArrayList<>(steps);
    for (char session : new char[] {'a', 'b'}) {
      Stream.of(
              "SELECT v FROM doc ORDER BY id",
              "SELECT v FROM x",
              "SELECT id, v FROM t ORDER BY id",
              "SELECT * FROM public.session")
          .forEach(sql -> all.add(step(session, Step.Kind.READ, sql)));
    }
    return all;
  }
}
