package dev.larder.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerBodyTest {
  private final TriggerBody bodies =
      new TriggerBody(
          Set.of("lower", "fn", "date", "case", "unaccent"),
          Set.of("unaccent"),
          Set.of("<<>>", "~~*"),
          Set.of("uuid", "vetted"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN NEW.updated_at = now(); RETURN NEW; END",
        "begin new.updated_at := clock_timestamp(); return new; end;",
        "\n"
            + "BEGIN\n"
            + "  -- INSERT INTO x\n"
            + "  NEW.\"updated_at\" = CURRENT_TIMESTAMP;\n"
            + "  RETURN NEW;\n"
            + "END;\n",
        "BEGIN IF NEW.* IS DISTINCT FROM OLD.* THEN NEW.version := OLD.version + 1; END IF;"
            + " RETURN NEW; END",
        "BEGIN IF NEW.a LIKE 'a%' AND NEW.b IN ('x', 'y') THEN NEW.a := 'z' || text 'x'; END IF;"
            + " RETURN NEW; END",
        "BEGIN NEW.a := 'a''; INSERT INTO x'; -- ' INSERT\rNEW.b := 1; RETURN NEW; END",
        "BEGIN IF TG_OP = 'INSERT' THEN NEW.id = nextval('s'); ELSIF (NEW.a > 1) THEN NULL;"
            + " ELSE NEW.key := gen_random_uuid(); END IF; RETURN NEW; END",
        "DECLARE stamp timestamptz := now(); n numeric(10,2); BEGIN n := 1; NEW.at := stamp;"
            + " RETURN NULL; END",
        "BEGIN NEW.at := now() AT TIME ZONE 'utc'; NEW.s := upper(trim(NEW.s))::text; RETURN OLD;"
            + " END",
        "BEGIN IF NEW.a <> '' THEN NEW.s := replace(unaccent(NEW.a), ' ', '-'); ELSE NEW.s := '';"
            + " END IF; RETURN NEW; END",
        "BEGIN IF NEW.a IS NULL THEN RAISE EXCEPTION 'a; SELECT', NEW.a; END IF; RETURN NEW; END"
      })
  void assignmentsToTheRowAreProven(String body) {
    assertThat(bodies.changesRowOnly(body)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "BEGIN",
        "BEGIN RETURN NEW; END; SELECT 1",
        "BEGIN INSERT INTO audit VALUES (1); RETURN NEW; END",
        "BEGIN UPDATE t SET x = 1; RETURN NEW; END",
        "BEGIN PERFORM log(); RETURN NEW; END",
        "BEGIN EXECUTE 'x'; RETURN NEW; END",
        "BEGIN CALL p(); RETURN NEW; END",
        "BEGIN NEW.x := (SELECT max(x) FROM t); RETURN NEW; END",
        "BEGIN NEW.x := y FROM t; RETURN NEW; END",
        "BEGIN NEW.x := (TABLE t); RETURN NEW; END",
        "BEGIN NEW.x := unknown_function(1); RETURN NEW; END",
        "BEGIN NEW.x := lower(NEW.x); RETURN NEW; END",
        "BEGIN NEW.x := public.upper(NEW.x); RETURN NEW; END",
        "BEGIN NEW.x := \"upper\" (NEW.x) || evil (1); RETURN NEW; END",
        "BEGIN NEW.x := NEW.fn; RETURN NEW; END",
        "BEGIN NEW.x := (NEW).fn; RETURN NEW; END",
        "BEGIN NEW.x := NEW.y <<>> 1; RETURN NEW; END",
        "BEGIN NEW.x := NEW.y::mytype; RETURN NEW; END",
        "BEGIN NEW.x := set_config('a', 'b', false); RETURN NEW; END",
        "BEGIN NEW.x := $q$x$q$; RETURN NEW; END",
        "BEGIN NEW.x := E'\\''; RETURN NEW; END",
        "BEGIN NEW.x := 1 /* ; */; RETURN NEW; END",
        "BEGIN FOR i IN 1..2 LOOP NULL; END LOOP; RETURN NEW; END",
        "BEGIN BEGIN NULL; EXCEPTION WHEN others THEN NULL; END; RETURN NEW; END",
        "BEGIN IF fn() THEN NULL; END IF; RETURN NEW; END",
        "BEGIN RETURN fn(NEW); END",
        "BEGIN RAISE NOTICE '%', fn(1); RETURN NEW; END",
        "DECLARE r t%ROWTYPE; BEGIN RETURN NEW; END",
        "DECLARE c CURSOR FOR SELECT 1; BEGIN RETURN NEW; END",
        "DECLARE x int := fn(); BEGIN RETURN NEW; END",
        "BEGIN fn(); RETURN NEW; END",
        "BEGIN -- x\rINSERT INTO audit VALUES (1);\nRETURN NEW; END",
        "BEGIN NEW.x := date(NEW.y); RETURN NEW; END",
        "BEGIN NEW.x := \"case\"(NEW.y); RETURN NEW; END",
        "BEGIN NEW.x := NEW.y::uuid; RETURN NEW; END",
        "BEGIN NEW.x := uuid '1'; RETURN NEW; END",
        "DECLARE x uuid; BEGIN RETURN NEW; END",
        "DECLARE x text.y%TYPE; BEGIN RETURN NEW; END",
        "DECLARE x text%ROWTYPE; BEGIN RETURN NEW; END",
        "BEGIN NEW.x := vetted '5'; RETURN NEW; END",
        "BEGIN NEW.x := public.vetted '5'; RETURN NEW; END",
        "BEGIN IF NEW.x ILIKE 'a' THEN NULL; END IF; RETURN NEW; END",
        "BEGIN IF NEW.x NOT ILIKE 'a' THEN NULL; END IF; RETURN NEW; END",
        "BEGIN NEW.x := overlay(NEW.x placing 'a' from 1); RETURN NEW; END",
        "BEGIN NEW.x := cast(NEW.y AS vetted); RETURN NEW; END",
        "BEGIN NEW := fn(NEW); RETURN NEW; END",
        "BEGIN NEW := jsonb_populate_record(NEW, '{}'); RETURN NEW; END",
        "BEGIN NEW.x.y := 1; RETURN NEW; END",
        "BEGIN NEW.x := ARRAY(SELECT 1); RETURN NEW; END",
        "BEGIN NEW.x := 1 UNION ALL (VALUES (fn())); RETURN NEW; END",
        "BEGIN ASSERT fn(); RETURN NEW; END",
        "BEGIN CASE NEW.x WHEN 1 THEN PERFORM fn(); END CASE; RETURN NEW; END",
        "BEGIN RAISE EXCEPTION USING message = fn(); RETURN NEW; END",
        "BEGIN RAISE NOTICE '%', (SELECT fn()); RETURN NEW; END",
        "BEGIN NEW.x := $$a$$ || fn(); RETURN NEW; END",
        "BEGIN NEW.x := 'a' /* ' */ || fn() || '*/'; RETURN NEW; END",
        "BEGIN NEW.x := 'a'' ; PERFORM fn(); --'; NEW.x := fn(); RETURN NEW; END",
        "BEGIN NEW.x := U&\"f!006e\" UESCAPE '!' (1); RETURN NEW; END",
        "<<l>> BEGIN RETURN NEW; END",
        "#variable_conflict use_column BEGIN RETURN NEW; END"
      })
  void anythingElseIsRefused(String body) {
    assertThat(bodies.changesRowOnly(body)).isFalse();
  }
}
