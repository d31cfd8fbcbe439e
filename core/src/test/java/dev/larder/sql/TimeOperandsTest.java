package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOperandsTest {
  private static Tokens tokens(String sql) {
    return Tokens.of(SqlLexer.lex(sql, LexOptions.PREPARED).shape());
  }

  /** The names that the proof relies upon, or null where there is none. */
  private static @Nullable String proof(String expression) {
    Tokens tokens = tokens("select " + expression + " from t");
    TimeOperands operands = new TimeOperands(tokens);
    boolean proven = operands.prove(1, tokens.size() - 2);
    return proven ? String.valueOf(operands.names()) : null;
  }

  private static boolean isProvenBefore(String operand) {
    Tokens tokens = tokens("select " + operand + "::date from t");
    return new TimeOperands(tokens).proveBefore(tokens.size() - 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | {a=false}",
        "x.a | {a=false}",
        "((a)) | {a=false}",
        "date_trunc('day', a) | {}",
        "pg_catalog.date_trunc('day', a) | {}",
        "cast(a as date) | {}",
        "cast(cast(a as text) as timestamp) | {}",
        "a::date | {}",
        "a::pg_catalog.timestamptz | {}",
        "date '2020-01-01' | {}",
        "interval '1 day' | {}",
        "timestamp without time zone '2020-01-01' | {}",
        "a + b | {a=false}",
        "'x' + a | {a=false}",
        "lower(a) - b | {b=false}",
        "a at time zone 'UTC' | {}",
        "coalesce(a, 'x') | {a=false}",
        "coalesce(date_trunc(b, c), d) | {}",
        "max(a + f(b, c)) | {a=false}",
      })
  void timesAreProvenByWhatTheyAreMadeOf(String expression, String names) {
    assertThat(proof(expression)).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lower(a)",
        "other.date_trunc('day', a)",
        "cast(a as text)",
        "cast(cast(a as date) as text)",
        "cast(a, date)",
        "a::text",
        "a::date::text",
        "text '2020-01-01'",
        "date a",
        "'x' 'y'",
        "'2020-01-01'",
        "a ||  b",
        "a * b",
        "a / b",
        "a *",
        "- a",
        "a -",
        "a - - b",
        "()",
        "( )::",
        "at time zone 'UTC'",
        "a operator(pg_catalog.||) b",
        "a[1]",
        "not a",
        "b cast(a as date)",
        "case when a then b end",
        "coalesce(lower(a), b)",
        "coalesce()",
        "value",
        "column1",
        "alias",
        "f(a).b",
      })
  void othersAreNot(String expression) {
    assertThat(proof(expression)).isNull();
  }

  @Test
  void operandsOfCastsAreFound() {
    assertThat(isProvenBefore("a")).isTrue();
    assertThat(isProvenBefore("(a + b)")).isTrue();
    assertThat(isProvenBefore("date_trunc('x', a)")).isTrue();
    assertThat(isProvenBefore("pg_catalog.date_trunc('x', a)")).isTrue();
    assertThat(isProvenBefore("cast(a as timestamp)")).isTrue();
    assertThat(isProvenBefore("lower(b) || x.a")).isTrue();
    assertThat(isProvenBefore("a::s.timestamp")).isTrue();
    assertThat(isProvenBefore("'x'")).isFalse();
    assertThat(isProvenBefore("lower(a)")).isFalse();
    assertThat(isProvenBefore("(lower(a))")).isFalse();
    assertThat(isProvenBefore("b collate a")).isFalse();
    assertThat(isProvenBefore("a::text")).isFalse();
    assertThat(isProvenBefore("a end")).isFalse();
  }

  @Test
  void nothingIsProvenOfLongStatements() {
    String sql = "select a::date from t" + ", t".repeat(497);
    assertThat(tokens(sql).size()).isEqualTo(TimeOperands.MAX_TOKENS);
    assertThat(SqlAnalyzerTest.facts(sql).bypass()).isNull();
    assertThat(SqlAnalyzerTest.facts(sql + " x").bypass()).isEqualTo(BypassReason.TIME);
    String call = "select date(a) from t" + ", t".repeat(496);
    assertThat(SqlAnalyzerTest.facts(call).bypass()).isNull();
    assertThat(SqlAnalyzerTest.facts(call + ", t x").bypass()).isEqualTo(BypassReason.TIME);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select c::date from (select a + b as c from t) x | {a=false, c=true}",
        "select c::date from (select d, a::date c from t) x | {a=false, c=true}",
        "select m::date from (select coalesce(date_trunc('m', a), b) as m, c from t) x | {m=true}",
        "select a::date, sum(b) over (partition by c, a) from t | {a=false}",
        "select a::date from t, lateral f(1, a) x | {a=false}",
        "select a::date from t where (b, c[1], a) in (select 1, 2, a from u) | {a=false}",
        "select a::date from t join u using (b, a) | {a=false}",
        "select a::date, a::text from t | {a=false}",
        "select a::date, b::text from t where c in (select d from u) | {a=false}",
        "select a::date from (select a, to_char(a, 'x')::text, b::int::text from t) x | {a=false}",
        "select a::date from (select a::timestamptz(3), d::text from t) x | {a=false}",
        "select a::date from (select (count(a))::pg_catalog.numeric, cast(a as date) from t) x | {a=false}",
        "select a::date from (select cast(to_char(a, 'x') as text) b, a from t) x | {a=false}",
      })
  void namesOfTimesMayBeUsedAnywhere(String sql, String columns) {
    StatementFacts facts = SqlAnalyzerTest.facts(sql);
    assertThat(facts.bypass()).isNull();
    assertThat(new TreeMap<>(facts.timeColumns())).hasToString(columns);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with x as (select 1), a as (select lower(c) from t) select a::date from a",
        "with x as (select 1), a as materialized (select lower(c) from t) select a::date from a",
        "with x as (select 1), a as not materialized (select 'x' from t) select a::date from a",
        "with x(c, a) as (select 1, 'x' from t) select a::date from x",
        "with x(c, a) as materialized (select 1, 'x' from t) select a::date from x",
        "select a::date from json_to_record(c) as (d int, a text)",
        "select a::date from json_to_record(c) as x(d numeric(1, 2), a text)",
        "select a::date from json_to_record(c) as x(d int[], a text)",
        "select a::date from f(c) x(d, a)",
        "select a::date from (select lower(c) || date_trunc('m', d) as a from t) x",
        "select a::date from (select d, lower(c) a from t) x",
        "select a::date from (select a::text from t union all select b from u) x",
        "with x as (select t.a::varchar(9) from t union select b from u) select a::date from x",
        "select a::date from (select case when b then c else a::text end from t) x",
        "select a::date from (select case when b then a else a end::text from t) x",
        "select a::date from (select a::timestamp with time zone::text from t) x",
        "select a::date from (select a::date::s.int4::name from t) x",
        "select a::date from (select (a)::s.mood from t) x",
        "select a::date from (select ((select a from t))::text from t) x",
        "select a::date from (select cast(a as text) from t) x",
        "select a::date from (select cast((a) as \"int\") from t) x",
      })
  void nameThatTheStatementGivesToATextIsNoTime(String sql) {
    assertThat(SqlAnalyzerTest.facts(sql).bypass()).isEqualTo(BypassReason.TIME);
  }
}
