# plain
SELECT * FROM item WHERE id = 3
SELECT id, name AS "Label", price FROM item ORDER BY id
TABLE cust
SELECT * FROM ONLY animal
SELECT * FROM animal *
SELECT * FROM cat
SELECT * FROM pet
SELECT tableoid, * FROM animal
SELECT * FROM a.same
SELECT * FROM b.same
SELECT * FROM a.same UNION ALL SELECT * FROM b.same
SELECT "Id", "select", "tö" FROM "Mixed Case"."Tbl"
SELECT * FROM "Ünïcode"
SELECT * FROM Ünïcode
SELECT v FROM "say ""hi"""
SELECT item FROM cust
SELECT day FROM cust
SELECT c.day, c.item FROM cust c
SELECT item.* FROM item
SELECT item FROM item
SELECT (p).x, (p).* FROM item
SELECT (item.p).y FROM item
SELECT name(cust) FROM cust
SELECT line.note FROM line WHERE ord = 1
VALUES ((SELECT count(*) FROM item)), ((SELECT max(id) FROM cust))
SELECT id::text || '-' || name FROM item
SELECT 1 FROM self; 
;SELECT count(*) FROM self
SELECT /* c1 */ count(*) /* c2 -- */ FROM/**/cust -- end
# joins
SELECT c.name, i.name FROM cust c JOIN orders o ON o.cust = c.id JOIN item i ON i.id = o.item ORDER BY o.id
SELECT * FROM cust LEFT JOIN orders ON orders.cust = cust.id
SELECT * FROM cust NATURAL JOIN secret
SELECT * FROM orders JOIN line ON line.ord = orders.id AND line.note LIKE 'n1%'
SELECT * FROM cust c, LATERAL (SELECT sum(qty) FROM orders o WHERE o.cust = c.id) s
SELECT * FROM cust c CROSS JOIN LATERAL unnest(ARRAY(SELECT qty FROM orders o WHERE o.cust = c.id)) WITH ORDINALITY u(q, n)
SELECT * FROM item i, generate_series(1, i.id) g WHERE i.id < 4
SELECT * FROM item, unnest(tags) t
SELECT * FROM item, jsonb_each(doc)
SELECT * FROM item i, ROWS FROM (unnest(i.tags), generate_series(1, 3)) r(a, b)
SELECT * FROM self s1 FULL JOIN self s2 ON s1.parent = s2.id
SELECT * FROM chain1 JOIN chain2 USING (id) JOIN chain3 USING (id)
SELECT * FROM (SELECT id FROM cust) x JOIN (SELECT cust, count(*) FROM orders GROUP BY 1) y ON x.id = y.cust
# aggregates
SELECT count(*), sum(price), avg(price), min(name), max(d) FROM item
SELECT cust, sum(qty) FROM orders GROUP BY cust HAVING sum(qty) > 3
SELECT cust, item, sum(qty) FROM orders GROUP BY GROUPING SETS ((cust), (item), ())
SELECT cust, item, grouping(cust), sum(qty) FROM orders GROUP BY CUBE (cust, item)
SELECT cust, sum(qty) FROM orders GROUP BY ROLLUP (cust)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY qty) FROM orders
SELECT mode() WITHIN GROUP (ORDER BY cust) FROM orders
SELECT string_agg(name, ',' ORDER BY id DESC) FROM cust
SELECT array_agg(qty ORDER BY id) FILTER (WHERE qty > 3) FROM orders
SELECT jsonb_agg(c ORDER BY c.id) FROM cust c
SELECT json_object_agg(id, name) FROM (SELECT id, name FROM cust ORDER BY id) z
SELECT count(DISTINCT cust) FROM orders
SELECT DISTINCT ON (cust) cust, id, qty FROM orders ORDER BY cust, qty DESC
SELECT id, rank() OVER (ORDER BY qty), lag(qty) OVER w, sum(qty) OVER (PARTITION BY cust ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders WINDOW w AS (ORDER BY id)
SELECT first_value(qty) OVER (PARTITION BY cust ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES) FROM orders
SELECT bool_and(qty > 0), every(qty < 100), bit_or(qty) FROM orders
# subqueries
SELECT (SELECT max(id) FROM line) FROM cust
SELECT * FROM cust WHERE id IN (SELECT cust FROM orders)
SELECT * FROM cust WHERE NOT EXISTS (SELECT FROM orders WHERE cust = cust.id)
SELECT * FROM cust WHERE id = ANY (SELECT cust FROM orders WHERE qty > 5)
SELECT * FROM cust WHERE id > ALL (SELECT id FROM self WHERE id < 3)
SELECT ARRAY(SELECT id FROM self ORDER BY 1)
SELECT (ARRAY[10, 20, 30])[(SELECT count(*)::int FROM chain1)]
SELECT (ARRAY[1,2,3,4])[(SELECT 1 FROM chain2 LIMIT 1):(SELECT count(*)::int FROM chain3)]
SELECT CASE WHEN EXISTS (SELECT FROM b.same WHERE v = 'b') THEN (SELECT v FROM a.same ORDER BY id LIMIT 1) END
SELECT coalesce((SELECT v FROM a.same WHERE id = 1), (SELECT v FROM b.same WHERE id = 1))
SELECT name FROM cust ORDER BY (SELECT count(*) FROM orders o WHERE o.cust = cust.id), id
SELECT name FROM cust ORDER BY id LIMIT (SELECT count(*) FROM chain1)
SELECT name FROM cust ORDER BY id OFFSET (SELECT count(*) FROM chain1) ROWS
SELECT name FROM cust ORDER BY id FETCH FIRST 3 ROWS ONLY
SELECT count(*) FROM cust GROUP BY (SELECT max(id) FROM chain3)
SELECT sum((SELECT count(*) FROM chain2)) FROM cust
SELECT string_agg(name, ',' ORDER BY (SELECT -cust.id FROM chain1 LIMIT 1)) FROM cust
SELECT overlay('abcdef' PLACING (SELECT v FROM a.same WHERE id = 1) FROM 2) FROM cust
SELECT position((SELECT v FROM b.same WHERE id = 1) IN 'xxb')
SELECT substring('hello' FROM (SELECT count(*)::int FROM chain1))
SELECT (SELECT ts FROM item WHERE id = 1) AT TIME ZONE (SELECT 'UTC' FROM chain1 LIMIT 1)
SELECT extract(year FROM (SELECT d FROM item WHERE id = 1))
SELECT row(1, (SELECT count(*) FROM line))
SELECT (1, 2) IN (SELECT id, cust FROM orders)
SELECT (SELECT count(*) FROM line) BETWEEN (SELECT count(*) FROM self) AND (SELECT count(*) FROM item)
SELECT greatest((SELECT max(id) FROM self), (SELECT max(id) FROM line))
SELECT x.* FROM (VALUES ((SELECT max(id) FROM self))) x(a)
# cte
WITH item AS (SELECT * FROM cust) SELECT * FROM item
WITH x AS MATERIALIZED (SELECT * FROM orders), y AS NOT MATERIALIZED (SELECT * FROM x WHERE qty > 3) SELECT count(*) FROM y
WITH RECURSIVE t(id, lvl) AS (SELECT id, 0 FROM self WHERE parent IS NULL UNION ALL SELECT s.id, lvl + 1 FROM self s JOIN t ON s.parent = t.id) SELECT * FROM t
WITH RECURSIVE t AS (SELECT id, parent FROM self WHERE id = 1 UNION SELECT s.id, s.parent FROM self s JOIN t ON s.parent = t.id) SEARCH DEPTH FIRST BY id SET o SELECT id FROM t ORDER BY o
WITH RECURSIVE t AS (SELECT id, parent FROM self WHERE id = 1 UNION ALL SELECT s.id, s.parent FROM self s JOIN t ON s.parent = t.id) CYCLE id SET is_cycle USING path SELECT id, is_cycle FROM t
WITH a AS (SELECT 1 AS id) SELECT * FROM a.same
WITH c(n) AS (TABLE chain1) SELECT n FROM c
SELECT * FROM (WITH q AS (SELECT max(id) AS m FROM chain3) SELECT m FROM q) z
# sets
SELECT id FROM chain1 UNION SELECT id FROM chain2 EXCEPT SELECT id FROM chain3
(SELECT id FROM chain1 ORDER BY id LIMIT 2) UNION ALL (SELECT id FROM self ORDER BY id DESC LIMIT 2)
SELECT id FROM chain1 INTERSECT ALL SELECT id FROM self
((SELECT count(*) FROM cust))
TABLE chain1 UNION TABLE chain2
VALUES (1) UNION SELECT id FROM chain1
# views
SELECT * FROM v_item
SELECT * FROM v_v
SELECT * FROM v_check
SELECT * FROM v_barrier
SELECT * FROM v_part
SELECT * FROM mv
SELECT * FROM v_instead
SELECT * FROM secret
SELECT count(*) FROM v_v JOIN mv ON mv.cust = v_v.id
# partitions
SELECT * FROM part
SELECT * FROM part_eu
SELECT * FROM part_eu_1
SELECT * FROM part_eu_2
SELECT * FROM part_us
SELECT * FROM ONLY part
SELECT * FROM part_ref
SELECT sum(v) FROM part WHERE region = 'eu' AND id < 50
# triggers
SELECT * FROM audited
SELECT * FROM audit_log
SELECT * FROM ruled
SELECT * FROM rule_target
# expressions
SELECT doc->'a', doc->>'a', doc #> '{a}', doc ? 'a', doc @> '{"a":1}', doc @? '$.a', jsonb_path_query_first(doc, '$.a') FROM item
SELECT tags[1], tags[1:2], tags || 'z'::text, tags && ARRAY['x'], cardinality(tags) FROM item
SELECT name ~ 'm 1', name ~* 'ITEM', name !~ 'z', name SIMILAR TO '%1', name ILIKE 'ITEM%', name LIKE 'i!_%' ESCAPE '!' FROM item
SELECT span @> 3, lower(span), span * int4range(2, 4) FROM item
SELECT m, m > 'sad', enum_range(m) FROM item
SELECT $$dollar$$, $t$a'b$t$, E'a\tb', 'it''s', B'101', X'1F', 1e3, .5, 1. FROM chain1
SELECT U&'d\0061t' FROM chain1
SELECT 'a'
SELECT name COLLATE "C" FROM cust ORDER BY name COLLATE "C"
SELECT CAST(price AS int), price::float8, id::bigint, '5'::int, int '7' FROM item
SELECT name IS NULL, price IS DISTINCT FROM 3, nullif(id, 3), coalesce(name, 'x'), p IS NOT NULL, (p).x FROM item
SELECT d + 1, d - date '2019-01-01', ts + interval '1 day', date_trunc('month', ts), extract(epoch FROM ts), to_char(ts, 'YYYY') FROM item
SELECT ts AT TIME ZONE 'UTC' FROM item
SELECT doubled, pos, pos + 1 FROM item
SELECT trim(both 'i' from name), substring(name from 2 for 3), position('e' in name), upper(name) FROM item
SELECT xmlelement(name foo, name) FROM cust
SELECT OPERATOR(pg_catalog.-) id FROM chain1
SELECT id OPERATOR(pg_catalog.+) 1 FROM chain1
SELECT row_to_json(c), to_jsonb(c), c::text FROM cust c
SELECT c IS NULL, c = c, (c).name FROM cust c
SELECT twice(id), twice((SELECT max(id) FROM chain1)) FROM cust
SELECT json_build_object('n', name, 'o', (SELECT count(*) FROM orders o WHERE o.cust = c.id)) FROM cust c
SELECT format('%s-%s', id, name), concat(id, name), concat_ws(',', id, name) FROM cust
SELECT id % 2, id ^ 2, |/ id, @ -id, id << 1, id & 1, id # 3, ~id FROM chain1
SELECT regexp_replace(name, 'c(\d)', 'x\1'), regexp_match(name, 'c(.)'), split_part(name, 'c', 2) FROM cust
SELECT * FROM json_table((SELECT doc FROM item WHERE id = 1), '$' COLUMNS (a int PATH '$.a')) jt
SELECT * FROM xmltable('/r' PASSING (SELECT xmlelement(name r, name) FROM cust WHERE id = 1) COLUMNS n text PATH '.') x
SELECT json_value(doc, '$.a') FROM item
