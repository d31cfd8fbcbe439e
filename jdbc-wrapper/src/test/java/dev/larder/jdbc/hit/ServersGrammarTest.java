package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.ComparedSessions;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PGobject;

/**
 * What PostgreSQL's own regression tests write and applications seldom do: what depends on its
 * tables alone is a hit with the server's answer, and what stands next to it in kind is none.
 */
@Tag("each-server")
final class ServersGrammarTest {
  private static final String[] SCHEMA = {
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
    "CREATE TYPE spot AS (x int, label text)",
    "CREATE FUNCTION odd(int) RETURNS bool LANGUAGE sql AS 'SELECT random() >= 0 AND $1 > 0'",
    "CREATE DOMAIN odd_int AS int CHECK (odd(VALUE))",
    "CREATE DOMAIN small AS int CHECK (VALUE < 100)",
    "CREATE TABLE moods (id int PRIMARY KEY, m mood[], s spot[], d small[])",
    "CREATE TABLE oddities (id int PRIMARY KEY, o odd_int[])",
    "INSERT INTO moods VALUES (1, '{sad,ok}', ARRAY[ROW(1, 'a')::spot], '{1,2}'),"
        + " (2, '{happy}', '{}', NULL)",
    "INSERT INTO oddities VALUES (1, '{1,3}')",
    "CREATE TYPE color AS ENUM ('red', 'green')",
    "CREATE FUNCTION same(color, color) RETURNS bool LANGUAGE plpgsql AS"
        + " 'BEGIN RETURN random() >= 0 AND $1::text = $2::text; END'",
    "CREATE OPERATOR = (LEFTARG = color, RIGHTARG = color, FUNCTION = same)",
    "CREATE FUNCTION near(int, text) RETURNS bool LANGUAGE sql AS 'SELECT random() >= 0'",
    "CREATE OPERATOR % (LEFTARG = int, RIGHTARG = text, FUNCTION = near)",
    "CREATE FUNCTION favorite() RETURNS color LANGUAGE sql IMMUTABLE AS $$SELECT 'red'::color$$",
    "CREATE FUNCTION of_color(int, int) RETURNS color LANGUAGE sql IMMUTABLE AS"
        + " $$SELECT 'red'::color$$",
    "CREATE OPERATOR ## (LEFTARG = int, RIGHTARG = int, FUNCTION = of_color)",
    "CREATE DOMAIN shade AS color",
    "CREATE DOMAIN mark AS text CHECK (length(VALUE) > random() - 1)",
    "CREATE FUNCTION doubled(int, text) RETURNS float8 LANGUAGE sql AS 'SELECT random()'",
    "CREATE OPERATOR * (LEFTARG = int, RIGHTARG = text, FUNCTION = doubled)",
    "CREATE FUNCTION prefixed(int) RETURNS float8 LANGUAGE sql AS 'SELECT random()'",
    "CREATE OPERATOR @@# (RIGHTARG = int, FUNCTION = prefixed)",
    "CREATE FUNCTION noisy(int) RETURNS float8 LANGUAGE sql AS 'SELECT random()'",
    "CREATE FUNCTION variadic_one(VARIADIC float8[]) RETURNS int LANGUAGE sql IMMUTABLE AS"
        + " 'SELECT 1'",
    "CREATE TYPE tint AS (c color)",
    "CREATE TABLE item (id int PRIMARY KEY, name text)",
    "INSERT INTO item VALUES (1, 'one'), (2, 'two')",
    "CREATE FUNCTION noisy_name(item) RETURNS text LANGUAGE sql AS"
        + " 'SELECT $1.name || random()'",
    "CREATE FUNCTION noisy_role(name) RETURNS text LANGUAGE sql AS 'SELECT $1 || random()::text'",
    "CREATE TABLE listed (\"all\" int, b text)",
    "CREATE TABLE paint (id int PRIMARY KEY, c color)",
    "CREATE TABLE shades (id int PRIMARY KEY, c shade)",
    "CREATE TABLE tints (id int PRIMARY KEY, t tint)",
    "CREATE VIEW numbered AS SELECT id AS tableoid FROM item",
    "CREATE VIEW paints AS SELECT id, c FROM paint",
  };

