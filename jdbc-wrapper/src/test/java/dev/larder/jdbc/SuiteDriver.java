package dev.larder.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * A driver above Larder's, for suites of others that know nothing but a URL: its own are Larder's
 * with another prefix. It registers itself when its class is initialized. Thread-safe.
 */
abstract class SuiteDriver implements Driver {
  private final String prefix;

  SuiteDriver(String prefix) {
    this.prefix = prefix;
  }

  static void register(Driver driver) {
    try {
      DriverManager.registerDriver(driver);
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Has the JVM leave the figures at its end, and the status of each cache. */
  static void leaveAtEnd(Path file, Supplier<String> figures) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(file, figures.get())));
  }

  private static void leave(Path file, String figures) {
    String caches =
        LarderCaches.all().stream()
            .map(cache -> String.valueOf(cache.status()))
            .collect(Collectors.joining("\n"));
    try {
      Files.writeString(file, figures + caches);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the URL of Larder's for one of this driver's. */
  final String below(String url) {
    return LarderDriver.PREFIX + url.substring(prefix.length());
  }

  @Override
  public final boolean acceptsURL(String url) {
    return url.startsWith(prefix);
  }

  @Override
  public final DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public final int getMajorVersion() {
    return 1;
  }

  @Override
  public final int getMinorVersion() {
    return 0;
  }

  @Override
  public final boolean jdbcCompliant() {
    return false;
  }

  @Override
  public final Logger getParentLogger() {
    return Logger.getLogger("dev.larder");
  }
}
