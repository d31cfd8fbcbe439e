package dev.larder.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WriteAnalyzerTest {
  private final Shop shop = new Shop();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "INSERT INTO product (code, name) VALUES (?, 'x'); id: - -> ?|code: - -> $1|category_id: - -> NULL",
        "INSERT INTO product VALUES (7, 'a', ?); id: - -> 7|code: - -> a|category_id: - -> NULL",
        "INSERT INTO product (id, category_id) VALUES (1, ?), (2, 3)"
            + "; id: - -> 1|2|code: - -> NULL|NULL|category_id: - -> $1|3",
        "INSERT INTO product (id, code, name) VALUES (?::bigint, cast(? AS text), ?::jsonb)"
            + "; id: - -> $1 as BIGINT|code: - -> $2 as TEXT|category_id: - -> NULL",
        "INSERT INTO product (id, code) VALUES (?::text, ?::int); id: - -> ?|code: - -> ?|category_id: - -> NULL",
        "UPDATE product SET category_id = ?::int WHERE id = ?::int"
            + "; id: $2 as INTEGER -> -|code: ? -> -|category_id: ? -> $1 as INTEGER",
        "INSERT INTO product (id) VALUES (DEFAULT); id: - -> ?|code: - -> NULL|category_id: - -> NULL",
        "INSERT INTO product (id) OVERRIDING USER VALUE VALUES (7); id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id) SELECT 7; id: - -> 7|code: - -> NULL|category_id: - -> NULL",
        "INSERT INTO product (id, code, category_id) SELECT max(id) + 1, ?, 7 FROM product WHERE code = ?;"
            + " id: - -> ?|code: - -> $1|category_id: - -> 7",
        "INSERT INTO product (id, code) SELECT DISTINCT 7, 'a'; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id, code) SELECT 7, 'a' UNION SELECT 8, 'b'; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id, code) SELECT 7, 'a' ORDER BY 2; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id, code) SELECT 7, 'a' FROM item GROUP BY 1, 2; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT i.*, 'a' FROM item i; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT (i).*, 7 FROM item i; any",
        "INSERT INTO product SELECT (f(1)).*, 7; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT (ROW(1, 2)).*, 7; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT item.*, 7 FROM item; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT public.item.*, 7 FROM item; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product SELECT * FROM item; id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id) (SELECT 7); id: - -> ?|code: - -> ?|category_id: - -> ?",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT DO NOTHING; id: - -> 7|code: - -> NULL|category_id: - -> NULL",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT (id) DO UPDATE SET name = 'x'"
            + "; id: the same -> 7|code: ? -> NULL|category_id: ? -> NULL",
        "INSERT INTO product (id, code) VALUES (7, ?), (8, 'b') ON CONFLICT (code) DO UPDATE SET"
            + " category_id = excluded.category_id, name = 'x' WHERE product.sold"
            + "; id: ? -> 7|8|code: the same -> $1|b|category_id: ? -> ?",
        "INSERT INTO item (line, order_id) VALUES (1, 2) ON CONFLICT (order_id, line) DO UPDATE"
            + " SET note = 'x', product_id = 3"
            + "; ~order_id, line: the same -> 2 & 1|order_id: ? -> 2|product_id: ? -> ?~",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT (id) DO UPDATE SET id = 8; any",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT (id) WHERE sold DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT ON CONSTRAINT pk DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (code) VALUES ('a') ON CONFLICT (lower(code)) DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (code) VALUES ('a') ON CONFLICT (code COLLATE \"C\") DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT (category_id) DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (id) VALUES (7) ON CONFLICT (id, code) DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (code) VALUES ('a') ON CONFLICT (id) DO UPDATE SET name = 'x'; any",
        "INSERT INTO product (id) SELECT 7 ON CONFLICT (id) DO UPDATE SET name = 'x';"
            + " id: the same -> 7|code: ? -> NULL|category_id: ? -> NULL",
        "UPDATE product SET name = 'x' WHERE id = ?; id: $1 -> -|code: ? -> -|category_id: ? -> -",
        "UPDATE product AS p SET category_id = 3 WHERE p.id = ? AND lower(name) = 'x'"
            + "; id: $1 -> -|code: ? -> -|category_id: ? -> 3",
        "UPDATE product SET id = id + 1 WHERE id = ?; id: $1 -> ?|code: ? -> -|category_id: ? -> -",
        "UPDATE product SET code = ?, name = 'x' WHERE id IN (1, 2); id: 1|2 -> -|code: ? -> $1|category_id: ? -> -",
        "UPDATE product SET name = 'x' WHERE id = 1 OR sold; id: ? -> -|code: ? -> -|category_id: ? -> -",
        "UPDATE product SET name = 'x' FROM item WHERE product.id = item.product_id AND item.order_id = 3"
            + "; id: ? -> -|code: ? -> -|category_id: ? -> -",
        "UPDATE item SET line = 3 WHERE order_id = ? AND line = 2"
            + "; ~order_id, line: $1 & 2 -> $1 & 3|order_id: $1 -> -|product_id: ? -> -~",
        "UPDATE item SET note = 'x' WHERE (order_id, line) = (?, 2)"
            + "; ~order_id, line: $1 & 2 -> -|order_id: $1 -> -|product_id: ? -> -~",
        "DELETE FROM item WHERE (order_id, line) IN ((1, 2), (3, ?))"
            + "; ~order_id, line: 1 & 2|3 & $1 -> -|order_id: 1|3 -> -|product_id: ? -> -~",
        "DELETE FROM product WHERE id = ANY (ARRAY[7, 8]); id: 7|8 -> -|code: ? -> -|category_id: ? -> -",
        "DELETE FROM product WHERE id = 7; id: 7 -> -|code: ? -> -|category_id: ? -> -",
        "DELETE FROM product USING item WHERE product.id = 7 AND item.product_id = 7"
            + "; id: 7 -> -|code: ? -> -|category_id: ? -> -",
        "DELETE FROM product; id: ? -> -|code: ? -> -|category_id: ? -> -",
        "WITH x AS (SELECT 1) DELETE FROM product WHERE id = 7; any",
        "DELETE FROM other.product WHERE id = 7; any",
        "TRUNCATE product; any",
      })
  void rowsOfAWriteAreNamedByEachScheme(String sql, String expected) {
    assertThat(String.join("|", shop.writes(sql))).isEqualTo(expected);
  }
}
