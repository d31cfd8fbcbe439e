package dev.larder.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.using;

import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.tools.jdbc.JDBCUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gate")
final class JooqTest extends AdoptionTest {
  private static final Table<Record> BOOK = table(name("book"));
  private static final Field<Integer> ID = field(name("book", "id"), Integer.class);
  private static final Field<BigDecimal> PRICE = field(name("price"), BigDecimal.class);

  private HikariDataSource pool;
  private DSLContext jooq;

  @Override
  void open() {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    pool = Pools.create(database.larderUrl());
    jooq = using(pool, SQLDialect.POSTGRES);
  }

  @Test
  void theDialectIsFoundByTheConnection() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      assertThat(JDBCUtils.dialect(connection)).isEqualTo(SQLDialect.POSTGRES);
    }
  }

  @Override
  void close() {
    pool.close();
  }

  @Override
  BigDecimal price(int id) {
    return price(jooq, id);
  }

  private static BigDecimal price(DSLContext context, int id) {
    return context.select(PRICE).from(BOOK).where(ID.eq(id)).fetchSingle(PRICE);
  }

  @Override
  void reprice(int id, BigDecimal price) {
    jooq.update(BOOK).set(PRICE, price).where(ID.eq(id)).execute();
  }

  @Override
  BigDecimal repriceInVain(int id, BigDecimal price) {
    BigDecimal[] read = new BigDecimal[1];
    try {
      jooq.transaction(
          configuration -> {
            DSLContext inner = using(configuration);
            inner.update(BOOK).set(PRICE, price).where(ID.eq(id)).execute();
            read[0] = price(inner, id);
            throw new InVain();
          });
    } catch (InVain expected) {
      return read[0];
    }
    throw new AssertionError("not rolled back");
  }
}
