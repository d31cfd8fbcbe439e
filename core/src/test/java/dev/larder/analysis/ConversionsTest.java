package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.sql.Conversion;
import dev.larder.sql.Operand;
import dev.larder.sql.RelationName;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionsTest {
  private static Set<Conversion> conversions(String sql) {
    return SqlAnalyzerTest.facts(sql).conversions();
  }

  /** The types in order. */
  private static String types(String sql) {
    return conversions(sql).stream()
        .map(conversion -> conversion.type().toString())
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(" "));
  }

  /** What is known of the operand of the cast to a date: null where that is nothing. */
  private static String operand(String sql) {
    return conversions(sql).stream()
        .filter(conversion -> conversion.type().name().equals("date"))
        .map(conversion -> show(conversion.operand()))
        .collect(Collectors.joining("; "));
  }

  private static String show(Operand operand) {
    if (operand instanceof Operand.Column column) {
      return new TreeSet<>(column.tables().stream().map(RelationName::toString).toList())
          + (column.calls().isEmpty() ? "" : " " + column.calls())
          + "."
          + column.name();
    } else if (operand instanceof Operand.Call call) {
      return call.routine() + "(" + show(call.first()) + ")";
    } else if (operand instanceof Operand.Operation operation) {
      return String.valueOf(new TreeSet<>(operation.operators()));
    }
    return "null";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a::mood from t | mood",
        "select a::s.mood from t | s.mood",
        "select (a).mood from t | mood",
        "select (a)::mood[] from t | mood",
        "select 'x'::mood, 1::mood, ?::mood from t | mood",
        "select cast(a as mood) from t | mood",
        "select cast(a as s.mood) from t | s.mood",
        "select cast(a as mood[]), cast(b as feeling array) from t | feeling mood",
        "select cast(a as mood(3)), cast(a as time with time zone) from t | mood time",
        "select a as mood, b feeling from t | ''",
        "select b, a feeling from t x, u y | ''",
        "select * from (select b, a feeling from t x, u y) z | ''",
        "select json_value(a, '$' returning mood) from t | mood",
        "select a.b from json_table(c, '$' columns (d mood path '$')) as a | columns mood",
        "select a.b from xmltable('/r' passing c columns d int path 'd', e mood) as a | int mood",
        "select * from json_to_record(a) as x(by mood, b feeling) | feeling json_to_record mood",
        "select * from json_to_record(a) as (b mood) | json_to_record mood",
        "select xmlelement(name mood, a) from t | ''",
        "select json_table.a from t b | ''",
        "select mood(a), s.feeling(b), f(a, b), g() from t | mood s.feeling",
        "select count(a) from t where a in (b) and exists (select b) | count exists",
        "select a at time zone 'x', (b at time zone c) from t | ''",
      })
  void conversionsAreFoundByTheTypesThatTheyName(String sql, String types) {
    assertThat(types(sql)).isEqualTo(types);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a::date from t | [t].a",
        "select a::pg_catalog.date from s.t | [s.t].a",
        "select ((a))::date from t, u | [t, u].a",
        "select x.a::date from t x, u | [t].a",
        "select x.a::date from t, s.u as x left join v on a = b | [s.u].a",
        "select t.a::date from t join u on f(t.b, u.b) join v using (c) where t.d | [t].a",
        "select x.a::date from only t x, only (u) | [t].a",
        "select cast(a as date) from t | [t].a",
        "select a from t where exists (select from u where a::date = b) | [t, u].a",
        "select a from t where b in (select t.a::date from u) | [t].a",
        "select a::date from t where b in (select a from u) order by a | [t].a",
        "select * from (select a::date from t) x | [t].a",
        "select * from u, (select a::date from t) x | [t].a",
        "select * from u, lateral (select u.a::date from t) x | [u].a",
        "with x as (select a::date from t) select b from x | [t].a",
        "select b from u union select a::date from t | [t].a",
        "select t.a::date from t, (select b as a from u) x | [t].a",
        "select a::date from ((select a from u)) x right join t on true | null",
        "select u.a::date from t join u using (b) where (u.a, b) in ((select c from v)) | [u].a",
        "select a::date from t join u on t.b is distinct from u.b join v on b | [t, u, v].a",
        "select t.a::date from t, lateral f(t.b) a | [t].a",
        "select d::date from generate_series(?, ?, ?) d | [] [generate_series].d",
        "select d::date from generate_series(?, ?, ?) as x(d), t | [] [generate_series].d",
        "select x.d::date from t, s.f(a) as x(d) | [] [s.f].d",
        "select a::date from t, f(1) as x | [t] [f].a",
        "select date_trunc('day', a)::date from t | date_trunc(null)",
        "select s.f(max(a))::date from t | s.f(max([t].a))",
        "select coalesce(max(a), b)::date from t | max([t].a)",
        "select coalesce('x', b)::date from t | null",
        "select (a - b * c)::date from t | [*, -]",
        "select (a at time zone ?)::date from t | []",
        "select (f(a) at time zone 'UTC')::date from t | []",
        "select a from t where a like 'x'::date | []",
        "select ?::date, date '2020-01-01'::date, cast(date '2020-01-01' as date) from t | []",
        "select date(a) from t | [t].a",
        "select date(?) from t | []",
        "select a from t where b like a::date and a::date between a::date and b | [t].a",
      })
  void operandsAreKnownByWhereTheyComeFrom(String sql, String operand) {
    assertThat(operand(sql)).isEqualTo(operand);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a::date from t, (select b as a from u) x",
        "select x.a::date from t, (select b as a from u) x",
        "select a::date from t, lateral (select b as a from u) x",
        "select (select a::date) from t, (select b as a from u) x",
        "with x as (select b as a from u) select a::date from x",
        "with x(a) as (select b from u) select x.a::date from x, t",
        "with recursive t as (select 1) select a::date from t",
        "with recursive x as (select a::date from t), t as (select lower(b) as a from u) table x",
        "select b from t j where exists (select j.a::date from u join v using (a) as j)",
        "select a::date from t x(a)",
        "select x.a::date from t as x(b, a)",
        "select a::date from f(b) as x(a text)",
        "select a::date from json_to_record(b) as x(c int, a text), t",
        "select x.a::date from f(b) with ordinality as x(c, a)",
        "select a::date from rows from (f(b), g(c)) as x(a, d), t",
        "select a::date from (t left join u on b) inner join v on true",
        "select t.a::date from (t cross join u) x, json_to_record(b) as t(a text, b text)",
        "select j.a::date from (t join u on true) as j",
        "select a::date from (t join u on true) j(b, a)",
        "select a::date from (values (?)) v(a)",
        "select v.a::date from t, (values (?)) v(a)",
        "select a::date from t, (select lower(a) as a from u) x where true",
        "select x.a::date from t",
        "select (h).a::date from t",
        "select (select a from t)::date from t",
        "select a collate \"C\"::date from t",
        "select b collate a::date from t",
        "select a[1]::date from t",
        "select array[a]::date[] from t",
        "select a::text::date from t",
        "select (a, b)::date from t",
        "select (a operator(pg_catalog.||) b + c)::date from t",
        "select case when a then b end::date from t",
        "select (case when a then b end)::date from t",
        "select cast(cast(a as timestamp) as date) from t",
        "select cast(a as text)::date from t",
        "select (not a)::date from t",
        "select f(a).b::date from t",
        "select current_user::date from t, current_user",
        "select current_user.a::date from t, current_user",
        "select (x.a).date from t x",
        "select x.date from t, lateral lower(a) x",
        "select lower.date from lower(?)",
        "select x.date from t, rows from (lower(a)) x",
        "select * from json_to_record(a) as x(b date)",
        "select json_value(a, '$' returning date) from t",
      })
  void nothingIsKnownOfWhatMayBeAText(String sql) {
    assertThat(operand(sql)).isEqualTo("null");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select date, t.date, x.date from t, (select date from u) x order by date",
        "select x.date from generate_series(?, ?) as x(date)",
        "select date.date from generate_series(?, ?) date",
        "with x(a, date) as (table t) select x.date from x",
        "select a as date, b date from t",
        "select a from t where date between time and ? order by date",
        "select daterange(a, b), date '2020-01-01' from t",
        "select string_agg(a, b order by date) over (partition by date) from t",
      })
  void whatIsCalledLikeATypeNeedNotBeOne(String sql) {
    assertThat(operand(sql)).isEmpty();
  }

  @Test
  void operandsOfLongStatementsAreNotLookedAt() {
    String sql = "select a::date from t" + ", t".repeat(497);
    assertThat(operand(sql)).isEqualTo("[t].a");
    assertThat(operand(sql + " x")).isEqualTo("null");
    String call = "select date(a) from t" + ", t".repeat(496);
    assertThat(operand(call)).isEqualTo("[t].a");
    assertThat(operand(call + ", t x")).isEqualTo("null");
    assertThat(operand("select daterange(a, b)::text from t" + ", t".repeat(600))).isEmpty();
  }
}
