package dev.larder.jdbc.proof.fuzz;

import java.util.List;
import java.util.Random;

/** Makes functions that read the tables t0 to t3 in many ways, most of them without effects. */
final class RandomReaders {
  static final String[] SCHEMA = {
    "CREATE SCHEMA s2",
    "CREATE TABLE t0 (id int PRIMARY KEY, n int, s text)",
    "CREATE TABLE t1 (id int PRIMARY KEY, n int, s text)",
    "CREATE TABLE t2 (id int PRIMARY KEY, n int, s text)",
    "CREATE TABLE s2.t3 (id int PRIMARY KEY, n int, s text)",
    "CREATE TABLE s2.t2 (id int PRIMARY KEY, n int, s text)",
    "CREATE TABLE secured (id int PRIMARY KEY, n int, s text)",
    "CREATE VIEW over AS SELECT id, n, s FROM t2 WHERE n > 1",
    "INSERT INTO t0 SELECT i, i % 3, 'a' FROM generate_series(1, 4) i",
    "INSERT INTO t1 SELECT i, i % 3, 'b' FROM generate_series(1, 4) i",
    "INSERT INTO t2 SELECT i, i % 3, 'today' FROM generate_series(1, 4) i",
    "INSERT INTO s2.t3 SELECT i, i % 3, '2' FROM generate_series(1, 4) i",
    "INSERT INTO secured SELECT i, i % 3, '1' FROM generate_series(1, 4) i",
  };

  private static final List<String> TABLES =
      List.of("t0", "t1", "s2.t3", "public.t2", "over", "t0", "t1", "t2", "\"t1\"", "secured");

  private final Random random;

  RandomReaders(Random random) {
    this.random = random;
  }

  private String any(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String table() {
    return TABLES.get(random.nextInt(TABLES.size()));
  }

  /** Returns the definition of f0, f1 or f2; each may call those before it. */
  String function(int number) {
    boolean query = random.nextBoolean();
    return "CREATE OR REPLACE FUNCTION f"
        + number
        + "(p int) RETURNS int LANGUAGE "
        + (query ? "sql " : "plpgsql ")
        + any("STABLE ", "VOLATILE ", "STABLE ", "", "IMMUTABLE ")
        + any("", "", "SECURITY DEFINER ")
        + any("", "", "", "SET search_path = public, s2 ", "SET search_path = public ")
        + "AS $body$ "
        + (query ? sql(number) : body(number))
        + " $body$";
  }

  private String sql(int number) {
    return any("", "SELECT 1; ", "SELECT n FROM " + table() + "; ")
        + any(
            "SELECT " + value(number, any("p", "$1")),
            "SELECT max(x.n) FROM " + table() + " x WHERE x.id = p OR x.n = " + value(number, "p"),
            "WITH t0 AS (SELECT n FROM " + table() + ") SELECT max(n) FROM t0",
            "WITH x AS (SELECT n FROM t1) SELECT sum(x.n)::int FROM x, " + table() + " y",
            "SELECT count(*)::int FROM " + table() + " t1, " + table() + " x WHERE t1.n = x.n");
  }

  private String body(int number) {
    StringBuilder body =
        new StringBuilder("DECLARE v int := " + value(number, "p") + "; t1 int := 0; r record;")
            .append(any("", " d date;", " w t0.n%TYPE;", " a int[] := ARRAY[1, 2];", " s text;"))
            .append(" BEGIN");
    for (int i = random.nextInt(3) + 1; i > 0; i--) {
      body.append(' ').append(statement(number));
    }
    return body + " RETURN " + value(number, any("p", "v", "t1")) + "; END";
  }

  private String statement(int number) {
    String value = value(number, any("p", "v", "t1"));
    return switch (random.nextInt(13)) {
      case 0 -> "v := " + value + ";";
      case 1 -> "IF EXISTS (SELECT 1 FROM " + table() + " x WHERE x.n = v) THEN v := 1; END IF;";
      case 2 -> "SELECT max(n) INTO v FROM " + table() + ";";
      case 3 -> "FOR r IN SELECT n FROM " + table() + " LOOP v := v + r.n; END LOOP;";
      case 4 -> "PERFORM n FROM " + table() + "; IF NOT FOUND THEN RETURN 7; END IF;";
      case 5 -> "FOR i IN 1..(SELECT count(*) FROM " + table() + ") LOOP v := v + i; END LOOP;";
      case 6 -> "SELECT count(*), sum(x.n) INTO v, t1 FROM " + table() + " x;";
      case 7 -> "RAISE " + any("EXCEPTION", "NOTICE", "DEBUG") + " 'v %', v;";
      case 8 ->
          "BEGIN v := 1 / (SELECT n FROM t0 LIMIT 1); EXCEPTION WHEN OTHERS THEN v := 3; END;";
      case 9 -> "v := 1 FROM " + table() + " x;";
      case 10 -> "CASE WHEN v > 1 THEN v := " + value + "; ELSE NULL; END CASE;";
      case 11 -> "WHILE v < (SELECT count(*) FROM " + table() + ") LOOP v := v + 1; END LOOP;";
      default -> "t1 := (WITH t1 AS (SELECT max(n) AS n FROM " + table() + ") SELECT n FROM t1);";
    };
  }

  private String value(int number, String variable) {
    String table = table();
    return switch (random.nextInt(number > 0 ? 9 : 7)) {
      case 0 -> variable;
      case 1 -> "coalesce((SELECT max(x.n) FROM " + table + " x), 0)";
      case 2 -> "(SELECT count(*)::int FROM " + table + " x WHERE x.id = " + variable + ")";
      case 3 -> "coalesce(nullif(current_setting('app.k', true), '')::int, " + variable + ")";
      case 4 -> "(SELECT max(t2.n) FROM " + table + " t2)";
      case 5 -> "CASE WHEN EXISTS (SELECT FROM " + table + " x WHERE x.n = 2) THEN 1 ELSE 2 END";
      case 6 -> "coalesce(" + variable + ", 1)";
      default -> "f" + random.nextInt(number) + "(" + variable + ")";
    };
  }
}
