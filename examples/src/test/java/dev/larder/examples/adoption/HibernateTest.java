package dev.larder.examples.adoption;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;

@Tag("gate")
final class HibernateTest extends AdoptionTest {
  /** A row of book. */
  @Entity
  @Table(name = "book")
  public static class Book {
    @Id private int id;
    private String title;
    private BigDecimal price;

    /** For Hibernate. */
    protected Book() {}

    @Override
    public String toString() {
      return id + " " + title + " " + price;
    }
  }

  private HikariDataSource pool;
  private SessionFactory sessions;

  @Override
  void open() {
    pool = Pools.create(database.larderUrl());
    Configuration configuration = new Configuration().addAnnotatedClass(Book.class);
    configuration.getProperties().put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, pool);
    sessions = configuration.buildSessionFactory();
  }

  @Override
  void close() {
    sessions.close();
    pool.close();
  }

  @Override
  BigDecimal price(int id) {
    return sessions.fromTransaction(session -> session.find(Book.class, id).price);
  }

  @Override
  void reprice(int id, BigDecimal price) {
    sessions.inTransaction(session -> session.find(Book.class, id).price = price);
  }

  @Override
  BigDecimal repriceInVain(int id, BigDecimal price) {
    BigDecimal[] read = new BigDecimal[1];
    try {
      sessions.inTransaction(
          session -> {
            session.find(Book.class, id).price = price;
            session.flush();
            session.clear();
            read[0] = session.find(Book.class, id).price;
            throw new InVain();
          });
    } catch (InVain expected) {
      return read[0];
    }
    throw new AssertionError("not rolled back");
  }
}
