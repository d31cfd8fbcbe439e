package dev.larder.jdbc;

import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.feed.Refusal;
import dev.larder.jdbc.gate.PhysicalConnections;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens plain connections by a URL with more parameters. Thread-safe. Not a record: its text must
 * not show credentials.
 */
final class VariedConnections implements ConnectionFactory.Varied {
  private final @Nullable String url;
  private final Properties properties;

  /**
   * Creates what opens nothing yet.
   *
   * @param url the driver's own; null where nobody knows it
   * @param properties for the driver
   */
  VariedConnections(@Nullable String url, Properties properties) {
    this.url = url;
    this.properties = properties;
  }

  /** Returns connections as those of {@code source}, with other credentials if they are given. */
  static VariedConnections of(Object source, @Nullable String user, @Nullable String password) {
    Properties credentials = PhysicalConnections.credentials(source);
    if (user != null) {
      credentials.clear();
      credentials.put("user", user);
      if (password != null) {
        credentials.put("password", password);
      }
    }
    return new VariedConnections(PhysicalConnections.url(source), credentials);
  }

  @Override
  public Connection open(@Nullable String other, Map<String, String> parameters)
      throws SQLException {
    String wanted = other == null ? url : other;
    if (wanted == null) {
      throw new Refusal(Refusal.Reason.NO_URL);
    }
    return DelegateDrivers.connect(
        with(wanted, parameters), other == null ? properties : of(other));
  }

  /** Returns the properties without credentials that belong to another user. */
  private Properties of(String other) {
    AtomicBoolean named = new AtomicBoolean();
    LarderOptions.withoutParameters(other, "user"::equals, (name, value) -> named.set(true));
    Properties rest = new Properties();
    rest.putAll(properties);
    if (named.get()) {
      rest.remove("user");
      rest.remove("password");
    }
    return rest;
  }

  /** Puts the parameters behind those of the URL, so that they win: the driver takes the last. */
  private static String with(String url, Map<String, String> parameters) {
    Charset charset = Charset.forName(System.getProperty("postgresql.url.encoding", "UTF-8"));
    String more =
        parameters.entrySet().stream()
            .map(each -> each.getKey() + '=' + URLEncoder.encode(each.getValue(), charset))
            .collect(Collectors.joining("&"));
    return more.isEmpty() ? url : url + (url.contains("?") ? '&' : '?') + more;
  }
}
