package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections cache. It stands below the pool: it wraps a data source that
 * opens a connection to the server for every {@link #getConnection()}, or does that itself by a
 * URL. A pool is refused, because the facts that the cache keeps belong to one connection to the
 * server. Configure it before the first connection; thread-safe from then on.
 *
 * <pre>{@code
 * hikari.setDataSource(new LarderDataSource(pgSimpleDataSource));
 * }</pre>
 */
public final class LarderDataSource extends ConfiguredDataSource<DataSource> implements DataSource {
  private volatile boolean knownNotToPool;

  /** Makes a data source that is configured by its setters. */
  public LarderDataSource() {}

  /**
   * Makes a data source with the defaults.
   *
   * @param wrapped opens connections to the server
   * @throws IllegalArgumentException if the data source is a pool
   */
  public LarderDataSource(DataSource wrapped) {
    setDataSource(wrapped);
  }

  /**
   * Makes a data source with settings.
   *
   * @param wrapped opens connections to the server
   * @param config the settings of the cache
   * @throws IllegalArgumentException if the data source is a pool
   */
  public LarderDataSource(DataSource wrapped, QueryCacheConfig config) {
    setDataSource(wrapped);
    setConfig(config);
  }

  /**
   * Sets the data source to wrap.
   *
   * @param source opens connections to the server
   * @throws IllegalArgumentException if it is a pool
   */
  public void setDataSource(DataSource source) {
    PoolCheck.refuseByName(source);
    wrap(source);
    knownNotToPool = false;
  }

  /**
   * Opens a connection that caches.
   *
   * @throws SQLException with SQLState 22023 for an unknown or bad option, with 0A000 if the
   *     wrapped data source turns out to be a pool; whatever the driver throws
   */
  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(null, null);
  }

  /** Opens a connection that caches, as another user; see {@link #getConnection()}. */
  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    DataSource source = wrapped();
    if (source == null) {
      LarderOptions options = options(user, password);
      return ConnectionWrapper.connect(options, config(options));
    }
    QueryCacheConfig config = config();
    Opened.Opening<Connection> opening =
        user == null && password == null
            ? source::getConnection
            : () -> source.getConnection(user, password);
    if (!knownNotToPool) {
      PoolCheck.refuseByBehaviour(source, opening);
      knownNotToPool = true;
    }
    VariedConnections varied = VariedConnections.of(source, user, password);
    return Opened.orClose(
        ConnectionWrapper.open(opening),
        Connection::close,
        physical -> {
          String url = physical.getMetaData().getURL();
          return LarderConnections.wrap(
              physical, config, new ConnectionFactory(url, opening, varied));
        });
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    DataSource source = wrapped();
    if (source == null) {
      throw new SQLException("LarderDataSource wraps no " + type.getName() + '.', "0A000");
    }
    return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    DataSource source = wrapped();
    return type.isInstance(this)
        || (source != null && (type.isInstance(source) || source.isWrapperFor(type)));
  }
}
