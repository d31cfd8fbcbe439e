package dev.larder.examples;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;

/** Hibernate: its URL is Larder's, and it needs neither second-level nor query cache. */
public final class HibernateExample {
  private HibernateExample() {}

  /** A row of product. */
  @Entity
  @Table(name = "product")
  public static class Product {
    @Id private int id;
    private BigDecimal price = BigDecimal.ZERO;

    /** For Hibernate. */
    protected Product() {}
  }

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Postgres postgres = Postgres.start()) {
      Products.create(postgres);
      Configuration configuration = new Configuration().addAnnotatedClass(Product.class);
      configuration.setProperty(AvailableSettings.JAKARTA_JDBC_URL, postgres.larderUrl());
      try (SessionFactory sessions = configuration.buildSessionFactory()) {
        Products.show(
            () -> sessions.fromTransaction(session -> session.find(Product.class, 1).price),
            price ->
                sessions.inTransaction(session -> session.find(Product.class, 1).price = price));
      }
    }
  }
}
