package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.Option;
import dev.larder.QueryCacheConfig;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** The effective settings of a cache in words, by the names that users set them by. Stateless. */
final class SettingsText {
  private SettingsText() {}

  /** In words: every option that has a value, and of lists the names in them. */
  static String words(QueryCacheConfig config, long maxBytes) {
    StringJoiner text = new StringJoiner(", ");
    for (Map.Entry<String, String> setting : of(config, maxBytes).entrySet()) {
      boolean list = CacheOptions.of(setting.getKey()).filter(SettingsText::isList).isPresent();
      text.add(setting.getKey() + (list ? " of " : "=") + setting.getValue());
    }
    return text.toString();
  }

  private static boolean isList(Option<?> option) {
    return option.byDefault().filter(SettingsText::holdsNames).isPresent();
  }

  private static boolean holdsNames(Object value) {
    return value instanceof Collection || value instanceof Map;
  }

  /**
   * Returns the values by name, of the options that have one; of one that says something of several
   * tables or routines, the names of these.
   *
   * @param maxBytes the budget in force
   */
  static Map<String, String> of(QueryCacheConfig config, long maxBytes) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Option<?> option : CacheOptions.all()) {
      String text = text(config, option, maxBytes);
      if (!text.isEmpty()) {
        values.put(option.key(), text);
      }
    }
    return values;
  }

  private static String text(QueryCacheConfig config, Option<?> option, long maxBytes) {
    if (option == CacheOptions.MAX_BYTES) {
      boolean own =
          config.find(CacheOptions.MAX_BYTES).isPresent()
              || config.find(CacheOptions.MAX_ENTRIES).isPresent();
      return maxBytes + (own ? "" : " (shared by all caches of the JVM)");
    } else if (option == CacheOptions.BACKEND && config.remote().isPresent()) {
      return config.remote().get().toString().replaceFirst("^larder.backend=", "");
    } else if (option == CacheOptions.TABLES_EXCLUDE) {
      return String.join(" ", config.excludedTables());
    } else if (option == CacheOptions.TIME_TO_LIVE
        && config.find(CacheOptions.TIME_TO_LIVE).isEmpty()) {
      return "unlimited";
    }
    return valueText(config, option);
  }

  private static <T> String valueText(QueryCacheConfig config, Option<T> option) {
    return config.find(option).map(option.type()::text).orElse("").replace(',', ' ');
  }
}
