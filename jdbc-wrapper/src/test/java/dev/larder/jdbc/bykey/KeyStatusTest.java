package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the status says of invalidation by key. */
final class KeyStatusTest {
  private static final List<String> WRITES =
      List.of("writes_by_key", "writes_by_unknown_key", "writes_by_table");

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE product (id int PRIMARY KEY, code text UNIQUE, name text, price numeric,"
            + " category_id int NOT NULL)",
        "CREATE INDEX ON product (category_id)",
        "CREATE TABLE item (order_id int, line int, amount float, PRIMARY KEY (order_id, line))",
        "CREATE TABLE log (message text)",
        "CREATE TABLE category (id int PRIMARY KEY, label text)",
        "INSERT INTO category VALUES (10, 'a')",
        "CREATE VIEW cheap AS SELECT * FROM product WHERE price < 5",
        "CREATE FUNCTION one(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'",
        "ALTER TABLE product ADD FOREIGN KEY (category_id) REFERENCES category",
        "INSERT INTO product VALUES (1, 'c1', 'one', 1, 10), (2, 'c2', 'two', 2, 10)");
    connection = LarderProbe.connect(database, "larder.invalidation=key");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    database.close();
  }

  private static String only(Connection connection, String sql, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).as(sql).isTrue();
      String value = row.getString(column);
      assertThat(row.next()).as(sql).isFalse();
      return value;
    }
  }

  private static List<Long> writes(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      Stream.Builder<Long> counts = Stream.builder();
      for (String column : WRITES) {
        counts.add(row.getLong(column));
      }
      return counts.build().toList();
    }
  }

  @Test
  void tablesTellTheirSchemes() throws SQLException {
    fill(connection, "SELECT name FROM product WHERE id = 1");
    assertThat(only(connection, "SHOW larder.tables", "schemes"))
        .isEqualTo("id, code, category_id");
    try (Connection byTable =
        LarderProbe.connect(
            database, "larder.invalidation=key", "larder.tables.invalidation=product%3Dtable")) {
      fill(byTable, "SELECT name FROM product WHERE id = 1");
      assertThat(only(byTable, "SHOW larder.tables", "schemes")).isNull();
    }
  }

  @Test
  void severalColumnsOfASchemeStandInBracketsAndATableWithoutKeysHasNone() throws SQLException {
    fill(connection, "SELECT i.amount, l.message FROM item i, log l");
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.tables")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString("schemes")).isEqualTo("(order_id, line), order_id");
      assertThat(row.next()).isTrue();
      assertThat(row.getString("schemes")).isNull();
    }
  }

  @Test
  void writesAreCountedByWhatTheyInvalidate() throws SQLException {
    fill(connection, "SELECT name FROM product WHERE id = 1");
    List<Long> before = writes(connection, "SHOW larder.cache");
    run(
        connection,
        "UPDATE product SET price = 9 WHERE id = 2",
        "DELETE FROM product WHERE code = 'c2'",
        "INSERT INTO product VALUES (3, 'c3', 'three', 3, 10)",
        "UPDATE product SET price = price + 1 WHERE price > 100",
        "INSERT INTO product SELECT 2 + 2, 'c' || 4, 'four', 4, 5 + 5",
        "TRUNCATE product");
    assertThat(writes(connection, "SHOW larder.tables")).containsExactly(3L, 2L, 1L);
    assertThat(only(connection, "SHOW larder.tables", "invalidations")).isEqualTo("6");
    List<Long> after = writes(connection, "SHOW larder.cache");
    assertThat(after).containsExactly(before.get(0) + 3, before.get(1) + 2, before.get(2) + 1);
  }

  @Test
  void aTransactionIsOneWrite() throws SQLException {
    fill(connection, "SELECT name FROM product WHERE id = 1");
    connection.setAutoCommit(false);
    run(
        connection,
        "UPDATE product SET price = 9 WHERE id = 1",
        "UPDATE product SET price = 9 WHERE id = 2");
    connection.commit();
    run(
        connection,
        "UPDATE product SET price = 9 WHERE id = 1",
        "UPDATE product SET price = 9 WHERE price > 100");
    connection.commit();
    connection.setAutoCommit(true);
    assertThat(writes(connection, "SHOW larder.tables")).containsExactly(1L, 1L, 0L);
  }

  @Test
  void aWriteOfATableThatIsSetToBeInvalidatedAsAWholeCountsAsOne() throws SQLException {
    try (Connection byTable =
        LarderProbe.connect(
            database, "larder.invalidation=key", "larder.tables.invalidation=product%3Dtable")) {
      fill(byTable, "SELECT name FROM product WHERE id = 1");
      run(byTable, "UPDATE product SET price = 9 WHERE id = 2");
      assertThat(writes(byTable, "SHOW larder.tables")).containsExactly(0L, 0L, 1L);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      value = {
        "SELECT name FROM product WHERE id = 1|product by id, that row alone|-",
        "SELECT name FROM product WHERE id IN (1, 2)|product by id, those rows alone|-",
        "SELECT id, name FROM product WHERE category_id = 1"
            + "|product by category_id, the rows listed alone|-",
        "SELECT name FROM product WHERE category_id = 1|product by category_id|does not have id",
        "SELECT id FROM product WHERE category_id = 1 LIMIT 1|product by category_id|LIMIT",
        "SELECT id, upper(name) FROM product WHERE category_id = 1|product by category_id"
            + "|the select list has more than columns",
        "SELECT id FROM product WHERE category_id = 1 AND price > 0|product by category_id"
            + "|conditions beside the one on category_id",
        "SELECT * FROM product|product as a whole|by id, code, category_id",
        "SELECT count(*) FROM product|product by which rows it has|by id, code, category_id",
        "SELECT id FROM product WHERE name = 'x'|product by its columns id, name|name has no index",
        "SELECT id FROM product WHERE id = 1 AND name SIMILAR TO 'x%'"
            + "|product by its columns id, name|because of SIMILAR TO",
        "SELECT id FROM product WHERE id = 1 AND lower(name) = 'x'|product by its columns id, name"
            + "|because of the function `lower`",
        "SELECT id FROM product WHERE id = 1 AND price + 1 > 3|product by its columns id, price"
            + "|because of the operator `+`",
        "SELECT id FROM product WHERE id = 1 AND price::int > 3|product by its columns id, price"
            + "|because of a cast",
        "SELECT id FROM product WHERE id = ANY ('{1}')|product by its columns id|because of ANY or ALL",
        "SELECT order_id FROM item WHERE order_id = 1 AND amount > 3"
            + "|item by its columns order_id, amount"
            + "|because of `amount`, whose type",
        "SELECT id FROM product WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)"
            + "|product by its columns id|more than 16 values",
        "WITH x AS (SELECT 1) SELECT id FROM product, x WHERE id = 1|product as a whole"
            + "|it has WITH",
        "SELECT id FROM cheap WHERE id = 1|product as a whole|public.cheap is a view",
        "SELECT one(id) FROM product WHERE id = 1|product as a whole|it calls a function",
        "SELECT message FROM log WHERE message = 'x'|log as a whole|it has no primary key",
        "SELECT id FROM product WHERE EXISTS (SELECT 1 FROM item)"
            + "|item as a whole; public.product as a whole|by (order_id, line), order_id",
        "SELECT id FROM product WHERE id = 1 AND name = (SELECT 'x' FROM item)"
            + "|item as a whole; public.product as a whole|because of a subquery",
        "SELECT p.id FROM product p RIGHT JOIN log l ON true WHERE p.id = 1"
            + "|log as a whole; public.product by its columns id|RIGHT or FULL JOIN",
        "SELECT p.id, p.category_id, c.label FROM product p JOIN category c ON c.id ="
            + " p.category_id WHERE p.id = 1"
            + "|category by id, the rows joined alone; public.product by id, that row alone|-",
        "SELECT p.id, c.id, c.label FROM product p JOIN category c ON c.id = p.category_id WHERE"
            + " p.id = 1|category by id, the rows joined alone; public.product by id, that row alone"
            + "|-",
        "SELECT p.id, c.label FROM product p JOIN category c ON c.id = p.category_id WHERE p.id ="
            + " 1|category by its columns id, label; public.product by id, that row alone"
            + "|public.category: the select list does not have category_id",
        "SELECT p.id, p.category_id FROM product p JOIN category c ON c.id = p.category_id"
            + " WHERE p.id = 1 AND c.label <> 'x'"
            + "|category by its columns id, label; public.product by id, that row alone"
            + "|public.category: it is joined neither",
      })
  void queriesTellWhatTheyDependOnAndWhyNotOnLess(String sql, String words, String because)
      throws SQLException {
    LarderProbe.rows(connection, sql);
    assertThat(only(connection, "SHOW larder.queries", "depends_on")).isEqualTo("public." + words);
    String said = only(connection, "SHOW larder.queries", "wider_because");
    if (because == null) {
      assertThat(said).isNull();
    } else {
      assertThat(said).contains(because).endsWith(".");
    }
  }

  @Test
  void whereNothingIsByKeyThereIsNoReason() throws SQLException {
    try (Connection byTable =
        LarderProbe.connect(
            database, "larder.invalidation=key", "larder.tables.invalidation=product%3Dtable")) {
      fill(byTable, "SELECT name FROM product WHERE id = 1");
      assertThat(only(byTable, "SHOW larder.queries", "depends_on"))
          .isEqualTo("public.product as a whole");
      assertThat(only(byTable, "SHOW larder.queries", "wider_because")).isNull();
    }
  }

  @Test
  void aQueryThatIsNotCachedAndAWriteDependOnNothing() throws SQLException {
    LarderProbe.rows(connection, "SELECT now() FROM product WHERE id = 1");
    assertThat(only(connection, "SHOW larder.queries", "depends_on")).isNull();
    assertThat(only(connection, "SHOW larder.queries", "wider_because")).isNull();
  }

  @Test
  void theAdviceNamesWhatDependsOnTheWholeOfATableThatIsWrittenOften() throws SQLException {
    String read = "SELECT id FROM product WHERE id = 1 AND name SIMILAR TO 'o%'";
    readAndWrite(connection, read);
    assertThat(LarderProbe.rows(connection, "SHOW larder.advice").get(1))
        .startsWith("whole table,public.product,the table was written 100 times, and ")
        .contains("because a condition might fail for other rows, because of SIMILAR TO")
        .endsWith("Most were of: SELECT id FROM product WHERE id = 0 AND name SIMILAR TO ''");
    try (Connection byTable = LarderProbe.connect(database, "larder.invalidation=table")) {
      readAndWrite(byTable, read);
      assertThat(LarderProbe.rows(byTable, "SHOW larder.advice").get(1))
          .startsWith("larder.tables.invalidation,public.product=key,the table was written 200");
    }
  }

  @Test
  void nothingIsAdvisedWhereWritesLeaveTheResults() throws SQLException {
    readAndWrite(connection, "SELECT id FROM product WHERE id = 1");
    assertThat(LarderProbe.rows(connection, "SHOW larder.advice")).hasSize(1);
  }

  private static void readAndWrite(Connection connection, String read) throws SQLException {
    for (int i = 0; i < 100; i++) {
      run(connection, "UPDATE product SET name = 'two' WHERE id = 2");
      for (int j = 0; j < 11; j++) {
        LarderProbe.rows(connection, read);
      }
    }
  }
}
