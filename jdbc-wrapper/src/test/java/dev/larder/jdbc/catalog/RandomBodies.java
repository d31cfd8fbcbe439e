package dev.larder.jdbc.catalog;

import java.util.List;
import java.util.Random;

/**
 * Makes bodies of trigger functions in PL/pgSQL that run without an error: they read and write the
 * tables t0 to t5 of two schemas in every way that the reader of bodies knows, and some that it
 * does not.
 */
final class RandomBodies {
  /** The tables, what fires and cascades behind them, and what bodies may call. */
  static final String[] SCHEMA = {
    "CREATE SCHEMA s2",
    "DO $$ BEGIN FOR i IN 0..5 LOOP EXECUTE format('CREATE TABLE t%s (id int DEFAULT 1)', i);"
        + " EXECUTE format('INSERT INTO t%s VALUES (1), (2), (3)', i);"
        + " IF i < 3 THEN EXECUTE format('CREATE TABLE s2.t%s (id int DEFAULT 1)', i);"
        + " EXECUTE format('INSERT INTO s2.t%s VALUES (1), (2)', i); END IF; END LOOP; END $$",
    "CREATE TABLE keyed (id int PRIMARY KEY)",
    "INSERT INTO keyed SELECT generate_series(1, 5)",
    "CREATE TABLE child (id int DEFAULT 1 REFERENCES keyed ON DELETE CASCADE ON UPDATE CASCADE)",
    "INSERT INTO child SELECT generate_series(1, 5)",
    "CREATE TABLE parts (id int) PARTITION BY LIST (id)",
    "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1)",
    "CREATE TABLE parts_0 PARTITION OF parts DEFAULT",
    "CREATE VIEW over AS SELECT id FROM t4",
    "CREATE TABLE audit (id int)",
    "CREATE TABLE owned (id int)",
    "CREATE TABLE helped (id int)",
    "CREATE FUNCTION chain() RETURNS trigger LANGUAGE plpgsql AS"
        + " $$ BEGIN INSERT INTO audit VALUES (1); RETURN NULL; END $$",
    "CREATE TRIGGER chain AFTER INSERT OR UPDATE ON t3 EXECUTE FUNCTION chain()",
    "CREATE TRIGGER chain AFTER DELETE ON child FOR EACH ROW EXECUTE FUNCTION chain()",
    "CREATE FUNCTION helper() RETURNS int LANGUAGE plpgsql AS"
        + " $$ BEGIN UPDATE t1 SET id = id; INSERT INTO helped DEFAULT VALUES; RETURN 1; END $$",
    "CREATE FUNCTION other_path() RETURNS int LANGUAGE plpgsql SET search_path = s2 AS"
        + " $$ BEGIN DELETE FROM t2 WHERE id = 2; PERFORM public.late(2); RETURN 1; END $$",
    "CREATE FUNCTION late(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF n > 0 THEN"
        + " RETURN late(n - 1); END IF; INSERT INTO t0 VALUES (n); RETURN 1; END $$",
    "CREATE FUNCTION defaulted() RETURNS int LANGUAGE plpgsql AS"
        + " $$ BEGIN INSERT INTO owned VALUES (1); RETURN 1; END $$",
    "ALTER TABLE t5 ALTER id SET DEFAULT defaulted()",
    "CREATE PROCEDURE step(n int) LANGUAGE plpgsql AS"
        + " $$ BEGIN INSERT INTO t2 VALUES (n); IF n > 0 THEN CALL step(n - 1); END IF; END $$",
    "CREATE PROCEDURE step_of_s2() LANGUAGE plpgsql SET search_path = s2 AS"
        + " $$ BEGIN UPDATE t0 SET id = id; END $$",
    "CREATE PROCEDURE plain_step() LANGUAGE sql AS $$ DELETE FROM t1 WHERE id = 3 $$"
  };

  private static final List<String> TABLES =
      List.of(
          "t0",
          "t1",
          "t2",
          "t3",
          "t4",
          "t5",
          "T1",
          "\"t2\"",
          "public.t0",
          "s2.t1",
          "S2 . T0",
          "public /* s2. */ . \"t2\"",
          "keyed",
          "parts",
          "over",
          "child");

  private static final List<String> OPTIONS =
      List.of(
          "",
          "",
          "",
          "SET search_path = s2, public",
          "SET search_path = s2, pg_temp",
          "SECURITY DEFINER",
          "SECURITY DEFINER SET search_path = public");

