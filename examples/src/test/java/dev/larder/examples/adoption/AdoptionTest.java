package dev.larder.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every framework must do through Larder: subclasses say how it reads and writes. */
@Tag("gate")
abstract class AdoptionTest {
  AdoptionDatabase database;

  @BeforeEach
  void openDatabase() throws Exception {
    database = AdoptionDatabase.create();
    open();
  }

  @AfterEach
  void closeDatabase() throws SQLException {
    close();
    database.close();
  }

  /** Configures the framework with {@link #database}. */
  abstract void open() throws Exception;

  abstract void close();

  /** Reads a book's price in a unit of work of its own. */
  abstract BigDecimal price(int id);

  /** Sets a book's price in a transaction of its own. */
  abstract void reprice(int id, BigDecimal price);

  /**
   * Sets a book's price, reads it back in the same transaction, and rolls back; returns what was
   * read.
   */
  abstract BigDecimal repriceInVain(int id, BigDecimal price);

  @Test
  void aRepeatedReadIsAHit() throws Exception {
    assertThat(database.untilHit(() -> price(1))).isEqualByComparingTo("8");
    assertThat(database.asHit(() -> price(1))).isEqualByComparingTo("8");
  }

  @Test
  void aWriteOfTheFrameworkInvalidates() throws Exception {
    database.untilHit(() -> price(1));
    reprice(1, new BigDecimal("7.50"));
    assertThat(database.directly("SELECT price FROM book WHERE id = 1")).isEqualTo("7.50");
    assertThat(database.asMiss(() -> price(1))).isEqualByComparingTo("7.50");
    assertThat(database.asHit(() -> price(1))).isEqualByComparingTo("7.50");
  }

  @Test
  void aTransactionReadsItsOwnWriteAndARollbackLeavesNothing() throws Exception {
    database.untilHit(() -> price(2));
    assertThat(repriceInVain(2, new BigDecimal("1"))).isEqualByComparingTo("1");
    assertThat(database.asHit(() -> price(2))).isEqualByComparingTo("9");
    assertThat(database.directly("SELECT price FROM book WHERE id = 2")).isEqualTo("9");
  }
}
