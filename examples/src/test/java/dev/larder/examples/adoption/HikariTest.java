package dev.larder.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gate")
final class HikariTest extends AdoptionTest {
  private HikariDataSource pool;

  @Override
  void open() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.larderUrl());
    config.setMaximumPoolSize(3);
    config.setConnectionInitSql("SET application_name = 'shop'");
    config.setLeakDetectionThreshold(60_000);
    pool = new HikariDataSource(config);
  }

  @Override
  void close() {
    pool.close();
  }

  @Override
  BigDecimal price(int id) {
    try (Connection connection = pool.getConnection()) {
      return price(connection, id);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BigDecimal price(Connection connection, int id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT price FROM book WHERE id = ?")) {
      select.setInt(1, id);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getBigDecimal("price");
      }
    }
  }

  @Override
  void reprice(int id, BigDecimal price) {
    try (Connection connection = pool.getConnection()) {
      reprice(connection, id, price);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void reprice(Connection connection, int id, BigDecimal price) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE book SET price = ? WHERE id = ?")) {
      update.setBigDecimal(1, price);
      update.setInt(2, id);
      update.executeUpdate();
    }
  }

  @Override
  BigDecimal repriceInVain(int id, BigDecimal price) {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      reprice(connection, id, price);
      BigDecimal read = price(connection, id);
      connection.rollback();
      return read;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theConnectionIsValidAndWasInitialized() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.isValid(5)).isTrue();
      try (ResultSet row = connection.createStatement().executeQuery("SHOW application_name")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("shop");
      }
    }
  }

  @Test
  void readOnlyAndNetworkTimeoutHoldForOneBorrowerOnly() throws Exception {
    database.untilHit(() -> price(3));
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      connection.setNetworkTimeout(Runnable::run, 5_000);
      assertThat(connection.getNetworkTimeout()).isEqualTo(5_000);
      assertThat(database.asHit(() -> price(connection, 3))).isEqualByComparingTo("12");
      assertThatThrownBy(() -> reprice(connection, 3, BigDecimal.ONE))
          .hasMessageContaining("read-only");
    }
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.isReadOnly()).isFalse();
      assertThat(connection.getNetworkTimeout()).isZero();
    }
    reprice(3, new BigDecimal("13"));
    assertThat(price(3)).isEqualByComparingTo("13");
  }

  @Test
  void theDataSourceFormWorksToo() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSourceClassName("dev.larder.jdbc.LarderDataSource");
    config.addDataSourceProperty("url", database.larderUrl());
    try (HikariDataSource other = new HikariDataSource(config);
        Connection connection = other.getConnection()) {
      assertThat(database.untilHit(() -> price(connection, 1))).isEqualByComparingTo("8");
    }
  }
}
