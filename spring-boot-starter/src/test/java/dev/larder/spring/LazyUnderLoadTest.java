package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Look-ups go on as fast as ever while slow queries have taken all connections of the pool: a
 * hundred threads that read what is cached, with and without a hundred others that run queries of a
 * tenth of a second on ten connections.
 */
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LazyUnderLoadTest {
  private static final int THREADS = 100;
  private static final Duration TIME = Duration.ofSeconds(4);
  private static final Duration PAUSE = Duration.ofMillis(20);

  @AutoClose private ConfigurableApplicationContext context;
  private HikariDataSource pool;
  private Shop.Till till;
  private TransactionTemplate reading;
  private EntityManagerFactory hibernate;

  @BeforeAll
  void start() throws SQLException {
    context =
        new SpringApplicationBuilder(Shop.class)
            .web(WebApplicationType.NONE)
            .properties(
                Map.of(
                    "spring.datasource.url",
                    ShopDatabase.withBooks().url(),
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
                    "auto"))
            .run();
    pool = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
    till = context.getBean(Shop.Till.class);
    hibernate = context.getBean(EntityManagerFactory.class);
    reading = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    reading.setReadOnly(true);
  }

  @Test
  void byJdbcTemplate() throws Exception {
    goesOn("JdbcTemplate", () -> till.price(1));
  }

  @Test
  void inAReadOnlyTransaction() throws Exception {
    goesOn("a read-only transaction", () -> reading.execute(status -> till.price(1)));
  }

  @Test
  void byHibernateInATransaction() throws Exception {
    goesOn("Hibernate in a transaction", this::byHibernate);
  }

  private void byHibernate() {
    try (EntityManager session = hibernate.createEntityManager()) {
      session.getTransaction().begin();
      session.find(Shop.BookEntity.class, 1L);
      session.getTransaction().commit();
    }
  }

  private void goesOn(String name, Runnable read) throws Exception {
    rate(read, Duration.ofSeconds(3));
    double alone = rate(read, TIME);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong slow = new AtomicLong();
    List<Thread> others = run(ended, () -> sleepAtTheServer(slow), Duration.ZERO);
    while (pool.getHikariPoolMXBean().getThreadsAwaitingConnection() < THREADS / 2) {
      Thread.onSpinWait();
    }
    double besides = rate(read, TIME);
    ended.set(true);
    for (Thread each : others) {
      each.join();
    }
    String figures =
        "%s: %.0f look-ups a second alone, %.0f beside %d slow queries"
            .formatted(name, alone, besides, slow.get());
    System.out.println(figures);
    assertThat(slow.get()).isPositive();
    assertThat(besides).as(figures).isGreaterThan(0.9 * alone);
  }

  private void sleepAtTheServer(AtomicLong slow) {
    new JdbcTemplate(pool).execute("SELECT pg_sleep(0.1)");
    slow.incrementAndGet();
  }

  private static double rate(Runnable read, Duration time) throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong reads = new AtomicLong();
    Runnable counted =
        () -> {
          read.run();
          reads.incrementAndGet();
        };
    long start = System.nanoTime();
    List<Thread> threads = run(ended, counted, PAUSE);
    LockSupport.parkNanos(time.toNanos());
    ended.set(true);
    double seconds = (System.nanoTime() - start) / 1e9;
    double rate = reads.get() / seconds;
    for (Thread each : threads) {
      each.join();
    }
    return rate;
  }

  /** Has many threads do {@code work} again and again, with pauses, until the end. */
  private static List<Thread> run(AtomicBoolean ended, Runnable work, Duration pause) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (!ended.get()) {
                  work.run();
                  LockSupport.parkNanos(pause.toNanos());
                }
              });
      thread.start();
      threads.add(thread);
    }
    return threads;
  }
}
