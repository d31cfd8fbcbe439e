package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.postgresql.PhysicalConnections;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TreeSet;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * An XA data source whose connections cache and whose branches invalidate when they are committed.
 * It wraps the driver's own XA data source or another one, or makes the driver's by a URL.
 * Configure it before the first connection; thread-safe from then on.
 */
public final class LarderXADataSource extends ConfiguredDataSource implements XADataSource {
  private volatile @Nullable XADataSource wrapped;

  /** Makes a data source that is configured by its setters. */
  public LarderXADataSource() {}

  /**
   * Makes a data source with the defaults.
   *
   * @param wrapped opens connections to the server
   */
  public LarderXADataSource(XADataSource wrapped) {
    setXADataSource(wrapped);
  }

  /**
   * Makes a data source with settings.
   *
   * @param wrapped opens connections to the server
   * @param config the settings of the cache
   */
  public LarderXADataSource(XADataSource wrapped, QueryCacheConfig config) {
    setXADataSource(wrapped);
    setConfig(config);
  }

  /**
   * Sets the XA data source to wrap.
   *
   * @param source opens connections to the server
   */
  public void setXADataSource(XADataSource source) {
    wrapped = source;
  }

  @Override
  @Nullable XADataSource wrapped() {
    return wrapped;
  }

  /**
   * Opens an XA connection that caches.
   *
   * @throws SQLException with SQLState 22023 for an unknown or bad option; whatever the driver
   *     throws
   */
  @Override
  public XAConnection getXAConnection() throws SQLException {
    return open(null, null);
  }

  /** Opens an XA connection that caches, as another user; see {@link #getXAConnection()}. */
  @Override
  public XAConnection getXAConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    return open(user, password);
  }

  private XAConnection open(@Nullable String user, @Nullable String password) throws SQLException {
    XADataSource source = wrapped;
    if (source == null) {
      LarderOptions options = options(user, password);
      QueryCacheConfig config = config(options);
      XADataSource made =
          PhysicalConnections.xaDataSource(withParameters(options.url(), options.properties()));
      return ConnectionWrapper.wrapXa(
          ConnectionWrapper.open(made::getXAConnection), config, new UrlConnectionFactory(options));
    }
    QueryCacheConfig config = config();
    XaConnections xa = () -> connect(source, user, password);
    XAConnection physical = ConnectionWrapper.open(xa::connect);
    try {
      SourceConnectionFactory own =
          new SourceConnectionFactory(() -> new XaOwnConnection(xa.connect()), urlOf(physical));
      return ConnectionWrapper.wrapXa(physical, config, own);
    } catch (SQLException e) {
      ConnectionWrapper.closeAfter(e, physical::close);
      throw e;
    }
  }

  private static String urlOf(XAConnection physical) throws SQLException {
    try (Connection handle = physical.getConnection()) {
      return handle.getMetaData().getURL();
    }
  }

  private interface XaConnections {
    XAConnection connect() throws SQLException;
  }

  private static XAConnection connect(
      XADataSource source, @Nullable String user, @Nullable String password) throws SQLException {
    return user == null && password == null
        ? source.getXAConnection()
        : source.getXAConnection(user, password);
  }

  /** Puts the properties in front of the parameters, which then win: the driver takes the last. */
  private static String withParameters(String url, Properties properties) {
    Charset charset = Charset.forName(System.getProperty("postgresql.url.encoding", "UTF-8"));
    StringBuilder parameters = new StringBuilder();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      String value = URLEncoder.encode(properties.getProperty(name), charset);
      parameters.append(parameters.isEmpty() ? "" : "&").append(name).append('=').append(value);
    }
    if (parameters.isEmpty()) {
      return url;
    }
    int question = url.indexOf('?');
    return question < 0
        ? url + '?' + parameters
        : url.substring(0, question + 1) + parameters + '&' + url.substring(question + 1);
  }
}
