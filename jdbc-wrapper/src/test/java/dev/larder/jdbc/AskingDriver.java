package dev.larder.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Asks each harmless query of a suite again, and the server the same past the cache: for suites
 * that seldom ask a query twice. {@code jdbc:asking:postgresql:…} is {@code
 * jdbc:larder:postgresql:…} with {@link AskedConnection}s. {@code docs/proof-suites.md} says how it
 * is used. Thread-safe.
 */
public final class AskingDriver extends SuiteDriver {
  private static final String PREFIX = "jdbc:asking:";

  /** Names the file in which each JVM leaves its figures at its end. */
  private static final String FIGURES = "asking.figures";

  private static final AskedAnswers ANSWERS = new AskedAnswers();

  static {
    register(new AskingDriver());
    String file = System.getProperty(FIGURES);
    if (file != null) {
      leaveAtEnd(Path.of(file + '.' + ProcessHandle.current().pid()), ANSWERS::toString);
    }
  }

  /** The driver manager calls it by reflection. */
  public AskingDriver() {
    super(PREFIX);
  }

  /** Returns what all connections were answered. */
  static AskedAnswers answers() {
    return ANSWERS;
  }

  @Override
  public @Nullable Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    return AskedConnection.above(DriverManager.getConnection(below(url), properties), ANSWERS);
  }
}
