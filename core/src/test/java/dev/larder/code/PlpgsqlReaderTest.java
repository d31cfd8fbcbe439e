package dev.larder.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SQL is found in bodies, and which bodies are refused. */
class PlpgsqlReaderTest {
  /** A trigger of the table s."T b", created with the arguments x, A"b and c'd. */
  private static final TriggerPlace PLACE = TriggerPlace.of("s", "T b", "x\\000A\"b\\000c'd\\000");

  private static @Nullable RoutineText read(String body) {
    return RoutineText.of(AdversarialTextsTest.routine(20_000, "f", "plpgsql", body), PLACE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "BEGIN NULL; END | ``",
        "BEGIN INSERT INTO a VALUES (1); UPDATE b SET n = 1; DELETE FROM ONLY s.c; END | a b s.c",
        "BEGIN SELECT n INTO a FROM b; INSERT INTO c VALUES (1) RETURNING n INTO STRICT d.e, f; END | c",
        "BEGIN SELECT INTO a, b x, y FROM c; END | ``",
        "BEGIN MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE; TRUNCATE c, d; END; | a c d",
        "BEGIN WITH x AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT n INTO c FROM x; END | a b",
        "BEGIN IF a THEN INSERT INTO b VALUES (1); ELSIF c THEN INSERT INTO d VALUES (1); END IF; END | b d",
        "BEGIN FOR r IN DELETE FROM a RETURNING n LOOP INSERT INTO b VALUES (1); END LOOP; END | a b",
        "BEGIN FOR i IN 1..2 LOOP UPDATE a SET n = i; END LOOP; END | a",
        "BEGIN FOR r IN (SELECT 1) LOOP EXIT WHEN f(1); END LOOP; RETURN QUERY SELECT 1; END | ``",
        "<<l>> DECLARE a int := (b); c d%TYPE; BEGIN l.a := 1; a[f(1)] = 2; END l | ``",
        "BEGIN BEGIN PERFORM 1; EXCEPTION WHEN OTHERS THEN INSERT INTO a VALUES (1); END; END | a",
        "BEGIN EXECUTE 'INSERT INTO a VALUES ($1, ''x'')' USING b; EXECUTE $q$DELETE FROM c$q$; END | a c",
        "BEGIN EXECUTE 'UPDATE a SET n = $1 RETURNING n; DELETE FROM b' INTO STRICT x USING y; END | a b",
        "BEGIN EXECUTE 'UPDATE a SET n = $1' USING y, z INTO x.y, w; END | a",
        "BEGIN RETURN QUERY EXECUTE 'DELETE FROM a RETURNING n' USING b; END | a",
        "BEGIN FOR r IN EXECUTE 'DELETE FROM a RETURNING n' USING b LOOP INSERT INTO c VALUES (1); END LOOP; END | a c",
        "DECLARE c NO SCROLL CURSOR (a int, b numeric(5, 2)) FOR SELECT 1; d CURSOR IS SELECT 2; BEGIN FOR r IN c(1, 2) LOOP UPDATE t SET n = 1; END LOOP; FOR r IN d LOOP NULL; END LOOP; END | t",
        "DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1 FROM a FOR UPDATE; FETCH NEXT FROM c INTO x, y.z; UPDATE a SET n = 1 WHERE CURRENT OF c; MOVE c; CLOSE c; END | a",
        "DECLARE c refcursor; BEGIN OPEN c NO SCROLL FOR EXECUTE 'SELECT $1' USING 1; FETCH c INTO x; END | ``",
        "DECLARE a int; DECLARE DECLARE c CURSOR FOR DELETE FROM t; BEGIN OPEN c; MOVE -1 IN c; END | t",
        "BEGIN FETCH RELATIVE -2 FROM c INTO a; MOVE FORWARD ALL FROM c; FETCH LAST c INTO a; CLOSE c; END | ``",
        "DECLARE a ALIAS FOR $1; BEGIN NOTIFY b, 'DELETE FROM c'; OPEN d; OPEN d(1); NULL; END | ``",
        "BEGIN PERFORM ';', $x$ ; END $x$, E'\\';'; --INSERT INTO a~ UPDATE \"A b\" SET n = 1; END | A b",
      })
  void targetsAreFound(String body, String expected) {
    assertThat(targets(body.replace('~', '\n'))).isEqualTo(expected);
  }

