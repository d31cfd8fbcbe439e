package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The SELECTs of a web shop, as mappers write them and as people do: whatever depends on its tables
 * and the session's settings alone is a hit the second time, with the server's answer.
 */
final class ShopQueriesTest {
  private static final String[] SCHEMA = {
    "CREATE TABLE category (id int PRIMARY KEY, parent int REFERENCES category, name text)",
    "CREATE TABLE customer (id int PRIMARY KEY, email text, name text, number varchar(20),"
        + " born date, created_at timestamptz, address jsonb)",
    "CREATE TABLE product (id int PRIMARY KEY, category_id int REFERENCES category, name text,"
        + " price numeric(10,2), tags text[], attributes jsonb, description text, sheet xml,"
        + " valid tstzrange, created_at timestamptz, updated_at timestamp, version int)",
    "CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, status text,"
        + " ordered_at timestamptz, due date, shipped_at timestamp, date date, opens time)",
    "CREATE TABLE order_item (order_id int REFERENCES orders, product_id int REFERENCES product,"
        + " quantity int, price numeric(10,2), PRIMARY KEY (order_id, product_id))",
    "CREATE TABLE note (id int PRIMARY KEY, word text, ordered_at text, day text)",
    "INSERT INTO category VALUES (1, NULL, 'all'), (2, 1, 'books'), (3, 1, 'toys'), (4, 2, 'sql')",
    "INSERT INTO customer SELECT i, 'c' || i || '@example.org', 'Customer ' || i, 'N' || i,"
        + " date '1980-01-01' + i, timestamptz '2024-01-01 10:00+00' + i * interval '1 hour',"
        + " jsonb_build_object('city', 'Town ' || i % 2, 'lines', '[\"a\", \"b\"]'::jsonb)"
        + " FROM generate_series(1, 4) i",
    "INSERT INTO product SELECT i, 1 + i % 4, 'Product ' || i, i * 1.5, ARRAY['t' || i, 'x'],"
        + " jsonb_build_object('color', 'red', 'sizes', '[1, 2, 3]'::jsonb, 'weight', i),"
        + " 'A fine product number ' || i, '<p><n>1</n></p>',"
        + " tstzrange('2024-01-01 00:00+00', '2024-06-01 00:00+00'),"
        + " '2024-01-01 10:00+00', '2024-01-02 10:00', 1 FROM generate_series(1, 6) i",
    "INSERT INTO orders SELECT i, 1 + i % 4, CASE WHEN i % 2 = 0 THEN 'paid' ELSE 'open' END,"
        + " timestamptz '2024-01-01 12:00+00' + i * interval '20 days', date '2024-03-01' + i,"
        + " '2024-02-01 08:30', '2024-02-02', '09:00' FROM generate_series(1, 8) i",
    "INSERT INTO order_item SELECT o, p, o + p, p * 1.5 FROM generate_series(1, 8) o,"
        + " generate_series(1, 6) p WHERE (o + p) % 3 = 0",
    "CREATE VIEW texts AS SELECT ordered_at::text AS ordered_at FROM orders",
    "CREATE FUNCTION plain(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
    "CREATE DOMAIN moment AS timestamp",
    "CREATE TYPE old_order AS (ordered_at text)",
    "CREATE TABLE holder (o old_order, all_o old_order[])",
    "INSERT INTO note VALUES (1, '2024-01-01', '2024-01-01', '2024-01-01')"
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
  static void drop() throws SQLException {
    larder.close();
    direct.close();
    database.close();
  }

  static Stream<String> cached() {
    return Stream.of(CACHED.split("\n")).map(String::trim).filter(line -> !line.isEmpty());
  }

  static Stream<String> bypassed() {
    return Stream.of(BYPASSED.split("\n")).map(String::trim).filter(line -> !line.isEmpty());
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
    run(sql);
    long before = hits(larder);
    run(sql);
    assertThat(hits(larder)).isEqualTo(before);
    BypassReason reason = BypassReason.valueOf(line.substring(0, bar).trim());
    assertThat(LarderProbe.reason(larder, sql)).contains(": " + reason.description() + ",");
  }

  /** Runs the query, whatever the server thinks of it. */
  private static void run(String sql) {
    try {
      rows(larder, sql);
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("22007");
    }
  }

  private static final String CACHED =
      """
      select c1_0.id,c1_0.email,c1_0.name from customer c1_0 where c1_0.id=1
      select count(*) from (select o1_0.id from orders o1_0 where o1_0.status='paid' limit 2) c0
      select o1_0.id,o1_0.status from orders o1_0 left join customer c1_0 on c1_0.id=o1_0.customer_id where (o1_0.id,o1_0.status) in ((1,'open'),(2,'paid')) order by o1_0.id offset 0 rows fetch first 5 rows only
      select p1_0.id from product p1_0 where p1_0.created_at between '2024-01-01' and '2024-12-31' order by 1 fetch first 2 rows with ties
      select case when p.price > 5 then 'dear' when p.price is null then null else 'cheap' end, p.id from product p order by p.id
      select number from customer where number = 'N1'
      select number, name, version, value from (select c.number, c.name, 1 as version, 2 as value from customer c) x order by 1
      select type, key, data, text from (select status as type, id as key, 1 as data, 'x' as text from orders) x order by 2
      select o.date, o.opens from orders o where o.date >= '2024-01-01' order by o.id
      select date from orders where date = date '2024-02-02' order by date desc
      select ordered_at::date, count(*) from orders group by ordered_at::date order by 1
      select o.ordered_at::date as day, sum(i.price * i.quantity) from orders o join order_item i on i.order_id = o.id group by 1 order by 1
      select cast(ordered_at as date) from orders order by 1
      select date(ordered_at) from orders order by 1
      select due::timestamp, due::timestamptz, shipped_at::timestamptz, ordered_at::timestamp(0), ordered_at::time from orders order by id
      select date_trunc('month', ordered_at)::date, count(*) from orders group by 1 order by 1
      select (ordered_at at time zone 'Europe/Berlin')::date from orders order by 1
      select (due + 1)::timestamp, (ordered_at - interval '1 day')::date from orders order by 1
      select max(ordered_at)::date, min(o.ordered_at)::date, coalesce(max(ordered_at), min(ordered_at))::date from orders o
      select d::date, count(o.id) from generate_series(date '2024-01-01', date '2024-01-03', interval '1 day') d left join orders o on o.ordered_at::date = d::date group by 1 order by 1
      select d.day::date, count(o.id) from generate_series('2024-01-01'::date, '2024-01-03'::date, '1 day') as d(day) left join orders o on o.due = d.day group by 1 order by 1
      select o.ordered_at::date from orders o join note n on true
      select ordered_at::date from orders where plain(id) = 1
      select ordered_at::date, (select count(*) from order_item i where i.order_id = o.id) from orders o order by o.id
      select o.ordered_at::date, x.word from orders o, (select word, ordered_at from note) x order by 1
      with days as (select ordered_at::date as day, count(*) as n from orders group by 1) select day, n from days order by 1
      select to_char(ordered_at, 'YYYY-MM'), extract(year from ordered_at), extract(epoch from ordered_at), date_part('dow', ordered_at) from orders order by id
      select age(ordered_at, '2023-01-01'), age(ordered_at, created_at) from orders o join customer c on c.id = o.customer_id order by o.id
      select date_trunc('week', ordered_at) w, count(*) filter (where status = 'paid'), count(*) filter (where status = 'open') from orders group by 1 order by 1
      select ordered_at at time zone 'UTC', timezone('Asia/Tokyo', ordered_at) from orders order by 1
      select id from orders where ordered_at >= timestamptz '2024-01-01 00:00+00' and ordered_at < '2024-06-01'::timestamptz order by id
      select id from orders where due = '2024-03-02'::date or due in (date '2024-03-03', date '2024-03-04') order by id
      select id from product where valid @> timestamptz '2024-02-01 00:00+00' and valid && tstzrange(created_at, null) order by id
      select lower(valid), upper(valid), isempty(valid), daterange('2024-01-01', '2024-02-01') from product order by id
      select c.id from customer c where exists (select from orders o where o.customer_id = c.id) order by 1
      select c.id from customer c where not exists (select 1 from orders o where o.customer_id = c.id and o.status = 'none') order by 1
      select (p).id, (p).name from product p order by 1
      select (p).* from category p order by 1
      table category union table category order by 1
      table category order by id limit 2
      with c as (table category) select * from c order by id
      with c as materialized (select * from category), d as not materialized (select * from c) select count(*) from d
      with recursive tree as (select id, parent, name, 1 as depth from category where parent is null union all select c.id, c.parent, c.name, t.depth + 1 from category c join tree t on t.id = c.parent) select * from tree order by depth, id
      with recursive tree(id, path) as (select id, array[id] from category where parent is null union all select c.id, t.path || c.id from category c, tree t where t.id = c.parent) search depth first by id set ordering select id, path from tree order by ordering
      values (1, 'a'), ((select count(*) from orders), 'b')
      select v.id, v.label, c.name from (values (1, 'one'), (2, 'two')) as v(id, label) join category c on c.id = v.id order by 1
      select attributes->>'color', attributes->'sizes'->0, attributes#>>'{sizes,1}', attributes @> '{"color": "red"}', attributes ? 'weight' from product order by id
      select id from product where attributes ?| array['color', 'x'] and attributes ?& array['color', 'weight'] and attributes @? '$.sizes[*] ? (@ > 2)' order by id
      select id, attributes - 'color', attributes || '{"new": 1}', attributes #- '{sizes,0}', jsonb_set(attributes, '{color}', '"blue"') from product order by id
      select p.id, s.value from product p, jsonb_array_elements_text(p.attributes->'sizes') as s(value) order by 1, 2
      select p.id, e.key, e.value from product p cross join lateral jsonb_each(p.attributes) e order by 1, 2
      select jsonb_path_query(attributes, '$.sizes[*]') from product order by 1
      select id, jsonb_path_query_array(attributes, '$.sizes[*] ? (@ > 1)'), jsonb_path_exists(attributes, '$.color') from product order by id
      select r.* from product p, jsonb_to_record(p.attributes) as r(color text, weight int) order by r.weight
      select jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) from category
      select json_agg(c order by c.id), row_to_json(row(1, 'x')), to_jsonb(array_agg(id order by id)) from category c
      select coalesce(json_agg(t order by t.id), '[]'::json) from (select id, name from category) t
      select p.id, x.n from product p, xmltable('/p' passing p.sheet columns n int path 'n') x order by 1
      select xpath('/p/n/text()', sheet)::text[] from product order by id
      select xmlelement(name product, xmlattributes(id as id), name)::text from product order by id
      select string_agg(name, ', ' order by name desc), array_agg(distinct parent order by parent) from category
      select category_id, status, grouping(category_id, status), sum(i.quantity) from order_item i join product p on p.id = i.product_id join orders o on o.id = i.order_id group by grouping sets ((category_id, status), (category_id), ()) order by 1, 2
      select status, count(*) from orders group by rollup (status) order by 1
      select status, customer_id, count(*) from orders group by cube (status, customer_id) order by 1, 2
      select id, sum(price) over (order by id rows between 1 preceding and current row), lag(price) over w, first_value(name) over w from product window w as (partition by category_id order by id) order by id
      select id, row_number() over (partition by status order by id desc), ntile(2) over (order by id), percent_rank() over (order by id range between unbounded preceding and unbounded following exclude ties) from orders order by id
      select c.id, o.id from customer c left join lateral (select id from orders where customer_id = c.id order by ordered_at desc limit 1) o on true order by c.id
      select t.tag, t.n from product p, unnest(p.tags) with ordinality as t(tag, n) order by p.id, t.n
      select x.a, x.b from category c, rows from (generate_series(1, 2), generate_series(1, 3)) as x(a, b) where c.id = 1 order by 1, 2
      select s, count(o.id) from generate_series(1, 3) s left join orders o on o.id = s group by s order by s
      select id from product where id = any (array[1, 2, 3]) order by id
      select id from product where 'x' = any (tags) and tags && array['t1'] and tags @> '{x}' and array_length(tags, 1) = 2 and tags[1] = 't1'
      select id from product where id <> all ('{4,5}'::int[]) and category_id = any (select id from category) order by id
      select id from orders where (status, id) > ('open', 3) order by status, id fetch first row with ties
      select distinct on (customer_id) customer_id, id, status from orders order by customer_id, ordered_at desc
      select id, ts_rank(to_tsvector('english', description), q) as rank from product, plainto_tsquery('english', 'fine product') q where to_tsvector('english', description) @@ q order by rank desc, id
      select id, ts_headline('english', description, to_tsquery('english', 'fine')) from product where to_tsvector(description) @@ websearch_to_tsquery('fine -bad') order by id
      select name from product order by name collate "C" desc
      select name from product where name collate "C" > 'Product 2' and lower(name) ilike '%product%' and name similar to 'P%' and name ~* '^p' order by 1
      select p.name, coalesce(sum(i.quantity), 0) as sold, round(avg(i.price), 2), percentile_cont(0.5) within group (order by i.price), mode() within group (order by i.quantity) from product p left join order_item i on i.product_id = p.id group by p.id having coalesce(sum(i.quantity), 0) >= 0 order by sold desc nulls last, p.name
      select id from orders union select id from product except select id from category intersect select 4 order by 1
      select * from orders natural join (select id, status from orders) x order by id
      select * from order_item i join product p on p.id = i.product_id full join category c using (id) order by i.order_id, i.product_id, c.id
      select format('%s <%s>', name, email), concat_ws(' ', name, number), left(name, 3), substring(email from '@(.*)$'), substring(name from 1 for 2), position('@' in email), overlay(name placing 'X' from 1 for 1), trim(both 'C' from name), split_part(email, '@', 2), regexp_replace(name, '\\d', '#', 'g'), md5(name) from customer order by id
      select nullif(status, 'open'), greatest(id, 3), least(id, 3), id % 2 = 0, not (id > 3), id is distinct from 3, status is not null, id between symmetric 5 and 1 from orders order by id
      select (ordered_at, ordered_at + interval '1 day') overlaps (timestamptz '2024-02-01 00:00+00', interval '1 month') from orders order by id
      select width_bucket(price, 0, 10, 5), cast(price as int), price::text, price::numeric(6,1), '5'::int, cast('1' as bigint) from product order by id
      select array(select id from category order by id), array[[1, 2], [3, 4]], (array[1, 2, 3])[2:3], cardinality(tags), array_to_string(tags, ',') from product where id = 1
      select a.id from category a, category b where a.id = b.parent and a.id in (select parent from category) group by a.id order by 1
      select * from (select *, row_number() over (partition by customer_id order by ordered_at) as rn from orders) ranked where rn = 1 order by id
      select "orders"."id", "orders"."ordered_at" from "public"."orders" where ("orders"."status" = 'paid' and "orders"."ordered_at" >= timestamp with time zone '2024-01-01 00:00:00+00:00') order by "orders"."id" asc fetch next 10 rows only
      select "orders".* from "orders" where "orders"."status" = 'paid' order by "orders"."id" asc limit 1
      select 1 as one from "customer" where "customer"."email" = 'c1@example.org' limit 1
      select sum(case when status = 'paid' then 1 else 0 end)::float / count(*)::float from orders
      select extract(year from ordered_at)::int as year, extract(quarter from due)::int from orders order by id
      select make_date(2024, 1, id), make_interval(days => id), to_date('2024-01-0' || id, 'YYYY-MM-DD'), to_timestamp(id) from orders order by id
      select ordered_at > due, due < shipped_at, due - date '2024-01-01', ordered_at - created_at from orders join customer c on c.id = customer_id order by orders.id
      select corr(price, quantity), regr_slope(price, quantity), stddev_pop(price), variance(price), bool_and(price > 0), every(price > 0), bit_or(quantity) from order_item
      """;

  private static final String BYPASSED =
      """
      TIME | select id from orders where ordered_at > now() - interval '7 days'
      TIME | select id from orders where due = current_date
      TIME | select age(ordered_at) from orders
      TIME | select word::date from note
      TIME | select cast(word as timestamp) from note
      TIME | select date(word) from note
      TIME | select n.ordered_at::date from note n
      TIME | with months as (select date_trunc('month', ordered_at) as month, count(*) as n from orders group by 1) select month::date, n from months order by 1
      TIME | select x.ordered_at::date from (select word as ordered_at from note) x, orders
      TIME | select (attributes->>'at')::date from product
      TIME | select opens::timetz from orders
      TIME | select id from orders where due = 'today'
      VOLATILE_FUNCTION | select id from product order by random() limit 1
      ROW_LOCK | select id from product where id = 1 for update
      TABLE_SAMPLE | select id from product tablesample bernoulli (10)
      NO_TABLE | select 1
      UNSUPPORTED_RELATION | select xmin from orders
      UNSUPPORTED_RELATION | select relname from pg_class limit 1
      UNSUPPORTED_RELATION | select cast(tableoid as regclass) from orders
      TIME | select v.ordered_at::date from texts v
      TIME | select * from product p, jsonb_to_record(p.attributes) as r(at date)
      TIME | select * from product p, jsonb_to_record(p.attributes) as r(at moment)
      TIME | select * from product p, xmltable('/p' passing p.sheet columns n moment path 'n') x
      TIME | select x.ordered_at::date from (select (h.o).* from holder h) x
      TIME | select x.ordered_at::date from holder h, unnest(h.all_o) x
      """;
}
