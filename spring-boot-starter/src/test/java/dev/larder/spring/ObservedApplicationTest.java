package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** The meters, the endpoint and the health of an application on the web. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("gate")
class ObservedApplicationTest {
  private static final String NAME = "observed";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private ShopDatabase database;
  @AutoClose private ConfigurableApplicationContext context;
  private MeterRegistry registry;
  private HikariDataSource pool;
  private Shop.Till till;

  @BeforeAll
  void start() throws SQLException {
    database = ShopDatabase.empty();
    context =
        new SpringApplicationBuilder(Shop.class)
            .properties(Shop.BOTH_MIGRATIONS)
            .properties(
                Map.of(
                    "server.port", "0",
                    "spring.datasource.url", database.larderUrl(),
                    "larder.name", NAME,
                    "larder.writers", "this-jvm",
                    "management.endpoints.web.exposure.include", "health,larder",
                    "management.endpoint.health.show-details", "always",
                    "management.endpoint.health.probes.enabled", "true"))
            .run();
    registry = context.getBean(MeterRegistry.class);
    pool = context.getBean(HikariDataSource.class);
    till = context.getBean(Shop.Till.class);
  }

  @BeforeEach
  void fill() throws Exception {
    untilHit(pool, () -> till.price(1));
  }

  private double counted(String meter, String... tags) {
    return registry.get(meter).tag("cache", NAME).tags(tags).functionCounter().count();
  }

  private double gauged(String meter) {
    return registry.get(meter).tag("cache", NAME).gauge().value();
  }

