package dev.larder.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import java.math.BigDecimal;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.util.Streamable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with everything that decides by the URL, and nothing configured but that. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJdbcRepositories(considerNestedRepositories = true)
class Shop {
  /** Lets Flyway and Liquibase work on the same empty schema, whichever comes first. */
  static final String[] BOTH_MIGRATIONS = {
    "spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=0"
  };

  /** A row of {@code book} as Hibernate maps it. */
  @Entity(name = "book")
  static class BookEntity {
    @jakarta.persistence.Id long id;
    String title = "";
    BigDecimal price = BigDecimal.ZERO;
  }

  /** A row of {@code book} as Spring Data JDBC maps it. */
  @Table("book")
  record Book(@org.springframework.data.annotation.Id Long id, String title, BigDecimal price) {}

  /** Spring Data JDBC's repository. */
  interface Books extends CrudRepository<Book, Long> {
    /** Returns the books of a title. */
    Streamable<Book> findByTitle(String title);
  }

  /** Reads and writes by JDBC in transactions. */
  record Till(JdbcTemplate jdbc, TransactionTemplate transactions, EntityManagerFactory hibernate) {
    BigDecimal price(long id) {
      return jdbc.queryForObject("SELECT price FROM book WHERE id = ?", BigDecimal.class, id);
    }

    BigDecimal priceByHibernate(long id) {
      try (var session = hibernate.createEntityManager()) {
        return session.find(BookEntity.class, id).price;
      }
    }

    void reprice(long id, String price) {
      transactions.executeWithoutResult(status -> update(id, price));
    }

    BigDecimal repriceInVain(long id, String price) {
      return transactions.execute(
          status -> {
            update(id, price);
            status.setRollbackOnly();
            return price(id);
          });
    }

    private void update(long id, String price) {
      jdbc.update("UPDATE book SET price = ? WHERE id = ?", new BigDecimal(price), id);
    }
  }

  /** Leaves everything open: what is guarded is {@link GuardedShop}. */
  @Bean
  @ConditionalOnWebApplication
  static SecurityFilterChain open(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .build();
  }

  @Bean
  Till till(
      JdbcTemplate jdbc, PlatformTransactionManager transactions, EntityManagerFactory hibernate) {
    return new Till(jdbc, new TransactionTemplate(transactions), hibernate);
  }
}
