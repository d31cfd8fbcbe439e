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
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Spring Session keeps sessions in the database that is cached, and none of it is cached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("gate")
class SpringSessionTest {
  private ShopDatabase database;
  @AutoClose private ConfigurableApplicationContext context;
  private HikariDataSource pool;

  /** Counts the visits of each session, and tells a price. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Visits {
    @Bean
    static SecurityFilterChain open(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll()).build();
    }

    @Bean
    static RouterFunction<ServerResponse> visit(JdbcTemplate jdbc) {
      return RouterFunctions.route()
          .GET(
              "/visit",
              request -> {
                Integer before = (Integer) request.session().getAttribute("visits");
                int visits = before == null ? 1 : before + 1;
                request.session().setAttribute("visits", visits);
                String title =
                    jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class);
                return ServerResponse.ok().body(visits + " " + title);
              })
          .build();
    }
  }

  @BeforeAll
  void start() throws SQLException {
    database = ShopDatabase.withBooks();
    context =
        new SpringApplicationBuilder(Visits.class)
            .properties(
                Map.of(
                    "server.port", "0",
                    "spring.datasource.url", database.larderUrl(),
                    "spring.flyway.enabled", "false",
                    "spring.liquibase.enabled", "false",
                    "spring.session.jdbc.initialize-schema", "always",
                    "larder.writers", "this-jvm"))
            .run("--spring.autoconfigure.exclude=");
    pool = context.getBean(HikariDataSource.class);
  }

  private String visit(HttpClient browser) throws IOException, InterruptedException {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpResponse<String> response =
        browser.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/visit")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static HttpClient browser() {
    return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  }

  @Test
  void sessionsAreReadAndWrittenWhileOtherTablesHit() throws Exception {
    assertThat(context.getBeansOfType(JdbcIndexedSessionRepository.class)).isNotEmpty();
    HttpClient browser = browser();
    assertThat(visit(browser)).isEqualTo("1 Emma");
    untilHit(pool, () -> visit(browser()));
    long hits = ShopDatabase.hits(pool);
    assertThat(visit(browser)).isEqualTo("2 Emma");
    assertThat(visit(browser)).isEqualTo("3 Emma");
    assertThat(ShopDatabase.hits(pool)).isEqualTo(hits + 2);
    assertThat(
            new JdbcTemplate(pool)
                .queryForList("SHOW larder.queries").stream()
                    .filter(row -> row.get("query").toString().contains("SPRING_SESSION"))
                    .filter(row -> row.get("query").toString().contains("SELECT")))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row).containsEntry("hits", 0L))
        .anySatisfy(
            row -> assertThat(row.get("bypass_reason").toString()).contains("tables.exclude"));
  }

  @Test
  void sessionThatAnotherProcessEndsIsGoneAtOnce() throws Exception {
    HttpClient browser = browser();
    assertThat(visit(browser)).isEqualTo("1 Emma");
    assertThat(visit(browser)).isEqualTo("2 Emma");
    database.execute("DELETE FROM spring_session");
    assertThat(visit(browser)).isEqualTo("1 Emma");
  }
}
