package dev.larder.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadAnalyzerTest {
  private final Shop shop = new Shop();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "SELECT name FROM product WHERE id = 7; product by id = 7, found",
        "SELECT * FROM product p WHERE ? = p.id; product by id = $1, found",
        "SELECT name FROM public.product WHERE (id = -7) AND name <> 'x'; product by id = -7, found",
        "SELECT count(*) FROM product WHERE id = ?; product by id = $1",
        "SELECT name FROM product WHERE id IN (1, ?, 3); product by id = 1|$1|3, found",
        "SELECT name FROM product WHERE id IN (1, 2) ORDER BY generate_series(1, 2); product by id = 1|2",
        "SELECT DISTINCT ON (generate_series(1, 2)) name FROM product WHERE id IN (1, 2); product by id = 1|2",
        "SELECT name FROM product WHERE id = 1 OR id = ?; product by id = 1|$1, found",
        "SELECT name FROM product WHERE (id = 1 AND sold) OR (code = 'a' AND id = 2); product by id = 1|2, found",
        "SELECT name FROM product WHERE id = ANY (?); product by id = each of $1, found",
        "SELECT name FROM product WHERE id = some (?) AND code = 'a'; product by id = each of $1, found",
        "SELECT id, name FROM product WHERE category_id = ANY (?); product by category_id = each of $1, covered",
        "SELECT line FROM item WHERE order_id = ANY (?) AND line = 1; item by order_id = each of $1",
        "SELECT name FROM product WHERE id = ?::bigint; product by id = $1 as BIGINT, found",
        "SELECT name FROM product WHERE (cast(? AS int2)) = id; product by id = $1 as SMALLINT, found",
        "SELECT name FROM product WHERE id IN (CAST(? AS Integer), '7'::int, 8); product by id = $1 as INTEGER|7|8, found",
        "SELECT name FROM product WHERE code = ?::character varying; product by code = $1 as TEXT, found",
        "SELECT name FROM product WHERE id = ANY (?::int[]); product by id = each of $1, found",
        "SELECT name FROM product WHERE id = ANY (cast(? AS bigint[])); product by id = each of $1, found",
        "SELECT note FROM item WHERE (order_id, line) = (?::int, ?); ~item by order_id, line = $1 as INTEGER & $2, found~",
        "SELECT name FROM product WHERE id = ? AND name > ?::text; product by id = $1, found",
        "SELECT name FROM product WHERE code = 'a''b'; product by code = a'b, found",
        "SELECT name FROM product WHERE category_id = ? ORDER BY name LIMIT 10; product by category_id = $1",
        "SELECT name FROM product WHERE category_id = ? AND id = ?; product by id = $2, found",
        "SELECT sum(line) FROM item WHERE order_id = ? GROUP BY product_id; item by order_id = $1",
        "SELECT note FROM item WHERE order_id = ? AND line = 2; ~item by order_id, line = $1 & 2, found~",
        "SELECT note FROM item WHERE order_id = ? AND line IN (1, 2); ~item by order_id, line = $1 & 1|$1 & 2, found~",
        "SELECT note FROM item WHERE (order_id, line) = (?, 2); ~item by order_id, line = $1 & 2, found~",
        "SELECT note FROM item i WHERE (i.line, 3) = (?, i.order_id); ~item by order_id, line = 3 & $1, found~",
        "SELECT note FROM item WHERE (order_id, line) = row(?, ?); ~item by order_id, line = $1 & $2, found~",
        "SELECT note FROM item WHERE ((order_id, line)) IN ((?, ?)); ~item by order_id, line = $1 & $2, found~",
        "SELECT note FROM item WHERE (order_id, line) IN ((?, ?), (?, ?)); ~item by order_id, line = $1 & $2|$3 & $4, found~",
        "SELECT note FROM item WHERE (line, order_id) IN ((1, 2), (3, 4)) AND note <> 'x'; ~item by order_id, line = 2 & 1|4 & 3, found~",
        "SELECT note FROM item WHERE (order_id, product_id) IN ((1, ?), (2, ?)); item by order_id = 1|2",
        "SELECT note FROM item WHERE (order_id, line) = (1, 2) OR (order_id = 3 AND line = 4); ~item by order_id, line = 1 & 2|3 & 4, found~",
        "SELECT note FROM item WHERE (order_id, (line, product_id)) = (1, (2, 3)); ~item by order_id, line = 1 & 2, found~",
        "SELECT name FROM product WHERE id = ANY (ARRAY[1, ?, NULL]); product by id = 1|$1|NULL, found",
        "SELECT name FROM product WHERE id = ? AND NOT sold AND name IS NOT NULL; product by id = $1, found",
        "SELECT name FROM product WHERE id = ? AND name BETWEEN 'a' AND ?; product by id = $1, found",
        "SELECT \"name\" FROM \"product\" WHERE \"id\" = ?; product by id = $1, found",
        "SELECT NAME FROM Product P WHERE P.ID = ?; product by id = $1, found",
      })
  void equalityRestrictsOneTable(String sql, String expected) {
    assertThat(shop.reads(sql)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "SELECT name FROM product; product: name",
        "SELECT count(*) FROM product; ~product: ~",
        "SELECT p.name AS status FROM public.product p WHERE lower(p.code) LIKE 'x%' ORDER BY 1; product: code, name",
        "SELECT max(\"name\") FROM product WHERE 1 / weight > 0; product: name, weight",
        "SELECT p.name, i.line FROM product p LEFT JOIN item i ON i.product_id = p.id; item: line, product_id|product: id, name",
        "SELECT a.line FROM item a JOIN item b USING (order_id); item: order_id, line",
        "SELECT id FROM product WHERE id = 7; product: id",
      })
  void fewColumnsAreNamed(String sql, String expected) {
    assertThat(String.join("|", shop.columns(sql))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM product",
        "SELECT p.* FROM product p",
        "SELECT p FROM product p",
        "SELECT product FROM product",
        "SELECT \"product\" FROM product",
        "SELECT name(p) FROM product p",
        "SELECT (p).name FROM product p",
        "SELECT count(p) FROM product p",
        "SELECT name FROM product p WHERE p IS NOT NULL",
        "SELECT row_to_json(p) FROM product p",
        "SELECT name, xmin FROM product",
        "SELECT name, \"ctid\" FROM product",
        "SELECT p.tableoid FROM product p",
        "TABLE product",
        "SELECT count(*) FROM product NATURAL JOIN item",
        "SELECT name FROM product TABLESAMPLE system (10)",
        "WITH x AS (SELECT 1) SELECT name FROM product, x",
        "SELECT name FROM product WHERE id IN (SELECT product_id FROM item)",
        "SELECT name FROM product UNION SELECT note FROM item",
        "SELECT a FROM product p (a, b)",
        "SELECT name FROM product, generate_series(1, 2)",
        "SELECT name FROM unknown, product",
        "SELECT id FROM other.product",
        "SELECT weight * 2 FROM product",
      })
  void columnsThatAreNotNamedAreAll(String sql) {
    assertThat(shop.columns(sql)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM product",
        "SELECT name FROM product WHERE id > 7",
        "SELECT name FROM product WHERE id = 7 OR sold",
        "SELECT name FROM product WHERE NOT id = 7",
        "SELECT name FROM product WHERE id <> 7",
        "SELECT name FROM product WHERE id NOT IN (7)",
        "SELECT name FROM product WHERE id = 7 + 1",
        "SELECT name FROM product WHERE id <> ANY (?)",
        "SELECT name FROM product WHERE id = ?::numeric",
        "SELECT name FROM product WHERE id = ?::mine.bigint",
        "SELECT name FROM product WHERE id = ?::\"int4\"",
        "SELECT name FROM product WHERE id = ?::bigint::int",
        "SELECT name FROM product WHERE id = -?::int",
        "SELECT name FROM product WHERE id = (? + 1)::int",
        "SELECT name FROM product WHERE id::int = 7",
        "SELECT name FROM product WHERE code = ?::varchar(2)",
        "SELECT name FROM product WHERE code = ?::char",
        "SELECT name FROM product WHERE code = ?::text COLLATE \"C\"",
        "SELECT name FROM product WHERE id = ANY (?::int)",
        "SELECT name FROM product WHERE id = ANY (?::int[][])",
        "SELECT name FROM product WHERE id = ?::int[]",
        "SELECT name FROM product WHERE id = 7 AND name > ?::mood",
        "SELECT name FROM product WHERE id = 7 AND 1 > ?::numeric(3)",
        "SELECT name FROM product WHERE id <> ALL (?)",
        "SELECT name FROM product WHERE id = ALL (?)",
        "SELECT name FROM product WHERE NOT id = ANY (?)",
        "SELECT name FROM product WHERE id = \"any\" (?)",
        "SELECT name FROM product WHERE id = ANY (?, ?)",
        "SELECT name FROM product WHERE id = ANY (SELECT 7)",
        "SELECT name FROM product WHERE id = ANY (ARRAY[weight])",
        "SELECT name FROM product WHERE id <> ANY (ARRAY[1])",
        "SELECT name FROM product WHERE id = ANY (ARRAY[ARRAY[1]])",
        "SELECT note FROM item WHERE NOT (order_id, line) = (1, 2)",
        "SELECT note FROM item WHERE (order_id, line) <> (1, 2)",
        "SELECT note FROM item WHERE (order_id, line) > (1, 2)",
        "SELECT note FROM item WHERE (order_id, line) NOT IN ((1, 2))",
        "SELECT note FROM item WHERE (order_id, line) = (1, 2, 3)",
        "SELECT note FROM item WHERE (order_id, line) = ?",
        "SELECT note FROM item WHERE (order_id, line) IN ((1, 2), 3)",
        "SELECT note FROM item WHERE (order_id, line) IN ((1, 2), (3, line + 1))",
        "SELECT name FROM product WHERE (id, weight) = (1, 2)",
        "SELECT note FROM item WHERE (order_id, line) = \"row\"(1, 2)",
        "SELECT note FROM item WHERE (order_id, line) IN (SELECT 1, 2)",
        "SELECT name FROM product WHERE id = weight",
        "SELECT name FROM product WHERE -id = 7",
        "SELECT name FROM product WHERE id = 7 AND 1 / weight > 0",
        "SELECT name FROM product WHERE id = 7 AND weight = 1",
        "SELECT name FROM product, item WHERE id = 7 AND order_id = 7 AND note = status",
        "SELECT status FROM orders, item WHERE id = 7 AND order_id = 7 AND note = status",
        "SELECT weight FROM product WHERE id = 7 GROUP BY weight HAVING 1 / weight > 0",
        "SELECT * FROM orders o LEFT JOIN item i JOIN product p ON p.id = i.product_id ON o.id = 7",
        "SELECT * FROM orders o LEFT JOIN item i LEFT JOIN product p ON p.id = i.product_id ON o.id = 7",
        "SELECT * FROM orders o LEFT JOIN (item i JOIN product p ON p.id = i.product_id) ON o.id = 7",
        "SELECT * FROM orders o JOIN item i LEFT JOIN product p ON p.id = i.product_id ON i.order_id = 7",
        "SELECT name FROM product WHERE id = 7 AND lower(name) = 'x'",
        "SELECT name FROM product WHERE id = 7 AND name LIKE 'x%' ESCAPE code",
        "SELECT name FROM product WHERE id = 7 AND name LIKE note FROM item",
        "SELECT name FROM product WHERE id = 7 AND name SIMILAR TO 'x%'",
        "SELECT name FROM product WHERE id = 7 AND lower(name) LIKE 'x%'",
        "SELECT name FROM product WHERE id = 7 AND name LIKE 'x' || 'y'",
        "SELECT name FROM product WHERE id = 7 AND id LIKE 'x'",
        "SELECT name FROM product WHERE id = (SELECT 7)",
        "SELECT name FROM product WHERE id = 7 AND name = (SELECT note FROM item WHERE order_id = 7)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 / line FROM item)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 FROM item LIMIT 1)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 FROM item GROUP BY line)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 FROM item WHERE 1 / line > 1)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT generate_series(1, 2) FROM item)",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 FROM item UNION SELECT 1 FROM orders)",
        "SELECT name FROM product WHERE id = 7 AND id IN (SELECT line + 1 FROM item)",
        "SELECT name FROM product WHERE id = 7 AND id IN (SELECT count(*) FROM item)",
        "SELECT name FROM product WHERE id = 7 AND id = ANY (SELECT line FROM item)",
        "SELECT name FROM product WHERE id = 7 AND name IN (SELECT status FROM orders WHERE id IN (SELECT line + 1 FROM item))",
        "SELECT status FROM orders WHERE id = 7 AND status IN (SELECT note FROM item)",
        "SELECT name FROM product p WHERE id = 7 AND EXISTS (SELECT 1 FROM item p WHERE p.name = 'x')",
        "SELECT name FROM product WHERE id = 7 ORDER BY (SELECT max(line) FROM item)",
        "SELECT id FROM product WHERE id = 7 GROUP BY id HAVING EXISTS (SELECT 1 FROM item)",
        "SELECT name FROM product JOIN orders ON orders.id = 1 LEFT JOIN item ON EXISTS (SELECT 1 FROM orders) WHERE product.id = 7",
        "SELECT count(*) FROM product HAVING max(id) = 7",
        "SELECT name FROM product WHERE sold BETWEEN true AND id = 7",
        "WITH product AS (SELECT 1 AS id) SELECT id FROM product WHERE id = 7",
        "SELECT name FROM (SELECT * FROM product) p WHERE id = 7",
        "SELECT name FROM product p (a, b) WHERE a = 7",
        "SELECT name FROM unknown u, product WHERE product.id = 7",
        "SELECT name FROM product FULL JOIN item ON product.id = 7",
        "SELECT name FROM product JOIN item USING (id) WHERE id = 7",
        "SELECT name FROM product NATURAL JOIN item WHERE product.id = 7",
        "SELECT name FROM product, LATERAL (SELECT 1) s WHERE id = 7",
        "SELECT name FROM other.product WHERE id = 7",
        "SELECT name FROM product WHERE other.product.id = 7",
        "SELECT name FROM product WHERE id = 7::bigint::text::int",
        "SELECT name FROM product WHERE id OPERATOR(pg_catalog.=) 7",
        "SELECT id FROM product WHERE weight = 7",
      })
  void whatIsNotUnderstoodRestrictsNothing(String sql) {
    assertThat(shop.reads(sql)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "SELECT name FROM product WHERE id = 7 AND name LIKE 'x%'; product by id = 7, found",
        "SELECT id FROM product WHERE category_id = ? AND name NOT ILIKE ?; product by category_id = $1",
        "SELECT name FROM product WHERE id = 7 AND name LIKE ? ESCAPE ''; product by id = 7, found",
        "SELECT name FROM product WHERE id = 7 AND EXISTS (SELECT 1 FROM item); product by id = 7",
        "SELECT (SELECT max(line) FROM item) FROM product WHERE id = 7; product by id = 7",
        "SELECT * FROM orders o WHERE o.id = ? AND EXISTS (SELECT * FROM item WHERE order_id = o.id)"
            + "; item by order_id = $1|orders by id = $1",
        "SELECT * FROM orders o WHERE id = ? AND NOT EXISTS (SELECT 1 FROM item i WHERE i.order_id = o.id AND line = 1)"
            + "; ~item by order_id, line = $1 & 1|orders by id = $1~",
        "SELECT * FROM orders WHERE id = ? AND EXISTS (SELECT 1 FROM item WHERE order_id = orders.id"
            + " AND EXISTS (SELECT 1 FROM product WHERE id = order_id))"
            + "; item by order_id = $1|orders by id = $1|product by id = $1",
        "SELECT * FROM orders o WHERE o.id = 1 OR EXISTS (SELECT 1 FROM item WHERE order_id = o.id)"
            + "; ~~",
        "SELECT * FROM orders o WHERE o.id = 1 OR (o.id = 2 AND EXISTS (SELECT 1 FROM item WHERE order_id = o.id))"
            + "; orders by id = 1|2",
        "SELECT name FROM product WHERE id IN (SELECT product_id FROM item WHERE order_id = ?)"
            + "; item by order_id = $1",
        "SELECT name FROM product WHERE id = 3 AND id NOT IN (SELECT product_id FROM item WHERE order_id = ?)"
            + "; item by order_id = $1|product by id = 3",
        "SELECT o.id, (SELECT count(*) FROM item i WHERE i.order_id = o.id) FROM orders o WHERE o.id = ?"
            + "; item by order_id = $1|orders by id = $1",
        "SELECT coalesce((SELECT 1 / sum(line) FROM item WHERE order_id = o.id), 0) FROM orders o WHERE o.id = ?"
            + "; item by order_id = $1|orders by id = $1",
        "SELECT EXISTS (SELECT 1 FROM item WHERE order_id = 3) FROM orders WHERE id = ?"
            + "; item by order_id = 3|orders by id = $1",
        "SELECT * FROM product a WHERE a.id = 1 AND EXISTS (SELECT 1 FROM product b WHERE b.category_id = a.category_id)"
            + "; ~~",
        "SELECT * FROM product a WHERE a.id = 1 AND EXISTS (SELECT 1 FROM product b WHERE b.category_id = 2)"
            + "; product by id = 1 and category_id = 2",
        "SELECT * FROM orders WHERE id = 7 AND EXISTS (SELECT 1 FROM product p WHERE id = 8)"
            + "; orders by id = 7|product by id = 8",
        "SELECT * FROM orders o LEFT JOIN product p ON p.id = 5 WHERE o.id = 1"
            + " AND EXISTS (SELECT 1 FROM item WHERE product_id = p.id)"
            + "; item by product_id = 5|orders by id = 1|product by id = 5",
      })
  void aSubqueryIsABlockOfItsOwn(String sql, String expected) {
    assertThat(String.join("|", shop.reads(sql))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "SELECT * FROM orders o JOIN item i ON i.order_id = o.id WHERE o.id = ?"
            + "; item by order_id = $1|orders by id = $1, found",
        "SELECT * FROM orders o JOIN item i ON (i.order_id, i.line) = (o.id, 3) WHERE o.id = ?"
            + "; ~item by order_id, line = $1 & 3, found|orders by id = $1, found~",
        "SELECT * FROM orders o, item i WHERE i.order_id = o.id AND o.id = ?"
            + "; item by order_id = $1|orders by id = $1, found",
        "SELECT * FROM orders o LEFT JOIN item i ON i.order_id = o.id WHERE o.id = ?"
            + "; item by order_id = $1|orders by id = $1, found",
        "SELECT * FROM orders o LEFT JOIN item i ON i.order_id = o.id AND o.id = 7" + "; ~~",
        "SELECT * FROM orders o LEFT JOIN item i ON i.order_id = 7 AND i.line = o.id"
            + "; item by order_id = 7",
        "SELECT * FROM orders o LEFT JOIN item i ON i.order_id = o.id WHERE i.order_id = 7"
            + "; item by order_id = 7",
        "SELECT * FROM item a JOIN item b ON a.order_id = b.order_id WHERE a.order_id = ?"
            + "; item by order_id = $1 and order_id = $1",
        "SELECT * FROM item a JOIN item b ON a.order_id = b.line WHERE a.order_id = ?; ~~",
        "SELECT * FROM orders o JOIN item i ON i.order_id = o.id JOIN product p ON p.id = i.product_id"
            + " WHERE o.id = ?"
            + "; item by order_id = $1|orders by id = $1, found|product derived by id from item.product_id, unique",
        "SELECT * FROM item i JOIN product p ON p.id = i.product_id WHERE i.order_id = ? AND p.sold"
            + "; item by order_id = $1",
        "SELECT * FROM item i JOIN product p ON p.id = i.product_id WHERE i.order_id = ? LIMIT 10"
            + "; item by order_id = $1",
        "SELECT i.line, count(p.id) FROM item i JOIN product p ON p.id = i.product_id WHERE i.order_id = ?"
            + " GROUP BY i.line; item by order_id = $1",
        "SELECT * FROM orders o JOIN product p ON p.id = o.customer_id WHERE o.id = ?"
            + "; orders by id = $1, found",
        "SELECT * FROM orders o LEFT JOIN product p ON p.id = o.customer_id WHERE o.id = ?"
            + "; orders by id = $1, found|product derived by id from orders.customer_id",
        "SELECT * FROM orders o LEFT JOIN product p ON p.id = o.customer_id AND p.sold WHERE o.id = ?"
            + "; orders by id = $1, found",
        "SELECT * FROM orders o LEFT JOIN product p ON p.id = o.customer_id WHERE o.id = ? AND p.sold IS NULL"
            + "; orders by id = $1, found",
        "SELECT * FROM orders o LEFT JOIN item i ON i.order_id = o.customer_id LEFT JOIN product p ON p.id = i.product_id"
            + " WHERE o.id = ?; orders by id = $1, found",
        "SELECT * FROM product WHERE category_id = ?; ~product by category_id = $1, covered~",
        "SELECT * FROM product WHERE category_id IN (1, 2) ORDER BY name; ~product by category_id = 1|2, covered~",
        "SELECT * FROM product WHERE category_id = ? AND sold; product by category_id = $1",
        "SELECT * FROM product WHERE category_id = ? LIMIT 3; product by category_id = $1",
        "SELECT * FROM product WHERE category_id = ? FETCH FIRST 3 ROWS ONLY; product by category_id = $1",
        "SELECT DISTINCT category_id FROM product WHERE category_id = ?; product by category_id = $1",
        "SELECT id, lower(name) FROM product WHERE category_id = ?; product by category_id = $1",
        "SELECT id, p.unnested FROM product p WHERE category_id = ?; product by category_id = $1",
        "SELECT id, p FROM product p WHERE category_id = ?; product by category_id = $1",
        "SELECT id FROM product p WHERE category_id = ? ORDER BY p.unnested; product by category_id = $1",
        "SELECT id AS x FROM product WHERE category_id = ? ORDER BY x; ~product by category_id = $1, covered~",
        "SELECT p.unnested FROM product p WHERE id = ?; product by id = $1",
        "SELECT category_id FROM product WHERE id = ? GROUP BY category_id HAVING category_id > 1; product by id = $1",
        "SELECT id FROM product WHERE category_id = ? ORDER BY lower(name); product by category_id = $1",
        "SELECT name FROM product WHERE id = ? UNION ALL SELECT note FROM item WHERE order_id = 3"
            + "; item by order_id = 3|product by id = $1",
        "SELECT name FROM product WHERE id = ? UNION SELECT name FROM product; ~~",
        "SELECT name FROM orders, product WHERE status = code AND code = 'x' AND orders.id = product.id; "
            + "product by code = x, found",
      })
  void equalitiesCarryOverToOtherTables(String sql, String expected) {
    assertThat(String.join("|", shop.reads(sql))).isEqualTo(expected);
  }
}
