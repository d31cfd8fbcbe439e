-- What psql reads before the server does.
\set table item
\set name 'it''s' ' two'
SET datestyle TO 'Postgres';
INSERT INTO :table (id, name) VALUES (10, :'name'), (11, 'a:name :''table''');
SELECT min(id) AS low, max(id) AS high FROM :"table" \gset my_
SELECT name FROM item WHERE id = :my_low::int;
SELECT (ARRAY[1,2,3])[1:2], $body$ :my_low; $body$, E'\';', "id" /* ; /* ' */ */ FROM item ORDER BY id;
\if :{?my_low}
UPDATE item SET name = 'taken' WHERE id = :my_high;
\elif true
DELETE FROM item;
\else
DELETE FROM item;
\endif
\if false
DROP TABLE item;
\endif
SELECT format('INSERT INTO item (id) VALUES (%s)', id + 10) FROM item ORDER BY id
\gexec
CREATE FUNCTION total() RETURNS bigint LANGUAGE sql STABLE
BEGIN ATOMIC SELECT count(*) FROM item; SELECT CASE WHEN true THEN count(*) END FROM item; END;
SELECT total(), name FROM item ORDER BY id;
CREATE ROLE suite_reader;
GRANT SELECT ON item TO suite_reader;
ALTER ROLE suite_reader LOGIN;
\c - suite_reader
SELECT name FROM item ORDER BY id;
UPDATE item SET name = 'refused';
\quit
DROP TABLE item;
