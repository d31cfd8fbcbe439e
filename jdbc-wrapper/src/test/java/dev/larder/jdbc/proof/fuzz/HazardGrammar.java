package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import java.util.List;

/** Makes what hides reads and writes: functions, operators, triggers, rules, policies. */
final class HazardGrammar {
  private final Choices choices;
  private final List<String> ddl;
  private final List<String> numbers;
  private final List<Relation> tables;

  HazardGrammar(Choices choices, List<String> ddl, List<String> numbers, List<Relation> tables) {
    this.choices = choices;
    this.ddl = ddl;
    this.numbers = numbers;
    this.tables = tables;
  }

  /** Returns a table by a name that means the same whatever the search path. */
  private String table() {
    String name = choices.of(tables).name();
    return name.contains(".") ? name : "public." + name;
  }

  private String sql(String head, String body) {
    return "CREATE FUNCTION " + head + " AS $f$ " + body + " $f$";
  }

  /** Makes functions, some of which views may call. */
  void functions() {
    ddl.add(sql("f_plain(int) RETURNS int LANGUAGE sql IMMUTABLE", "SELECT $1 + 1"));
    numbers.add("f_plain(%s)");
    ddl.add(
        "CREATE PROCEDURE p_write(i int) LANGUAGE plpgsql AS $f$ BEGIN UPDATE "
            + table()
            + " SET n = n + 1 WHERE id = i; END $f$");
    function(
        "f_reads(%s)",
        sql(
            "f_reads(int) RETURNS int LANGUAGE sql STABLE",
            "SELECT $1 + count(*)::int FROM " + table()));
    function(
        "f_writes(%s)",
        sql(
            "f_writes(int) RETURNS int LANGUAGE plpgsql VOLATILE",
            "BEGIN INSERT INTO public.audit SELECT $1, 1, 'f' WHERE (SELECT count(*) FROM public.audit) < 40; RETURN $1; END"));
    function(
        "f_dynamic(%s)",
        sql(
            "f_dynamic(int) RETURNS int LANGUAGE plpgsql STABLE",
            "DECLARE r int; BEGIN EXECUTE 'SELECT count(*) FROM ' || $q$"
                + table()
                + "$q$ INTO r; RETURN r + $1; END"));
    function(
        "f_definer(%s)",
        sql(
            "f_definer(int) RETURNS int LANGUAGE sql STABLE SECURITY DEFINER SET search_path = s2, public",
            "SELECT $1 + count(*)::int FROM t0"));
    function(
        "f_sets(%s)",
        sql(
            "f_sets(int) RETURNS int LANGUAGE plpgsql",
            "BEGIN PERFORM set_config('TimeZone', 'Asia/Tokyo', false); RETURN $1; END"));
    function(
        "f_notice(%s)",
        sql(
            "f_notice(int) RETURNS int LANGUAGE plpgsql IMMUTABLE",
            "BEGIN RAISE NOTICE 'seen %', $1; RETURN $1; END"));
    function(
        "f_over(%s)",
        sql("f_over(int) RETURNS int LANGUAGE sql IMMUTABLE", "SELECT $1 * 2"),
        sql(
            "s2.f_over(int) RETURNS int LANGUAGE sql STABLE",
            "SELECT $1 + count(*)::int FROM " + table()));
    function(
        "(SELECT (x).f_attribute FROM audit x ORDER BY 1 LIMIT 1) + %s",
        sql("f_attribute(audit) RETURNS int LANGUAGE sql STABLE", "SELECT max(n) FROM " + table()));
    function(
        "f_sum(%s)",
        sql(
            "f_step(int, int) RETURNS int LANGUAGE sql STABLE",
            "SELECT $1 + count(*)::int FROM " + table()),
        "CREATE AGGREGATE f_total(int) (SFUNC = f_step, STYPE = int, INITCOND = '0')",
        sql("f_sum(int) RETURNS int LANGUAGE sql STABLE", "SELECT f_total($1)"));
    function(
        "(%s <+> 1)",
        sql(
            "f_operator(int, int) RETURNS int LANGUAGE sql STABLE",
            "SELECT $1 + $2 + count(*)::int FROM " + table()),
        "CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = f_operator)");
    function(
        "(%s::bigint::pairs).x",
        "CREATE TYPE pairs AS (x int)",
        sql(
            "f_cast(bigint) RETURNS pairs LANGUAGE sql STABLE",
            "SELECT ROW($1 + count(*))::pairs FROM " + table()),
        "CREATE CAST (bigint AS pairs) WITH FUNCTION f_cast(bigint)");
    function(
        "(%s::checked)::int",
        sql(
            "f_check(int) RETURNS boolean LANGUAGE plpgsql STABLE",
            "BEGIN RETURN $1 <> (SELECT count(*) FROM " + table() + "); END"),
        "CREATE DOMAIN checked AS int CHECK (f_check(VALUE))");
    function(
        "(SELECT max(z) FROM f_set(%s) z)",
        sql("f_set(int) RETURNS SETOF int LANGUAGE sql STABLE", "SELECT n + $1 FROM " + table()));
    function("%s + nextval('seq')::int - currval('seq')::int");
    function("%s + coalesce(current_setting('app.user', true), '0')::int");
  }

