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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens plain connections by a URL with more parameters. Thread-safe. Not a record: its text must
 * not show credentials.
 */
final class VariedConnections implements ConnectionFactory.Varied {
  private final Supplier<@Nullable String> url;
  private final Supplier<Properties> properties;

  private VariedConnections(Supplier<@Nullable String> url, Supplier<Properties> properties) {
    this.url = url;
    this.properties = properties;
  }

  /**
   * Creates what opens nothing yet.
   *
   * @param url the driver's own
   * @param properties for the driver
   */
  VariedConnections(String url, Properties properties) {
    this(() -> url, () -> properties);
  }

  /**
   * Returns connections as those of {@code source}, with other credentials if they are given. It is
   * asked each time: somebody may give it another password.
   */
  static VariedConnections of(Object source, @Nullable String user, @Nullable String password) {
    return new VariedConnections(
        () -> PhysicalConnections.url(source),
        () -> user == null ? PhysicalConnections.credentials(source) : credentials(user, password));
  }

  private static Properties credentials(String user, @Nullable String password) {
    Properties credentials = new Properties();
    credentials.put("user", user);
    if (password != null) {
      credentials.put("password", password);
    }
    return credentials;
  }

  @Override
  public Connection open(@Nullable String other, Map<String, String> parameters)
      throws SQLException {
    String wanted = other == null ? url.get() : other;
    if (wanted == null) {
      throw new Refusal(Refusal.Reason.NO_URL);
    }
    return DelegateDrivers.connect(
        with(wanted, parameters), other == null ? properties.get() : of(other));
  }

  /** Returns the properties without credentials that belong to another user. */
  private Properties of(String other) {
    AtomicBoolean named = new AtomicBoolean();
    LarderOptions.withoutParameters(other, "user"::equals, (name, value) -> named.set(true));
    Properties rest = new Properties();
    rest.putAll(properties.get());
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
