package dev.larder.examples.adoption;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** HikariCP as an application configures it. */
final class Pools {
  private Pools() {}

  static HikariDataSource create(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(3);
    return new HikariDataSource(config);
  }
}
