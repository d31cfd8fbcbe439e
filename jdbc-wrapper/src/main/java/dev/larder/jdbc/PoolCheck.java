package dev.larder.jdbc;

import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.gate.PhysicalConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Tells pools from data sources that open a connection each time: by the names of the classes, and
 * by what happens when a connection is closed.
 */
final class PoolCheck {
  /** Classes and interfaces; what extends one of them is a pool too. */
  private static final Set<String> POOLS =
      Set.of(
          "com.alibaba.druid.pool.DruidAbstractDataSource",
          "com.atomikos.jdbc.AbstractDataSourceBean",
          "com.jolbox.bonecp.BoneCPDataSource",
          "com.mchange.v2.c3p0.PooledDataSource",
          "com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource",
          "com.zaxxer.hikari.HikariDataSource",
          "io.agroal.api.AgroalDataSource",
          "oracle.ucp.jdbc.PoolDataSource",
          "org.apache.commons.dbcp.BasicDataSource",
          "org.apache.commons.dbcp.PoolingDataSource",
          "org.apache.commons.dbcp2.BasicDataSource",
          "org.apache.commons.dbcp2.PoolingDataSource",
          "org.apache.commons.dbcp2.datasources.InstanceKeyDataSource",
          "org.apache.ibatis.datasource.pooled.PooledDataSource",
          "org.apache.tomcat.dbcp.dbcp2.BasicDataSource",
          "org.apache.tomcat.dbcp.dbcp2.PoolingDataSource",
          "org.apache.tomcat.dbcp.dbcp2.datasources.InstanceKeyDataSource",
          "org.apache.tomcat.jdbc.pool.DataSourceProxy",
          "org.jboss.jca.adapters.jdbc.WrapperDataSource",
          "org.postgresql.ds.PGPoolingDataSource",
          "org.springframework.jdbc.datasource.SingleConnectionDataSource",
          "org.vibur.dbcp.ViburDataSource",
          "snaq.db.DBPoolDataSource");

  private static final String DRIVERS_OWN = "org.postgresql.ds.PGSimpleDataSource";

  private PoolCheck() {}

  /**
   * Refuses what is known to pool.
   *
   * @throws IllegalArgumentException if a class of the data source is that of a pool, or of Larder
   */
  static void refuseByName(DataSource source) {
    if (source instanceof LarderDataSource) {
      throw new IllegalArgumentException(
          "LRD-045 the data source is a LarderDataSource already; wrap it once, below the pool.");
    }
    if (types(source.getClass()).anyMatch(type -> POOLS.contains(type.getName()))) {
      throw new IllegalArgumentException(refusal(source, "is one"));
    }
  }

  /**
   * Opens a connection and closes it, unless the data source is the driver's: it must be gone then.
   *
   * @throws SQLException if the connection to the server stayed open, with SQLState 0A000
   */
  static void refuseByBehaviour(DataSource source, Opened.Opening<Connection> opening)
      throws SQLException {
    if (source.getClass().getName().equals(DRIVERS_OWN)) {
      return;
    }
    Optional<Connection> physical;
    try (Connection connection = opening.open()) {
      physical = PhysicalConnections.find(connection);
    }
    if (physical.isPresent() && !physical.get().isClosed()) {
      throw new SQLException(
          refusal(source, "keeps the connection to the server open after close()"), "0A000");
    }
  }

  private static String refusal(DataSource source, String reason) {
    return "LRD-045 LarderDataSource stands below a connection pool, not above it, and "
        + source.getClass().getName()
        + ' '
        + reason
        + ". Give LarderDataSource the data source that opens connections, and the pool the"
        + " LarderDataSource, such as hikari.setDataSource(larderDataSource); or give the pool the"
        + " URL jdbc:larder:postgresql://… instead.";
  }

  private static Stream<Class<?>> types(Class<?> type) {
    Stream<Class<?>> above = Arrays.stream(type.getInterfaces());
    if (type.getSuperclass() != null) {
      above = Stream.concat(above, Stream.of(type.getSuperclass()));
    }
    return Stream.concat(Stream.of(type), above.flatMap(PoolCheck::types));
  }
}
