package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.Option;
import dev.larder.QueryCacheConfig;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver: {@code jdbc:larder:postgresql://host/db} is {@code jdbc:postgresql://host/db}
 * with the cache in front. What follows {@code jdbc:larder:} goes to the driver that takes it,
 * whose own prefix may chain further: {@code jdbc:larder:otel:postgresql:…}. The options of {@link
 * CacheOptions} are taken out of the URL and the properties before that. Thread-safe.
 */
public final class LarderDriver implements Driver {
  /** How every URL of this driver begins; the case counts. */
  static final String PREFIX = "jdbc:larder:";

  private static @Nullable LarderDriver registered;

  static {
    try {
      register();
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Makes a driver that is not registered; {@link #register} registers one. */
  public LarderDriver() {}

  /**
   * Registers a driver with {@link DriverManager}; loading the class does so. Does nothing while
   * one is registered.
   *
   * @throws SQLException if {@link DriverManager} refuses it
   */
  public static synchronized void register() throws SQLException {
    if (registered == null) {
      LarderDriver driver = new LarderDriver();
      DriverManager.registerDriver(driver);
      registered = driver;
    }
  }

  /**
   * Takes the registered driver out of {@link DriverManager}, so that its class loader can be
   * collected. Does nothing if none is registered.
   *
   * @throws SQLException if {@link DriverManager} refuses to
   */
  public static synchronized void deregister() throws SQLException {
    if (registered != null) {
      DriverManager.deregisterDriver(registered);
      registered = null;
    }
  }

  /** {@return whether {@link DriverManager} knows the driver by {@link #register}} */
  public static synchronized boolean isRegistered() {
    return registered != null;
  }

  @Override
  public boolean acceptsURL(@Nullable String url) throws SQLException {
    return required(url).startsWith(PREFIX);
  }

  /**
   * Opens a connection that caches.
   *
   * @return null if the URL does not begin with {@code jdbc:larder:}
   * @throws SQLException with SQLState 22023 for an unknown or bad option; whatever the driver
   *     below throws
   */
  @Override
  public @Nullable Connection connect(@Nullable String url, @Nullable Properties info)
      throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    LarderOptions options = LarderOptions.of(delegateUrl(url), info);
    QueryCacheConfig config = options.config();
    ConnectionWrapper.check(config);
    return ConnectionWrapper.connect(options, config);
  }

  /** Returns the URL for the driver below; its own URLs stay as they are. */
  static String delegateUrl(@Nullable String url) throws SQLException {
    String text = required(url);
    return text.startsWith(PREFIX) ? "jdbc:" + text.substring(PREFIX.length()) : text;
  }

  /**
   * {@return Larder's options and then the properties of the driver below, if one takes the URL}
   */
  @Override
  public DriverPropertyInfo[] getPropertyInfo(@Nullable String url, @Nullable Properties info)
      throws SQLException {
    LarderOptions options = LarderOptions.of(delegateUrl(url), info);
    List<DriverPropertyInfo> infos = new ArrayList<>();
    CacheOptions.all().forEach(option -> infos.add(info(option, options.options())));
    Optional<Driver> delegate =
        acceptsURL(url) ? DelegateDrivers.find(options.url()) : Optional.empty();
    if (delegate.isPresent()) {
      infos.addAll(List.of(delegate.get().getPropertyInfo(options.url(), options.properties())));
    }
    return infos.toArray(DriverPropertyInfo[]::new);
  }

  private static DriverPropertyInfo info(Option<?> option, Map<String, String> options) {
    DriverPropertyInfo info = new DriverPropertyInfo(option.key(), options.get(option.key()));
    info.description = option.description();
    List<String> choices = option.type().choices();
    info.choices = choices.isEmpty() ? null : choices.toArray(String[]::new);
    return info;
  }

  @Override
  public int getMajorVersion() {
    return Version.CURRENT.major();
  }

  @Override
  public int getMinorVersion() {
    return Version.CURRENT.minor();
  }

  /** {@return false, as the driver below does} */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("dev.larder");
  }

  /** {@return the name and the version} */
  @Override
  public String toString() {
    return "Larder " + Version.CURRENT.text();
  }

  private static String required(@Nullable String url) throws SQLException {
    if (url == null) {
      throw new SQLException("The URL is null.", "08001");
    }
    return url;
  }
}
