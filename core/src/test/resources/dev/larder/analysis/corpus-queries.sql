# pgbench
SELECT abalance FROM pgbench_accounts WHERE aid = 4711
SELECT abalance FROM pgbench_accounts WHERE aid = $1
select count(*) from pgbench_branches
SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN 1 AND 1000
SELECT o.n, p.partstrat, pg_catalog.count(i.inhparent) FROM pgbench_x AS c LEFT JOIN pgbench_parts AS p ON (p.partrelid = c.oid) CROSS JOIN LATERAL (SELECT 1 AS n) AS o LEFT JOIN pgbench_inh AS i ON (c.oid = i.inhparent) GROUP BY 1, 2
select bid, bbalance from pgbench_branches where bid = 1 limit 1
select tid, tbalance from pgbench_tellers order by tid desc
select aid from pgbench_history where mtime > '2024-01-01 00:00:00' order by mtime limit 10
# Hibernate
select c1_0.id,c1_0.email,c1_0.name,c1_0.version from customer c1_0 where c1_0.id=?
select o1_0.id,o1_0.customer_id,c1_0.id,c1_0.email,o1_0.placed_at,o1_0.status from orders o1_0 left join customer c1_0 on c1_0.id=o1_0.customer_id where o1_0.id=?
select i1_0.order_id,i1_0.id,i1_0.price,i1_0.product_id,i1_0.quantity from order_item i1_0 where i1_0.order_id=?
select i1_0.order_id,i1_0.id,i1_0.price from order_item i1_0 where i1_0.order_id = any (?)
select i1_0.order_id,i1_0.id,i1_0.price from order_item i1_0 where i1_0.order_id in (?,?,?,?,?,?,?,?,?,?)
select count(o1_0.id) from orders o1_0 where o1_0.status=?
select count(*) from orders o1_0
select p1_0.id,p1_0.name,p1_0.price from product p1_0 where p1_0.name like ? escape '' order by p1_0.name offset ? rows fetch first ? rows only
select p1_0.id,p1_0.name from product p1_0 where lower(p1_0.name) like lower(?) escape '\'
select p1_0.id from product p1_0 order by p1_0.id limit ? offset ?
select distinct o1_0.status from orders o1_0
select o1_0.status,count(o1_0.id),sum(o1_0.total) from orders o1_0 group by o1_0.status having count(o1_0.id)>?
select c1_0.id from customer c1_0 where exists(select 1 from orders o1_0 where o1_0.customer_id=c1_0.id)
select c1_0.id from customer c1_0 where not exists(select 1 from orders o1_0 where o1_0.customer_id=c1_0.id and o1_0.status<>?)
select c1_0.id from customer c1_0 where c1_0.id not in (select o1_0.customer_id from orders o1_0)
select case when o1_0.total>? then 'big' when o1_0.total is null then 'none' else 'small' end from orders o1_0
select coalesce(c1_0.nick,c1_0.name) from customer c1_0
select c1_0.id,c1_0.dtype,c1_0.name from person c1_0 where c1_0.dtype in ('Customer','VipCustomer') and c1_0.id=?
select p1_0.id,case when p1_1.id is not null then 1 when p1_0.id is not null then 0 end,p1_0.name,p1_1.rebate from person p1_0 left join vip p1_1 on p1_0.id=p1_1.id where p1_0.id=?
select t1_0.id,t1_0.clazz_,t1_0.name from (select id, name, null::text as rebate, 1 as clazz_ from customer union all select id, name, rebate, 2 as clazz_ from vip) t1_0 where t1_0.id=?
select r1_0.user_id,r1_1.id,r1_1.name from user_role r1_0 join role r1_1 on r1_1.id=r1_0.role_id where r1_0.user_id=?
select max(o1_0.placed_at),min(o1_0.placed_at),avg(o1_0.total) from orders o1_0 where o1_0.customer_id=?
select o1_0.id from orders o1_0 where o1_0.placed_at between ? and ? order by o1_0.placed_at desc nulls last,o1_0.id
select cast(o1_0.total as integer) from orders o1_0
select o1_0.id from orders o1_0 where cast(o1_0.id as varchar(255))=?
select concat(c1_0.first_name,' ',c1_0.last_name) from customer c1_0
select (c1_0.first_name||' '||c1_0.last_name) from customer c1_0
select length(c1_0.name),upper(c1_0.name),substring(c1_0.name,1,3),position('a' in c1_0.name) from customer c1_0
select trim(both ' ' from c1_0.name) from customer c1_0
select abs(p1_0.price),mod(p1_0.id,2),round(cast(p1_0.price as numeric),2),floor(p1_0.price),ceiling(p1_0.price) from product p1_0
select extract(year from o1_0.placed_at) from orders o1_0 where extract(month from o1_0.placed_at)=?
select date_trunc('day',o1_0.placed_at),count(*) from orders o1_0 group by date_trunc('day',o1_0.placed_at)
select row_number() over(partition by o1_0.customer_id order by o1_0.placed_at),o1_0.id from orders o1_0
select listagg.v from (select string_agg(p1_0.name,',' order by p1_0.name) as v from product p1_0) listagg
select u1_0.id from "user" u1_0 where u1_0."order"=?
select a1_0.id,a1_0.tags from article a1_0 where ? = any(a1_0.tags)
select a1_0.id from article a1_0 where a1_0.tags && ?
select a1_0.id from article a1_0 where a1_0.doc @> ?::jsonb
select e1_0.id,e1_0.parent_id from tree e1_0 where e1_0.parent_id is null order by e1_0.sort
with recursive t1_0 (id,parent_id) as (select c1_0.id,c1_0.parent_id from category c1_0 where c1_0.parent_id is null union all select c2_0.id,c2_0.parent_id from category c2_0 join t1_0 t2_0 on t2_0.id=c2_0.parent_id) select t1_0.id from t1_0
select o1_0.id,o1_0.total from orders o1_0 where o1_0.total>(select avg(o2_0.total) from orders o2_0)
select o1_0.id from orders o1_0 where (o1_0.customer_id,o1_0.status) in ((?,?),(?,?))
select o1_0.id from orders o1_0 where o1_0.total>=all(select o2_0.total from orders o2_0)
select b1_0.id,b1_0.isbn from book b1_0 where b1_0.published>=date '2020-01-01'
select b1_0.id from book b1_0 where b1_0.added>timestamp with time zone '2020-01-01 00:00:00+00'
select 1 from customer c1_0 where c1_0.email=? fetch first ? rows only
select c1_0.id from customer c1_0 where c1_0.active=true and c1_0.deleted is not true
# jOOQ
select "public"."author"."id", "public"."author"."first_name", "public"."author"."last_name" from "public"."author" where "public"."author"."id" = ?
select "book"."title", "author"."last_name" from "public"."book" join "public"."author" on "book"."author_id" = "author"."id" order by "book"."title" asc fetch next ? rows only
select count(*) from "public"."book" where ("public"."book"."title" like ? and "public"."book"."year" > ?)
select "t"."a", "t"."b" from (values (?, ?), (?, ?)) as "t" ("a", "b") join "u" on "u"."a" = "t"."a"
select "a"."id", coalesce((select json_agg("t"."j") from (select json_build_array("b"."title") as "j" from "book" as "b" where "b"."author_id" = "a"."id") as "t"), '[]'::json) as "books" from "author" as "a"
select distinct "public"."book"."language_id" from "public"."book" where "public"."book"."id" in (?, ?, ?) order by 1
(select "id" from "a") union (select "id" from "b") order by 1 offset ? rows fetch next ? rows only
(select "id" from "a") except all (select "id" from "b") intersect (select "id" from "c")
select "public"."book"."id", rank() over (partition by "public"."book"."author_id" order by "public"."book"."price" desc) as "r" from "public"."book"
select "b"."id", sum("b"."price") over (order by "b"."id" rows between unbounded preceding and current row) from "public"."book" as "b"
select "x"."id" from "public"."x" where ("x"."a" is distinct from ? or "x"."b" is not distinct from ?)
select cast(? as int), cast(? as varchar) from "public"."x"
select "x"."id" from "public"."x" where "x"."data" ->> 'name' = ? and "x"."data" #>> '{a,b}' is not null
select array_agg("x"."id" order by "x"."id") filter (where "x"."id" > 0) from "public"."x"
select "x"."id" from "public"."x" where "x"."id" = any(cast(? as int[]))
select "x"."a"[1], "x"."a"[2:3] from "public"."x"
select greatest("x"."a", "x"."b"), least("x"."a", "x"."b"), nullif("x"."a", 0) from "public"."x"
with "c" as (select "id" from "public"."x"), "d" as materialized (select "id" from "c") select * from "d"
select * from "public"."x" left outer join lateral (select * from "public"."y" where "y"."xid" = "x"."id" limit 1) as "l" on true
select "x"."id" from "public"."x" natural join "public"."y"
select "x"."id" from "public"."x" full outer join "public"."y" using ("id")
select "x"."id" from "public"."x" cross join "public"."y"
select "a", "b", count(*) from "public"."x" group by grouping sets (("a"), ("b"), ())
select "a", "b", count(*), grouping("a") from "public"."x" group by rollup ("a", "b")
select "a", count(*) from "public"."x" group by cube ("a", "b")
select 1 as "one" from "public"."x" where exists (select 1 from "public"."y")
select "x"."id" from "public"."x" where "x"."name" ilike ? escape '!'
select "x"."id" from "public"."x" where "x"."name" similar to 'a%'
select "x"."id" from "public"."x" where "x"."name" ~ '^a' and "x"."name" !~* 'b$'
select percentile_cont(0.5) within group (order by "x"."a") from "public"."x"
select first_value("x"."a") over "w" from "public"."x" window "w" as (partition by "x"."b" order by "x"."c")
select lag("x"."a", 1) over (order by "x"."b") from "public"."x"
# MyBatis and JdbcTemplate
SELECT id, name, price FROM product WHERE id = ?
SELECT * FROM product WHERE name = ? AND price <= ? ORDER BY price DESC LIMIT 20
SELECT p.*, c.name AS category_name FROM product p INNER JOIN category c ON c.id = p.category_id WHERE c.id IN ( ? , ? , ? )
SELECT COUNT(0) FROM product WHERE 1 = 1 AND price > 10.50
SELECT id FROM account WHERE lower(email) = lower(?)
SELECT a.id, (SELECT count(*) FROM orders o WHERE o.account_id = a.id) AS order_count FROM account a
SELECT * FROM a, b WHERE a.id = b.id AND a.x = 'it''s' AND b.y <> 'x'
SELECT id FROM t WHERE a = 1 OR (b = 2 AND NOT c = 3)
SELECT -1 * a, +b, ~c, a % 2, a ^ 2, a / 3 FROM t
SELECT a & b, a | b, a << 1, a >> 1 FROM t
SELECT DISTINCT ON (customer_id) customer_id, id FROM orders ORDER BY customer_id, placed_at DESC
SELECT t.* FROM t WHERE (t.a, t.b) > (?, ?) ORDER BY t.a, t.b LIMIT 50
SELECT id::text, (a + b)::int8, '5'::int FROM t
SELECT a AT TIME ZONE 'UTC' FROM t
SELECT a - interval '1 day', b + interval '2 hours' FROM t
SELECT a COLLATE "C" FROM t
SELECT ARRAY[1, 2, 3], ARRAY(SELECT id FROM u) FROM t
SELECT row(a, b) FROM t
SELECT ROW(1, 2) = ROW(a, b) FROM t
SELECT (c).street, (c).city FROM t
SELECT a IS NULL, b IS NOT NULL, c IS TRUE, d IS NOT FALSE, e IS UNKNOWN FROM t
SELECT a ISNULL FROM t
SELECT overlay(a placing 'x' from 1 for 2), substring(a from 2 for 3), substring(a from '[a-z]+') FROM t
SELECT a <-> b FROM t ORDER BY a <-> b
SELECT a @> b, a <@ b, a && b, a -> 'x', a ->> 'y', a #> '{z}' FROM t
SELECT * FROM t WHERE tsv @@ to_tsquery('english', ?)
SELECT ts_rank(tsv, plainto_tsquery('english', ?)) AS rank FROM t ORDER BY rank DESC
SELECT * FROM generate_series(1, 10) AS g(i) JOIN t ON t.id = g.i
SELECT * FROM t, unnest(t.tags) WITH ORDINALITY AS u(tag, n)
SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[1])) AS r JOIN t ON true
SELECT jsonb_each.key FROM t, jsonb_each(t.doc)
SELECT count(DISTINCT a), sum(ALL b) FROM t
SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE u.d = t.d)
TABLE product
VALUES (1, 'a'), (2, 'b')
SELECT a FROM ONLY t
SELECT a FROM ((SELECT a FROM t) UNION ALL (SELECT b FROM u)) x
SELECT a FROM t WHERE b = $1 AND c = $2
SELECT a AS "A b", b "C" FROM t AS "T" ("a", "b")
SELECT a FROM (t JOIN u ON t.id = u.id) JOIN v ON v.id = u.id
SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END FROM t
SELECT a FROM t WHERE b NOT BETWEEN 1 AND 2 AND c NOT LIKE 'x%' AND d NOT IN (1, 2)
SELECT a FROM t WHERE b BETWEEN SYMMETRIC 2 AND 1
SELECT a FROM t OFFSET 10
SELECT a FROM t LIMIT ALL
SELECT a FROM t FETCH FIRST ROW ONLY
SELECT a FROM t FETCH FIRST 5 ROWS WITH TIES
SELECT name, value, type, key, status, level, role, date FROM config
SELECT name FROM t WHERE type = ? AND value = ? AND status = ?
SELECT u.user_id, u.password, u.timestamp FROM users u WHERE u.year = 2020 AND u.month = 1
SELECT a FROM schema1.t1 JOIN schema2.t2 ON t1.id = t2.id
SELECT a.b.c FROM a.b
SELECT (a).b.c, (d[1]).e FROM t
SELECT a FROM t WHERE b = E'x\ny' AND c = N'z' AND d = B'101' AND e = X'1F'
SELECT a FROM t WHERE b = $$it's$$ AND c = $q$x$q$
SELECT make_interval(days => 10) FROM t
SELECT make_interval(days := 10) FROM t
SELECT (SELECT max(a) FROM t) - (SELECT min(a) FROM t)
SELECT a, b FROM t GROUP BY a, b HAVING count(*) > 1 ORDER BY 1 ASC, 2 DESC NULLS FIRST
SELECT a FROM t WHERE true AND NOT false
SELECT a, count(*) FILTER (WHERE b > 1) OVER (PARTITION BY c) FROM t
SELECT sum(a) OVER (ORDER BY b RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM t
SELECT a FROM t WHERE b = ANY (ARRAY['x', 'y']::text[]) AND c = ALL (?)
SELECT a FROM t WHERE (b, c) IN (SELECT d, e FROM u)
SELECT a FROM t WHERE (b, c) OVERLAPS (d, e)
WITH a AS (SELECT 1 AS x FROM t), b AS (SELECT x FROM a) SELECT * FROM b JOIN a USING (x)
WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < 10) SELECT n FROM s JOIN t ON t.id = n
WITH x AS NOT MATERIALIZED (SELECT a FROM t) SELECT * FROM x
SELECT a FROM t INTERSECT SELECT b FROM u EXCEPT SELECT c FROM v
SELECT a FROM t WHERE b ILIKE ANY (ARRAY['%x%', '%y%'])
SELECT to_char(a, 'YYYY-MM-DD'), to_number(b, '999') FROM t
SELECT md5(a), encode(b, 'hex') FROM t
SELECT xmlelement(name foo, a) FROM t
SELECT /*+ SeqScan(t) */ a FROM t
SELECT a::numeric(10,2), b::varchar(20), c::char(3), d::double precision, e::bit varying(3) FROM t
SELECT cast(a AS double precision), cast(b AS character varying(10)), cast(c AS text[]) FROM t
SELECT a FROM t WHERE b::uuid = ?::uuid
SELECT a FROM t WHERE doc->'a'->>'b' = 'c' AND (doc->>'n')::int > 5
SELECT a FROM t WHERE doc ?? 'a' AND doc ??| array['b', 'c'] AND doc ??& array['d']
SELECT a FROM t WHERE doc @?? '$.a' AND doc @@ '$.b'
SELECT current_setting FROM t
SELECT last, first, offset_value, rows FROM t
# Spring Data finders and admin pages
select c1_0.id,c1_0.email,c1_0.name,c1_0.city from customer c1_0 where c1_0.email=? and c1_0.name=? order by c1_0.city fetch first ? rows only
select c1_0.id,c1_0.email,c1_0.name,c1_0.city from customer c1_0 where c1_0.email is null or c1_0.name in (?,?)
select count(*) from customer c1_0 where c1_0.city>? and c1_0.city<=?
SELECT "customer"."id", "customer"."name" FROM "shop"."customer" WHERE "customer"."email" = 42 LIMIT 21
SELECT id, email, name, city FROM customer WHERE id > ? ORDER BY id ASC LIMIT 100
select o1_0.id,o1_0.customer_id,o1_0.status,o1_0.total from orders o1_0 where o1_0.customer_id=? and o1_0.status=? order by o1_0.total fetch first ? rows only
select o1_0.id,o1_0.customer_id,o1_0.status,o1_0.total from orders o1_0 where o1_0.customer_id is null or o1_0.status in (?,?)
select count(*) from orders o1_0 where o1_0.total>? and o1_0.total<=?
SELECT "orders"."id", "orders"."status" FROM "shop"."orders" WHERE "orders"."customer_id" = 42 LIMIT 21
SELECT id, customer_id, status, total FROM orders WHERE id > ? ORDER BY id ASC LIMIT 100
select p1_0.id,p1_0.name,p1_0.price,p1_0.category_id from product p1_0 where p1_0.name=? and p1_0.price=? order by p1_0.category_id fetch first ? rows only
select p1_0.id,p1_0.name,p1_0.price,p1_0.category_id from product p1_0 where p1_0.name is null or p1_0.price in (?,?)
select count(*) from product p1_0 where p1_0.category_id>? and p1_0.category_id<=?
SELECT "product"."id", "product"."price" FROM "shop"."product" WHERE "product"."name" = 42 LIMIT 21
SELECT id, name, price, category_id FROM product WHERE id > ? ORDER BY id ASC LIMIT 100
select i1_0.id,i1_0.order_id,i1_0.amount,i1_0.due from invoice i1_0 where i1_0.order_id=? and i1_0.amount=? order by i1_0.due fetch first ? rows only
select i1_0.id,i1_0.order_id,i1_0.amount,i1_0.due from invoice i1_0 where i1_0.order_id is null or i1_0.amount in (?,?)
select count(*) from invoice i1_0 where i1_0.due>? and i1_0.due<=?
SELECT "invoice"."id", "invoice"."amount" FROM "shop"."invoice" WHERE "invoice"."order_id" = 42 LIMIT 21
SELECT id, order_id, amount, due FROM invoice WHERE id > ? ORDER BY id ASC LIMIT 100
select s1_0.id,s1_0.order_id,s1_0.carrier,s1_0.tracking from shipment s1_0 where s1_0.order_id=? and s1_0.carrier=? order by s1_0.tracking fetch first ? rows only
select s1_0.id,s1_0.order_id,s1_0.carrier,s1_0.tracking from shipment s1_0 where s1_0.order_id is null or s1_0.carrier in (?,?)
select count(*) from shipment s1_0 where s1_0.tracking>? and s1_0.tracking<=?
SELECT "shipment"."id", "shipment"."carrier" FROM "shop"."shipment" WHERE "shipment"."order_id" = 42 LIMIT 21
SELECT id, order_id, carrier, tracking FROM shipment WHERE id > ? ORDER BY id ASC LIMIT 100
select a1_0.id,a1_0.customer_id,a1_0.street,a1_0.zip from address a1_0 where a1_0.customer_id=? and a1_0.street=? order by a1_0.zip fetch first ? rows only
select a1_0.id,a1_0.customer_id,a1_0.street,a1_0.zip from address a1_0 where a1_0.customer_id is null or a1_0.street in (?,?)
select count(*) from address a1_0 where a1_0.zip>? and a1_0.zip<=?
SELECT "address"."id", "address"."street" FROM "shop"."address" WHERE "address"."customer_id" = 42 LIMIT 21
SELECT id, customer_id, street, zip FROM address WHERE id > ? ORDER BY id ASC LIMIT 100
select r1_0.id,r1_0.product_id,r1_0.stars,r1_0.body from review r1_0 where r1_0.product_id=? and r1_0.stars=? order by r1_0.body fetch first ? rows only
select r1_0.id,r1_0.product_id,r1_0.stars,r1_0.body from review r1_0 where r1_0.product_id is null or r1_0.stars in (?,?)
select count(*) from review r1_0 where r1_0.body>? and r1_0.body<=?
SELECT "review"."id", "review"."stars" FROM "shop"."review" WHERE "review"."product_id" = 42 LIMIT 21
SELECT id, product_id, stars, body FROM review WHERE id > ? ORDER BY id ASC LIMIT 100
select p1_0.id,p1_0.order_id,p1_0.method,p1_0.paid from payment p1_0 where p1_0.order_id=? and p1_0.method=? order by p1_0.paid fetch first ? rows only
select p1_0.id,p1_0.order_id,p1_0.method,p1_0.paid from payment p1_0 where p1_0.order_id is null or p1_0.method in (?,?)
select count(*) from payment p1_0 where p1_0.paid>? and p1_0.paid<=?
SELECT "payment"."id", "payment"."method" FROM "shop"."payment" WHERE "payment"."order_id" = 42 LIMIT 21
SELECT id, order_id, method, paid FROM payment WHERE id > ? ORDER BY id ASC LIMIT 100
select s1_0.id,s1_0.product_id,s1_0.amount,s1_0.place from stock s1_0 where s1_0.product_id=? and s1_0.amount=? order by s1_0.place fetch first ? rows only
select s1_0.id,s1_0.product_id,s1_0.amount,s1_0.place from stock s1_0 where s1_0.product_id is null or s1_0.amount in (?,?)
select count(*) from stock s1_0 where s1_0.place>? and s1_0.place<=?
SELECT "stock"."id", "stock"."amount" FROM "shop"."stock" WHERE "stock"."product_id" = 42 LIMIT 21
SELECT id, product_id, amount, place FROM stock WHERE id > ? ORDER BY id ASC LIMIT 100
select c1_0.id,c1_0.customer_id,c1_0.code,c1_0.rebate from coupon c1_0 where c1_0.customer_id=? and c1_0.code=? order by c1_0.rebate fetch first ? rows only
select c1_0.id,c1_0.customer_id,c1_0.code,c1_0.rebate from coupon c1_0 where c1_0.customer_id is null or c1_0.code in (?,?)
select count(*) from coupon c1_0 where c1_0.rebate>? and c1_0.rebate<=?
SELECT "coupon"."id", "coupon"."code" FROM "shop"."coupon" WHERE "coupon"."customer_id" = 42 LIMIT 21
SELECT id, customer_id, code, rebate FROM coupon WHERE id > ? ORDER BY id ASC LIMIT 100
select c1_0.id,c1_0.parent_id,c1_0.name,c1_0.sort from category c1_0 where c1_0.parent_id=? and c1_0.name=? order by c1_0.sort fetch first ? rows only
select c1_0.id,c1_0.parent_id,c1_0.name,c1_0.sort from category c1_0 where c1_0.parent_id is null or c1_0.name in (?,?)
select count(*) from category c1_0 where c1_0.sort>? and c1_0.sort<=?
SELECT "category"."id", "category"."name" FROM "shop"."category" WHERE "category"."parent_id" = 42 LIMIT 21
SELECT id, parent_id, name, sort FROM category WHERE id > ? ORDER BY id ASC LIMIT 100
