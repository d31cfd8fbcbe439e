package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Who gets what from the console. */
class ConsoleAccessTest {
  private static final String[] PAGES = {
    "/larder", "/larder/console.js", "/larder/console.css", "/larder/state", "/larder/rows/queries"
  };

  private static final String[] CHANGES = {"/larder/clear", "/larder/enabled"};
  private static final String CSRF = "X-CSRF-TOKEN";

  private final HttpClient client =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  @AutoClose private ConfigurableApplicationContext context;

  private void start(String... properties) throws Exception {
    ShopDatabase database = ShopDatabase.withBooks();
    Map<String, Object> all = new HashMap<>();
    all.put("server.port", "0");
    all.put("spring.datasource.url", database.larderUrl());
    all.put("spring.flyway.enabled", "false");
    all.put("spring.liquibase.enabled", "false");
    all.put("larder.name", "guarded");
    all.put("larder.writers", "this-jvm");
    Arrays.stream(properties)
        .map(property -> property.split("=", 2))
        .forEach(property -> all.put(property[0], property[1]));
    context = new SpringApplicationBuilder(GuardedShop.class).properties(all).run();
    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(HikariDataSource.class));
    untilHit(
        context.getBean(HikariDataSource.class),
        () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
  }

  private HttpResponse<String> call(String user, String method, String path, String... headers)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.ofString(method.equals("GET") ? "" : "x=1"))
            .header("Content-Type", "application/x-www-form-urlencoded");
    if (!user.isEmpty()) {
      String credentials = user + ":secret";
      request.header(
          "Authorization",
          "Basic "
              + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @SuppressWarnings("unchecked")
  private Map<String, String> headers() throws Exception {
    String state = call("anna", "GET", "/larder/state").body();
    return (Map<String, String>) JsonParserFactory.getJsonParser().parseMap(state).get("headers");
  }

  @Test
  void thereIsNoneUnlessItIsEnabled() throws Exception {
    start();
    for (String page : PAGES) {
      assertThat(call("anna", "GET", page).statusCode()).as(page).isEqualTo(404);
    }
  }

  @Test
  void whoHasTheRoleGetsIt() throws Exception {
    start("larder.console.enabled=true");
    for (String page : PAGES) {
      HttpResponse<String> answer = call("anna", "GET", page);
      assertThat(answer.statusCode()).as(page + answer.body()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'", "frame-ancestors 'none'");
      assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
    assertThat(call("anna", "GET", "/larder/rows/queries").body()).contains("FROM book");
    assertThat(call("anna", "GET", "/larder/rows/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void nobodyElseDoes() throws Exception {
    start("larder.console.enabled=true");
    for (String page : PAGES) {
      assertThat(call("", "GET", page).statusCode()).as(page).isEqualTo(401);
      assertThat(call("carl", "GET", page).statusCode()).as(page).isEqualTo(403);
      assertThat(call("carl", "GET", page).body()).contains("larder.console.role");
    }
  }

  @Test
  void anotherRoleOrAnyCanBeAskedFor() throws Exception {
    start("larder.console.enabled=true", "larder.console.role=CUSTOMER");
    assertThat(call("carl", "GET", "/larder").statusCode()).isEqualTo(200);
    assertThat(call("anna", "GET", "/larder").statusCode()).isEqualTo(403);
    context.close();
    start("larder.console.enabled=true", "larder.console.role=*");
    assertThat(call("carl", "GET", "/larder").statusCode()).isEqualTo(200);
  }

  @Test
  void anApplicationThatLetsEverybodyInDoesNotShowIt() throws Exception {
    start("larder.console.enabled=true", "larder.console.role=*", "shop.open=true");
    for (String page : PAGES) {
      HttpResponse<String> answer = call("", "GET", page);
      assertThat(answer.statusCode()).as(page).isEqualTo(403);
      assertThat(answer.body()).contains("security").doesNotContain("FROM book");
    }
  }

  @Test
  void readOnlyItChangesNothing() throws Exception {
    start("larder.console.enabled=true", "shop.csrf=false");
    assertThat(headers()).isEmpty();
    for (String path : CHANGES) {
      HttpResponse<String> answer = call("anna", "POST", path);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("larder.console.writable");
    }
  }

  @Test
  void aChangeNeedsTheTokenOfTheApplicationAndItsOwn() throws Exception {
    start("larder.console.enabled=true", "larder.console.writable=true");
    Map<String, String> headers = headers();
    assertThat(headers).containsOnlyKeys(ConsoleGuard.TOKEN_HEADER, CSRF);
    String own = headers.get(ConsoleGuard.TOKEN_HEADER);
    String application = headers.get(CSRF);
    for (String path : CHANGES) {
      assertThat(call("anna", "POST", path, ConsoleGuard.TOKEN_HEADER, own).statusCode())
          .as("without the application's token")
          .isIn(401, 403);
      HttpResponse<String> without = call("anna", "POST", path, CSRF, application);
      assertThat(without.statusCode()).isEqualTo(403);
      assertThat(without.body()).contains("Load the page again");
      String[] wrong = {CSRF, application, ConsoleGuard.TOKEN_HEADER, "x"};
      assertThat(call("anna", "POST", path, wrong).statusCode()).isEqualTo(403);
      String[] both = {CSRF, application, ConsoleGuard.TOKEN_HEADER, own};
      assertThat(call("anna", "POST", path, both).statusCode()).isEqualTo(200);
      assertThat(call("anna", "GET", path).statusCode()).isIn(404, 405);
    }
  }

  @Test
  void itsOwnTokenIsNeededWhereTheApplicationHasNone() throws Exception {
    start("larder.console.enabled=true", "larder.console.writable=true", "shop.csrf=false");
    Map<String, String> headers = headers();
    assertThat(headers).containsOnlyKeys(ConsoleGuard.TOKEN_HEADER);
    assertThat(call("anna", "POST", "/larder/clear").statusCode()).isEqualTo(403);
    String own = headers.get(ConsoleGuard.TOKEN_HEADER);
    assertThat(call("anna", "POST", "/larder/clear", ConsoleGuard.TOKEN_HEADER, own).statusCode())
        .isEqualTo(200);
    assertThat(call("carl", "POST", "/larder/clear", ConsoleGuard.TOKEN_HEADER, own).statusCode())
        .isEqualTo(403);
  }

  @Test
  void nothingOfItComesFromElsewhere() throws Exception {
    start("larder.console.enabled=true");
    Pattern elsewhere = Pattern.compile("(https?:)?//(?!www\\.w3\\.org/2000/svg)[a-z]");
    int bytes = 0;
    for (String file : List.of("console.html", "console.css", "console.js")) {
      String text =
          new ClassPathResource("dev/larder/spring/console/" + file)
              .getContentAsString(StandardCharsets.UTF_8);
      assertThat(elsewhere.matcher(text).find()).as(file).isFalse();
      bytes += text.length();
    }
    assertThat(bytes).isLessThan(64 * 1024);
  }
}
