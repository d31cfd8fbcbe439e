package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderDriver;
import dev.larder.jdbc.LarderXADataSource;
import dev.larder.store.ProtocolStep;
import dev.larder.testing.Waiting;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.XADataSource;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.spy.memcached.MemcachedClient;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A Larder that shares nothing with the others of this JVM but the database and memcached: it is
 * loaded by a class loader of its own. Stands for a JVM. The libraries are loaded once for all:
 * what they keep for good, large tables among it, would fill the heap.
 */
final class LarderInstance implements AutoCloseable {
  private static final List<Class<?>> OWN =
      List.of(LarderDriver.class, QueryCacheConfig.class, MemcachedBackend.class);

  private static final List<Class<?>> LIBRARIES =
      List.of(
          MemcachedClient.class,
          Caffeine.class,
          CCJSqlParserUtil.class,
          NullMarked.class,
          org.postgresql.Driver.class);

  private static final ClassLoader SHARED =
      new URLClassLoader(locations(LIBRARIES), ClassLoader.getPlatformClassLoader());

  static {
    // Each instance stands for a JVM, so that they must not tell each other but over memcached.
    System.setProperty("larder.classLoadersApart", "true");
  }

  private final URLClassLoader loader;
  private final Driver driver;
  private final String url;
  private final List<Connection> open = Collections.synchronizedList(new ArrayList<>());

  /**
   * Loads one.
   *
   * @param url Larder's, with its options
   */
  LarderInstance(String url) throws Exception {
    this.url = url;
    loader = new URLClassLoader(locations(OWN), SHARED);
    driver = (Driver) loader.loadClass(LarderDriver.class.getName()).getConstructor().newInstance();
    assertThat(driver).isNotInstanceOf(LarderDriver.class);
  }

  private static URL[] locations(List<Class<?>> parts) {
    return parts.stream()
        .map(part -> part.getProtectionDomain().getCodeSource().getLocation())
        .distinct()
        .toArray(URL[]::new);
  }

  /** Returns the class path of a JVM with Larder and {@code more}. */
  static String classPath(Class<?>... more) {
    Set<String> paths = new LinkedHashSet<>();
    Stream.of(OWN.stream(), LIBRARIES.stream(), Stream.of(more))
        .flatMap(parts -> parts)
        .forEach(
            part ->
                paths.add(
                    Path.of(
                            URI.create(
                                part.getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toString()))
                        .toString()));
    return String.join(File.pathSeparator, paths);
  }

  /** Opens a connection, closed with the instance. */
  Connection connect() throws SQLException {
    return connect(url);
  }

  Connection connect(String otherUrl) throws SQLException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Connection connection = driver.connect(otherUrl, new Properties());
      open.add(connection);
      return connection;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** As {@code ForcedFlights}: has misses be waited for so long at least. */
  void waitForFlights(Duration least) throws ReflectiveOperationException {
    Class<?> flights = loader.loadClass("dev.larder.engine.Flights");
    Method force = flights.getDeclaredMethod("force", long.class);
    force.setAccessible(true);
    force.invoke(null, least.toNanos());
  }

  /** Leaves out a step of the protocol from now on, or none. */
  void leaveOut(@Nullable ProtocolStep step) throws ReflectiveOperationException {
    Class<?> steps = loader.loadClass(ProtocolStep.class.getName());
    Method leaveOut = steps.getDeclaredMethod("leaveOut", steps);
    leaveOut.setAccessible(true);
    leaveOut.invoke(null, step == null ? null : steps.getEnumConstants()[step.ordinal()]);
  }

  /** Returns an XA data source of this instance. */
  XADataSource xaDataSource() throws ReflectiveOperationException {
    Object source =
        loader.loadClass(LarderXADataSource.class.getName()).getConstructor().newInstance();
    source.getClass().getMethod("setUrl", String.class).invoke(source, url);
    return (XADataSource) source;
  }

  /** Returns the first column of the only row. */
  static @Nullable String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).as(sql).isTrue();
      String value = rows.getString(1);
      assertThat(rows.next()).as("a second row of " + sql).isFalse();
      return value;
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the row of SHOW larder.cache. */
  static Map<String, @Nullable String> status(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.cache")) {
      rows.next();
      Map<String, @Nullable String> status = new LinkedHashMap<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        status.put(rows.getMetaData().getColumnLabel(i), rows.getString(i));
      }
      return status;
    }
  }

  static long count(Connection connection, String column) throws SQLException {
    return Long.parseLong(String.valueOf(status(connection).get(column)));
  }

  /**
   * Asks until it is a hit and returns its answer. That this takes ten seconds at most after a
   * fault is for {@link SharedHistoryTest} to see; here the machine may have much else to do.
   */
  static @Nullable String askUntilHit(Connection connection, String sql) throws SQLException {
    AtomicReference<@Nullable String> answer = new AtomicReference<>();
    Waiting.until(
        Duration.ofMinutes(1),
        () -> "a hit of " + sql + ": " + described(connection),
        () -> {
          long before = count(connection, "hits");
          answer.set(ask(connection, sql));
          return count(connection, "hits") > before;
        });
    return answer.get();
  }

  private static String described(Connection connection) {
    try {
      return status(connection) + ", because " + reason(connection);
    } catch (SQLException e) {
      return e.toString();
    }
  }

  /** Returns why queries were not cached, last. */
  static String reason(Connection connection) throws SQLException {
    StringBuilder reasons = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.queries")) {
      while (rows.next()) {
        reasons.append(rows.getString("query")).append(": ");
        reasons.append(rows.getString("bypass_reason")).append("; ");
      }
    }
    return reasons.toString();
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : open) {
      connection.close();
    }
    // The loader is left open: threads that end later may still load classes.
  }
}
