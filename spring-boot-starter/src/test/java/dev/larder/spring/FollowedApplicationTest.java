package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** An application that follows writers outside, one of which is another instance of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FollowedApplicationTest {
  private static final String NAME = "followed";
  private static final String TITLE = "SELECT title FROM book WHERE id = ?";
  private static final String POSITION = "Larder-Position";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private ShopDatabase database;
  @AutoClose private ConfigurableApplicationContext context;

  /** Reads one table, and writes another. */
  @Configuration(proxyBeanMethods = false)
  static class Pages {
    @Bean
    RouterFunction<ServerResponse> pages(JdbcTemplate jdbc) {
      return RouterFunctions.route()
          .GET("/title", request -> ServerResponse.ok().body(String.valueOf(title(jdbc))))
          .POST(
              "/note",
              request -> ServerResponse.ok().body(jdbc.update("INSERT INTO note VALUES (1)")))
          .build();
    }

    private static String title(JdbcTemplate jdbc) {
      return jdbc.queryForObject(TITLE, String.class, 1);
    }
  }

  @BeforeAll
  void start() throws Exception {
    database = ShopDatabase.withBooks();
    database.execute("CREATE TABLE note (id int)");
    database.execute("CREATE PUBLICATION larder FOR TABLE book");
    context =
        new SpringApplicationBuilder(GuardedShop.class, Pages.class)
            .properties(
                Map.ofEntries(
                    Map.entry("server.port", "0"),
                    Map.entry("spring.datasource.url", database.larderUrl()),
                    Map.entry("spring.flyway.enabled", "false"),
                    Map.entry("spring.liquibase.enabled", "false"),
                    Map.entry("shop.csrf", "false"),
                    Map.entry("larder.name", NAME),
                    Map.entry("larder.writers", "any"),
                    Map.entry("larder.admission", "all"),
                    Map.entry("larder.feed", "wal"),
                    // Longer than what a test keeps the log back.
                    Map.entry("larder.feed.max-lag", "60s"),
                    Map.entry("larder.feed.position", "header"),
                    Map.entry("larder.console.enabled", "true")))
            .run();
    title();
    until("the feed is live", () -> "live".equals(cache().status().get("feed")));
  }

  private static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static LarderCache cache() {
    return LarderCaches.all().stream()
        .filter(cache -> cache.name().equals(NAME))
        .findFirst()
        .orElseThrow();
  }

  private HttpResponse<String> call(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + context.getEnvironment().getRequiredProperty("local.server.port")
                        + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(30))
            .header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString("anna:secret".getBytes()));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response;
  }

  private String title(String... headers) throws IOException, InterruptedException {
    return call("GET", "/title", headers).body();
  }

  private static long hits() {
    return (Long) cache().status().get("hits");
  }

  private void untilHit() throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long before;
    do {
      before = hits();
      title();
      assertThat(System.nanoTime()).as("no hit").isLessThan(deadline);
    } while (hits() == before);
  }

  /** Keeps the server from sending its log; what is committed is visible all the same. */
  private void signalWalsender(String signal) throws Exception {
    String process =
        database.directly(
            "SELECT active_pid FROM pg_replication_slots WHERE database = current_database()");
    assertThat(new ProcessBuilder("kill", signal, process).start().waitFor()).isZero();
  }

  @Test
  void whoBringsThePositionOfAWriteSeesItAlthoughTheLogHasNotCome() throws Exception {
    untilHit();
    signalWalsender("-STOP");
    try {
      database.execute("UPDATE book SET title = 'Sanditon' WHERE id = 1");
      // As the other instance answers, whose write is before.
      HttpResponse<String> written = call("POST", "/note");
      String position = written.headers().firstValue(POSITION).orElseThrow();
      assertThat(title()).as("within the bound").isEqualTo("Emma");
      assertThat(title(POSITION, "garbage")).isEqualTo("Emma");
      assertThat(title(POSITION, "1:1:FFFFFFFF/FFFFFFFF")).as("another server").isEqualTo("Emma");
      assertThat(title(POSITION, position)).isEqualTo("Sanditon");
    } finally {
      signalWalsender("-CONT");
      database.execute("UPDATE book SET title = 'Emma' WHERE id = 1");
      until("the title of before", this::isEmma);
    }
  }

  private boolean isEmma() {
    try {
      return title().equals("Emma");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void onceTheLogHasComeAPositionCostsNoHit() throws Exception {
    HttpResponse<String> written = call("POST", "/note");
    String position = written.headers().firstValue(POSITION).orElseThrow();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long before;
    do {
      before = hits();
      assertThat(title(POSITION, position)).isEqualTo("Emma");
      assertThat(System.nanoTime()).as("no hit").isLessThan(deadline);
    } while (hits() == before);
  }

  @Test
  void aReadTellsNoPosition() throws Exception {
    assertThat(call("GET", "/title").headers().firstValue(POSITION)).isEmpty();
  }

  @Test
  void aConnectionOutsideOfARequestIsAsBefore() throws Exception {
    untilHit();
    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(HikariDataSource.class));
    String future = cache().database().split("/")[0] + ":1:FFFFFFFF/FFFFFFFF";
    long before = hits();
    title(POSITION, future);
    assertThat(hits()).isEqualTo(before);
    ShopDatabase.asHit(
        context.getBean(HikariDataSource.class), () -> jdbc.queryForObject(TITLE, String.class, 1));
  }

  @Test
  @Tag("gate")
  @NeedsProgram(Program.CHROMIUM)
  void theConsoleShowsTheFeedAndWhatItCovers() throws Exception {
    untilHit();
    new JdbcTemplate(context.getBean(HikariDataSource.class)).queryForList("SELECT id FROM note");
    String tables = call("GET", "/larder/rows/tables").body();
    assertThat(tables).contains("\"feed\":\"covered\"", "ALTER PUBLICATION larder ADD TABLE");
    try (Chromium browser = Chromium.start()) {
      browser.size(1280, 900);
      browser.open(
          "http://127.0.0.1:"
              + context.getEnvironment().getRequiredProperty("local.server.port")
              + "/login");
      browser.click("input[name=username]");
      browser.type("anna");
      browser.click("input[name=password]");
      browser.type("secret");
      browser.press("Enter", 13);
      browser.until("!location.pathname.endsWith('/login')");
      browser.open(
          "http://127.0.0.1:"
              + context.getEnvironment().getRequiredProperty("local.server.port")
              + "/larder");
      browser.until("document.querySelector('#cache').options.length > 0");
      browser.evaluate(
          "(() => { const caches = document.querySelector('#cache'); caches.value ="
              + " [...caches.options].find(o => o.text.startsWith('followed ')).value;"
              + " caches.dispatchEvent(new Event('change')) })()");
      browser.until("document.querySelector('#tiles').innerText.includes('change feed')");
      browser.click("#tab-tables");
      browser.until("document.querySelector('#tables').innerText.includes('does not cover it')");
      assertThat(String.valueOf(browser.evaluate("document.querySelector('#tiles').innerText")))
          .contains("live\nchange feed");
      assertThat(String.valueOf(browser.evaluate("document.querySelector('#tables').innerText")))
          .contains("The change feed covers it.")
          .contains("not in the publication larder")
          .contains("ALTER PUBLICATION larder ADD TABLE public.note");
      browser.picture("feed");
      browser.size(390, 900);
      browser.picture("feed-phone");
      assertThat(browser.problems()).isEmpty();
    }
  }
}
