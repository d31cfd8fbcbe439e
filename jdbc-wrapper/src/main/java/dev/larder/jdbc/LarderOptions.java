package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.OptionText;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.log.MessageText;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A URL and properties with Larder's options taken out. Of an option that is given several times
 * the last one in the URL counts, then the properties: as in the driver.
 *
 * @param url the URL that is left, every other parameter as it stood
 * @param properties the properties that are left, a copy
 * @param options the options' text by name as given, whether known or not
 */
record LarderOptions(String url, Properties properties, Map<String, String> options) {
  /** The SQLState of a bad option: invalid_parameter_value, PostgreSQL manual, appendix A. */
  static final String INVALID_PARAMETER_VALUE = "22023";

  /**
   * Seconds without a byte of the server after which the driver gives up; by default it never does.
   * Some servers take long to wake up.
   */
  private static final String UNATTENDED_TIMEOUT = "60";

  /**
   * Takes the options out.
   *
   * @throws SQLException if an option's value in the URL is not percent-encoded properly, or names
   *     a file that a URL may not name
   */
  static LarderOptions of(String url, @Nullable Properties given) throws SQLException {
    Properties properties = new Properties();
    Map<String, String> options = new LinkedHashMap<>();
    if (given != null) {
      given.stringPropertyNames().forEach(name -> properties.put(name, given.getProperty(name)));
      properties.putAll(given); // And what is no text.
    }
    for (Object name : List.copyOf(properties.keySet())) {
      if (name instanceof String text && isOption(text)) {
        options.put(text, String.valueOf(properties.remove(text)));
      }
    }
    return new LarderOptions(withoutOptions(url, options), properties, options);
  }

  /** Returns what connects by them. */
  ConnectionFactory factory() {
    return new ConnectionFactory(
        url,
        () -> DelegateDrivers.connect(url, properties),
        () -> DelegateDrivers.connect(url, unattended()),
        new VariedConnections(url, properties));
  }

  /** Returns the properties with a time limit, unless the application has set one. */
  private Properties unattended() {
    Properties limited = new Properties();
    limited.putAll(properties);
    limited.putIfAbsent("socketTimeout", UNATTENDED_TIMEOUT);
    return limited;
  }

  /**
   * Returns the settings.
   *
   * @throws SQLException for an unknown name or a bad value, with SQLState 22023
   */
  QueryCacheConfig config() throws SQLException {
    try {
      return QueryCacheConfig.of(options);
    } catch (IllegalArgumentException e) {
      throw new SQLException("LRD-040 " + MessageText.of(e), INVALID_PARAMETER_VALUE);
    }
  }

  private static boolean isOption(String name) {
    return name.regionMatches(true, 0, CacheOptions.PREFIX, 0, CacheOptions.PREFIX.length());
  }

  private static String withoutOptions(String url, Map<String, String> options)
      throws SQLException {
    Map<String, String> encoded = new LinkedHashMap<>();
    String rest = withoutParameters(url, LarderOptions::isOption, encoded::put);
    for (Map.Entry<String, String> option : encoded.entrySet()) {
      String value = decode(option.getKey(), option.getValue());
      UrlPaths.check(option.getKey(), value);
      options.put(option.getKey(), value);
    }
    return rest;
  }

  /**
   * Returns the URL without some of its parameters, the others as they stood.
   *
   * @param chosen whether the parameter of the name is taken out
   * @param taken is told each name and value, as encoded, that was taken out
   */
  static String withoutParameters(
      String url, Predicate<String> chosen, BiConsumer<String, String> taken) {
    int question = url.indexOf('?');
    if (question < 0) {
      return url;
    }
    List<String> kept = new ArrayList<>();
    boolean removed = false;
    for (String parameter : url.substring(question + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (chosen.test(name)) {
        removed = true;
        taken.accept(name, equals < 0 ? "" : parameter.substring(equals + 1));
      } else {
        kept.add(parameter);
      }
    }
    if (!removed) {
      return url;
    }
    String server = url.substring(0, question);
    return kept.isEmpty() ? server : server + '?' + String.join("&", kept);
  }

  /** Returns the value if that of the option is no secret. A mistyped option may be one that is. */
  private static String shown(String name, String value) {
    boolean secret = CacheOptions.of(name).map(option -> option.type().secret()).orElse(true);
    return secret ? "…" : MessageText.of(value);
  }

  /** Shows no values: they may be credentials. */
  @Override
  public String toString() {
    return MessageText.server(url) + " with " + options.keySet();
  }

  /** Decodes as the driver does, by the same system property. */
  private static String decode(String name, String encoded) throws SQLException {
    String charset = System.getProperty("postgresql.url.encoding", "UTF-8");
    try {
      return URLDecoder.decode(encoded, Charset.forName(charset));
    } catch (IllegalArgumentException e) {
      throw new SQLException(
          "LRD-040 %s is \"%s\", which is not percent-encoded; write %%25 for a percent sign."
              .formatted(OptionText.shownName(name), shown(name, encoded)),
          INVALID_PARAMETER_VALUE);
    }
  }
}
