package dev.larder.spring;

import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the starter reads from JDBC URLs and writes into them. Pure. */
final class LarderUrl {
  /** How every URL of Larder begins. */
  static final String PREFIX = "jdbc:larder:";

  /** The class that takes such URLs. */
  static final String DRIVER_CLASS = "dev.larder.jdbc.LarderDriver";

  /** Other drivers may stand in front of PostgreSQL's, such as {@code jdbc:p6spy:postgresql:}. */
  private static final Pattern POSTGRESQL = Pattern.compile("jdbc:([a-z0-9-]+:)*postgresql:.*");

  private LarderUrl() {}

  /** Returns whether Larder's driver takes the URL. */
  static boolean isLarder(@Nullable String url) {
    return url != null && url.startsWith(PREFIX);
  }

  /** Returns whether the URL leads to PostgreSQL by another driver than Larder's. */
  static boolean isPlainPostgres(@Nullable String url) {
    return url != null && !isLarder(url) && POSTGRESQL.matcher(url).matches();
  }

  /**
   * Returns the URL for Larder's driver, with the options that it does not hold yet.
   *
   * @param url Larder's or one for PostgreSQL
   * @param options by name, as in {@link dev.larder.CacheOptions}
   */
  static String withOptions(String url, Map<String, String> options) {
    StringBuilder text =
        new StringBuilder(isLarder(url) ? url : PREFIX + url.substring("jdbc:".length()));
    int question = url.indexOf('?');
    String given = question < 0 ? "" : '&' + url.substring(question + 1);
    char separator = question < 0 ? '?' : '&';
    for (Map.Entry<String, String> option : new TreeMap<>(options).entrySet()) {
      if (!holds(given, option.getKey())) {
        text.append(separator).append(option.getKey()).append('=').append(encode(option));
        separator = '&';
      }
    }
    return text.toString();
  }

  /** Returns the server and database that the URL names, without drivers, user and parameters. */
  static String target(String url) {
    int question = url.indexOf('?');
    String server = question < 0 ? url : url.substring(0, question);
    return server.substring(server.indexOf("postgresql:")).toLowerCase(Locale.ROOT);
  }

  private static boolean holds(String parameters, String name) {
    return parameters.contains('&' + name + '=');
  }

  /** Encodes as the driver decodes, by the same system property. */
  private static String encode(Map.Entry<String, String> option) {
    String charset = System.getProperty("postgresql.url.encoding", "UTF-8");
    return URLEncoder.encode(option.getValue(), Charset.forName(charset));
  }
}
