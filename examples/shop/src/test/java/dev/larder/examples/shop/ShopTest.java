package dev.larder.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop does what it says of itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private ConfigurableApplicationContext context;
  private Warehouse warehouse;

  @BeforeAll
  void open() {
    context =
        new SpringApplicationBuilder(Shop.class)
            .properties(Map.of("server.port", "0", "shop.visitors", "false"))
            .run();
    warehouse = context.getBean(Warehouse.class);
  }

  @AfterAll
  void close() {
    context.close();
  }

  private static long hits() {
    return LarderCaches.all().stream()
        .map(LarderCache::status)
        .mapToLong(status -> (Long) status.get("hits"))
        .sum();
  }

  /** Returns the product as a hit returns it; fails when it never is one. */
  private Product cached(int id) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      long before = hits();
      Product product = warehouse.product(id);
      if (hits() > before) {
        return product;
      }
      assertThat(System.nanoTime()).as("no hit").isLessThan(deadline);
    }
  }

  private HttpResponse<String> call(String method, String path, String... user)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    for (String credentials : user) {
      byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void orderIsSeenAtOnce() throws Exception {
    int stock = cached(3).stock();
    assertThat(call("POST", "/products/3/orders?amount=2").body())
        .isEqualTo(String.valueOf(stock - 2));
    assertThat(warehouse.product(3).stock()).isEqualTo(stock - 2);
    assertThat(cached(3).stock()).isEqualTo(stock - 2);
    assertThat(call("GET", "/products/3").body()).contains("\"stock\":" + (stock - 2));
    assertThat(warehouse.bestSellers()).first().isEqualTo("product 3");
  }

  @Test
  void nightlyJobIsSeenOnlyWhenItTells() throws Exception {
    BigDecimal price = cached(7).price();
    assertThat(call("POST", "/nightly-job").body()).startsWith("not told");
    assertThat(cached(7).price()).isEqualByComparingTo(price);
    assertThat(call("POST", "/nightly-job?tell=true").body()).isEqualTo("told");
    BigDecimal raised = price.add(BigDecimal.valueOf(2));
    assertThat(warehouse.product(7).price()).isEqualByComparingTo(raised);
    assertThat(cached(7).price()).isEqualByComparingTo(raised);
  }

  @Test
  void consoleAsksForALogin() throws Exception {
    assertThat(call("GET", "/larder").statusCode()).isEqualTo(401);
    assertThat(call("GET", "/larder", "anna:secret").body()).contains("<title>Larder</title>");
  }

  @Test
  void endpointAsksForALoginAndDropsResults() throws Exception {
    cached(9);
    assertThat(call("GET", "/actuator/larder").statusCode()).isEqualTo(401);
    assertThat(call("DELETE", "/actuator/larder?table=public.product").statusCode()).isEqualTo(401);
    String anna = "anna:secret";
    assertThat(call("GET", "/actuator/larder", anna).body()).contains("\"hits\":");
    assertThat(call("GET", "/actuator/larder/tables", anna).body()).contains("public.product");
    long before = hits();
    assertThat(call("DELETE", "/actuator/larder?table=public.product", anna).body())
        .contains("\"table_known\":true");
    warehouse.product(9);
    assertThat(hits()).isEqualTo(before);
  }
}
