package dev.larder.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Hands out connections of a {@link LazyDataSource} that stands above no pool: for suites that know
 * nothing but a URL. {@code jdbc:lazy:postgresql:…} is {@code jdbc:larder:postgresql:…}, with one
 * data source for each URL with its properties. {@code docs/proof-suites.md} says how it is used.
 * Thread-safe.
 */
public final class LazyDriver extends SuiteDriver {
  private static final String PREFIX = "jdbc:lazy:";

  /** Names the file in which the JVM leaves its figures at its end. */
  private static final String FIGURES = "lazy.figures";

  private static final LongAdder OPENED = new LongAdder();
  private static final LongAdder UNPOOLED = new LongAdder();

  private final Map<Map<String, String>, LazyDataSource> sources = new ConcurrentHashMap<>();

  static {
    register(new LazyDriver());
    String file = System.getProperty(FIGURES);
    if (file != null) {
      leaveAtEnd(Path.of(file), LazyDriver::figures);
    }
  }

  /** The driver manager calls it by reflection. */
  public LazyDriver() {
    super(PREFIX);
  }

  private static String figures() {
    return "opened %s, without a connection of the pool %s%n".formatted(OPENED, UNPOOLED);
  }

  @Override
  public Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    OPENED.increment();
    LazyDataSource source =
        sources.computeIfAbsent(key(url, properties), key -> source(url, copy(properties)));
    Connection opened = source.getConnection();
    if (opened.toString().contains("without a connection")) {
      UNPOOLED.increment();
    }
    return opened;
  }

  private static Map<String, String> key(String url, Properties properties) {
    Map<String, String> key = new TreeMap<>(Map.of("", url));
    properties.stringPropertyNames().forEach(name -> key.put(name, properties.getProperty(name)));
    return key;
  }

  private static Properties copy(Properties properties) {
    Properties copy = new Properties();
    properties
        .stringPropertyNames()
        .forEach(name -> copy.setProperty(name, properties.getProperty(name)));
    return copy;
  }

  private LazyDataSource source(String url, Properties properties) {
    String below = below(url);
    return new LazyDataSource(
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1;

          @Override
          public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(below, properties);
          }
        });
  }
}
