package dev.larder.jdbc;

import dev.larder.log.MessageText;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the driver below Larder: among the registered ones but Larder's own, in their order, as
 * {@link DriverManager} does; and if none of them takes the URL, among the services that the class
 * loaders of the thread and of Larder know, for drivers that are not registered (yet) or not
 * visible from here. Stateless.
 */
final class DelegateDrivers {
  private static final String CONNECTION_REJECTED = "08001";

  private DelegateDrivers() {}

  /**
   * Opens a connection.
   *
   * @throws SQLException the first failure of a driver that takes the URL, or with SQLState 08001
   *     if none does
   */
  static Connection connect(String url, Properties properties) throws SQLException {
    List<Driver> registered = registered();
    Connection connection = firstConnection(registered, url, properties);
    if (connection == null) {
      connection = firstConnection(services(registered), url, properties);
    }
    if (connection == null) {
      throw noneAccepts(url, registered);
    }
    return connection;
  }

  /** Returns the driver that says that it takes the URL. */
  static Optional<Driver> find(String url) {
    List<Driver> registered = registered();
    return firstAccepting(registered, url).or(() -> firstAccepting(services(registered), url));
  }

  private static @Nullable Connection firstConnection(
      List<Driver> drivers, String url, Properties properties) throws SQLException {
    SQLException failure = null;
    for (Driver driver : drivers) {
      try {
        Connection connection = driver.connect(url, copyOf(properties));
        if (connection != null) {
          return connection;
        }
      } catch (SQLException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private static Optional<Driver> firstAccepting(List<Driver> drivers, String url) {
    for (Driver driver : drivers) {
      try {
        if (driver.acceptsURL(url)) {
          return Optional.of(driver);
        }
      } catch (SQLException e) {
        // It does not take the URL: the next one may.
      }
    }
    return Optional.empty();
  }

  private static List<Driver> registered() {
    return DriverManager.drivers().filter(driver -> !isLarder(driver)).toList();
  }

  private static List<Driver> services(List<Driver> known) {
    Set<Class<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    known.forEach(driver -> seen.add(driver.getClass()));
    List<Driver> found = new ArrayList<>();
    List<ServiceLoader<Driver>> loaders =
        List.of(
            ServiceLoader.load(Driver.class),
            ServiceLoader.load(Driver.class, LarderDriver.class.getClassLoader()));
    for (ServiceLoader<Driver> loader : loaders) {
      Iterator<Driver> services = loader.iterator();
      for (Driver driver = next(services); driver != null; driver = next(services)) {
        if (!isLarder(driver) && seen.add(driver.getClass())) {
          found.add(driver);
        }
      }
    }
    return found;
  }

  /** Skips services that cannot be loaded: they are somebody else's trouble. */
  private static @Nullable Driver next(Iterator<Driver> services) {
    while (true) {
      try {
        return services.hasNext() ? services.next() : null;
      } catch (ServiceConfigurationError e) {
        // On to the next one.
      }
    }
  }

  /** By name, because another class loader may hold another Larder. */
  private static boolean isLarder(Driver driver) {
    return driver.getClass().getName().equals(LarderDriver.class.getName());
  }

  private static SQLException noneAccepts(String url, List<Driver> registered) {
    String names =
        registered.stream()
            .map(driver -> driver.getClass().getName())
            .sorted()
            .collect(Collectors.joining(", "));
    String cure =
        url.startsWith(LarderDriver.PREFIX)
            ? "Write the prefix " + LarderDriver.PREFIX + " once."
            : "Put the driver on the class path, for PostgreSQL org.postgresql:postgresql.";
    return new SQLException(
        "LRD-046 no JDBC driver takes %s, which is what follows Larder's prefix; registered are: %s. %s"
            .formatted(MessageText.server(url), names.isEmpty() ? "none" : names, cure),
        CONNECTION_REJECTED);
  }

  /** So that no driver sees what another one has put in. */
  private static Properties copyOf(Properties properties) {
    Properties copy = new Properties();
    copy.putAll(properties);
    return copy;
  }
}
