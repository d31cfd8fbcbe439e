package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.Tokens;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementNamesTest {
  @ParameterizedTest
  @CsvSource({"b, b", "a.b, a.b", "a.\"B\".c.d, c.d", "a.(b), a"})
  void relationsHaveTheLastTwoPartsOfAName(String sql, String name) {
    assertThat(Names.relation(Tokens.of(sql, LexOptions.STATEMENT), 0)).hasToString(name);
  }

  private static Names names(String sql) {
    return new Names(Tokens.of(SqlLexer.lex(sql, LexOptions.PREPARED).shape()), true);
  }

  private static String sorted(Set<String> names) {
    return String.join(" ", new TreeSet<>(names));
  }

  private static String routines(String sql) {
    return names(sql).routines().stream()
        .map(RoutineName::toString)
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a from t where b = 1 | t",
        "select t.a, t.b from public.t | public.t",
        "select a from t b, u as c where b.a = c.a order by a, b | t u",
        "select a.* from t a join u b using (a) | t u",
        "select count(a), (b) from t group by a having b = 1 | t",
        "select a from t where (b, a) in (select a, b from c) | c t",
        "select a::text from t where a is distinct from b | b t",
        "select a from t where exists (table b) | b t",
        "select 1 as a from t, b | b t",
        "select a from (b join c on a = b) | b c",
        "select null::a, cast(1 as b) from t | a b t",
        "select cast(x is distinct from y as b) from t | b t y",
        "select a '1', b(1), c[1] from t | a b c t",
        "select 1 from f() as x(a b, by c) | a b c f x",
        "select t.distinct from a t | a t",
        "select a from t.join b | t t.join",
        "select a from t natural join b cross join c | b c t",
        "select a from only b, lateral c | b c",
        "with a as (select 1) select b from a | a",
        "delete from t where a = b | a b t",
        "truncate a, b | a b",
      })
  void columnsAndAliasesAreNoRelations(String sql, String relations) {
    Set<String> found = new TreeSet<>();
    names(sql).relations().forEach(name -> found.add(name.toString()));
    found.removeIf(name -> name.length() > 1 && !name.contains("."));
    assertThat(String.join(" ", found)).isEqualTo(relations);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select (r).a from t | a",
        "select r[1].a from t | a",
        "select x.a from t x | ''",
        "select x.a from f() x | a",
        "select x.a, y.b from f() as x, t as y | a",
        "select f.a from f() | a",
        "select x.a from f() with ordinality x | a",
        "select x.a from f() with ordinality as x | a",
        "select x.a, x.b from (select 1) x | ''",
      })
  void fieldsMayBeOfSomethingElseThanATable(String sql, String fields) {
    assertThat(sorted(names(sql).fields())).isEqualTo(fields);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select (a).mood from t | mood",
        "select a[1].mood, (t.b).feeling from t | feeling mood",
        "select x.mood from t, lateral lower(a) x | mood",
        "select x.mood from t join s.f(a) as x(b) on true | mood",
        "select x.mood from t cross join cast(a as text) x | mood",
        "select x.mood from rows from (f(a)) as x | mood",
        "select lower.mood from lower(a) | mood",
        "select a.mood, t.b from t a | ''",
        "select x.mood from (select a as mood from t) x | ''",
        "select x.mood from (t join f(a) y on true) as x | mood",
        "select x.mood from t join u using (a) as x | ''",
        "select x.mood from (values (1)) x(mood) | ''",
        "select x.mood, x.c from f(a) as x(b, mood) | c",
        "select x.mood from f(a) as x(mood text) | ''",
        "select mood.mood from f(a) mood | ''",
        "select x.mood from json_table(a, '$' columns (mood text path '$')) x | ''",
        "with x(a, mood) as (table t) select x.mood from x | ''",
        "with y as (table t), x(mood) as materialized (table t) select x.mood from x | ''",
      })
  void nameBehindADotMayBeATypeWhereAValueStandsBefore(String sql, String types) {
    assertThat(sorted(names(sql).fields())).isEqualTo(types);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select over(1), by(2), sets(3), materialized(4) from t | by materialized over sets",
        "select sum(a) over (partition by (b) order by (c)) from t | sum",
        "select sum(a) filter (where b) from t group by (a) | sum",
        "select a from t group by grouping sets ((a)) | ''",
        "with x as materialized (table t), y as not materialized (table x) table y | ''",
        "with x as (table t) insert into u (a) table x | ''",
        "select \"coalesce\"(a), s.values(1), \"over\"(2) from t | coalesce over s.values",
        "select (r).f(1) from t | f",
        "select a overlaps b, t.overlaps from t | overlaps",
        "select t.user, t.at, t.trim, t.extract from t | ''",
        "select user, current_schema, system_user, localtime | current_schema localtime system_user user",
        "select trim(a), extract(year from b) from t | btrim date_part extract ltrim rtrim trim",
        "select a at time zone 'UTC' from t | timezone",
        "select \"user\", \"at\" from t | ''",
      })
  void whatMayBeCalledIsARoutine(String sql, String expected) {
    assertThat(routines(sql)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a from t where b similar to c | !~ ~",
        "select a from t where b = any (c) | <> =",
        "select a from t where b > all (c) | <> = >",
        "select a from t where b < some (c) | < <> =",
        "select a from t join u using (b) | <> =",
        "select a from t natural join u | =",
        "select distinct a from t | =",
        "select nullif(a, b) from t | =",
        "select case a when b then c end from t | =",
        "select a from t where b between c and d | < <= > >=",
        "select t.like, t.in, t.case, \"distinct\" from t | ''",
        "select a * b from t | *",
        "select (a) * 2, c[1] * 3 from t | *",
        "select count(*), t.*, * from t | ''",
        "select count(*), a operator(s.*) b from t | *",
        "select f(a => 1), g(b := 2) from t | ''",
        "select a ?? b, c ??& d from t | ? ?&",
      })
  void whatMayBeComputedIsAnOperator(String sql, String operators) {
    assertThat(sorted(names(sql).operators())).isEqualTo(operators);
  }

  @Test
  void wordsOfAtTimeZoneAreNoNames() {
    assertThat(names("select a at time zone b from t").identifiers())
        .contains("a", "b", "t")
        .doesNotContain("time");
    assertThat(names("select time from t").identifiers()).contains("time");
  }

  @Test
  void namesBehindADotAreRelationsOfASchemaOnly() {
    Set<RelationName> relations =
        names("delete from t where (r).a = s.b or c.\"select\"").relations();

    assertThat(relations)
        .contains(new RelationName("s", "b"), new RelationName("c", "select"))
        .contains(new RelationName(null, "t"), new RelationName(null, "s"))
        .doesNotContain(new RelationName(null, "a"), new RelationName(null, "b"))
        .doesNotContain(new RelationName(null, "from"));
    assertThat(List.of("a", "b", "c", "r", "s", "select", "t"))
        .allMatch(name -> names("select (r).a, s.b, c.select from t").identifiers().contains(name));
  }
}
