package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.asHit;
import static dev.larder.spring.ShopDatabase.asMiss;
import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.support.JdbcUtils;

/** {@code spring.datasource.url} is Larder's, and nothing else is said. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("each-boot")
class LarderUrlApplicationTest {
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
            .properties(Map.of("spring.datasource.url", database.larderUrl()))
            .run();
    pool = context.getBean(HikariDataSource.class);
    till = context.getBean(Shop.Till.class);
  }

  @Test
  void poolGetsTheUrlAndTheDriver() {
    assertThat(pool.getJdbcUrl()).isEqualTo(database.larderUrl());
    assertThat(pool.getDriverClassName()).isEqualTo("dev.larder.jdbc.LarderDriver");
  }

  @Test
  void flywayMigrates() throws SQLException {
    assertThat(
            database.directly(
                "SELECT count(*) FROM flyway_schema_history WHERE type = 'SQL' AND success"))
        .isEqualTo("1");
  }

  @Test
  void liquibaseMigrates() throws SQLException {
    assertThat(database.directly("SELECT count(*) FROM databasechangelog")).isEqualTo("1");
  }

  /** As for {@code {vendor}} in {@code spring.flyway.locations}, by the URL of the metadata. */
  @Test
  void springBootFindsTheDatabaseByTheUrlOfTheMetadata() throws Exception {
    String url = JdbcUtils.extractDatabaseMetaData(pool, DatabaseMetaData::getURL);
    assertThat(DatabaseDriver.fromJdbcUrl(url)).isEqualTo(DatabaseDriver.POSTGRESQL);
    assertThat(DatabaseDriver.fromJdbcUrl(database.larderUrl())).isEqualTo(DatabaseDriver.UNKNOWN);
  }

  @Test
  void hibernateFindsItsDialectAndHits() throws Exception {
    SessionFactoryImplementor sessions =
        context.getBean(EntityManagerFactory.class).unwrap(SessionFactoryImplementor.class);
    assertThat(sessions.getJdbcServices().getDialect()).isInstanceOf(PostgreSQLDialect.class);
    assertThat(untilHit(pool, () -> till.priceByHibernate(3))).isEqualByComparingTo("12");
    assertThat(asHit(pool, () -> till.priceByHibernate(3))).isEqualByComparingTo("12");
  }

  @Test
  void springDataJdbcReadsAndWritesThroughTheCache() throws Exception {
    Shop.Books books = context.getBean(Shop.Books.class);
    Shop.Book added = books.save(new Shop.Book(null, "Middlemarch", new java.math.BigDecimal(10)));
    untilHit(pool, () -> books.findByTitle("Middlemarch").toList());
    books.save(new Shop.Book(added.id(), "Middlemarch", new java.math.BigDecimal(11)));
    assertThat(asMiss(pool, () -> books.findByTitle("Middlemarch").toList().get(0).price()))
        .isEqualByComparingTo("11");
    assertThat(asHit(pool, () -> books.findByTitle("Middlemarch").toList().get(0).price()))
        .isEqualByComparingTo("11");
  }

  @Test
  void writeInvalidates() throws Exception {
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
}
