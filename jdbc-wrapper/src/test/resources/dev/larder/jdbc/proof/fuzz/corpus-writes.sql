INSERT INTO item (id, name, price) VALUES ({n}, 'new', {n}) ON CONFLICT DO NOTHING
INSERT INTO item AS i (id, name) VALUES ({n}, 'ups') ON CONFLICT (id) DO UPDATE SET name = i.name || '+' , price = {n}
UPDATE item SET price = {n} WHERE id = {s}
UPDATE ONLY item * SET doc = '{"a": {n}}' WHERE id = {s}
UPDATE item SET doc = '{"a": {n}}', tags = ARRAY['t{n}'], m = 'happy', span = '[{s},99)' WHERE id = {s}
UPDATE item i SET p.x = {n} FROM cust c WHERE c.id = i.id AND c.id = {s}
UPDATE item SET id = {n} + 1000 WHERE id = {s}
DELETE FROM item WHERE id = {s}
DELETE FROM item USING cust WHERE cust.id = item.id AND cust.id = {s}
INSERT INTO cust (id, name) VALUES ({n}, 'c{n}') ON CONFLICT DO NOTHING
UPDATE cust SET id = {n} + 100 WHERE id = {s}
UPDATE cust SET name = 'z{n}', day = {n} WHERE id = (SELECT min(id) FROM cust)
DELETE FROM cust WHERE id = {s}
WITH d AS (DELETE FROM orders WHERE id = {s} RETURNING *) INSERT INTO orders (cust, item, qty) SELECT cust, item, qty + 1 FROM d
WITH x AS (UPDATE self SET parent = NULL WHERE id = {s} RETURNING id) SELECT * FROM x
WITH x AS (INSERT INTO chain1 VALUES ({n}) ON CONFLICT DO NOTHING RETURNING id) INSERT INTO a.same SELECT id, 'w' FROM x ON CONFLICT DO NOTHING
INSERT INTO orders (cust, qty) SELECT id, {n} FROM cust ORDER BY id LIMIT 1
UPDATE orders SET qty = qty + 1 WHERE id % 7 = {s} % 7
UPDATE orders SET id = {n} + 500 WHERE id = {s}
DELETE FROM orders WHERE id = {s}
INSERT INTO line (note) VALUES ('n1{n}')
INSERT INTO line DEFAULT VALUES
DELETE FROM line WHERE id = {s}
UPDATE a.same SET v = 'a{n}'
UPDATE b.same SET v = 'b{n}'
INSERT INTO a . same VALUES ({n}, 'x')
INSERT INTO /* odd */ b/**/./**/same -- place
UPDATE "Mixed Case"."Tbl" SET "select" = 's{n}', "tö" = 'ö{n}'
UPDATE "Ünïcode" SET v = 'ü{n}'
UPDATE Ünïcode SET v = 'y{n}'
UPDATE "say ""hi""" SET v = 'q{n}'
UPDATE U&"\0069tem" SET name = 'uni{n}' WHERE id = {s}
UPDATE "item" SET name = 'quoted{n}' WHERE id = {s}
UPDATE ITEM SET NAME = 'upper{n}' WHERE ID = {s}
UPDATE public.item SET name = 'public{n}' WHERE id = {s}
INSERT INTO part VALUES ({n}, 'eu', {n}) ON CONFLICT DO NOTHING
INSERT INTO part_us VALUES ({n}, 'us', {n}) ON CONFLICT DO NOTHING
UPDATE part SET v = {n} WHERE id = {s}
UPDATE part SET region = 'us' WHERE id = {s}
UPDATE part_eu SET id = id + 100 WHERE id = {s}
UPDATE part_eu_1 SET v = {n}
UPDATE part_eu_2 SET v = {n}
DELETE FROM part WHERE id = {s}
DELETE FROM part_us WHERE id = {s}
DELETE FROM part_eu WHERE id = {s}
TRUNCATE part_eu_2 CASCADE
INSERT INTO animal VALUES ({n}, 'a')
UPDATE animal SET name = 'n{n}'
UPDATE ONLY animal SET name = 'o{n}'
UPDATE cat SET lives = {n}
UPDATE pet SET owner = 'o{n}'
UPDATE house_cat SET name = 'h{n}'
DELETE FROM ONLY (animal) WHERE id = {n}
UPDATE v_item SET name = 'v{n}' WHERE id = {s}
INSERT INTO v_check (id, name) VALUES ({n}, 'vc')
DELETE FROM v_check WHERE id = {s}
UPDATE v_barrier SET qty = {n} WHERE id = {s}
UPDATE v_part SET v = {n} WHERE id = {s}
UPDATE v_instead SET v = 'in{n}' WHERE id = 1
REFRESH MATERIALIZED VIEW mv
REFRESH MATERIALIZED VIEW CONCURRENTLY mv
INSERT INTO audited VALUES ({n}, 'v') ON CONFLICT (id) DO UPDATE SET v = 'u{n}'
UPDATE audited SET v = 'w{n}'
DELETE FROM audited WHERE id = {s}
INSERT INTO ruled VALUES ({n}, 'r') ON CONFLICT DO NOTHING
INSERT INTO ruled VALUES ({n}, 'r')
UPDATE ruled SET v = 'r{n}'
SELECT bump_item({s})
SELECT twice(bump_item({s})) FROM cust
CALL touch_cust({s})
DO $$ BEGIN UPDATE cust SET name = 'do{n}' WHERE id = {s}; END $$
INSERT INTO rule_target SELECT bump_item({s}), 'f'
DELETE FROM self WHERE id = {s}
UPDATE self SET id = {n} + 200 WHERE id = {s}
INSERT INTO self VALUES ({n}, NULL) ON CONFLICT DO NOTHING
UPDATE chain1 SET id = {n} + 50 WHERE id = {s}
DELETE FROM chain1 WHERE id = {s}
INSERT INTO chain1 VALUES ({s}) ON CONFLICT DO NOTHING
INSERT INTO chain2 SELECT id FROM chain1 ON CONFLICT DO NOTHING
INSERT INTO chain3 SELECT id FROM chain2 ON CONFLICT DO NOTHING
MERGE INTO cust c USING (VALUES ({s}, 'm{n}')) s(id, n) ON c.id = s.id WHEN MATCHED THEN UPDATE SET name = s.n WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.n)
MERGE INTO chain1 t USING self s ON t.id = s.id AND s.id = {s} WHEN MATCHED THEN DELETE
WITH s AS (SELECT 1 AS id) MERGE INTO b.same t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 'merge{n}'
INSERT INTO secret VALUES ({n}, 'postgres', 'n') ON CONFLICT DO NOTHING
UPDATE secret SET v = 's{n}'
EXPLAIN ANALYZE UPDATE item SET price = {n} WHERE id = {s}
EXPLAIN (ANALYZE, COSTS OFF) DELETE FROM line WHERE id = {s}
EXPLAIN (COSTS OFF, ANALYZE on) SELECT bump_item({s})
PREPARE pw AS UPDATE cust SET name = 'prep{n}' WHERE id = {s}
EXECUTE pw
DEALLOCATE pw
BEGIN; UPDATE a.same SET v = 'multi{n}'; COMMIT
UPDATE a.same SET v = 'one{n}'; UPDATE b.same SET v = 'two{n}'
CREATE OR REPLACE VIEW v_item AS SELECT id, name, price, twice(id) + {s} AS t FROM item
CREATE OR REPLACE FUNCTION twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * {s}'
ALTER TABLE cust ALTER day SET DEFAULT {n}
ALTER TABLE b.same RENAME TO same2; ALTER TABLE a.same SET SCHEMA b; ALTER TABLE b.same2 SET SCHEMA a; ALTER TABLE a.same2 RENAME TO same
CREATE INDEX IF NOT EXISTS ix ON item (name)
ANALYZE item
TRUNCATE rule_target
TRUNCATE TABLE audit_log, rule_target RESTART IDENTITY
TRUNCATE chain1 CASCADE
TRUNCATE ONLY animal
CREATE TABLE IF NOT EXISTS ctas AS SELECT * FROM cust
SET CONSTRAINTS ALL IMMEDIATE
LOCK TABLE item
DECLARE c CURSOR WITH HOLD FOR SELECT bump_item({s})
CLOSE c
INSERT INTO cust (id, name) SELECT i, 'bulk' FROM generate_series(20, 25) i ON CONFLICT DO NOTHING
INSERT INTO orders (cust, item, qty) SELECT c.id, i.id, {n} FROM (SELECT id FROM cust ORDER BY id LIMIT 4) c, (SELECT id FROM item ORDER BY id LIMIT 3) i
INSERT INTO item (id, name, price) SELECT g, 'item ' || g, g FROM generate_series(1, 12) g ON CONFLICT DO NOTHING
SELECT reads_item()