  private void function(String call, String... statements) {
    if (choices.percent(25)) {
      ddl.addAll(List.of(statements));
      numbers.add(call);
    }
  }

  /** Makes triggers, rules and policies. */
  void reactions() {
    trigger(
        "AFTER INSERT OR UPDATE OR DELETE",
        "ROW",
        "INSERT INTO public.audit SELECT 1, 1, TG_OP WHERE (SELECT count(*) FROM public.audit) < 40;");
    trigger("BEFORE INSERT OR UPDATE", "ROW", "NEW.s := upper(NEW.s);");
    trigger(
        "AFTER INSERT OR UPDATE OR DELETE",
        "STATEMENT",
        "UPDATE " + table() + " SET n = n + 1 WHERE id = 1;");
    trigger(
        "AFTER TRUNCATE",
        "STATEMENT",
        "INSERT INTO public.audit SELECT 2, 2, TG_OP WHERE (SELECT count(*) FROM public.audit) < 40;");
    trigger("BEFORE UPDATE OF n", "ROW", "PERFORM set_config('app.user', '5', true);");
    if (choices.percent(20)) {
      String table = table();
      ddl.add(
          triggerFunction(
              "deferred_row",
              "INSERT INTO public.audit SELECT 3, 3, 'deferred' WHERE (SELECT count(*) FROM public.audit) < 40;"));
      ddl.add(
          "DO $d$ BEGIN CREATE CONSTRAINT TRIGGER late AFTER INSERT OR UPDATE ON "
              + table
              + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deferred_row();"
              + " EXCEPTION WHEN OTHERS THEN NULL; END $d$");
    }
    if (choices.percent(20)) {
      String table = choices.of("t0", "\"T 1\"");
      ddl.add(
          "CREATE RULE also AS ON INSERT TO "
              + table
              + " DO ALSO INSERT INTO public.audit SELECT NEW.id, NEW.n, 'rule' WHERE NEW.id < 9");
    }
    if (choices.percent(15)) {
      ddl.add(
          "CREATE RULE instead AS ON UPDATE TO \"Q\"\"x\""
              + " DO INSTEAD UPDATE t0 SET n = NEW.n WHERE id = NEW.id");
    }
    if (choices.percent(30)) {
      policy(choices.of("t0", "\"T 1\"", "audit"));
    }
    if (choices.percent(10)) {
      ddl.add(
          "CREATE FUNCTION on_ddl() RETURNS event_trigger LANGUAGE plpgsql AS"
              + " $f$ BEGIN INSERT INTO public.audit SELECT 4, 4, TG_TAG WHERE (SELECT count(*) FROM public.audit) < 40; END $f$");
      ddl.add("CREATE EVENT TRIGGER on_ddl ON ddl_command_end EXECUTE FUNCTION on_ddl()");
    }
  }

  private static String triggerFunction(String name, String body) {
    return "CREATE FUNCTION "
        + name
        + "() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN IF"
        + " pg_trigger_depth() > 3 THEN RETURN COALESCE(NEW, OLD); END IF; "
        + body
        + " RETURN COALESCE(NEW, OLD); END $f$";
  }

  private void trigger(String events, String level, String body) {
    if (!choices.percent(30)) {
      return;
    }
    String name = "tr_" + ddl.size();
    String table = table();
    String function = triggerFunction(name, body);
    ddl.add(level.equals("ROW") ? function : function.replace("COALESCE(NEW, OLD)", "NULL"));
    String create =
        "CREATE TRIGGER "
            + name
            + ' '
            + events
            + " ON "
            + table
            + " FOR EACH "
            + level
            + choices.of(
                "",
                "",
                level.equals("ROW") && !events.contains("DELETE") ? " WHEN (NEW.n > 0)" : "")
            + " EXECUTE FUNCTION "
            + name
            + "()";
    ddl.add("DO $d$ BEGIN " + create + "; EXCEPTION WHEN OTHERS THEN NULL; END $d$");
    if (choices.percent(15)) {
      ddl.add(
          "DO $d$ BEGIN ALTER TABLE "
              + table
              + " "
              + choices.of("DISABLE", "ENABLE REPLICA", "ENABLE ALWAYS")
              + " TRIGGER "
              + name
              + "; EXCEPTION WHEN OTHERS THEN NULL; END $d$");
    }
  }

  private void policy(String table) {
    String using =
        choices.of(
            "n <> 1",
            "current_user = 'fuzz_owner' OR n = 0",
            "n = coalesce(nullif(current_setting('app.user', true), ''), '0')::int",
            "EXISTS (SELECT FROM \"Q\"\"x\" q WHERE q.n = 1)",
            "pg_has_role(current_user, 'fuzz_owner', 'member')");
    ddl.add("ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY");
    ddl.add("CREATE POLICY seen ON " + table + " USING (" + using + ")");
  }
}
