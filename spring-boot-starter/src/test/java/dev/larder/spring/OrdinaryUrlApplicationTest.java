package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.asHit;
import static dev.larder.spring.ShopDatabase.asMiss;
import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Map;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** The URL is the driver's own, and {@code larder.enabled=true} does the rest. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("each-boot")
class OrdinaryUrlApplicationTest {
  private ShopDatabase database;
  @AutoClose private ConfigurableApplicationContext context;
  private HikariDataSource pool;
  private Shop.Till till;

  @BeforeAll
  void start() throws SQLException {
    database = ShopDatabase.empty();
    context =
        new SpringApplicationBuilder(Shop.class)
            .web(WebApplicationType.NONE)
            .properties(Shop.BOTH_MIGRATIONS)
            .properties(
                Map.of(
                    "spring.datasource.url",
                    database.url(),
                    "spring.flyway.url",
                    database.url(),
                    "spring.liquibase.url",
                    database.larderUrl(),
                    "spring.liquibase.user",
                    "postgres",
                    "larder.enabled",
                    "true",
                    "larder.writers",
                    "this-jvm"))
            .run();
    pool = context.getBean(HikariDataSource.class);
    till = context.getBean(Shop.Till.class);
  }

  @Test
  void readsHitAndWritesInvalidate() throws Exception {
    untilHit(pool, () -> till.price(1));
    till.reprice(1, "7.50");
    assertThat(database.directly("SELECT price FROM book WHERE id = 1")).isEqualTo("7.50");
    assertThat(asMiss(pool, () -> till.price(1))).isEqualByComparingTo("7.50");
    assertThat(asHit(pool, () -> till.price(1))).isEqualByComparingTo("7.50");
  }

  @Test
  void rollbackLeavesNothing() throws Exception {
    untilHit(pool, () -> till.price(2));
    assertThat(till.repriceInVain(2, "1")).isEqualByComparingTo("1");
    assertThat(asHit(pool, () -> till.price(2))).isEqualByComparingTo("9");
  }

  @Test
  void dataSourcesOfTheMigrationsAnnounceTheirWrites() throws SQLException {
    assertThat(context.getBean(Flyway.class).getConfiguration().getDataSource())
        .isInstanceOfSatisfying(
            SimpleDriverDataSource.class,
            source -> assertThat(source.getUrl()).startsWith("jdbc:larder:postgresql:"));
    assertThat(context.getBean(SpringLiquibase.class).getDataSource())
        .isInstanceOfSatisfying(
            SimpleDriverDataSource.class,
            source -> assertThat(source.getUrl()).startsWith("jdbc:larder:postgresql:"));
    assertThat(database.directly("SELECT count(*) FROM databasechangelog")).isEqualTo("1");
  }
}
