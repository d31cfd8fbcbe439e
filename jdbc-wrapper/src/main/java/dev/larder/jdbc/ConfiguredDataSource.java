package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.CommonDataSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of both data sources: a data source to wrap or a URL, and those of the cache.
 * Configure it before the first connection; thread-safe from then on.
 *
 * @param <S> the data sources that it wraps
 */
abstract class ConfiguredDataSource<S extends CommonDataSource> implements CommonDataSource {
  private volatile @Nullable S wrapped;
  private volatile @Nullable QueryCacheConfig config;
  private volatile @Nullable String url;
  private volatile @Nullable String user;
  private volatile @Nullable String password;
  private volatile Properties properties = new Properties();
  private volatile int loginTimeout;
  private volatile @Nullable PrintWriter logWriter;

  /** Returns the data source below, or null where the URL is used. */
  final @Nullable S wrapped() {
    return wrapped;
  }

  final void wrap(S source) {
    wrapped = source;
  }

  /**
   * Sets the settings of the cache; then the URL and the properties must hold no option.
   *
   * @param config in place of options
   */
  public void setConfig(QueryCacheConfig config) {
    this.config = config;
  }

  /** {@return the URL, or null if none is set} */
  public @Nullable String getUrl() {
    return url;
  }

  /**
   * Sets the URL: {@code jdbc:larder:postgresql:…} or the driver's own, with the options of {@link
   * dev.larder.CacheOptions} among its parameters.
   *
   * @param url with any parameters
   */
  public void setUrl(String url) {
    this.url = url;
  }

  /** {@return the user, or null if none is set} */
  public @Nullable String getUser() {
    return user;
  }

  /**
   * Sets the user; wins over one in the URL or the properties.
   *
   * @param user of the database
   */
  public void setUser(String user) {
    this.user = user;
  }

  /**
   * Sets the password; wins over one in the URL or the properties.
   *
   * @param password never shown, nor logged
   */
  public void setPassword(String password) {
    this.password = password;
  }

  /**
   * Sets the properties of the driver and of {@link dev.larder.CacheOptions}; a parameter of the
   * URL wins over them. With a wrapped data source they may only hold the latter. Copied.
   *
   * @param properties texts by name
   */
  public void setProperties(Properties properties) {
    Properties copy = new Properties();
    properties.stringPropertyNames().forEach(name -> copy.put(name, properties.getProperty(name)));
    this.properties = copy;
  }

  /** Returns what the URL and the properties say, with the credentials put in. */
  final LarderOptions options(@Nullable String givenUser, @Nullable String givenPassword)
      throws SQLException {
    String text = url;
    if (text == null) {
      throw new SQLException(
          "LRD-040 "
              + getClass().getSimpleName()
              + " has neither a data source nor a URL; set its url to jdbc:larder:postgresql://…",
          "08001");
    }
    Properties merged = new Properties();
    merged.putAll(properties);
    text = LarderDriver.delegateUrl(text);
    text = credential("user", givenUser != null ? givenUser : user, text, merged);
    text = credential("password", givenPassword != null ? givenPassword : password, text, merged);
    if (loginTimeout > 0) {
      merged.putIfAbsent("loginTimeout", Integer.toString(loginTimeout));
    }
    return LarderOptions.of(text, merged);
  }

  /** Returns the settings of the cache for a connection by the URL. */
  final QueryCacheConfig config(LarderOptions options) throws SQLException {
    QueryCacheConfig given = config;
    if (given != null && !options.options().isEmpty()) {
      throw new SQLException(
          "LRD-040 the cache is configured by a QueryCacheConfig and by options (%s); use one of them."
              .formatted(String.join(", ", options.options().keySet())),
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
    QueryCacheConfig used = given == null ? options.config() : given;
    ConnectionWrapper.check(used);
    return used;
  }

  /** Returns the settings of the cache for a connection of the wrapped data source. */
  final QueryCacheConfig config() throws SQLException {
    LarderOptions options = LarderOptions.of("", properties);
    if (!options.properties().isEmpty() || url != null || user != null || password != null) {
      throw new SQLException(
          "LRD-040 "
              + getClass().getSimpleName()
              + " wraps a data source and has a URL, credentials or properties of the driver as"
              + " well; set those on the wrapped data source.",
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
    return config(options);
  }

  private static String credential(
      String name, @Nullable String value, String url, Properties properties) {
    if (value == null) {
      return url;
    }
    properties.setProperty(name, value);
    return LarderOptions.withoutParameters(url, name::equals, (parameter, encoded) -> {});
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    CommonDataSource wrapped = this.wrapped;
    return wrapped == null ? logWriter : wrapped.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    CommonDataSource wrapped = this.wrapped;
    if (wrapped != null) {
      wrapped.setLogWriter(out);
    }
    logWriter = out;
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    CommonDataSource wrapped = this.wrapped;
    return wrapped == null ? loginTimeout : wrapped.getLoginTimeout();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    CommonDataSource wrapped = this.wrapped;
    if (wrapped != null) {
      wrapped.setLoginTimeout(seconds);
    }
    loginTimeout = seconds;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return Logger.getLogger("dev.larder");
  }
}
