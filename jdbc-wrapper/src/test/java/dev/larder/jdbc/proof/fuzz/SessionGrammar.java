package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Step.Way;
import java.util.List;

/** Makes what changes a session or a transaction. */
final class SessionGrammar {
  private final Choices choices;
  private final Schema schema;

  SessionGrammar(Choices choices, Schema schema) {
    this.choices = choices;
    this.schema = schema;
  }

  Step transaction(int session) {
    return choices.percent(50)
        ? step(session, Way.JDBC, jdbc())
        : step(session, Way.EXECUTE, text());
  }

  private static Step step(int session, Way way, String sql) {
    return new Step(session, way, sql, List.of(), true, false);
  }

  private String jdbc() {
    return choices.of(
        "commit",
        "rollback",
        "begin",
        "autocommit",
        "begin",
        "savepoint",
        "rollback to savepoint",
        "release savepoint",
        "isolation 2",
        "isolation 4",
        "isolation 8",
        "read only",
        "read write");
  }

  private String text() {
    return choices.of(
        "COMMIT",
        "ROLLBACK",
        "BEGIN",
        "START TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "BEGIN READ ONLY",
        "SAVEPOINT a",
        "ROLLBACK TO a",
        "ROLLBACK TO SAVEPOINT \"a\"",
        "RELEASE a",
        "COMMIT AND CHAIN",
        "ROLLBACK AND CHAIN",
        "END",
        "ABORT",
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "SET CONSTRAINTS ALL IMMEDIATE",
        "SET CONSTRAINTS ALL DEFERRED",
        "SAVEPOINT a; SAVEPOINT b",
        "BEGIN; UPDATE audit SET n = n + 1; COMMIT",
        "BEGIN; UPDATE audit SET n = n + 1; ROLLBACK");
  }

  Step setting(int session) {
    String value =
        choices.of(
            "SET TimeZone = 'Asia/Tokyo'",
            "SET TIME ZONE 'America/New_York'",
            "SET LOCAL TimeZone = 'Europe/Berlin'",
            "RESET TimeZone",
            "SET DateStyle = 'ISO, DMY'",
            "SET IntervalStyle = 'iso_8601'",
            "SET search_path = s2, public",
            "SET LOCAL search_path TO s2, public",
            "SET search_path = public",
            "RESET search_path",
            "SET LOCAL SCHEMA 's2'",
            "SET ROLE fuzz_reader",
            "SET LOCAL ROLE fuzz_owner",
            "SET ROLE fuzz_owner",
            "RESET ROLE",
            "SET ROLE NONE",
            "SET SESSION AUTHORIZATION fuzz_reader",
            "RESET SESSION AUTHORIZATION",
            "SET app.user = '1'",
            "SET app.user TO 2",
            "SET LOCAL app.user = '0'",
            "RESET ALL; SET lock_timeout = '40ms'; SET statement_timeout = '5s'",
            "SELECT set_config('app.user', '2', false)",
            "SELECT set_config('TimeZone', 'UTC', true)",
            "SELECT set_config('search_path', 's2, public', false) FROM audit",
            "SET bytea_output = 'escape'",
            "SET extra_float_digits = 0",
            "SET row_security = off",
            "SET session_replication_role = replica",
            "RESET session_replication_role",
            "SET standard_conforming_strings = off",
            "SET standard_conforming_strings = on",
            "SET quote_all_identifiers = on",
            "SET client_min_messages = error",
            "SET statement_timeout = '5s'; SET TimeZone = 'UTC'",
            "DO $d$ BEGIN PERFORM set_config('app.user', '1', false); END $d$",
            "DO $d$ BEGIN SET TimeZone = 'Asia/Kolkata'; END $d$",
            "SET default_transaction_isolation = 'repeatable read'",
            "RESET default_transaction_isolation",
            "SET default_transaction_read_only = on",
            "SET default_transaction_read_only = off",
            "SET larder.enabled = on",
            "DISCARD PLANS",
            "SET enable_seqscan = off");
    boolean own = value.contains("larder.");
    return step(session, own ? Way.JDBC : Way.EXECUTE, own ? "commit" : value);
  }

  Step temporary(int session) {
    String from = choices.of(schema.readable()).name();
    return step(
        session,
        Way.EXECUTE,
        choices.of(
            "CREATE TEMP TABLE audit AS SELECT 77 AS id, 7 AS n, 'temp'::text AS s",
            "CREATE TEMPORARY TABLE t0 (id int, n int, s text)",
            "DROP TABLE IF EXISTS pg_temp.audit, pg_temp.t0",
            "DISCARD TEMP",
            "SELECT 1 AS id, 1 AS n, 't'::text AS s INTO TEMP audit",
            "CREATE TEMP VIEW audit AS SELECT 5 AS id, 5 AS n, 'tv'::text AS s",
            "CREATE FUNCTION pg_temp.f_plain(int) RETURNS int LANGUAGE sql AS 'SELECT 99'",
            "CREATE TABLE pg_temp.audit AS SELECT id, n, s FROM " + from,
            "INSERT INTO pg_temp.audit VALUES (1, 2, 'x')",
            "DO $d$ BEGIN CREATE TEMP TABLE audit AS SELECT 1 AS id, 2 AS n, 'd'::text AS s; END $d$"));
  }
}