  private Map<String, Object> call(String method, String path, String body)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonParserFactory.getJsonParser().parseMap(response.body());
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Map<String, Object> body, String name) {
    return (List<Map<String, Object>>) body.get(name);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void metersFollowTheCache() throws Exception {
    double hits = counted("cache.gets", "result", "hit");
    till.price(1);
    assertThat(counted("cache.gets", "result", "hit")).isEqualTo(hits + 1);
    double misses = counted("cache.gets", "result", "miss");
    double invalidations = counted("larder.invalidations");
    double writes = counted("larder.writes", "reach", "by-key");
    double ofTables = counted("larder.writes", "reach", "by-table");
    till.reprice(1, "8");
    till.price(1);
    assertThat(counted("larder.writes", "reach", "by-key")).isEqualTo(writes + 1);
    assertThat(counted("larder.writes", "reach", "by-table")).isEqualTo(ofTables);
    assertThat(counted("cache.gets", "result", "miss")).isEqualTo(misses + 1);
    assertThat(counted("larder.invalidations")).isEqualTo(invalidations + 1);
    double bypasses = counted("larder.bypasses", "reason", "own-writes");
    till.repriceInVain(1, "1");
    assertThat(counted("larder.bypasses", "reason", "own-writes")).isEqualTo(bypasses + 1);
    assertThat(counted("cache.puts")).isPositive();
    assertThat(gauged("cache.size")).isPositive();
    assertThat(gauged("larder.size")).isBetween(1.0, gauged("larder.size.max"));
    assertThat(gauged("larder.hit.ratio")).isBetween(0.0, 1.0);
    assertThat(gauged("larder.enabled")).isEqualTo(1);
    assertThat(registry.get("larder.saved.time").tag("cache", NAME).timeGauge().value())
        .isPositive();
  }

  @Test
  void metersOfTheCacheHaveTheTagsOfAnyCache() {
    assertThat(registry.get("cache.gets").tag("cache", NAME).functionCounter().getId().getTags())
        .extracting(tag -> tag.getKey())
        .containsExactly("cache", "cache.manager", "name", "result");
  }

  @Test
  void endpointShowsTheCounts() throws Exception {
    Map<String, Object> cache = rows(call("GET", "larder?cache=" + NAME, ""), "caches").get(0);
    assertThat(cache).containsEntry("enabled", true).containsKeys("hits", "saved_millis");
    assertThat(rows(call("GET", "larder?cache=nothing", ""), "caches")).isEmpty();
  }

  @Test
  void endpointShowsTablesAndQueries() throws Exception {
    assertThat(rows(call("GET", "larder/tables?cache=" + NAME, ""), "tables"))
        .extracting(row -> row.get("table_name"))
        .contains("public.book");
    List<Map<String, Object>> queries =
        rows(call("GET", "larder/queries?limit=2&sort=misses&cache=" + NAME, ""), "queries");
    assertThat(queries).hasSizeLessThanOrEqualTo(2);
    assertThat((Number) queries.get(0).get("misses")).isNotEqualTo(0);
    till.repriceInVain(1, "1");
    assertThat(rows(call("GET", "larder/queries?reason=may%20have%20written", ""), "queries"))
        .isNotEmpty()
        .allSatisfy(
            row ->
                assertThat(row.get("bypass_reason")).asString().contains("may have written rows"));
  }

  @Test
  void endpointForgetsATableSoThatWritesPastTheCacheAreSeen() throws Exception {
    untilHit(pool, () -> till.price(3));
    database.execute("UPDATE book SET price = 13 WHERE id = 3");
    assertThat(till.price(3)).isEqualByComparingTo("12");
    List<Map<String, Object>> cleared =
        rows(call("DELETE", "larder?table=public.book&cache=" + NAME, ""), "cleared");
    assertThat(cleared.get(0)).containsEntry("table_known", true);
    assertThat(till.price(3)).isEqualByComparingTo("13");
    database.execute("UPDATE book SET price = 12 WHERE id = 3");
    call("DELETE", "larder", "");
    assertThat(till.price(3)).isEqualByComparingTo("12");
  }

  @Test
  void endpointForgetsAQuery() throws Exception {
    String query =
        rows(call("GET", "larder/queries?cache=" + NAME, ""), "queries").stream()
            .filter(row -> !row.get("entries").equals(0))
            .map(row -> (String) row.get("query"))
            .filter(text -> text.contains("price FROM book"))
            .findFirst()
            .orElseThrow();
    List<Map<String, Object>> cleared =
        rows(call("DELETE", "larder?cache=" + NAME + "&query=" + encoded(query), ""), "cleared");
    assertThat((Integer) cleared.get(0).get("entries_cleared")).isPositive();
  }

  @Test
  void endpointSwitchesOffAndOn() throws Exception {
    call("POST", "larder", "{\"enabled\": false, \"cache\": \"" + NAME + "\"}");
    double hits = counted("cache.gets", "result", "hit");
    till.price(1);
    assertThat(counted("cache.gets", "result", "hit")).isEqualTo(hits);
    assertThat(gauged("larder.enabled")).isZero();
    assertThat(call("GET", "health", "")).containsEntry("status", "UP");
    call("POST", "larder", "{\"enabled\": true, \"cache\": \"" + NAME + "\"}");
    till.price(1);
    assertThat(counted("cache.gets", "result", "hit")).isEqualTo(hits + 1);
  }

  @Test
  @SuppressWarnings("unchecked")
  void healthHasTheCachesButNoProbeDoes() throws Exception {
    Map<String, Object> components =
        (Map<String, Object>) call("GET", "health", "").get("components");
    assertThat((Map<String, Object>) components.get("larder")).containsEntry("status", "UP");
    assertThat(components.get("larder").toString()).contains(NAME + '@');
    for (String probe : List.of("liveness", "readiness")) {
      assertThat(call("GET", "health/" + probe, "").toString()).doesNotContain("larder");
    }
  }

  // ---- caches beside that of the application, in databases of their own

  private static Connection connect(ShopDatabase shop, String name, String options)
      throws SQLException {
    return DriverManager.getConnection(
        shop.larderUrl() + "&larder.writers=this-jvm&larder.name=" + name + options);
  }

  private static String price(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT price FROM book WHERE id = 1")) {
      row.next();
      return row.getString(1);
    }
  }

  private List<Map<String, Object>> section(String section, String cache) throws Exception {
    return rows(call("GET", "larder/" + section + "?cache=" + cache, ""), section);
  }

  private Map<String, Object> status(String cache) throws Exception {
    return rows(call("GET", "larder?cache=" + cache, ""), "caches").get(0);
  }

  private static long number(Map<String, Object> row, String column) {
    return ((Number) Objects.requireNonNull(row.get(column))).longValue();
  }

  /** Reads until {@code condition} holds. */
  private static void readUntil(Connection connection, Callable<Boolean> condition)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.call()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      price(connection);
    }
  }

  @Test
  void endpointShowsTheQuarantineAndReleasesIt() throws Exception {
    ShopDatabase shop = ShopDatabase.withBooks();
    try (Connection connection = connect(shop, "checked", "&larder.verify=1&larder.radar=off")) {
      readUntil(connection, () -> number(status("checked"), "verified_hits") > 0);
      assertThat(section("quarantine", "checked")).isEmpty();
      double troubles = troubles("LRD-012");
      shop.execute("UPDATE book SET price = 987654.25 WHERE id = 1");
      readUntil(connection, () -> number(status("checked"), "wrong_hits") > 0);

      List<Map<String, Object>> quarantine = section("quarantine", "checked");
      assertThat(quarantine).hasSize(1);
      assertThat(quarantine.get(0))
          .containsEntry("cache", "checked")
          .containsEntry("table_name", "public.book")
          .hasEntrySatisfying("query", query -> assertThat(query).asString().contains("FROM book"));
      assertThat(quarantine.toString()).doesNotContain("987654");
      assertThat(troubles("LRD-012")).isEqualTo(troubles + 1);
      assertThat(registry.get("larder.quarantined.tables").tag("cache", "checked").gauge().value())
          .isEqualTo(1);

      List<Map<String, Object>> released =
          rows(call("DELETE", "larder/quarantine?cache=checked", ""), "released");
      assertThat(released.get(0)).containsEntry("tables", List.of("public.book"));
      assertThat(section("quarantine", "checked")).isEmpty();
      assertThat(price(connection)).isEqualTo("987654.25");
    }
  }

  private double troubles(String code) {
    return registry.get("larder.troubles").tag("code", code).functionCounter().count();
  }

  @Test
  void endpointShowsTheAdviceOfACacheThatObserves() throws Exception {
    ShopDatabase shop = ShopDatabase.withBooks();
    try (Connection connection = connect(shop, "observing", "&larder.mode=observe")) {
      readUntil(connection, () -> number(status("observing"), "hits") > 0);
      assertThat(section("advice", "observing"))
          .anySatisfy(
              row ->
                  assertThat(row)
                      .containsEntry("cache", "observing")
                      .containsEntry("setting", "larder.mode")
                      .containsEntry("value", "observe")
                      .containsKey("reason"));
      assertThat(section("advice", NAME).toString()).contains("only what is observed");
    }
  }

  @Test
  void endpointRanksBypassesByTheirTime() throws Exception {
    till.repriceInVain(1, "1");
    assertThat(section("bypasses", NAME))
        .anySatisfy(
            row ->
                assertThat(row)
                    .containsEntry("cache", NAME)
                    .containsEntry("name", "OWN_WRITES")
                    .containsKeys("cure", "database_millis"));
  }

  @Test
  void endpointShowsWhatTheRadarHasFound() throws Exception {
    ShopDatabase shop = ShopDatabase.withBooks();
    try (Connection connection = connect(shop, "watched", "")) {
      readUntil(connection, () -> radar().equals("watching"));
      shop.execute("UPDATE book SET price = price + 1");
      readUntil(connection, () -> radar().equals("foreign writes"));
      assertThat(number(section("tables", "watched").get(0), "foreign_rows")).isEqualTo(3);
    }
  }

  private String radar() throws Exception {
    List<Map<String, Object>> tables = section("tables", "watched");
    return tables.isEmpty() ? "" : String.valueOf(tables.get(0).get("radar"));
  }

  @Test
  void endpointShowsWhatOperatorsHaveSetInTheDatabase() throws Exception {
    ShopDatabase shop = ShopDatabase.withBooks();
    shop.execute("CREATE TABLE larder_control (scope text, name text, setting text, value text)");
    try (Connection connection = connect(shop, "controlled", "&larder.radar=off")) {
      readUntil(connection, () -> number(status("controlled"), "hits") > 0);
      shop.execute("INSERT INTO larder_control VALUES ('all', NULL, 'enabled', 'off')");
      readUntil(connection, () -> Boolean.FALSE.equals(status("controlled").get("enabled")));
      assertThat(status("controlled").get("database_settings")).asString().contains("enabled");
      shop.execute("DELETE FROM larder_control");
      readUntil(connection, () -> Boolean.TRUE.equals(status("controlled").get("enabled")));
    }
  }
}
