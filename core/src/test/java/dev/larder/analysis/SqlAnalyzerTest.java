package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
class SqlAnalyzerTest {
  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  static SqlAnalysis analyze(String sql) {
    return ANALYZER.analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape());
  }

  static StatementFacts facts(String sql) {
    SqlAnalysis analysis = analyze(sql);
    assertThat(analysis.statements()).as(sql).hasSize(1);
    return analysis.statements().get(0);
  }

  private static @Nullable BypassReason bypass(String sql) {
    return facts(sql).bypass();
  }

  private static Set<String> relations(String sql) {
    return facts(sql).relations().stream().map(RelationName::toString).collect(Collectors.toSet());
  }

  private static Set<String> routines(String sql) {
    return facts(sql).routines().stream().map(RoutineName::toString).collect(Collectors.toSet());
  }

  /** The targets as {@code name:EVENTS}, events in order, with + for CASCADE. */
  private static List<String> targets(String sql) {
    List<String> targets = new ArrayList<>();
    for (WriteTarget target : facts(sql).targets()) {
      String events =
          target.events().stream().sorted().map(Enum::name).collect(Collectors.joining("/"));
      targets.add(target.relation() + ":" + events + (target.cascade() ? "+" : ""));
    }
    return targets;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1 from t | QUERY",
        "(select 1 from t) | QUERY",
        "values (1) | QUERY",
        "table t | QUERY",
        "with x as (select 1 from t) select * from x | QUERY",
        "insert into t values (1) | DML",
        "update t set a = 1 | DML",
        "delete from t | DML",
        "merge into t using u on t.a = u.a when matched then delete | DML",
        "with x as (delete from t returning *) select * from x | DML",
        "truncate t | TRUNCATE",
        "copy t from stdin | COPY_FROM",
        "copy t (a, b) from stdin | COPY_FROM",
        "copy t to stdout | COPY_TO",
        "copy (select a from t) to stdout | COPY_TO",
        "refresh materialized view m | REFRESH",
        "call p(1) | CALL",
        "do $$ begin end $$ | CALL",
        "create table t (a int) | DDL",
        "create table t as select 1 | DDL",
        "create or replace function f() returns int language sql return 1 | DDL",
        "select a into u from t | DDL",
        "alter table t add b int | DDL",
        "drop table t | DDL",
        "grant select on t to x | DDL",
        "revoke all on t from x | DDL",
        "alter role x superuser | SHARED_DDL",
        "create index on t (a) | CREATE_INDEX",
        "create unique index concurrently i on t (a) | CREATE_INDEX",
        "analyze t | MAINTENANCE",
        "comment on table t is 'x' | MAINTENANCE",
        "create temp table t (a int) | CREATE_TEMPORARY",
        "create local temporary table t (a int) | CREATE_TEMPORARY",
        "create or replace temp view v as select 1 | CREATE_TEMPORARY",
        "create table pg_temp.t (a int) | CREATE_TEMPORARY",
        "select a into temp u from t | CREATE_TEMPORARY",
        "begin | BEGIN",
        "start transaction read only | BEGIN",
        "commit | COMMIT",
        "end work | COMMIT",
        "rollback | ROLLBACK",
        "abort | ROLLBACK",
        "savepoint s | SAVEPOINT",
        "release savepoint s | RELEASE",
        "rollback to s | ROLLBACK_TO",
        "rollback work to savepoint s | ROLLBACK_TO",
        "prepare transaction 'g' | PREPARE_TRANSACTION",
        "commit prepared 'g' | COMMIT_PREPARED",
        "rollback prepared 'g' | ROLLBACK_PREPARED",
        "set x = 1 | SET",
        "set local x to 1 | SET",
        "set role r | SET",
        "set session authorization r | SET",
        "set time zone 'UTC' | SET",
        "set transaction isolation level serializable | SET_TRANSACTION",
        "set local transaction read only | SET_TRANSACTION",
        "set session characteristics as transaction read only | SET_TRANSACTION",
        "set transaction snapshot '00-1' | SET_TRANSACTION",
        "set constraints all deferred | SET_CONSTRAINTS",
        "reset x | RESET",
        "discard all | DISCARD",
        "show x | SHOW",
        "explain select 1 from t | EXPLAIN",
        "explain (analyze false) delete from t | DML",
        "explain (costs off, analyze off) delete from t | DML",
        "explain (select 1 from t) | EXPLAIN",
        "explain ((select 1 from t) union select 2) | EXPLAIN",
        "explain analyze select 1 from t | QUERY",
        "explain analyze verbose delete from t | DML",
        "explain (analyze, buffers) delete from t | DML",
        "explain (verbose, analyze true) insert into t select 1 | DML",
        "explain (analyze) create table u as select 1 | DDL",
        "prepare s as select 1 | PREPARE",
        "execute s (1) | EXECUTE",
        "deallocate s | DEALLOCATE",
        "declare c cursor for select 1 from t | CURSOR",
        "fetch 10 from c | CURSOR",
        "move c | CURSOR",
        "close c | CURSOR",
        "vacuum t | MAINTENANCE",
        "vacuum (verbose, analyze) t | MAINTENANCE",
        "vacuum full t | MAINTENANCE",
        "listen x | UTILITY",
        "notify x, 'y' | UTILITY",
        "lock table t in exclusive mode | UTILITY",
        "checkpoint | UTILITY",
        "show larder.cache | LARDER",
        "SHOW LARDER.Tables | LARDER",
        "reset larder.statistics | LARDER",
        "set larder.enabled = off | LARDER",
        "set session larder.enabled to on | LARDER",
        "SHOW POOL_CACHE | LARDER",
        "show status like 'Qcache%' | LARDER",
        "show global status like 'qcache\\_hits'; | LARDER",
        "reset query cache | LARDER",
        "/* a */ flush query cache | LARDER",
        "show pool_cache_size | SHOW",
        "show \"pool_cache\" | SHOW",
        "show status | SHOW",
        "show status like 'Threads%' | SHOW",
        "show status like 'Qcache%' limit 1 | SHOW",
        "reset query | RESET",
        "show larder | SHOW",
        "show \"Larder\".x | LARDER",
        "reset larder | RESET",
        "set larder = 1 | SET",
        "set local larder.enabled = off | LARDER",
        "show 'larder' | SHOW",
        "show session status like 'qcache%' | LARDER",
        "show status like qcache | SHOW",
        "show global status like 'q' | SHOW",
        "reset query cache all | RESET",
        "show pool_cache x | SHOW",
        "select larder.purge('orders') | LARDER",
        "select larder.purge(?) | LARDER",
        "select larder.purge(a) | QUERY",
        "select larder.purge() | QUERY",
        "select larder.purge('orders'), f() | QUERY",
        "select larder.purge('orders', 1) | QUERY",
        "select larder.purges('orders') | QUERY",
        "select larder, purge('orders') | QUERY",
        "select larder.purge['orders'] | QUERY",
        "set session authorization default | SET",
        "set session constraints | SET_CONSTRAINTS",
        "set constraints.x = 1 | SET",
        "set transaction.x = 1 | SET",
        "set local transaction.x to 1 | SET",
        "set session characteristics.x = 1 | SET",
        "set session.larder = 1 | SET",
        "prepare transaction as select 1 | PREPARE",
        "prepare transaction (int) as select 1 | PREPARE",
        "rollback transaction to a | ROLLBACK_TO",
        "vacuum analyse t | MAINTENANCE",
        "lock full | UTILITY",
        "create or replace temporary view v as select 1 | CREATE_TEMPORARY",
        "create global temp table t (a int) | CREATE_TEMPORARY",
        "create sequence pg_temp.s | CREATE_TEMPORARY",
        "create type i as (a int) | DDL",
        "create view v as select 'pg_temp' | DDL",
        "alter index i rename to j | DDL",
        "drop index i | DDL",
        "create user u | SHARED_DDL",
        "create \"user\" u | DDL",
        "copy (select a from t where b = (1)) to stdout | COPY_TO",
        "copy t (\"from\") from stdin | COPY_FROM",
        "copy t (a) with csv | UNKNOWN",
        "flush tables | UNKNOWN",
        "flurb t | UNKNOWN",
        "copy (select a from t) | UNKNOWN",
        "copy s.from to stdout | COPY_TO",
        "copy s.to from stdin | COPY_FROM",
        "'x' | UNKNOWN",
        "select 1 from t) | UNKNOWN",
        "select (1; delete from t | UNKNOWN",
      })
  void statementsAreClassified(String sql, StatementKind kind) {
    assertThat(facts(sql).kind()).isEqualTo(kind);
    assertThat(facts(sql.toUpperCase(java.util.Locale.ROOT)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call p(1)",
        "do $$ x $$",
        "execute s",
        "create table t (a int)",
        "select a into u from t",
        "drop table t",
        "flurb",
        "select (1; delete from t",
        "update U&\"t\" set a = 1",
        "delete from t where U&\"f\"(1)",
        "select U&\"f\"(1) from t",
        "copy t from program 'x'",
        "truncate t, 1",
        "truncate t nonsense",
        "truncate t restart identity nonsense",
        "copy 'x' from stdin",
        "refresh t",
        "explain execute s",
        "create temp table u as execute s",
        "with x as (delete from 1) select 1",
        "with x as (\u000bdelete from t returning 1) select a from u for update",
        "with x as (table t) insert into s\u000b.t select a from x",
        "select f\u000b(1) from t",
        "set\u000brole r",
      })
  void writesAreUnknown(String sql) {
    assertThat(facts(sql).writesUnknown()).isTrue();
    assertThat(facts(sql).bypass()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain update t set a = 1",
        "explain verbose update t set a = 1",
        "explain (with u as (update t set a = 1 returning a) select a from u)"
      })
  void whatIsOnlyExplainedDoesNotRun(String sql) {
    StatementFacts facts = facts(sql);
    assertThat(facts.kind()).isEqualTo(StatementKind.EXPLAIN);
    assertThat(facts.targets()).isEmpty();
    assertThat(facts.writesUnknown()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insert into t values (1) | t:INSERT",
        "insert into S.\"T\" (a) select a from u | s.T:INSERT",
        "insert into t values (1) on conflict do nothing | t:INSERT",
        "insert into t values (1) on conflict (a) do update set a = 2 | t:INSERT/UPDATE",
        "update only t set a = 1 from u | t:UPDATE",
        "update only (t) set a = 1 | t:UPDATE",
        "update t as x set a = 1 returning * | t:UPDATE",
        "delete from s.t using u where t.a = u.a | s.t:DELETE",
        "delete from only t* | t:DELETE",
        "merge into t using u on true when matched then update set a = 1 | t:INSERT/UPDATE/DELETE",
        "with x as (insert into t select 1 returning a) select * from x | t:INSERT",
        "with x as materialized (update t set a = 1 returning a) table x | t:UPDATE",
        "with a as (delete from t returning *) insert into u select * from a | t:DELETE,u:INSERT",
        "with recursive a as (select 1) search depth first by x set o delete from t | t:DELETE",
        "with a as (with b as (delete from t returning 1) select 1) select 1 | t:DELETE",
        "truncate a, b.c, only d | a:TRUNCATE,b.c:TRUNCATE,d:TRUNCATE",
        "truncate table only (a), b* restart identity cascade | a:TRUNCATE+,b:TRUNCATE+",
        "copy s.t (a, b) from stdin with (format csv) | s.t:INSERT",
        "copy (insert into t values (1) returning a) to stdout | t:INSERT",
        "copy binary t from stdin | t:INSERT",
        "copy binary from stdin | binary:INSERT",
        "explain analyse verbose update t set a = 1 | t:UPDATE",
        "explain (analyze 'true', verbose) update t set a = 1 | t:UPDATE",
        "refresh materialized view concurrently s.m with data | s.m:REFRESH",
        "explain (analyze) update t set a = 1 | t:UPDATE",
        "explain analyze delete from t | t:DELETE",
        "update t set a = $$ it does not parse $$ operator(pg_catalog.+) 'x' | t:UPDATE",
      })
  void targetsAreNamed(String sql, String expected) {
    assertThat(targets(sql)).containsExactlyInAnyOrder(expected.split(","));
    assertThat(facts(sql).writesUnknown()).isFalse();
    assertThat(facts(sql).bypass()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a from t for update | ROW_LOCK",
        "select a from t for no key update of t nowait | ROW_LOCK",
        "select a from t for share skip locked | ROW_LOCK",
        "select a from t for key share | ROW_LOCK",
        "select * from (select a from t for update) x | ROW_LOCK",
        "select a from t where b in (select b from u tablesample system (1)) | TABLE_SAMPLE",
        "select 'x'::regclass from t | UNSUPPORTED_RELATION",
        "select tableoid::regtype from t | UNSUPPORTED_RELATION",
        "select oid::regclass::text from t | UNSUPPORTED_RELATION",
        "select tableoid::pg_catalog.regclass from t | UNSUPPORTED_RELATION",
        "select tableoid::regclass::oid from t | UNSUPPORTED_RELATION",
        "select tableoid::regclass::text::regclass from t | UNSUPPORTED_RELATION",
        "select tableoid::regclass in ('x') from t | UNSUPPORTED_RELATION",
        "select array[tableoid::regclass] from t | UNSUPPORTED_RELATION",
        "select 'x' = tableoid::regclass from t | UNSUPPORTED_RELATION",
        "select tableoid::regclass from t except select 'x' | UNSUPPORTED_RELATION",
        "select regclass from t | UNSUPPORTED_RELATION",
        "select U&\"a\" from t | UNKNOWN_SYNTAX",
        "select a from t where b = 1 \\ 2 | UNPARSED",
        "select a, delete from t where b = 1 \\ 2 | UNPARSED",
        "select collation for (a), treat (b as c) from t | UNKNOWN_SYNTAX",
        "select current_date from t | TIME",
        "select a from t where b > current_timestamp(3) | TIME",
        "select localtime from t | TIME",
        "select a from t where b = 'now' | TIME",
        "select a from t where b = 'Today'::date | TIME",
        "select a from t where b = timestamp 'tomorrow 12:00' | TIME",
        "select a from t where b = E'n\\157w' | TIME",
        "select a from t where b = U&'\\006eow' | TIME",
        "select a from t where b = $$now$$ | TIME",
        "select '10:00'::timetz from t | TIME",
        "select '10:00'::time with time zone from t | TIME",
        "select time with time zone '10:00' from t | TIME",
        "select time(3) with time zone '10:00' from t | TIME",
        "select cast(a as time(0) with time zone) from t | TIME",
        "select a::timetz from t | TIME",
        "select json_value(a, '$.b.time_tz()') from t | TIME",
        "select treat(a as date) from t | UNKNOWN_SYNTAX",
        "select a from t limit 1 offset (select 1 from u for update) | ROW_LOCK",
        "explain analyze select 1 from t | NOT_A_QUERY",
        "fetch c | CURSOR",
        "with x as (delete from t returning *) select * from x | WRITES",
        "insert into t values (1) | NOT_A_QUERY",
      })
  void textsThatCannotBeCachedSayWhy(String sql, BypassReason reason) {
    assertThat(bypass(sql)).isEqualTo(reason);
  }

  @Test
  void constantsContinuedOverALineAreNotRead() {
    assertThat(bypass("select a from t where b = 'yester'\n'day'")).isEqualTo(BypassReason.TIME);
    assertThat(bypass("select a from t where b = 'yester' -- it's\n'day'"))
        .isEqualTo(BypassReason.TIME);
    assertThat(bypass("select a from t where b = 'x'\n'y'")).isEqualTo(BypassReason.TIME);
    assertThat(bypass("select a from t where b = 'x\n''y'")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a from t where b = ?::date",
        "select a from t where b >= cast(? as timestamp) and b < cast('2020-01-01' as date)",
        "select a from t where b = date '2020-01-01'",
        "select a from t where b = timestamp with time zone '2020-01-01 00:00Z'",
        "select a from t where b = '2020-01-01'::timestamptz",
        "select a from t where b = '10:00'::time",
        "select date, t.date, t.time from t where date = ? order by date, time",
        "select x.date from (select date from t) x",
        "select d.date from t, generate_series(?, ?, ?) as d(date)",
        "select a from t where b = interval '1 day'",
        "select a::int, cast(b as numeric(10,2)), c::text[] from t",
        "select a as date from t",
        "select update, x.delete, insert from x",
        "select count(update) from x where (delete = 1)",
        "select substring(a from 1 for 2) from t",
        "select 1e5, .5, $1 from t",
        "select age(a, b), age(a, ?) from t",
        "select a from t where exists (select from u where b = a)",
        "select exists (select) from t",
        "select (t).*, (t).a from t",
        "table t union all table u order by 1 limit 2",
        "with x as (table t) select * from x",
        "select number, uuid, row, t.number, 1 as number from t where uuid = ? order by row desc",
        "select row(a, b), uuid '00000000-0000-0000-0000-000000000000', a::uuid from t",
        "select sum(a) over (order by b rows between current row and 1 following) from t",
        "select a from t fetch first row only",
        "select * from t, xmltable('/r' passing a columns n int path 'n', o for ordinality) x",
        "select * from t, json_table(a, '$[*]' columns (n int path '$.n', nested path '$.x[*]'"
            + " columns (y text path '$')) error on error) as j",
        "select json_value(a, '$.x' returning int default 0 on empty), json_object('k': a) from t",
        "select json_query(a, '$.x' with wrapper), json_exists(a, '$.x' error on error) from t",
        "select xmlelement(name a, xmlattributes(b as c), d), xmlserialize(content a as text) from"
            + " t",
        "select daterange(a, b), tstzrange(a, b, '[)') from t",
      })
  void textsThatCanBeCachedAreNotBypassed(String sql) {
    StatementFacts facts = facts(sql);
    assertThat(facts.bypass()).isNull();
    assertThat(facts.kind()).isEqualTo(StatementKind.QUERY);
    assertThat(facts.writesUnknown()).isFalse();
    assertThat(facts.targets()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a[(select b from hidden)] from t",
        "select a at time zone (select b from hidden) from t",
        "select * from xmltable('/r' passing (select b from hidden) columns c text)",
        "select overlay(a placing (select b from hidden) from 1) from t",
        "select array_agg(a order by (select b from hidden)) from t",
        "select count(*) filter (where a in (select b from hidden)) from t",
        "select percentile_cont(0.5) within group (order by (select b from hidden)) from t",
        "select sum(a) over (partition by (select b from hidden)) from t",
        "select sum(a) over w from t window w as (order by (select b from hidden))",
        "select * from t, lateral (select b from hidden) x",
        "select distinct on ((select b from hidden)) a from t",
        "select a from t group by grouping sets ((a), ((select b from hidden)))",
        "select a from t limit (select b from hidden)",
        "select a from t offset (select b from hidden)",
        "values ((select b from hidden))",
        "select json_object('a': (select b from hidden)) from t",
        "select a from t where b operator(pg_catalog.=) (select b from hidden)",
        "table hidden",
        "select * from only hidden",
        "select * from only (hidden)",
        "select 1 from t union select b from hidden",
        "select case when exists (select b from hidden) then 1 end from t",
        "select (select b from hidden)::int from t",
        "insert into t values (1) on conflict (a) do update set b = (select b from hidden)",
      })
  void relationsAreFoundWhereverTheyStand(String sql) {
    assertThat(relations(sql)).contains("hidden");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a from t where a = ? and t.b not in (?, ?) and ? < c and d not like ? limit ?",
        "select a from t where a between ? and ? and b = any (?) and c = (?::int) offset ?",
      })
  void aParameterThatIsComparedWithANameHasItsType(String sql) {
    assertThat(prepared(sql).looseParameter()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select ? from t",
        "select f(a = ?, ?) from t",
        "select a from t where ? = ?",
        "select a from t where 'x' = ?",
        "select a from t where 'x' collate c = ?",
        "select a from t where (select b) = ?",
        "select a from t where ? = f(b)",
        "select a from t where 1 in (?, ?)",
        "select a from t where 1 between ? and ?",
        "select a from t where b in (?, ?) and c = 1, ?",
        "select case ? when ? then 1 end from t",
      })
  void aParameterMayBeOfAnyTypeElsewhere(String sql) {
    assertThat(prepared(sql).looseParameter()).isTrue();
  }

  private static StatementFacts prepared(String sql) {
    return new SqlAnalyzer()
        .analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape())
        .statements()
        .get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a from t | t",
        "select a from s.t x join u on true, lateral f(b) natural join only (v) | s.t u",
        "table t union table s.u | s.u t",
        "with c as (select 1), d (a, b) as materialized (table e) select a from c join d on true |"
            + " e",
        "select extract(year from a), b is distinct from c from f() | ''",
        "select 1 where exists (select from t) | t",
      })
  void sourcesOfRowsAreTold(String sql, String expected) {
    assertThat(facts(sql).sources().stream().map(RelationName::toString).sorted().toList())
        .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(" ")));
  }

  @Test
  void namesAreFoldedAsTheServerFoldsThem() {
    assertThat(relations("select A.B from S.T as \"X\", \"S\".\"T \"\"q\"\"\", a.b.c"))
        .contains("a", "s.t", "S.T \"q\"", "b.c")
        .doesNotContain("A", "X", "S.T", "select", "from", "b", "as");
    String longName = "x".repeat(70);
    assertThat(relations("select 1 from " + longName)).contains("x".repeat(63));
    assertThat(bypass("select 1 from t, " + "\u00e9".repeat(40)))
        .isEqualTo(BypassReason.UNKNOWN_SYNTAX);
    assertThat(relations("select 1 from \u00c9T\u00c9")).contains("\u00c9t\u00c9");
    assertThat(relations("select 1 from s.order")).contains("s.order");
  }

  @Test
  void everyCallIsARoutine() {
    assertThat(
            routines(
                "select f(1), S.G(2), \"H\"(3), s.\"I\" (4), left(a, 1), filter(1), now() from"
                    + " j(5)"))
        .contains("f", "s.g", "H", "s.I", "left", "filter", "now", "j");
    assertThat(
            routines(
                "select coalesce(a, 1), count(*) filter (where a in (1)) over (partition by (b)),"
                    + " cast(a as varchar(10)) from t where exists (select 1 from u) and a = any"
                    + " (?) and (b or (c)) and a between (1) and (2) group by (a), grouping sets"
                    + " ((a))"))
        .containsExactly("count");
    assertThat(routines("select current_user, user, session_user from t"))
        .contains("current_user", "user", "session_user");
    assertThat(routines("select extract(year from a), trim(b), a at time zone 'UTC' from t"))
        .contains("extract", "date_part", "btrim", "timezone");
    assertThat(routines("call S.p(f(1))")).contains("s.p", "f");
    assertThat(routines("insert into t (a) values (f(1))")).containsExactly("f");
  }

  @Test
  void everyOperatorIsNamedAlsoWhereAKeywordStandsForIt() {
    assertThat(facts("select a+b, c->>'d', e ?? 'f', g != h, i @@ j from t").operators())
        .containsExactlyInAnyOrder("+", "->>", "?", "<>", "@@");
    assertThat(facts("select count(*), t.*, a*b from t").operators()).containsExactly("*");
    assertThat(facts("select distinct * from t").operators()).containsExactly("=");
    assertThat(facts("select case when a then b end * c from t").operators()).contains("*");
    assertThat(facts("select * from t where a like 'x'").operators()).contains("~~", "!~~");
    assertThat(facts("select a from t where a ilike 'x'").operators()).contains("~~*", "!~~*");
    assertThat(facts("select a from t where a between 1 and 2").operators()).contains(">=", "<=");
    assertThat(facts("select a from t where a in (1)").operators()).contains("=", "<>");
    assertThat(facts("select a from t where a is distinct from b").operators()).contains("=");
    assertThat(facts("select f(a => 1) from t").operators()).isEmpty();
  }

  @Test
  void everyIdentifierIsReported() {
    assertThat(facts("select T.Xmin, (r).Attr, x::MyDomain as \"Label\" from t").identifiers())
        .containsExactlyInAnyOrder("t", "xmin", "r", "attr", "x", "mydomain", "Label");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "set search_path = 'x' | search_path | x | false",
        "set local TimeZone to default | timezone | null | true",
        "set session x.y = on | x.y | on | false",
        "set \"TimeZone\" = 'Europe/Paris' | timezone | Europe/Paris | false",
        "set time zone 'UTC' | timezone | UTC | false",
        "set time zone -7 | timezone | -7 | false",
        "set time zone local | timezone | null | false",
        "set role none | role | none | false",
        "set local role \"R\" | role | R | true",
        "set session authorization 'a''b' | session authorization | a'b | false",
        "set session session authorization default | session authorization | null | false",
        "set names 'utf8' | client_encoding | utf8 | false",
        "set schema 's' | search_path | s | false",
        "set synchronous_commit = local | synchronous_commit | local | false",
        "reset all | all | null | false",
        "reset TimeZone | timezone | null | false",
        "reset session authorization | session authorization | null | false",
        "show time zone | timezone | null | false",
        "show transaction isolation level | transaction_isolation | null | false",
        "discard plans | plans | null | false",
        "show larder.cache | larder.cache | null | false",
        "set larder.enabled = off | larder.enabled | off | false",
        "savepoint \"S p\" | S p | null | false",
        "rollback to savepoint A | a | null | false",
        "rollback transaction to b | b | null | false",
        "release c | c | null | false",
        "prepare transaction 'g 1' | g 1 | null | false",
        "commit prepared 'g' | g | null | false",
        "rollback prepared 'g' | g | null | false",
        "begin | begin | null | false",
        "begin work isolation level serializable, read only | begin | isolation level serializable"
            + " read only | false",
        "start transaction read write | begin | read write | false",
        "commit and chain | chain | null | false",
        "rollback work and chain | chain | null | false",
        "set transaction isolation level repeatable read | transaction | isolation level repeatable"
            + " read | false",
        "set transaction snapshot '00-1' | transaction snapshot | 00-1 | false",
        "set session characteristics as transaction read only | session characteristics | read only"
            + " | false",
        "set xml option document | xmloption | document | false",
        "set local xml option content | xmloption | content | true",
        "show xml option | xmloption | null | false",
        "show \"TimeZone\" | timezone | null | false",
        "set x = E'a''b' | x | a'b | false",
        "set x = E'a\\nb' | x | null | false",
        "set x = N'a' | x | a | false",
        "set x = U&'a' | x | null | false",
        "set x = 1.5 | x | null | false",
        "set x = -1.5 | x | null | false",
        "set x = -y | x | null | false",
        "set x = + 1 | x | null | false",
        "set x to - 1 2 | x | null | false",
        "begin transaction read only | begin | read only | false",
        "begin read only | begin | read only | false",
        "abort and chain | chain | null | false",
        "end transaction and chain | chain | null | false",
        "release savepoint c | c | null | false",
        "rollback to savepoint | savepoint | null | false",
        "create temp table a (b int) | a | null | false",
        "create temporary table if not exists A (b int) | a | null | false",
        "create local temp table a (b int) on commit drop | a | null | false",
        "create global temporary table \"A b\" (b int) | A b | null | false",
        "drop table a, b | drop table | null | false",
        "show pool_cache | pool_cache | null | false",
        "reset query cache | query cache | null | false",
        "flush query cache | query cache | null | false",
        "show status like 'Qcache%' | status | Qcache% | false",
        "show session status like 'QCACHE_hits' | status | QCACHE_hits | false",
        "select larder.purge('orders') | larder.purge | null | false",
        "select larder.purge(?) | larder.purge | null | false",
        "reset larder.statistics | larder.statistics | null | false",
      })
  void commandsSayWhatTheyName(String sql, String name, @Nullable String value, boolean local) {
    assertThat(facts(sql).command()).isEqualTo(new SessionCommand(name, value, local));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "set search_path to A, b | \"a\", \"b\" | false",
        "set local search_path = \"$user\", 'B c', d | \"$user\", \"B c\", \"d\" | true"
      })
  void severalSchemasAreAListOfNamesInQuotes(String sql, String names, boolean local) {
    assertThat(facts(sql).command())
        .isEqualTo(new SessionCommand("search_path", names, local, SessionCommand.Form.NAMES));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set search_path to a, b,",
        "set search_path to a, default",
        "set search_path to a b",
        "set search_path to a, 1",
        "set search_path to a, E'\\\\x'",
        "set x.y = a, b"
      })
  void otherListsAreNotFollowed(String sql) {
    assertThat(facts(sql).command()).extracting(SessionCommand::value).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "commit",
        "end",
        "rollback and no chain",
        "select 1 from t",
        "abort work",
        "savepoint 1",
        "drop table a cascade",
        "drop view a",
        "create table a as select 1",
        "create temp view a as select 1 from t",
        "create temp sequence a",
        "create temp table pg_temp.a (b int)",
        "create temp table a (like t including all)",
        "create temp table a () inherits (t)",
        "create temp table a partition of t default",
        "create temp table a of t",
        "select a into temp b from t"
      })
  void othersNameNothing(String sql) {
    assertThat(facts(sql).command()).isNull();
  }

  @Test
  void textsAreSplitAtSemicolons() {
    assertThat(analyze("begin; update t set a = ';' where b = $$;$$ ; ; commit;").statements())
        .extracting(StatementFacts::kind)
        .containsExactly(StatementKind.BEGIN, StatementKind.DML, StatementKind.COMMIT);
    assertThat(analyze("").statements()).isEmpty();
    assertThat(analyze(" ; /* x */ -- y").statements()).isEmpty();
  }

  @Test
  void whatAllDatabasesOfAServerShareIsToldApart() {
    for (String sql :
        List.of(
            "GRANT staff TO bob",
            "REVOKE ADMIN OPTION FOR staff FROM bob",
            "ALTER ROLE bob SET search_path = x",
            "DROP USER bob",
            "ALTER DATABASE d SET timezone = 'UTC'",
            "ALTER SYSTEM SET bytea_output = 'hex'")) {
      assertThat(analyze(sql).statements().get(0).kind()).isEqualTo(StatementKind.SHARED_DDL);
    }
    for (String sql :
        List.of("GRANT SELECT ON t TO bob", "REVOKE ALL ON t FROM bob", "DROP TABLE t")) {
      assertThat(analyze(sql).statements().get(0).kind()).isEqualTo(StatementKind.DDL);
    }
  }

  @Test
  void bodiesInBeginAtomicAreNotSplit() {
    String create = "create function f() returns int begin atomic delete from t; select 1; end";
    assertThat(analyze(create).statements())
        .extracting(StatementFacts::kind)
        .containsExactly(StatementKind.DDL);
    assertThat(analyze(create + "; commit").statements())
        .extracting(StatementFacts::kind)
        .containsExactly(StatementKind.DDL, StatementKind.UNKNOWN);
    assertThat(analyze("create rule r as on insert to t do (delete from u; select 1)").statements())
        .hasSize(1);
  }

  @Test
  void deepAndLongTextsNeedNoParser() throws InterruptedException {
    List<String> texts =
        List.of(
            "select " + "(".repeat(10_000) + "1" + ")".repeat(10_000) + " from t",
            "select " + "not ".repeat(10_000) + "a from t",
            "select " + "- ".repeat(10_000) + "1 from t",
            "select " + "case when a then ".repeat(5_000) + "1" + " end".repeat(5_000) + " from t",
            "select a from t where b in (" + "1,".repeat(500_000) + "1)",
            "select a from t where " + "a = 1 or ".repeat(100_000) + "b",
            "select a from t" + " join u on true".repeat(50_000),
            "select f(" + "f(".repeat(20_000));
    Thread thread =
        new Thread(null, () -> texts.forEach(SqlAnalyzerTest::facts), "analyzer", 512 * 1024);
    List<Throwable> thrown = new ArrayList<>();
    thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e));
    thread.start();
    thread.join();
    assertThat(thrown).isEmpty();
    assertThat(texts.subList(0, texts.size() - 1)).allMatch(sql -> bypass(sql) == null);
  }
}
