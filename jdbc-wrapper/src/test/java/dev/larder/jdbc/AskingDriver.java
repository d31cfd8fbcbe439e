package dev.larder.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks each harmless query of a suite again, and the server the same past the cache: for suites
 * that seldom ask a query twice. {@code jdbc:asking:postgresql:…} is {@code
 * jdbc:larder:postgresql:…} with {@link AskedConnection}s. {@code docs/proof-suites.md} says how it
 * is used. Thread-safe.
 */
public final class AskingDriver implements Driver {
  private static final String PREFIX = "jdbc:asking:";

  /** Names the file in which each JVM leaves its figures at its end. */
  private static final String FIGURES = "asking.figures";

  private static final AskedAnswers ANSWERS = new AskedAnswers();

  static {
    try {
      DriverManager.registerDriver(new AskingDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
    String file = System.getProperty(FIGURES);
    if (file != null) {
      Path path = Path.of(file + '.' + ProcessHandle.current().pid());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> leaveFigures(path)));
    }
  }

  private static void leaveFigures(Path file) {
    String caches =
        LarderCaches.all().stream()
            .map(cache -> String.valueOf(cache.status()))
            .collect(Collectors.joining("\n"));
    try {
      Files.writeString(file, ANSWERS + caches);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what all connections were answered. */
  static AskedAnswers answers() {
    return ANSWERS;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(PREFIX);
  }

  @Override
  public @Nullable Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    String below = LarderDriver.PREFIX + url.substring(PREFIX.length());
    return AskedConnection.above(DriverManager.getConnection(below, properties), ANSWERS);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("dev.larder");
  }
}
