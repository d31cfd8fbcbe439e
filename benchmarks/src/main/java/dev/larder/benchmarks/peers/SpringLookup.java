package dev.larder.benchmarks.peers;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A method with {@code @Cacheable} over Caffeine, which nothing invalidates. Thread-safe. */
final class SpringLookup implements AutoCloseable {
  private final AnnotationConfigApplicationContext context;
  private final Balances balances;

  /** What the proxy stands for. */
  public interface Balances {
    /** Returns the balance of an account. */
    int balance(int id) throws SQLException;
  }

  /** Asks the database. */
  public static class DatabaseBalances implements Balances {
    private final DataSource source;

    /** Creates it. */
    public DatabaseBalances(DataSource source) {
      this.source = source;
    }

    @Override
    @Cacheable("balances")
    public int balance(int id) throws SQLException {
      try (Connection connection = source.getConnection();
          PreparedStatement statement = connection.prepareStatement(Peers.SQL)) {
        statement.setInt(1, id);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getInt(1);
        }
      }
    }
  }

  /** Caching as the manual sets it up. */
  @Configuration
  @EnableCaching
  public static class Caching {
    /** Returns the caches. */
    @Bean
    public CacheManager cacheManager() {
      CaffeineCacheManager manager = new CaffeineCacheManager("balances");
      manager.setCaffeine(Caffeine.newBuilder().maximumSize(1_000_000));
      return manager;
    }
  }

  SpringLookup(DataSource source) {
    context = new AnnotationConfigApplicationContext();
    context.register(Caching.class);
    context.registerBean("balances", Balances.class, () -> new DatabaseBalances(source));
    context.refresh();
    balances = context.getBean(Balances.class);
  }

  int balance(int id) throws SQLException {
    return balances.balance(id);
  }

  @Override
  public void close() {
    context.close();
  }
}
