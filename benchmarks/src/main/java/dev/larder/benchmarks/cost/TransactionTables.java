package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Postgres;
import java.sql.SQLException;
import java.util.List;

/** The tables of {@link TransactionLoads}. Stateless. */
final class TransactionTables {
  /** How many rows a table has whose keys are chosen from many. */
  static final int MANY = 300_000;

  static final int AIRPORTS = 200;
  static final int ITEMS = 1_000;
  static final int WAREHOUSES = 10;

  private TransactionTables() {}

  /** Makes the tables of a load, if it has some; nobody but the server may be connected yet. */
  static void create(Postgres postgres, String load) throws SQLException {
    List<String> statements =
        switch (load) {
          case TransactionLoads.SEATS -> seats();
          case TransactionLoads.SMALLBANK -> smallbank();
          case TransactionLoads.EPINIONS -> epinions();
          case TransactionLoads.TPCC -> tpcc();
          default -> List.of();
        };
    postgres.execute(statements.toArray(String[]::new));
  }

  private static List<String> seats() {
    return List.of(
        "CREATE TABLE airport AS SELECT id, 'airport ' || id AS name, id % 50 AS country"
            + rows(AIRPORTS),
        "CREATE TABLE flight AS SELECT id, id % "
            + AIRPORTS
            + " AS airport, id AS departs,"
            + " 150 AS seats_left"
            + rows(MANY),
        "CREATE TABLE passenger AS SELECT id, 'passenger ' || id AS name, 0 AS balance"
            + rows(MANY),
        "CREATE TABLE seat AS SELECT id AS flight, 1 AS number, id AS passenger" + rows(MANY),
        key("airport", "id"),
        key("flight", "id"),
        key("passenger", "id"),
        key("seat", "flight, number"),
        "CREATE INDEX ON flight (departs)",
        "CREATE INDEX ON seat (passenger)",
        "VACUUM ANALYZE");
  }

  private static List<String> smallbank() {
    return List.of(
        "CREATE TABLE customer AS SELECT id, 'customer ' || id AS name" + rows(MANY),
        "CREATE TABLE savings AS SELECT id AS customer, 100 AS balance" + rows(MANY),
        "CREATE TABLE checking AS SELECT id AS customer, 100 AS balance" + rows(MANY),
        key("customer", "id"),
        key("savings", "customer"),
        key("checking", "customer"),
        "VACUUM ANALYZE");
  }

  private static List<String> epinions() {
    return List.of(
        "CREATE TABLE member AS SELECT id, 'member ' || id AS name" + rows(MANY),
        "CREATE TABLE product AS SELECT id, 'product ' || id AS title" + rows(MANY),
        "CREATE TABLE review AS SELECT id AS product, id AS member, id % 5 AS rating" + rows(MANY),
        "CREATE TABLE trust AS SELECT id AS source, id AS target, 1 AS degree" + rows(MANY),
        key("member", "id"),
        key("product", "id"),
        "CREATE INDEX ON review (product)",
        "CREATE INDEX ON review (member)",
        "CREATE INDEX ON trust (source)",
        "VACUUM ANALYZE");
  }

  private static List<String> tpcc() {
    return List.of(
        "CREATE TABLE warehouse AS SELECT id, 7 AS tax, 0 AS paid" + rows(WAREHOUSES),
        "CREATE TABLE district AS SELECT id, 1 AS next_order" + rows(WAREHOUSES),
        "CREATE TABLE item AS SELECT id, 'item ' || id AS name, id % 100 AS price" + rows(ITEMS),
        "CREATE TABLE stock AS SELECT id, 1000 AS quantity" + rows(MANY),
        "CREATE TABLE buyer AS SELECT id, 'buyer ' || id AS name, 5 AS discount, 0 AS balance"
            + rows(MANY),
        "CREATE TABLE purchase (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            + " warehouse int, buyer int)",
        key("warehouse", "id"),
        key("district", "id"),
        key("item", "id"),
        key("stock", "id"),
        key("buyer", "id"),
        "CREATE INDEX ON purchase (buyer)",
        // Who plans for an empty table scans it as long as the connection is there.
        "INSERT INTO purchase (warehouse, buyer) SELECT 1, id" + rows(MANY),
        "VACUUM ANALYZE");
  }

  private static String rows(int count) {
    return " FROM generate_series(1, " + count + ") id";
  }

  private static String key(String table, String columns) {
    return "ALTER TABLE " + table + " ADD PRIMARY KEY (" + columns + ")";
  }
}