  private static String targets(String body) {
    RoutineText read = read(body);
    assertThat(read).as(body).isNotNull();
    return read.statements().stream()
        .flatMap(each -> each.targets().stream())
        .map(target -> target.relation())
        .map(name -> (name.schema() == null ? "" : name.schema() + ".") + name.name())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DECLARE a int := f(1); BEGIN END",
        "DECLARE a int = f(1); BEGIN END",
        "DECLARE a int DEFAULT f(1); BEGIN END",
        "BEGIN a := f(1); END",
        "BEGIN a.b[f(1)] := 2; END",
        "BEGIN IF f(1) THEN NULL; END IF; END",
        "BEGIN IF a THEN NULL; ELSEIF f(1) THEN NULL; END IF; END",
        "BEGIN CASE f(1) WHEN 2 THEN NULL; END CASE; END",
        "BEGIN CASE WHEN f(1) THEN NULL; END CASE; END",
        "BEGIN WHILE f(1) LOOP NULL; END LOOP; END",
        "BEGIN FOR i IN f(1)..2 LOOP NULL; END LOOP; END",
        "BEGIN FOR i IN 1..2 BY f(1) LOOP NULL; END LOOP; END",
        "BEGIN FOR i IN SELECT f(1) LOOP NULL; END LOOP; END",
        "BEGIN FOREACH i IN ARRAY f(1) LOOP NULL; END LOOP; END",
        "BEGIN EXIT WHEN f(1); END",
        "BEGIN CONTINUE l WHEN f(1); END",
        "BEGIN RETURN f(1); END",
        "BEGIN RETURN NEXT f(1); END",
        "BEGIN RETURN QUERY SELECT f(1); END",
        "BEGIN RAISE NOTICE '%', f(1) USING HINT = a; END",
        "BEGIN RAISE NOTICE 'x' USING HINT = f(1); END",
        "BEGIN ASSERT a, f(1); END",
        "BEGIN PERFORM f(1); END",
        "BEGIN SELECT f(1) INTO a; END",
        "BEGIN SELECT INTO a f(1); END",
        "BEGIN INSERT INTO a VALUES (f(1)); END",
        "BEGIN a := 1 FROM b WHERE f(1); END",
        "BEGIN CALL s.f(1, 2); END",
        "BEGIN CALL p(f(1)); END",
        "BEGIN EXECUTE 'SELECT f(1)'; END",
        "BEGIN EXECUTE 'SELECT $1' USING f(1); END",
        "BEGIN EXECUTE 'SELECT $1' USING f(1) INTO a; END",
        "BEGIN EXECUTE 'SELECT $1' INTO a USING f(1); END",
        "BEGIN RETURN QUERY EXECUTE 'SELECT 1' USING f(1); END",
        "BEGIN FOR r IN EXECUTE 'SELECT 1' USING f(1) LOOP NULL; END LOOP; END",
        "BEGIN FOR r IN c(f(1)) LOOP NULL; END LOOP; END",
        "BEGIN OPEN c(f(1)); END",
        "BEGIN OPEN c FOR SELECT f(1); END",
        "DECLARE c CURSOR FOR SELECT f(1); BEGIN END"
      })
  void callsAreFound(String body) {
    RoutineText read = read(body);
    assertThat(read).isNotNull();
    assertThat(read.statements().stream().flatMap(each -> each.routines().stream()))
        .anyMatch(name -> name.name().equals("f"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "('DELETE FROM a') | a",
        "'DELETE ' <> $$FROM a$$ <> ' WHERE b = c' | a",
        "('DELETE ' <> ('FROM ' <> 'a'))::text USING x | a",
        "'DELETE FROM ' <> TG_TABLE_SCHEMA <> '.' <> quote_ident(TG_TABLE_NAME) | s.T b",
        "'DELETE FROM ' <> quote_ident(tg_relname::text <> '_log') | T b_log",
        "format('DELETE FROM %I.%I', 's', 'c') | s.c",
        "'DELETE FROM ' <> TG_ARGV[0] <> '_y' | x_y",
        "format('DELETE FROM %I', TG_ARGV[1]) | A#b",
        "format('DELETE FROM %s.%I', tg_table_schema, TG_TABLE_NAME <> '''') | s.T b'",
        "format('DELETE FROM %2$I.%I WHERE %1$s = %1$L', 'n', 's', 'c') | s.c",
        "format('DELETE FROM a WHERE n = %L AND m = %L::int AND k IN (%L,%L)', x, f(NEW), NEW.k, 1) | a",
        "format('UPDATE a SET n=%L; DELETE FROM b', x) | a b",
        "format('DELETE FROM a WHERE n %% 2 = 1 AND m = %L', TG_ARGV[2]) | a",
        "format('INSERT INTO a SELECT ($1).*') USING NEW | a",
        "'INSERT INTO a SELECT $1.*, $2' USING NEW, 1 | a",
        "'DELETE FROM a WHERE n = ' <> quote_literal(NEW.n) | a",
        "q | a",
        "q <> ' WHERE b = c' | a",
        "late | b",
        "late <> ' WHERE x = y' | b",
        "q INTO r | a",
      })
  void whatIsTheSameEachTimeIsExecuted(String text, String expected) {
    String body =
        "DECLARE q CONSTANT text := 'DELETE FROM a'; late text; r int; BEGIN"
            + " late = 'DELETE FROM b'; EXECUTE "
            + text.replace("<>", "||")
            + "; END";
    assertThat(targets(body)).isEqualTo(expected.replace('#', '"'));
  }

  @Test
  void aTextThatDoublesWithEachVariableIsRefused() {
    StringBuilder body =
        new StringBuilder("DECLARE a0 text := '").append("x".repeat(60)).append("';");
    for (int i = 1; i < 19; i++) {
      body.append(" a%d text := a%d || a%d;".formatted(i, i - 1, i - 1));
    }
    body.append(" BEGIN ").append("EXECUTE a18 || '';".repeat(3_000)).append(" END");
    assertThat(read(body.toString())).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'DELETE FROM ' || x",
        "'DELETE FROM ' || NEW.n",
        "'DELETE FROM ' || TG_OP",
        "'DELETE FROM ' || TG_ARGV[3]",
        "'DELETE FROM ' || TG_ARGV[n]",
        "'DELETE FROM ' || TG_RELID::regclass",
        "'DELETE FROM ' || lower('A')",
        "'DELETE FROM ' || s.quote_ident('a')",
        "'DELETE FROM a' || 'b'::name",
        "quote_literal('DELETE FROM a')",
        "format('DELETE FROM %I', x)",
        "format('DELETE FROM %s', x)",
        "format('DELETE FROM %I')",
        "format('DELETE FROM %5s', 'a')",
        "format('DELETE FROM %-5s', 'a')",
        "format('DELETE FROM %0$s', 'a')",
        "format('DELETE FROM %I', 'order')",
        "format('DELETE FROM %I', format('%L', x))",
        "format('DELETE FROM a %', 1)",
        "format('DELETE FROM a WHERE n %1$% 2 = 0', 1)",
        "format('DELETE FROM %Is', 'a')",
        "format('DELETE FROM %I%I', 'a', 'b')",
        "format('DELETE FROM %I%I', 'A', 'b')",
        "'DELETE FROM ' || quote_ident('a') || '_b'",
        "'DELETE FROM x' || quote_ident('a')",
        "'DELETE FROM a WHERE b = $9999 -- ' || quote_literal(x)",
        "'DELETE FROM \ue000a\ue000'",
        "early",
        "sqlerrm",
        "sqlstate",
        "tg_nothing",
        "own",
        "format('DELETE FROM a %s', late)",
        "format('DELETE FROM a %s', 'b' || late)",
        "format('DELETE FROM %s', VARIADIC a)",
        "format(x, 'a')",
        "format('DELETE FROM a -- %L', x)",
        "format('DELETE FROM a WHERE b = QQ%LQQ', x)",
        "format('DELETE FROM a WHERE b = $$ %L $$', x)",
        "format('DELETE FROM a WHERE \" %L \"', x)",
        "format('DELETE FROM a WHERE b = E%L', x)",
        "format('DELETE FROM a WHERE b = U&%L', x)",
        "format('DELETE FROM a%L', x)",
        "format('DELETE FROM a WHERE b = %L AND c = $9999', x)",
        "'DELETE FROM a WHERE b = ' || quote_literal(x) || 'c'",
        "twice",
        "taken",
        "looped",
        "called",
        "renamed",
        "inner_one",
        "itself",
        "short",
        "number",
        "unset",
        "format('DELETE FROM %I', tg_relname)"
      })
  void whatMayDifferIsRefused(String text) {
    String body =
        "DECLARE twice text := 'DELETE FROM a'; taken text := 'DELETE FROM a'; looped text :="
            + " 'DELETE FROM a'; called text := 'DELETE FROM a'; renamed text := 'DELETE FROM a';"
            + " other ALIAS FOR renamed; itself text; short varchar(3) := 'DELETE FROM a';"
            + " number int := 1; unset text; late text; tg_relname text := x; early text := given;"
            + " given text := 'DELETE FROM a'; sqlerrm text := 'DELETE FROM a'; sqlstate text :="
            + " 'DELETE FROM a'; tg_nothing text := 'DELETE FROM a'; own text := own; BEGIN"
            + " IF x THEN late := 'DELETE FROM a'; END IF; twice := 'DELETE FROM b';"
            + " SELECT n INTO r, taken FROM t; FOR looped IN SELECT 'a' LOOP NULL; END LOOP;"
            + " CALL p(called); itself := 'a' || itself;"
            + " DECLARE inner_one text := 'DELETE FROM a'; BEGIN NULL; END; EXECUTE ";
    String executed = text.replace("QQ", "''");
    assertThat(read(body + executed + "; END")).as(body).isNull();
    assertThat(read(body + "'DELETE FROM a'; END")).as("the rest").isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN EXECUTE a; END",
        "BEGIN EXECUTE 'SELECT ' || a; END",
        "BEGIN EXECUTE E'SELECT 1'; END",
        "BEGIN EXECUTE 'DELETE FROM a'~'b'; END",
        "BEGIN EXECUTE 'DELETE FROM a''' ~ 'b'; END",
        "BEGIN EXECUTE 'CREATE TABLE a ()'; END",
        "BEGIN EXECUTE 'SELECT 1; SET a.b = 1'; END",
        "BEGIN EXECUTE 'CALL p()'; END",
        "BEGIN EXECUTE 'SELECT 1' INTO a INTO b; END",
        "BEGIN EXECUTE 'SELECT 1' a; END",
        "BEGIN EXECUTE $$ EXECUTE 'SELECT 1' $$; END",
        "BEGIN EXECUTE $$ SELECT '\\' $$; END",
        "BEGIN RETURN QUERY EXECUTE a; END",
        "BEGIN FOR r IN EXECUTE a LOOP NULL; END LOOP; END",
        "BEGIN FOR r IN EXPLAIN ANALYZE DELETE FROM a LOOP NULL; END LOOP; END",
        "BEGIN FOR r IN EXPLAIN (ANALYZE) DELETE FROM a LOOP NULL; END LOOP; END",
        "BEGIN FOR r IN c 1 LOOP NULL; END LOOP; END",
        "BEGIN OPEN c FOR EXECUTE a; END",
        "BEGIN OPEN c FOR EXPLAIN ANALYZE DELETE FROM a; END",
        "BEGIN OPEN c 1; END",
        "BEGIN FETCH ABSOLUTE f(1) FROM c INTO a; END",
        "BEGIN FETCH RELATIVE 1 ### 2 FROM c INTO a; END",
        "BEGIN MOVE FORWARD a LIKE b FROM c; END",
        "BEGIN FETCH RELATIVE 1::d FROM c INTO a; END",
        "BEGIN FETCH RELATIVE d '1' FROM c INTO a; END",
        "DECLARE a b CURSOR FOR DELETE FROM c; BEGIN END",
        "DECLARE a b := (DELETE FROM c); BEGIN END",
        "BEGIN COMMIT; END",
        "BEGIN CALL; END",
        "BEGIN SET a.b = 1; END",
        "BEGIN RESET ALL; END",
        "BEGIN CREATE TABLE a (); END",
        "BEGIN SELECT 1 INTO a INTO b; END",
        "BEGIN COPY a FROM '/x'; END",
        "BEGIN LOCK TABLE a; END",
        "BEGIN EXPLAIN ANALYZE DELETE FROM a; END",
        "BEGIN a := '\\'; END",
        "BEGIN a := U&'x'; END",
        "BEGIN U&\"a\" := 1; END",
        "BEGIN a := 'x; END",
        "BEGIN a(1) := 1; END",
        "#variable_conflict use_column BEGIN END",
        "BEGIN INSERT INTO a VALUES (1) END",
        "execute"
      })
  void otherBodiesAreRefused(String body) {
    assertThat(read(body.replace('~', '\n'))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "BEGIN RETURN NEW; END | ``",
        "BEGIN NEW.at := now(); RETURN NEW; END | at",
        "BEGIN new.\"At\" = 1; IF OLD.b = 2 THEN NEW.c[1].d := NEW.e; END IF; RETURN OLD; END | At c",
        "BEGIN SELECT a, b INTO STRICT NEW.x, y FROM z; RETURN COALESCE(New, OLD); END | x",
        "BEGIN INSERT INTO a VALUES (1) RETURNING n, m INTO y, NEW.x; RETURN NULL; END | x",
        "<<l>> DECLARE a record; BEGIN f.NEW.x := 1; l.a.y := 2; a.z := 3; RETURN NEW; END | x",
        "BEGIN perform.NEW.x := 1; raise.new.y = 2; exit[1] := 3; return := 4; RETURN NEW; END | x y",
        "BEGIN FOR r IN SELECT NEW.a LOOP NEW.b := r.a; END LOOP; RETURN NEW; END | b",
        "BEGIN EXECUTE 'SELECT $1.a' INTO NEW.x USING NEW; FETCH c INTO NEW.y; RETURN NEW; END | x y",
        "BEGIN EXECUTE 'SELECT 1' USING NEW INTO NEW.x; RETURN NEW; END | x",
      })
  void theFieldsOfItsRowThatATriggerChangesAreFound(String body, String expected) {
    RoutineText read = read(body);
    assertThat(read).isNotNull();
    assertThat(read.assigned()).isNotNull();
    assertThat(String.join(" ", new TreeSet<>(read.assigned()))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN NEW := OLD; RETURN NEW; END",
        "BEGIN f.NEW := OLD; RETURN NEW; END",
        "BEGIN SELECT a.* INTO NEW FROM a; RETURN NEW; END",
        "BEGIN SELECT 1 INTO OLD.x; RETURN OLD; END",
        "BEGIN OLD.x := 1; RETURN OLD; END",
        "BEGIN RETURN r; END",
        "BEGIN RETURN (NEW.a, 2); END",
        "BEGIN RETURN \"new\"; END",
        "BEGIN RETURN coalesce(OLD, r); END",
        "DECLARE new record; BEGIN RETURN NEW; END",
        "BEGIN DECLARE a int; Old record; BEGIN RETURN OLD; END; END",
        "BEGIN FOR NEW IN SELECT 1 LOOP RETURN NEW; END LOOP; END",
        "BEGIN FOR a, new.x IN SELECT 1, 2 LOOP NULL; END LOOP; RETURN NEW; END",
        "BEGIN FOREACH NEW.x IN ARRAY a LOOP NULL; END LOOP; RETURN NEW; END",
        "BEGIN GET DIAGNOSTICS NEW.x = ROW_COUNT; RETURN NEW; END",
        "BEGIN CALL p(NEW.x); RETURN NEW; END",
        "BEGIN EXECUTE 'SELECT 1' INTO NEW; RETURN NEW; END",
        "BEGIN FETCH c INTO new; RETURN NEW; END",
        "BEGIN FOR new IN c LOOP RETURN NEW; END LOOP; END",
        "DECLARE a ALIAS FOR NEW; BEGIN a.x := 1; RETURN NEW; END",
        "DECLARE new ALIAS FOR $1; BEGIN RETURN NEW; END",
        "DECLARE a int; DECLARE n ALIAS FOR new; BEGIN n.x := 1; RETURN NEW; END",
        "DECLARE a int; DECLARE new t := (1, 2); BEGIN RETURN NEW; END",
      })
  void aTriggerMayChangeItsRowAsAWhole(String body) {
    RoutineText read = read(body);
    assertThat(read).isNotNull();
    assertThat(read.assigned()).isNull();
  }
}
