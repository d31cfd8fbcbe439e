package dev.larder.examples.adoption;

import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import org.junit.jupiter.api.Tag;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("gate")
final class SpringJdbcTest extends AdoptionTest {
  private HikariDataSource pool;
  private JdbcTemplate jdbc;
  private TransactionTemplate transactions;
  private TransactionTemplate readOnly;

  @Override
  void open() {
    pool = Pools.create(database.larderUrl());
    jdbc = new JdbcTemplate(pool);
    DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
    transactions = new TransactionTemplate(manager);
    readOnly = new TransactionTemplate(manager);
    readOnly.setReadOnly(true);
  }

  @Override
  void close() {
    pool.close();
  }

  @Override
  BigDecimal price(int id) {
    return readOnly.execute(status -> read(id));
  }

  private BigDecimal read(int id) {
    return jdbc.queryForObject("SELECT price FROM book WHERE id = ?", BigDecimal.class, id);
  }

  @Override
  void reprice(int id, BigDecimal price) {
    transactions.executeWithoutResult(status -> update(id, price));
  }

  private void update(int id, BigDecimal price) {
    jdbc.update("UPDATE book SET price = ? WHERE id = ?", price, id);
  }

  @Override
  BigDecimal repriceInVain(int id, BigDecimal price) {
    return transactions.execute(
        status -> {
          update(id, price);
          status.setRollbackOnly();
          return read(id);
        });
  }
}
