package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LazyDataSource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Under Spring's and Hibernate's transactions, hits need no connection of the pool. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LazyApplicationTest {
  private static final int ROUNDS = 15;

  private ShopDatabase database;
  private ConfigurableApplicationContext context;
  private DataSource source;
  private HikariDataSource pool;
  private Shop.Till till;
  private TransactionTemplate reading;

  private static SpringApplicationBuilder shop(ShopDatabase database, Class<?>... more) {
    return new SpringApplicationBuilder(Shop.class)
        .sources(more)
        .web(WebApplicationType.NONE)
        .properties(
            Map.of(
                "spring.datasource.url",
                database.url(),
                "spring.datasource.hikari.maximum-pool-size",
                "2",
                "spring.datasource.hikari.connection-timeout",
                "300",
                "spring.flyway.enabled",
                "false",
                "spring.liquibase.enabled",
                "false",
                "larder.enabled",
                "true",
                "larder.writers",
                "this-jvm",
                "larder.admission",
                "all",
                "larder.lazy-connections",
                "auto"));
  }

  @BeforeAll
  void start() throws SQLException {
    database = ShopDatabase.withBooks();
    context = shop(database).run();
    source = context.getBean(DataSource.class);
    pool = source.unwrap(HikariDataSource.class);
    till = context.getBean(Shop.Till.class);
    reading = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    reading.setReadOnly(true);
  }

  @AfterAll
  void stop() {
    context.close();
    assertThat(pool.isClosed()).isTrue();
  }

  private BigDecimal inATransaction() {
    return reading.execute(status -> till.price(1));
  }

  private BigDecimal byHibernateInATransaction() {
    EntityManagerFactory hibernate = context.getBean(EntityManagerFactory.class);
    try (EntityManager session = hibernate.createEntityManager()) {
      session.getTransaction().begin();
      BigDecimal price = session.find(Shop.BookEntity.class, 1L).price;
      session.getTransaction().commit();
      return price;
    }
  }

  private void isHitWithoutConnection(Callable<BigDecimal> read) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      ShopDatabase.untilHit(pool, read);
    }
    assertThat(shown()).isEqualTo("on");
    try (Connection one = pool.getConnection();
        Connection other = pool.getConnection()) {
      assertThat(one).isNotSameAs(other);
      assertThat(read.call()).isEqualByComparingTo("8");
      assertThatThrownBy(() -> till.price(3)).isInstanceOf(RuntimeException.class);
    }
  }

  private String shown() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getString("lazy");
    }
  }

  @Test
  void byJdbcTemplate() throws Exception {
    assertThat(source).isInstanceOf(LazyDataSource.class);
    isHitWithoutConnection(() -> till.price(1));
  }

  @Test
  void inAReadOnlyTransaction() throws Exception {
    isHitWithoutConnection(this::inATransaction);
  }

  @Test
  void byHibernate() throws Exception {
    isHitWithoutConnection(this::byHibernateInATransaction);
  }

  @Test
  void writesAreSeen() throws Exception {
    ShopDatabase.untilHit(pool, () -> till.price(2));
    till.reprice(2, "7.50");
    assertThat(till.price(2)).isEqualByComparingTo("7.50");
    assertThat(till.repriceInVain(2, "1")).isEqualByComparingTo("1");
    assertThat(till.price(2)).isEqualByComparingTo("7.50");
  }

  /** Asks for the pool by its class. */
  @Configuration(proxyBeanMethods = false)
  static class AskingForThePool {
    @Bean
    String poolName(HikariDataSource asked) {
      return String.valueOf(asked.getMaximumPoolSize());
    }
  }

  @Test
  void whoAsksForThePoolGetsIt() throws SQLException {
    try (ConfigurableApplicationContext asking =
        shop(ShopDatabase.withBooks(), AskingForThePool.class).run()) {
      assertThat(asking.getBean("poolName")).isEqualTo("2");
      assertThat(asking.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
      assertThat(
              new JdbcTemplate(asking.getBean(DataSource.class))
                  .queryForObject("SELECT 1", Integer.class))
          .isEqualTo(1);
    }
  }
}
