package dev.larder.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderDriver;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

/**
 * Reads and changes the URL and the properties of a data source before its first connection. Each
 * kind has a class of its own, which is loaded only where the library is there.
 */
interface UrlAccess {
  /** Returns whether there are connections already, so that a change comes too late. */
  boolean started();

  /** Returns the URL, or null if the data source connects in another way. */
  @Nullable String url();

  /** Sets a URL of Larder, and its driver. */
  void set(String url);

  /** Returns the properties that each connection gets beside the URL, as far as they are known. */
  Properties properties();

  /** Sets a property that each connection gets beside the URL. */
  void put(String name, String value);

  /** Returns access to the URL of the data source, if it is of a kind that is known. */
  static Optional<UrlAccess> of(DataSource source) {
    if (isA(source, "com.zaxxer.hikari.HikariDataSource")) {
      return Optional.of(new Hikari((HikariDataSource) source));
    }
    if (isA(source, "org.apache.tomcat.jdbc.pool.DataSource")) {
      return Optional.of(new Tomcat((org.apache.tomcat.jdbc.pool.DataSource) source));
    }
    if (isA(source, "org.apache.commons.dbcp2.BasicDataSource")) {
      return Optional.of(new Dbcp2((BasicDataSource) source));
    }
    if (isA(source, "org.springframework.jdbc.datasource.AbstractDriverBasedDataSource")) {
      return Optional.of(new Unpooled((AbstractDriverBasedDataSource) source));
    }
    return Optional.empty();
  }

  /** Returns whether the object is of the class, which need not be there. */
  static boolean isA(Object object, String className) {
    ClassLoader loader = object.getClass().getClassLoader();
    if (!ClassUtils.isPresent(className, loader)) {
      return false;
    }
    return ClassUtils.resolveClassName(className, loader).isInstance(object);
  }

  /** HikariCP: sealed by its first connection. */
  record Hikari(HikariDataSource pool) implements UrlAccess {
    @Override
    public boolean started() {
      return pool.getHikariPoolMXBean() != null;
    }

    @Override
    public @Nullable String url() {
      return pool.getDataSource() == null ? pool.getJdbcUrl() : null;
    }

    @Override
    public void set(String url) {
      if (pool.getDriverClassName() != null) {
        pool.setDriverClassName(LarderUrl.DRIVER_CLASS);
      }
      pool.setJdbcUrl(url);
    }

    @Override
    public Properties properties() {
      return pool.getDataSourceProperties();
    }

    @Override
    public void put(String name, String value) {
      pool.addDataSourceProperty(name, value);
    }
  }

  /** Tomcat's pool, whose later connections would take a new URL and whose first ones not. */
  record Tomcat(org.apache.tomcat.jdbc.pool.DataSource pool) implements UrlAccess {
    @Override
    public boolean started() {
      return pool.getPool() != null;
    }

    @Override
    public @Nullable String url() {
      return pool.getDataSource() == null ? pool.getUrl() : null;
    }

    @Override
    public void set(String url) {
      pool.setDriverClassName(LarderUrl.DRIVER_CLASS);
      pool.setUrl(url);
    }

    @Override
    public Properties properties() {
      return pool.getDbProperties();
    }

    @Override
    public void put(String name, String value) {
      pool.getDbProperties().setProperty(name, value);
    }
  }

  /** Commons DBCP, which reads its URL at the first connection and never again. */
  record Dbcp2(BasicDataSource pool) implements UrlAccess {
    @Override
    public boolean started() {
      return pool.getNumActive() + pool.getNumIdle() > 0;
    }

    @Override
    public @Nullable String url() {
      return pool.getUrl();
    }

    @Override
    public void set(String url) {
      if (pool.getDriver() != null) {
        pool.setDriver(new LarderDriver());
      }
      pool.setDriverClassName(LarderUrl.DRIVER_CLASS);
      pool.setUrl(url);
    }

    /** Nobody can ask for them. */
    @Override
    public Properties properties() {
      return new Properties();
    }

    @Override
    public void put(String name, String value) {
      pool.addConnectionProperty(name, value);
    }
  }

  /** Spring's data sources without a pool. */
  record Unpooled(AbstractDriverBasedDataSource source) implements UrlAccess {
    @Override
    public boolean started() {
      return false;
    }

    @Override
    public @Nullable String url() {
      return source.getUrl();
    }

    @Override
    public void set(String url) {
      if (source instanceof SimpleDriverDataSource simple) {
        simple.setDriver(new LarderDriver());
      }
      source.setUrl(url);
    }

    @Override
    public Properties properties() {
      Properties given = source.getConnectionProperties();
      return given == null ? new Properties() : given;
    }

    @Override
    public void put(String name, String value) {
      Properties all = new Properties();
      all.putAll(properties());
      all.setProperty(name, value);
      source.setConnectionProperties(all);
    }
  }
}
