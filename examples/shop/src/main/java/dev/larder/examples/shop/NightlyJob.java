package dev.larder.examples.shop;

import dev.larder.jdbc.LarderCaches;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/**
 * Raises all prices on a connection of PostgreSQL's own driver: a writer from outside, such as a
 * cron job with psql, though {@code larder.writers=this-jvm} says that there is none. Until the
 * table is cleared, or the radar notices some seconds later, the shop goes on to show the old
 * prices; so whoever has such a job clears its tables at its end, or names them in {@code
 * larder.tables.exclude} or {@code larder.tables.time-to-live}.
 */
@Component
public class NightlyJob {
  private final JdbcConnectionDetails details;

  NightlyJob(JdbcConnectionDetails details) {
    this.details = details;
  }

  /**
   * Runs the job.
   *
   * @param tell whether it clears what it has written from the cache
   */
  public void run(boolean tell) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                details.getJdbcUrl(), details.getUsername(), details.getPassword());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE product SET price = price + 1");
    }
    if (tell) {
      LarderCaches.all().forEach(cache -> cache.clearTable("public.product"));
    }
  }
}
