package dev.larder.benchmarks.cost;

import java.sql.SQLException;
import java.util.Map;

/**
 * Transactions of the shape of four of BenchBase's workloads, on {@link TransactionTables small
 * tables} of their own: rows are read by key, and written by key. Most keys come once only, so that
 * a look-up of them is no hit. The hits are those of the few rows that come again and again, and
 * that nobody writes, or hardly anybody. Stateless.
 */
final class TransactionLoads {
  static final String SEATS = "seats";
  static final String SMALLBANK = "smallbank";
  static final String EPINIONS = "epinions";
  static final String TPCC = "tpcc";

  private static final int REGULAR_CUSTOMERS = 500;
  private static final int LINES = 3;

  private TransactionLoads() {}

  /** Returns the loads by their names. */
  static Map<String, Load> all() {
    return Map.of(
        SEATS, Transaction.of(TransactionLoads::seats),
        SMALLBANK, Transaction.of(TransactionLoads::smallbank),
        EPINIONS, Transaction.of(TransactionLoads::epinions),
        TPCC, Transaction.of(TransactionLoads::tpcc));
  }

  /**
   * Looks for a flight and its seats; three in four then change a seat. Reads an airport, which
   * nobody writes, the flights at a time, a flight, its seats, a passenger and the seats of that
   * passenger. Writes the seat, the flight and the passenger. Airports make the hits.
   */
  private static void seats(Transaction transaction) throws SQLException {
    int airport = transaction.anyOf(TransactionTables.AIRPORTS);
    int flight = transaction.newKey();
    transaction.read("SELECT name, country FROM airport WHERE id = ?", airport);
    transaction.read("SELECT id FROM flight WHERE departs = ? AND airport = ?", flight, airport);
    transaction.read("SELECT departs, seats_left FROM flight WHERE id = ?", flight);
    transaction.read("SELECT number, passenger FROM seat WHERE flight = ?", flight);
    if (transaction.percent(75)) {
      int passenger = transaction.newKey();
      transaction.read("SELECT name, balance FROM passenger WHERE id = ?", passenger);
      transaction.read("SELECT flight, number FROM seat WHERE passenger = ?", passenger);
      transaction.write(
          "UPDATE seat SET passenger = ? WHERE flight = ? AND number = 1", passenger, flight);
      transaction.write("UPDATE flight SET seats_left = seats_left - 1 WHERE id = ?", flight);
      transaction.write("UPDATE passenger SET balance = balance - 1 WHERE id = ?", passenger);
    }
  }

  /**
   * Looks at what a customer has; 85 of a hundred then move money. Reads the name, which nobody
   * writes, and both balances. Writes the balance of the checking account, and in 40 of a hundred
   * the one of a second customer, whose name it reads. Customers that come again make the hits.
   */
  private static void smallbank(Transaction transaction) throws SQLException {
    int customer = customer(transaction);
    String name = "SELECT name FROM customer WHERE id = ?";
    String write = "UPDATE checking SET balance = balance + ? WHERE customer = ?";
    transaction.read(name, customer);
    transaction.read("SELECT balance FROM savings WHERE customer = ?", customer);
    transaction.read("SELECT balance FROM checking WHERE customer = ?", customer);
    if (transaction.percent(85)) {
      if (transaction.percent(40)) {
        int other = customer(transaction);
        transaction.read(name, other);
        transaction.write(write, 1, other);
      }
      transaction.write(write, -1, customer);
    }
  }

  private static int customer(Transaction transaction) {
    return transaction.percent(28) ? transaction.anyOf(REGULAR_CUSTOMERS) : transaction.newKey();
  }

  /**
   * Looks at what is said of a product; one in two then says something. Reads the reviews of the
   * product, a member, and the mean of the reviews by those whom the member trusts. Writes the
   * review of the product by the member, which mostly is not there, and whom the member trusts; or
   * the member and the product. Next to nothing is a hit.
   */
  private static void epinions(Transaction transaction) throws SQLException {
    int product = transaction.newKey();
    int member = transaction.newKey();
    transaction.read("SELECT rating FROM review WHERE product = ? ORDER BY rating", product);
    transaction.read("SELECT name FROM member WHERE id = ?", member);
    transaction.read(
        "SELECT avg(rating) FROM review JOIN trust ON trust.target = review.member"
            + " WHERE review.product = ? AND trust.source = ?",
        product,
        member);
    if (transaction.percent(25)) {
      transaction.write(
          "UPDATE review SET rating = 5 WHERE product = ? AND member = ?", product, member);
      transaction.write("UPDATE trust SET degree = 1 - degree WHERE source = ?", member);
    } else if (transaction.percent(33)) {
      transaction.write("UPDATE member SET name = 'member' WHERE id = ?", member);
      transaction.write("UPDATE product SET title = 'product' WHERE id = ?", product);
    }
  }

  /** Orders, or pays in 43 of a hundred transactions. Items and warehouses make the hits. */
  private static void tpcc(Transaction transaction) throws SQLException {
    int warehouse = transaction.anyOf(TransactionTables.WAREHOUSES);
    int buyer = transaction.newKey();
    transaction.read("SELECT name, discount FROM buyer WHERE id = ?", buyer);
    if (transaction.percent(43)) {
      pay(transaction, warehouse, buyer);
    } else {
      order(transaction, warehouse, buyer);
    }
  }

  /** Reads the orders of the buyer; writes the balance, and what the warehouse was paid. */
  private static void pay(Transaction transaction, int warehouse, int buyer) throws SQLException {
    transaction.read("SELECT id, warehouse FROM purchase WHERE buyer = ?", buyer);
    transaction.write("UPDATE buyer SET balance = balance - 1 WHERE id = ?", buyer);
    transaction.write("UPDATE warehouse SET paid = paid + 1 WHERE id = ?", warehouse);
  }

  /**
   * Reads the tax of the warehouse and items, which nobody writes. Locks the number of the next
   * order and the stock of the items, which is never cached, and writes them and the order.
   */
  private static void order(Transaction transaction, int warehouse, int buyer) throws SQLException {
    transaction.read("SELECT tax FROM warehouse WHERE id = ?", warehouse);
    transaction.read("SELECT next_order FROM district WHERE id = ? FOR UPDATE", warehouse);
    transaction.write("UPDATE district SET next_order = next_order + 1 WHERE id = ?", warehouse);
    for (int line = 0; line < LINES; line++) {
      int stock = transaction.newKey();
      transaction.read(
          "SELECT name, price FROM item WHERE id = ?", transaction.anyOf(TransactionTables.ITEMS));
      transaction.read("SELECT quantity FROM stock WHERE id = ? FOR UPDATE", stock);
      transaction.write("UPDATE stock SET quantity = quantity - 1 WHERE id = ?", stock);
    }
    transaction.write("INSERT INTO purchase (warehouse, buyer) VALUES (?, ?)", warehouse, buyer);
  }
}
