package dev.larder.examples;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** jOOQ over a connection of Larder's; the dialect is PostgreSQL's. */
public final class JooqExample {
  private static final Field<Integer> ID = field(name("id"), Integer.class);
  private static final Field<BigDecimal> PRICE = field(name("price"), BigDecimal.class);

  private JooqExample() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    try (Postgres postgres = Postgres.start()) {
      Products.create(postgres);
      try (Connection connection = DriverManager.getConnection(postgres.larderUrl())) {
        DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
        var product = table(name("product"));
        Products.show(
            () -> jooq.select(PRICE).from(product).where(ID.eq(1)).fetchSingle(PRICE),
            price -> jooq.update(product).set(PRICE, price).where(ID.eq(1)).execute());
      }
    }
  }
}