  private static final List<String> EXECUTED =
      List.of(
          "format('INSERT INTO %I.%I VALUES (%L)', TG_TABLE_SCHEMA, TG_TABLE_NAME || ' log', n)",
          "'DELETE FROM ' || quote_ident(TG_RELNAME || ' log') || ' WHERE id = ' || quote_literal(n)",
          "format('DELETE FROM %s WHERE id = 2', TG_ARGV[0])",
          "'UPDATE ' || TG_ARGV[1] || '.t0 SET id = id'",
          "format('UPDATE %2$I.%1$I SET id = $1', 't1', 's2') USING n + 1",
          "given",
          "given || ' WHERE id > 1'");

  private static final List<String> NOISE =
      List.of(
          " -- INSERT INTO t0; END\n",
          "/* DELETE FROM t1; /* nested */ */",
          " RAISE DEBUG 'UPDATE t2; %', n;",
          " s := $q$ EXECUTE 'x'; $q$ || E'\\'; DELETE FROM t3' || '''; ';",
          " NULL;",
          " GET DIAGNOSTICS n = ROW_COUNT;",
          " ASSERT n IS NOT NULL OR true, 'never';");

  private final Random random;

  RandomBodies(long seed) {
    random = new Random(seed);
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String table() {
    return any(TABLES);
  }

  /** Returns the definition of a trigger function. */
  String function(String name) {
    String own =
        any(List.of("", " audit int := 1; ", " t3 text DEFAULT 'x'; id2 public.t0.id%TYPE; "));
    return "CREATE OR REPLACE FUNCTION public."
        + name
        + "() RETURNS trigger LANGUAGE plpgsql "
        + any(OPTIONS)
        + " AS $body$ <<outermost>> DECLARE n int := 0; m int; s text; r record;"
        + " given CONSTANT text := 'UPDATE t' || '2 SET id = id'; late text := 'DELETE FROM t1';"
        + " a int[] := ARRAY[1, 2]; c refcursor; bound CURSOR FOR "
        + query(table())
        + "; with_key NO SCROLL CURSOR (k int, other numeric(5, 2)) FOR SELECT x.id FROM "
        + table()
        + " x WHERE k > 0;"
        + own
        + " BEGIN"
        + statements(3)
        + " RETURN NULL; END $body$";
  }

  private String statements(int depth) {
    StringBuilder all = new StringBuilder();
    for (int i = random.nextInt(3) + 1; i > 0; i--) {
      all.append(' ').append(depth > 0 && random.nextInt(3) == 0 ? nested(depth - 1) : simple());
      all.append(random.nextInt(4) == 0 ? any(NOISE) : "");
    }
    return all.toString();
  }

  private String value() {
    return any(
        List.of(
            "1",
            "n",
            "7",
            "(SELECT max(x.id) FROM " + table() + " x)",
            "abs(-2)",
            "CASE WHEN n > 1 THEN 3 ELSE 4 END",
            "a[1]",
            "helper()",
            "coalesce(m, 1)"));
  }

  private String simple() {
    String table = table();
    return switch (random.nextInt(32)) {
      case 0, 1, 2 -> write(table) + ";";
      case 3 -> "INSERT INTO t0 (id) VALUES (" + value() + ") RETURNING id INTO n;";
      case 4 -> "INSERT INTO t5 DEFAULT VALUES;";
      case 5 -> "SELECT count(*) INTO n FROM " + table + ";";
      case 6 -> "SELECT INTO STRICT n, outermost.m 1, x.id FROM t3 x LIMIT 1;";
      case 7 -> "n := max(x.id) FROM " + table + " x;";
      case 8 -> "m = " + value() + ";";
      case 9 -> "a[n % 2 + 1] := public.other_path();";
      case 10 -> "PERFORM public.helper(), x.id FROM " + table + " x;";
      case 11 -> "PERFORM public.late(2);";
      case 12 ->
          "WITH d AS (DELETE FROM "
              + table
              + " WHERE id = 2 RETURNING id) INSERT INTO t1"
              + " SELECT id FROM d;";
      case 13 -> "INSERT INTO public.keyed VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1;";
      case 14 -> "IF TG_OP = 'UPDATE' AND EXISTS (TABLE " + table + ") THEN n := 2; END IF;";
      case 15 ->
          random.nextInt(6) == 0 ? "EXECUTE 'INSERT INTO t' || n % 2 || ' VALUES (1)';" : "n := 1;";
      case 16 -> "UPDATE " + table + " AS x SET id = x.id WHERE x.id = " + value() + ";";
      case 17 -> "SELECT x.* INTO r FROM " + table + " x, LATERAL (SELECT 1) y;";
      case 18 -> "IF n > 100 THEN RETURN NULL; END IF;";
      case 19 -> "DELETE FROM public.keyed WHERE id = 3;";
      case 20 -> "UPDATE public.parts SET id = 3 - id;";
      case 21 -> "EXECUTE " + constant(write(table)) + ";";
      case 22 -> "EXECUTE " + constant(write(table) + "; DELETE FROM t2 WHERE id = $1") + ";";
      case 23 ->
          "EXECUTE 'UPDATE public.t3 SET id = $1 RETURNING id' INTO n USING " + value() + ";";
      case 24 -> any(List.of("CALL public.step(2);", "CALL public.step(" + value() + " - 1);"));
      case 25 -> any(List.of("CALL public.step_of_s2();", "CALL public.plain_step();"));
      case 26, 27 -> random.nextInt(4) == 0 ? cursor(table) : "n := n + 2;";
      case 28 -> "FOR r IN EXECUTE " + constant(query(table)) + " LOOP n := r.id; END LOOP;";
      case 29 -> "NOTIFY audit, 'DELETE FROM t0';";
      case 30 -> "EXECUTE " + any(EXECUTED) + ";";
      case 31 -> random.nextInt(6) == 0 ? "late := 'UPDATE t2 SET id = id';" : "EXECUTE late;";
      default -> "n := n + 1;";
    };
  }

  private String cursor(String table) {
    return switch (random.nextInt(3)) {
      case 0 -> "OPEN c FOR " + query(table) + "; FETCH c INTO n; MOVE c; CLOSE c;";
      case 1 ->
          "OPEN c FOR EXECUTE " + constant(query(table)) + "; FETCH NEXT FROM c INTO n; CLOSE c;";
      default ->
          "OPEN c FOR SELECT x.id FROM public.t3 x FOR UPDATE; FETCH c INTO n;"
              + " IF FOUND THEN UPDATE public.t3 SET id = id WHERE CURRENT OF c; END IF; CLOSE c;";
    };
  }

  private String query(String table) {
    return any(
        List.of(
            "SELECT x.id FROM " + table + " x",
            "SELECT public.helper() AS id FROM " + table + " x",
            "SELECT " + value() + " AS id WHERE n < 9"));
  }

  private String constant(String text) {
    String said = text.replaceAll("\\bn\\b", "5").replaceAll("\\bm\\b|a\\[1\\]", "6");
    boolean dollars = random.nextBoolean();
    String with = said.contains("$1") ? " USING 1" : "";
    return (dollars ? "$e$" + said + "$e$" : "'" + said.replace("'", "''") + "'") + with;
  }

  private String write(String table) {
    return switch (random.nextInt(4)) {
      case 0 -> "UPDATE " + table + " SET id = id WHERE id <= " + (random.nextInt(3) + 1);
      case 1 -> "DELETE FROM " + table + " WHERE id = 2";
      case 2 -> "DELETE FROM ONLY " + table + " x USING public.t4 y WHERE x.id = y.id AND x.id = 3";
      default ->
          table.contains("keyed") || table.equals("child")
              ? "UPDATE " + table + " SET id = id"
              : "INSERT INTO " + table + " (id) SELECT " + value();
    };
  }

  private String nested(int depth) {
    String some = statements(depth);
    return switch (random.nextInt(11)) {
      case 0 -> "IF n < 5 THEN" + some + " ELSIF n = 7 THEN" + some + " ELSE" + some + " END IF;";
      case 1 -> "CASE n WHEN 1, 2 THEN" + some + " ELSE NULL; END CASE;";
      case 2 ->
          "CASE WHEN n > 1 THEN" + some + " WHEN n IS NULL THEN NULL; ELSE" + some + " END CASE;";
      case 3 -> "FOR r IN SELECT x.id FROM " + table() + " x LIMIT 2 LOOP" + some + " END LOOP;";
      case 4 -> "FOR r IN " + write("public.t0") + " RETURNING 1 LOOP" + some + " END LOOP;";
      case 5 ->
          "<<l>> FOR i IN REVERSE 2..1 BY 1 LOOP" + some + " CONTINUE l WHEN i = 2; END LOOP l;";
      case 6 -> "FOREACH m IN ARRAY a LOOP" + some + " EXIT WHEN m IS NULL; END LOOP;";
      case 7 ->
          "DECLARE n int := 1; BEGIN"
              + some
              + any(List.of(" PERFORM 1 / 0;", ""))
              + " EXCEPTION WHEN division_by_zero OR raise_exception THEN"
              + some
              + " WHEN OTHERS THEN NULL; END;";
      case 8 ->
          "FOR r IN EXECUTE " + constant(query(table())) + " LOOP" + some + " EXIT; END LOOP;";
      case 9 -> {
        String over =
            any(List.of("SELECT 1", "with_key(" + value() + ", 1)", "VALUES (2)", "bound"));
        yield "FOR r IN " + over + " LOOP" + some + " EXIT; END LOOP;";
      }
      default -> "m := 1; WHILE m > 0 LOOP m := m - 1;" + some + " m := -1; END LOOP;";
    };
  }
}
