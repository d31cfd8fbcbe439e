-- Tables, writes and reads, in and out of transactions.
CREATE TABLE item (id int PRIMARY KEY, name text, price numeric);
COPY item (id, name, price) FROM stdin;
1	it's; one	1.50
2	\N	2.25
\.
COPY item (id, nothing) FROM stdin;
SELECT * FROM item ORDER BY id;
SELECT count(*), sum(price) FROM item;
INSERT INTO item VALUES (3, 'three', 3) RETURNING id;
UPDATE item SET price = price + 1 WHERE id = 3;
SELECT name FROM item WHERE id = 3 \g (format=csv)
BEGIN;
DELETE FROM item WHERE id = 1;
SELECT * FROM item ORDER BY id;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM item;
SELECT 1 / 0;
SELECT count(*) FROM item;
END;
COPY item TO stdout;
INSERT INTO item VALUES (1, 'a duplicate', 0);
INSERT INTO item VALUES (4, 'four', 4) \; SELECT id FROM item ORDER BY id;
TRUNCATE item;
SELECT random() < 2, count(*) FROM item;
\d item
