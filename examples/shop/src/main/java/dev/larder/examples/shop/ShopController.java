package dev.larder.examples.shop;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The shop on the web. */
@RestController
public class ShopController {
  private final Warehouse warehouse;
  private final NightlyJob nightlyJob;

  ShopController(Warehouse warehouse, NightlyJob nightlyJob) {
    this.warehouse = warehouse;
    this.nightlyJob = nightlyJob;
  }

  /** Returns the products up to a price. */
  @GetMapping("/products")
  public List<Product> products(@RequestParam(defaultValue = "15") BigDecimal upTo) {
    return warehouse.upTo(upTo);
  }

  /** Returns one product. */
  @GetMapping("/products/{id}")
  public Product product(@PathVariable int id) {
    return warehouse.product(id);
  }

  /** Returns the names of what is ordered most. */
  @GetMapping("/best-sellers")
  public List<String> bestSellers() {
    return warehouse.bestSellers();
  }

  /** Orders, and returns what is left. */
  @PostMapping("/products/{id}/orders")
  public int order(@PathVariable int id, @RequestParam(defaultValue = "1") int amount) {
    return warehouse.order(id, amount);
  }

  /** Runs the nightly job now. */
  @PostMapping("/nightly-job")
  public String nightlyJob(@RequestParam(defaultValue = "false") boolean tell) throws SQLException {
    nightlyJob.run(tell);
    return tell ? "told" : "not told: until the radar notices, the shop shows the old prices";
  }
}