  private static TestDatabase database;
  private static Connection larder;
  private static Connection direct;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(SCHEMA);
    larder = LarderProbe.connect(database);
    direct = database.connect();
  }

  @AfterAll
  static void close() throws SQLException {
    larder.close();
    direct.close();
    database.close();
  }

  /** Servers before 17 do not have JSON_VALUE. */
  static Stream<String> cached() throws SQLException {
    boolean old = direct.getMetaData().getDatabaseMajorVersion() < 17;
    return CACHED.lines().filter(line -> !old || !line.contains("json_value("));
  }

  static Stream<String> bypassed() {
    return BYPASSED.lines();
  }

  @ParameterizedTest
  @MethodSource("cached")
  void isAHitWithTheServersAnswer(String sql) throws SQLException {
    fill(larder, sql);
    long before = hits(larder);
    List<String> answer = rows(larder, sql);
    assertThat(hits(larder)).isEqualTo(before + 1);
    assertThat(answer).isEqualTo(rows(direct, sql)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("bypassed")
  void reachesTheServerForAReason(String line) throws SQLException {
    int bar = line.indexOf('|');
    String sql = line.substring(bar + 1).trim();
    LarderProbe.run(larder, "RESET larder.statistics");
    LarderProbe.awaitCatalog(larder);
    long before = hits(larder);
    ComparedSessions.outcome(larder, sql);
    ComparedSessions.outcome(larder, sql);
    assertThat(hits(larder)).isEqualTo(before);
    BypassReason reason = BypassReason.valueOf(line.substring(0, bar).trim());
    assertThat(LarderProbe.reason(larder, sql)).contains(": " + reason.description() + ",");
  }

  @Test
  void aParameterHasTheTypeOfTheColumnThatItIsComparedWith() throws SQLException {
    try (PreparedStatement select =
        larder.prepareStatement("select name from item where id = ? and name in (?, ?) limit ?")) {
      long before = 0;
      for (int round = 0; round < 3; round++) {
        before = hits(larder);
        select.setInt(1, 1);
        select.setString(2, "one");
        select.setString(3, "two");
        select.setInt(4, 5);
        try (ResultSet row = select.executeQuery()) {
          assertThat(rows(row)).containsExactly("one");
        }
      }
      assertThat(hits(larder)).isEqualTo(before + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "? = ?",
        "'red' = ?",
        "'red' collate \"C\" = ?",
        "(select ?) = ?",
        "? in (?)",
        "case ? when ? then true end"
      })
  void aParameterMayBeOfAUsersTypeElsewhere(String condition) throws SQLException {
    try (PreparedStatement select =
        larder.prepareStatement("select name from item where id = 1 and " + condition)) {
      for (int round = 0; round < 3; round++) {
        int parameters = condition.replaceAll("[^?]", "").length();
        for (int i = 1; i <= parameters; i++) {
          PGobject red = new PGobject();
          red.setType("color");
          red.setValue("red");
          select.setObject(i, red);
        }
        long before = hits(larder);
        try (ResultSet row = select.executeQuery()) {
          assertThat(rows(row)).containsExactly("one");
        }
        assertThat(hits(larder)).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select inet '10.0.0.1' as i into temp made from item; drop table made",
        "with x as (delete from paint returning id) select inet '10.0.0.1', x.id from x, item",
        "select inet '10.0.0.1' from item; select m[1:] from moods"
      })
  void isMoreThanAQuery(String sql) throws SQLException {
    long before = hits(larder);
    LarderProbe.run(larder, sql, sql);
    assertThat(hits(larder)).isEqualTo(before);
  }

  private static final String CACHED =
      """
      select tableoid::regclass, id from item
      select id, i.tableoid::regclass::text as of from item i where i.tableoid::regclass::text = 'item'
      select tableoid::regclass, count(*) from item group by tableoid::regclass order by 1
      select id from moods order by id
      select id, m, s, d from moods order by id
      select m[1], array_length(m, 1), 'sad' = any (m), m @> '{ok}' from moods order by id
      select id from moods where m = '{happy}'::mood[] or d = '{1,2}'
      select unnest(m) from moods order by 1
      select name from item where id = 1
      select name from item where 'a' = 'a' and id in (1, 2) and name is distinct from null order by 1
      select i.name, m.m from item i join moods m using (id) where m.m[1] = 'sad'
      select case id when 1 then 'x' else 'y' end, nullif(name, 'one') from item order by id
      select count(*) from item where id = any ('{1}') and (id, name) = (1, 'one')
      select inet '10.0.0.1', box '((0,0),(1,1))', bool 't', numeric(4,1) '1.5', mood 'ok', point(1, 2), id from item order by id
      select date '2024-01-01', timestamp with time zone '2024-01-01 10:00+00', interval '1' day, id from item order by id
      select @ (-id), |/ 4.0, # '((1,2))'::path, !! 'a'::tsquery, ~ id, - id, + id from item order by id
      select id::text collate "C" as y from item order by id::text collate "C" desc
      select minus, t.true, t.false from (select id as minus, name as true, 1 as false from item) as t order by minus
      select id as minus, name as true, id as false from item order by id
      select substring(name for 2), substring(name from 2), substring(name from 1 for 1), substring(name similar '#"o#"%' escape '#') from item order by id
      select m[1:], m[:1], m[1:1], m[:], s[1].x from moods order by id
      select id from item order by id using >, name using ~<~
      select name is json, '{}' is not json object, name is json array with unique keys from item order by id
      select x.id, item.name from item join moods using (id) as x order by id
      select id operator(pg_catalog.||) name, id operator(pg_catalog.+) 1, operator(pg_catalog.-) id from item order by 1
      select id, name, count(*) from item group by grouping sets ((id), grouping sets ((name), rollup (id, name)), cube (id)) order by 1, 2
      select id, sum(id) over (order by id rows between 1 preceding and 1 following exclude current row), count(*) over (order by id groups between 1 preceding and current row exclude group) from item order by id
      select id, sum(id) over (order by id range between 1 preceding and 1 following exclude no others) from item order by id
      select pg_typeof(id), pg_typeof(name)::text, pg_typeof(m) from item join moods using (id) order by 1
      select concat_ws(',', variadic array['a', name]), format('%s %s', variadic array[name, name]) from item order by id
      select name is normalized, normalize(name, nfc), name is nfd normalized from item order by id
      select id from item where (id, name) in (values (1, 'one')) and name is distinct from 'x' and (name, id) is not null
      select * from item where id = 1 fetch first 1 row only
      select (array[id, 2])[1], (select array_agg(i.name order by i.name) from item i)[1:1] from item order by id
      select overlay(name placing 'x' from 1), position('o' in name), trim(leading 'o' from name), extract(day from interval '1 day') from item order by id
      select json_object('a': id), json_array(id, name), json_value('{"a": 1}', '$.a' returning int), json('{"a": 1}') from item order by id
      with recursive r (n) as (select 1 from item where id = 1 union all select n + 1 from r where n < 3) cycle n set looped using path select n, looped from r order by n
      select count(*) from (table item) t
      """;

  private static final String BYPASSED =
      """
      UNSUPPORTED_RELATION | select cast(tableoid as regclass) from item
      UNSUPPORTED_RELATION | select id from item where tableoid::regclass = 'item'::regclass
      UNSUPPORTED_RELATION | select id from item where 'item' = tableoid::regclass group by id
      UNSUPPORTED_RELATION | select coalesce(tableoid::regclass, 'item') from item
      UNSUPPORTED_RELATION | select tableoid::regclass from item union select 'item'
      UNSUPPORTED_RELATION | select tableoid::regclass::text from numbered
      UNSUPPORTED_RELATION | select tableoid::regclass::text from item as i(tableoid)
      UNSUPPORTED_RELATION | select tableoid::regclass::text from (select id as tableoid from item) x
      UNSUPPORTED_RELATION | with x as (select id as tableoid from item) select tableoid::regclass::text from x
      UNSUPPORTED_RELATION | select tableoid::regclass::text from item, json_to_record('{}') as x(tableoid int)
      UNSUPPORTED_RELATION | select x.tableoid::regclass::text from item, json_populate_record(null::numbered, '{}') x
      OPERATOR | select id from oddities
      OPERATOR | select id, '{1}'::odd_int[] from moods
      OPERATOR | select id from paint where c = 'red'
      OPERATOR | select id from paints where c = 'red'
      OPERATOR | select id from shades where c = 'red'
      OPERATOR | select id from tints where (t).c = 'red'
      OPERATOR | select id from item where 'red'::color = 'red'
      OPERATOR | select id from item where cast('red' as shade) = 'red'
      OPERATOR | select id from item where 'red' = any ('{red}'::_color)
      FUNCTION | select id from item where favorite() = favorite()
      OPERATOR | select id from item where (id ## 1) = (id ## 2)
      OPERATOR | select id from item where id operator(public.=) 1
      OPERATOR | select id from item where id % '2'
      OPERATOR | select id from paint order by c using >
      OPERATOR | select case id when 1 then 2 end * '3' from item
      OPERATOR | select @@# id from item
      OPERATOR | select odd_int '1' from item
      OPERATOR | select mark '1' from item
      TIME | select timestamp 'now', id from item
      TIME | select date $$today$$, id from item
      TIME | select date U&'to\\0064ay', id from item
      TIME | select time with time zone '10:00', id from item
      TIME | select name::text collate "C"::date from item
      TIME | select (array[name])[1:]::date[] from item
      TIME | select y::date from (select name collate "C" as y from item) x
      TIME | select treated.born::date from (select name::text collate "C" as born from item) treated
      TIME | select json_value(name, '$' returning date) from item
      TIME | select json_value('1', '$' passing now() as x) from item
      TIME | select id from item where current_time is not null
      TIME | select json_value('"12:00:00"', '$.time_tz()') from item
      TIME | select json_query('"12:00:00"', '$ . /* noon */ datetime ( )') from item
      TIME | select json_exists('"12:00:00"', '$ ? (@.time() < "11:00:00+00".time_tz())') from item
      TIME | select json_query('1', name::jsonpath) from item
      TIME | select a from item, json_table('{}', '$' columns (a text path '$.timestamp_tz()'))
      BUILTIN_FUNCTION | select collation for (name) from item
      FUNCTION | select noisy(id) from item
      FUNCTION | select u.noisy_role from item, current_user u
      FUNCTION | select "current_user".noisy_role from item, current_user
      OPERATOR | select listed.all * listed.b from listed
      TIME | select x.by from item, json_to_record('{"by":"today"}') as x(by date)
      TIME | select x.set from item, json_to_record('{"set":"today"}') as x(id int, set timestamptz)
      VOLATILE_FUNCTION | select id from item order by random() using >
      VOLATILE_FUNCTION | select id, variadic_one(variadic array[random()]) from item
      VOLATILE_FUNCTION | select m[1:random()::int] from moods
      VOLATILE_FUNCTION | select id from item order by id offset random()::int
      VOLATILE_FUNCTION | select * from item, rows from (random(), generate_series(1, 2)) as x
      FUNCTION | select item.noisy_name from item
      FUNCTION | select (item).noisy_name from item
      FUNCTION | select (i[1:1])[1].noisy_name from (select array_agg(item) as i from item) x
      UNKNOWN_SYNTAX | select treat(id as nextval) from item
      UNKNOWN_SYNTAX | select U&"n\\0061me" is json from item
      UNSUPPORTED_RELATION | select name::regclass from item
      UNSUPPORTED_RELATION | select regclass 'item', id from item
      UNSUPPORTED_RELATION | select id, pg_typeof(id)::regtype from item
      UNSUPPORTED_RELATION | select xmin, id[1:] from item
      ROW_LOCK | select id from item order by id using > for update
      ROW_LOCK | (select m[1:] from moods for no key update of moods)
      TABLE_SAMPLE | select inet '10.0.0.1' from item tablesample system (10)
      UNPARSED | select name \\ 2 from item
      UNKNOWN_RELATION | select * from nope
      UNKNOWN_RELATION | select a.x from only nowhere.nope as a
      UNKNOWN_RELATION | select 1 where exists (select from nope)
      NO_TABLE | with c as (select 1 as a) select a from c
      NO_TABLE | select extract(year from y) from (select date '2024-01-01' as y) x
      NO_TABLE | select * from generate_series(1, 2) x
      """;
}
