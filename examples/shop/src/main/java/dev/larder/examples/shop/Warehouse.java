package dev.larder.examples.shop;

import java.math.BigDecimal;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Products and orders, as any application has them: it knows nothing of a cache. */
@Repository
public class Warehouse {
  private static final String PRODUCT = "SELECT id, name, price, stock FROM product ";

  private final JdbcTemplate jdbc;

  Warehouse(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns one product. */
  public Product product(int id) {
    return products("WHERE id = ?", id).get(0);
  }

  /** Returns the products that cost at most {@code price}, the cheapest first. */
  public List<Product> upTo(BigDecimal price) {
    return products("WHERE price <= ? ORDER BY price, id", price);
  }

  private List<Product> products(String condition, Object value) {
    return jdbc.query(
        PRODUCT + condition,
        (row, number) ->
            new Product(
                row.getInt("id"),
                row.getString("name"),
                row.getBigDecimal("price"),
                row.getInt("stock")),
        value);
  }

  /** Returns the ten products that were ordered most. */
  public List<String> bestSellers() {
    return jdbc.queryForList(
        "SELECT p.name FROM orders o JOIN product p ON p.id = o.product GROUP BY p.id"
            + " ORDER BY sum(o.amount) DESC, p.id LIMIT 10",
        String.class);
  }

  /** Orders some of a product, and returns what is left of it. */
  @Transactional
  public int order(int product, int amount) {
    jdbc.update("INSERT INTO orders (product, amount) VALUES (?, ?)", product, amount);
    jdbc.update("UPDATE product SET stock = stock - ? WHERE id = ?", amount, product);
    return product(product).stock();
  }
}
