package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.DATE;
import static dev.larder.resolve.WrittenCatalog.INT4;
import static dev.larder.resolve.WrittenCatalog.PATH;
import static dev.larder.resolve.WrittenCatalog.TEXT;
import static dev.larder.resolve.WrittenCatalog.TIMESTAMP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogRow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which casts may read the clock, since they may be given a text. */
class TextInputTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  /** In t and v, a and b are times; in u, b is one and a is not. */
  @BeforeEach
  void create() {
    catalog.times(catalog.table("t"), Set.of("a", "b"), Set.of());
    catalog.times(catalog.table("v"), Set.of("a", "b"), Set.of());
    catalog.times(catalog.table("u"), Set.of("b"), Set.of("a"));
    catalog.table("without");
    for (String name : List.of("date_trunc", "generate_series", "date", "count", "sum")) {
      catalog.builtin(name, 'i', 't');
    }
    catalog.builtin("max", 'i', 't');
    for (String name : List.of("max", "lag", "any_value")) {
      catalog.builtin(name, 'i', 'a');
    }
    for (String name : List.of("lower", "format", "json_each", "unnest", "f")) {
      catalog.builtin(name, 'i', 'o');
    }
  }

  private boolean readsClock(String sql) {
    return catalog.resolve(sql).bypass() == BypassReason.TIME;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a::date from t",
        "select t.a::pg_catalog.timestamptz, cast(b as date) from t",
        "select a::timestamp(3) without time zone from t",
        "select (b::timestamp + c)::date from t",
        "select date(a), pg_catalog.date(b) from t where a > b",
        "select (a + 1)::date, (b at time zone 'UTC')::date from t",
        "select date_trunc('day', a)::date from t",
        "select pg_catalog.date_trunc('day', a)::date from t",
        "select max(a)::date, coalesce(b, c)::date, (lag(a, 1))::date from t",
        "select coalesce(date_trunc(b, c), d)::date, greatest(max(a), 'x')::date from t",
        "select d::date from t, generate_series(1, 2, 3) d",
        "select d::date from generate_series(1, 2, 3) as x(d) left join t on t.a::date = d::date",
        "select x.d::date, a::date from generate_series(1, 2, 3) as x(d), t",
        "select a::date from t where b in (select a from u) order by t.a, a",
        "select a::date, count(*) filter (where a > b) over (order by a, b) from t",
        "select a::date from t join v using (b, a)",
        "select a::date, a::text from t",
        "select t.a::date, lower(c) from t, u where t.b = u.b and true",
        "select t.a::date, u.a from t, u",
        "select a::date from t where exists (select 1 from without w where w.x = t.a::date)",
        "select * from (select a::date, lower(b) from t) x",
        "with x as (select a::date, lower(b) as a from t) select x.a from x",
        "select x.a, t.a::date from t, (select lower(b) as a from u) x",
        "select (lower(b) - a)::date from t",
        "select ('x' + a)::date from t",
        "select a::date from t where b = 'x'::date and c > cast('x' as timestamp)",
        "select b::date, u.b::time from u",
        "select daterange(a, b) from u",
        "select a::text, b::int, c::varchar(3)::text[] from u",
        "select t.date, date '2020-01-01', o.date from t, u o order by date",
        "select date('2020-01-01'), a from t",
        "select a::date, unnest(c) from t",
      })
  void whatIsADateOrATimeIsNoText(String sql) {
    assertThat(readsClock(sql)).isFalse();
    assertThat(catalog.resolve(sql).bypass()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select c::date from t",
        "select u.a::date from t, u",
        "select a::date from t, u",
        "select a::date from u",
        "select x.a::date from t, u x",
        "select b::date, a::date from u",
        "select a::date from without",
        "select a::date from t, nowhere",
        "select a::date from t where exists (select 1 from u where u.b = a::date)",
        "select a::date from (select lower(b) as a from u) x",
        "select x.a::date from t, (select lower(b) as a from u) x",
        "select a::date from (select (h).a from t) x",
        "select x.a::date from (select (h).* from t) x, u",
        "with x as (select lower(b) as a from t) select x.a::date from x, t",
        "with t as (select lower(b) as a from u) select a::date from t",
        "with recursive t as (select 1) search depth first by b set a select a::date from t",
        "select a::date from t x(a)",
        "select x.a::date from t, json_each(b) x",
        "select x.a::date from t, unnest(b) x",
        "select a::date from json_each(b) x, t",
        "select value::date from t, json_each(b)",
        "select a::date from json_to_record(b) as x(c int, a text), t",
        "select x.a::date from t, xmltable('/r' passing b columns n int path 'n', a text) x",
        "select x.a::date from t, json_table(b, '$' columns (n int path '$.n', a text)) x",
        "select a::date from (values ('x')) v(a)",
        "select column1::date from (values ('x')) v",
        "select t.d::date from t, generate_series(1, 2) d",
        "select d::date from generate_series(1, 2) x(d) where exists (select d::date from u)",
        "select lower(a)::date from t",
        "select lower(a)::date, coalesce::date from (select coalesce(b, c) from t) x",
        "select format('%s', a)::date from t",
        "select a(b)::date from t",
        "select max(c)::date from t",
        "select max('x')::date from t",
        "select coalesce('x', c)::date from t",
        "select coalesce(lower(a), b)::date from t",
        "select (a || b)::date from t",
        "select (b->>'x')::timestamptz from t",
        "select (a - b || c)::date from t",
        "select a collate \"C\"::date from t",
        "select a[1]::date from t",
        "select array[a]::date[] from t",
        "select a::text::date from t",
        "select (a::text)::date from t",
        "select a::character varying::date from t",
        "select (case when a then b end)::date from t",
        "select (select a from t)::date from t",
        "select (h).a::date from t",
        "select cast('x' || 'y' as timestamp) from t",
        "select date(c) from t",
        "select (c).timestamptz from t",
        "select x.date from t, lateral lower(a) x",
        "select * from t, f() as x(d date)",
        "select * from t, f() as x(d pg_catalog.date)",
        "select json_value(a, '$' returning date) from t",
        "select age(a) from t",
        "select age('2020-01-01'), a from t",
        "select \"age\"((a, b)) from t",
        "select daterange(c) from t",
        "select json_value(c, d::jsonpath) from t",
      })
  void anythingElseMayBeOne(String sql) {
    assertThat(readsClock(sql)).as("%s", catalog.resolve(sql).bypass()).isTrue();
  }

  @Test
  void aColumnIsMeantAlsoWhereATableIsCalledLikeIt() {
    catalog.table("a");
    assertThat(readsClock("select a::date from t")).isFalse();
  }

  @Test
  void everyOverloadMustReturnNoText() {
    catalog.function("other", "date_trunc", 'i').add();
    String sql = "select date_trunc('day', a)::date from public.t";
    assertThat(readsClock(sql)).isFalse();
    assertThat(readsClock(sql.replace("date_trunc", "other.date_trunc"))).isTrue();
    List<String> path = List.of("pg_catalog", "public", "other");
    assertThat(catalog.resolve(sql, path, Declarations.NONE).bypass()).isEqualTo(BypassReason.TIME);
  }

  @Test
  void aUsersFunctionTurnsNoOtherColumnIntoAText() {
    catalog.function("pure", 'i').add();
    catalog.function("made", 'i').returns('t').add();
    assertThat(readsClock("select a::date, pure(1) from t")).isFalse();
    assertThat(readsClock("select made(a)::date from t")).isFalse();
    assertThat(readsClock("select pure(a)::date from t")).isTrue();
  }

  @Test
  void anOperatorThatMayReturnATextForbidsIt() {
    catalog.operator("+", DATE, INT4, catalog.function("add", 'i').add(), TEXT);
    catalog.rows.add(new CatalogRow.TextOperator("+"));
    assertThat(readsClock("select (a + 1)::date from t")).isTrue();
    assertThat(readsClock("select (a - 1)::date from t")).isFalse();
  }

  @Test
  void aTypeMeansTheSchemaThatItIsIn() {
    long moment = catalog.oid();
    catalog.rows.add(
        new CatalogRow.Type(moment, "other", "moment", 'd', TIMESTAMP, 0, 0, List.of(), null));
    List<String> both = List.of("pg_catalog", "public", "other");
    String sql = "select c::moment from public.t";
    assertThat(readsClock(sql)).isFalse();
    assertThat(readsClock("select c::other.moment from t")).isTrue();
    assertThat(readsClock("select c::public.moment from t")).isFalse();
    assertThat(catalog.resolve(sql, both, Declarations.NONE).bypass()).isEqualTo(BypassReason.TIME);
    assertThat(catalog.resolve("select a::moment from public.t", both, Declarations.NONE).bypass())
        .isNull();
    assertThat(catalog.resolve("select c::date from t", PATH, Declarations.NONE).bypass())
        .isEqualTo(BypassReason.TIME);
  }
}
