package dev.larder.jdbc.proof.suite;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LarderProbe;
import java.io.Serial;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.ds.PGSimpleDataSource;

/** The session through Larder, and the driver's connection below it, which Larder does not see. */
final class CachedSide extends Side {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Map<Integer, Connection> opened = new ConcurrentHashMap<>();
  private final AtomicLong hits = new AtomicLong();
  private final LarderCaches.Watch watch = LarderCaches.onHit(cache -> hits.incrementAndGet());

  private String name = "";

  CachedSide(SuiteServer server) {
    super(server);
  }

  /** Has connections from now on use a cache of their own: one alone remembers so many texts. */
  void use(String cache) {
    name = cache;
  }

  /** The driver's data source, which remembers the connections that it has made. */
  private final class Source extends PGSimpleDataSource {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public Connection getConnection() throws SQLException {
      Connection made = super.getConnection();
      opened.put(made.unwrap(PGConnection.class).getBackendPID(), made);
      return made;
    }
  }

  @Override
  Connection open(String database, String user) throws SQLException {
    Source source = new Source();
    source.setUrl(server.url(database, user));
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.WRITERS, QueryCacheConfig.Writers.THIS_JVM)
            .set(CacheOptions.NAME, name)
            .set(CacheOptions.RADAR, QueryCacheConfig.Radar.OFF)
            .build();
    return new LarderDataSource(source, config).getConnection();
  }

  /** Returns the driver's connection of this session. */
  BaseConnection driver() throws SQLException {
    int process = process();
    Connection driver = opened.get(process);
    if (driver == null) {
      throw new IllegalStateException("no connection of process " + process);
    }
    return driver.unwrap(BaseConnection.class);
  }

  private int process() throws SQLException {
    return connection().unwrap(PGConnection.class).getBackendPID();
  }

  TransactionState transaction() throws SQLException {
    return driver().getTransactionState();
  }

  /** Waits until Larder has read the catalog; after a while queries are just not cached. */
  void awaitCatalog() throws SQLException {
    LarderProbe.awaitCatalog(connection(), PATIENCE);
  }

  /** Returns how many queries were answered from memory. */
  long hits() {
    return hits.get();
  }

  /** Returns how many queries could have been answered from memory, but were not. */
  long misses() throws SQLException {
    return LarderProbe.count(connection(), "misses");
  }

  /** Returns how often each reason has kept a query, or its result, out of the cache. */
  Map<String, Long> bypasses() throws SQLException {
    Map<String, Long> reasons = new HashMap<>();
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.bypasses")) {
      while (row.next()) {
        reasons.put(row.getString("name"), row.getLong("bypasses") + row.getLong("not_kept"));
      }
    }
    return reasons;
  }

  @Override
  void connect(String database, String user) throws SQLException {
    super.connect(database, user);
    opened.keySet().retainAll(List.of(process()));
  }

  @Override
  public void close() throws SQLException {
    super.close();
    watch.close();
  }
}
