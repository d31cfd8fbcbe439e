package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.database.Opened;
import dev.larder.jdbc.gate.PhysicalConnections;
import dev.larder.jdbc.wrap.LarderConnections;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * An XA data source whose connections cache and whose branches invalidate when they are committed.
 * It wraps the driver's own XA data source or another one, or makes the driver's by a URL.
 * Configure it before the first connection; thread-safe from then on.
 */
public final class LarderXADataSource extends ConfiguredDataSource<XADataSource>
    implements XADataSource {
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
    wrap(source);
  }

  /**
   * Opens an XA connection that caches.
   *
   * @throws SQLException with SQLState 22023 for an unknown or bad option; whatever the driver
   *     throws
   */
  @Override
  public XAConnection getXAConnection() throws SQLException {
    return getXAConnection(null, null);
  }

  /** Opens an XA connection that caches, as another user; see {@link #getXAConnection()}. */
  @Override
  public XAConnection getXAConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    XADataSource source = wrapped();
    if (source == null) {
      LarderOptions options = options(user, password);
      QueryCacheConfig config = config(options);
      XADataSource made =
          PhysicalConnections.xaDataSource(withParameters(options.url(), options.properties()));
      return open(made::getXAConnection, config, xa -> options.factory());
    }
    Opened.Opening<XAConnection> opening =
        user == null && password == null
            ? source::getXAConnection
            : () -> source.getXAConnection(user, password);
    Opened.Opening<Connection> own = () -> new XaOwnConnection(opening.open());
    VariedConnections varied = VariedConnections.of(source, user, password);
    return open(opening, config(), xa -> new ConnectionFactory(urlOf(xa), own, varied));
  }

  private static XAConnection open(
      Opened.Opening<XAConnection> opening,
      QueryCacheConfig config,
      Opened.Use<XAConnection, ConnectionFactory> own)
      throws SQLException {
    return Opened.orClose(
        ConnectionWrapper.open(opening),
        XAConnection::close,
        physical -> LarderConnections.wrapXa(physical, config, own.of(physical)));
  }

  private static String urlOf(XAConnection physical) throws SQLException {
    try (Connection handle = physical.getConnection()) {
      return handle.getMetaData().getURL();
    }
  }

  /** Puts the properties in front of the parameters, which then win: the driver takes the last. */
  private static String withParameters(String url, Properties properties) {
    Charset charset = Charset.forName(System.getProperty("postgresql.url.encoding", "UTF-8"));
    String parameters =
        properties.stringPropertyNames().stream()
            .sorted()
            .map(name -> name + '=' + URLEncoder.encode(properties.getProperty(name), charset))
            .collect(Collectors.joining("&"));
    if (parameters.isEmpty()) {
      return url;
    }
    int question = url.indexOf('?');
    return question < 0
        ? url + '?' + parameters
        : url.substring(0, question + 1) + parameters + '&' + url.substring(question + 1);
  }
}
