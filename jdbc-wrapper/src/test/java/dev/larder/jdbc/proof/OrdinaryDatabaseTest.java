package dev.larder.jdbc.proof;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is cached in a database as users have them, for a role that owns nothing. */
final class OrdinaryDatabaseTest {
  private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.createOrdinary();
  }

  @AfterAll
  static void drop() throws SQLException {
    database.close();
  }

  private static Connection connect() throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            database
                    .larderUrl("larder.writers=this-jvm", "larder.admission=all")
                    .replace("user=postgres", "user=ordinary_app")
                + "&currentSchema=shop,public");
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  private static List<String> bare(String sql) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            database.url().replace("user=postgres", "user=ordinary_app")
                + "&currentSchema=shop,public")) {
      return rows(connection, sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM customer WHERE id = 7",
        "SELECT id FROM customer WHERE email = 'user7@example.org'",
        "SELECT id FROM customer WHERE lower(name) = 'nämé 7'",
        "SELECT id FROM customer WHERE attributes @> '{\"n\": 7}'",
        "SELECT id FROM customer WHERE settings -> 'lang' = 'de' AND id < 9",
        "SELECT id FROM customer WHERE 'a1' = ANY (tags) AND id < 9",
        "SELECT (home).town, name_key, search FROM customer WHERE id = 7",
        "SELECT label FROM category WHERE path <@ 'top.c7'",
        "SELECT label, net(price) FROM product WHERE sku = 'P7'",
        "SELECT label FROM product WHERE valid @> date '2026-01-01' AND category_id = 7",
        "SELECT \"group\", \"order\" FROM client WHERE id = 7",
        "SELECT id, state, total FROM purchase WHERE customer_id = 7 AND state <> 'returned'",
        "SELECT l.quantity FROM purchase_line l WHERE (l.purchase_id, l.line) = (7, 1)",
        "SELECT * FROM purchase_overview WHERE id = 7",
        "SELECT label FROM cheap_product WHERE sku = 'P7'",
        "SELECT name FROM staff WHERE id = 57",
        "SELECT name FROM person WHERE id = 57",
        "SELECT sum(value) FROM measurement WHERE device = 7 AND taken_on >= '2026-02-01'",
        "SELECT sold FROM sales WHERE product_id = '00000000-0000-4000-8000-000000000007'",
        "SELECT \"user\", \"select\" FROM \"Büro\".\"Straße\" WHERE \"Nr\" = 7",
        "SELECT label FROM tenant_2.invoice WHERE id = 7",
        "SELECT value FROM setting WHERE name = 'name7'"
      })
  void aReadIsHit(String sql) throws SQLException {
    try (Connection connection = connect()) {
      fill(connection, sql);
      assertThat(isHit(connection, sql)).isTrue();
      assertThat(rows(connection, sql)).isNotEmpty().isEqualTo(bare(sql));
    }
  }

  /** The first read is of what is written, the others are not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "UPDATE customer SET name = 'New' WHERE id = 11; SELECT name FROM customer WHERE id = 11;"
            + " SELECT name FROM customer WHERE id = 12; SELECT label FROM product WHERE sku = 'P7'",
        "UPDATE product SET price = 5 WHERE id = '00000000-0000-4000-8000-000000000011';"
            + " SELECT price FROM product WHERE id = '00000000-0000-4000-8000-000000000011';"
            + " SELECT price FROM product WHERE id = '00000000-0000-4000-8000-000000000012';"
            + " SELECT name FROM customer WHERE id = 7",
        "INSERT INTO purchase (customer_id, total) VALUES (21, 5);"
            + " SELECT orders FROM customer WHERE id = 21;"
            + " SELECT label FROM category WHERE id = 7; SELECT value FROM setting WHERE name = 'name7'",
        "UPDATE purchase_line SET quantity = 9 WHERE purchase_id = 31 AND line = 1;"
            + " SELECT total FROM purchase_overview WHERE id = 31;"
            + " SELECT quantity FROM purchase_line WHERE purchase_id = 32; SELECT name FROM customer WHERE id = 7",
        "UPDATE named_setting SET value = 'x' WHERE name = 'name11';"
            + " SELECT value FROM setting WHERE name = 'name11';"
            + " SELECT label FROM category WHERE id = 7; SELECT name FROM customer WHERE id = 7",
        "INSERT INTO measurement VALUES (3, '2026-12-31', 1);"
            + " SELECT sum(value) FROM measurement WHERE device = 3;"
            + " SELECT label FROM category WHERE id = 7; SELECT name FROM customer WHERE id = 7"
      })
  void aWriteLeavesOtherResults(String write, String of, String other, String third)
      throws SQLException {
    try (Connection connection = connect()) {
      assertSeen(connection, write, of, List.of(other, third));
      assertThat(isHit(connection, other)).isTrue();
      assertThat(isHit(connection, third)).isTrue();
    }
  }

  /** Rules, and a procedure that ends transactions, count as writes of everything. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "UPDATE staff SET name = 'x' WHERE id = 61; SELECT name FROM person WHERE id = 61",
        "CALL move_stock('00000000-0000-4000-8000-000000000041', 5);"
            + " SELECT stock FROM product WHERE sku = 'P41'"
      })
  void aWriteOfEverythingIsSeen(String write, String of) throws SQLException {
    try (Connection connection = connect()) {
      assertSeen(connection, write, of, List.of());
    }
  }

  private static void assertSeen(
      Connection connection, String write, String of, List<String> beside) throws SQLException {
    fill(connection, of);
    for (String sql : beside) {
      fill(connection, sql);
    }
    List<String> before = rows(connection, of);
    run(connection, write);
    assertThat(rows(connection, of)).isNotEqualTo(before).isEqualTo(bare(of));
  }

  /** A function that is not IMMUTABLE is asked each time, and costs nothing else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT price_of('00000000-0000-4000-8000-000000000007')",
        "SELECT tenant()",
        "SELECT title FROM document WHERE id = 7"
      })
  void aFunctionThatReadsLeavesOtherResults(String sql) throws SQLException {
    String other = "SELECT name FROM customer WHERE id = 7";
    try (Connection connection = connect()) {
      fill(connection, other);
      assertThat(rows(connection, sql)).isEqualTo(bare(sql));
      assertThat(isHit(connection, other)).isTrue();
    }
  }

  @Test
  void aTenantReadsItsOwn() throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      for (int round = 0; round < 3; round++) {
        for (String tenant : List.of("tenant_0", "tenant_1")) {
          run(connection, "SET LOCAL app.tenant = '" + tenant + "'");
          assertThat(rows(connection, "SELECT count(*), min(tenant) FROM note"))
              .containsExactly("100," + tenant);
          connection.commit();
        }
      }
      run(connection, "SET LOCAL app.tenant = 'tenant_1'");
      assertThat(isHit(connection, "SELECT count(*), min(tenant) FROM note")).isTrue();
      connection.rollback();
    }
  }
}
