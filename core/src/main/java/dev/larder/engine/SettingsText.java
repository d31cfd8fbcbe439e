package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.Option;
import dev.larder.OptionText;
import dev.larder.QueryCacheConfig;
import dev.larder.WarmupOptions;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The settings in force of a cache in words, by the names that users set them by. Stateless. */
public final class SettingsText {
  private SettingsText() {}

  /** Returns what the log says when a cache starts. */
  static String started(QueryCache cache) {
    return "Larder cache for "
        + cache.database().identity().describe()
        + ": "
        + words(cache.config(), cache.store().maxBytes());
  }

  /** Returns what the log says where nobody has declared who writes. */
  static Optional<String> undeclared(QueryCacheConfig config) {
    if (config.get(CacheOptions.WRITERS) != QueryCacheConfig.Writers.UNDECLARED) {
      return Optional.empty();
    }
    boolean shared = config.remote().isPresent();
    return Optional.of(
        "LRD-002 larder.writers is not declared: entries live at most "
            + QueryCacheConfig.UNDECLARED_TIME_TO_LIVE.toSeconds()
            + " s. If every write to this database goes through Larder in "
            + (shared ? "JVMs that share its results" : "this JVM")
            + ", set larder.writers="
            + (shared ? "memcached." : "this-jvm."));
  }

  /** Returns every option that has a value; of those that hold names, "of" the names. */
  static String words(QueryCacheConfig config, long maxBytes) {
    return of(config, maxBytes).entrySet().stream()
        .map(
            setting ->
                setting.getKey()
                    + (CacheOptions.of(setting.getKey()).filter(SettingsText::isList).isPresent()
                        ? " of "
                        : "=")
                    + setting.getValue())
        .collect(Collectors.joining(", "));
  }

  private static boolean isList(Option<?> option) {
    return option
        .byDefault()
        .filter(value -> value instanceof Collection || value instanceof Map)
        .isPresent();
  }

  /** Returns the settings in force, as text by their names: those that are not empty. */
  public static Map<String, String> of(QueryCache cache) {
    return of(cache.config(), cache.store().maxBytes());
  }

  private static Map<String, String> of(QueryCacheConfig config, long maxBytes) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Option<?> option : CacheOptions.all()) {
      String text = text(config, option, maxBytes);
      if (!text.isEmpty()) {
        values.put(option.key(), text);
      }
    }
    return values;
  }

  @SuppressWarnings("ReferenceEquality") // Options have no other equality.
  private static String text(QueryCacheConfig config, Option<?> option, long maxBytes) {
    if (option == CacheOptions.MAX_BYTES) {
      boolean own =
          config.find(CacheOptions.MAX_BYTES).isPresent()
              || config.find(CacheOptions.MAX_ENTRIES).isPresent();
      return maxBytes + (own ? "" : " (shared by all caches of the JVM)");
    } else if (option == CacheOptions.BACKEND && config.remote().isPresent()) {
      return config.remote().get().toString().replaceFirst("^larder.backend=", "");
    } else if (option == CacheOptions.TABLES_EXCLUDE) {
      return String.join(" ", config.tables().excluded());
    } else if (option == CacheOptions.TIME_TO_LIVE && config.find(option).isEmpty()) {
      return "unlimited";
    } else if (WarmupOptions.ALL.contains(option) && config.find(WarmupOptions.FILE).isEmpty()) {
      return "";
    } else if (FeedOptions.ALL.contains(option) && !config.isFollowing()) {
      return "";
    }
    return config.find(option).map(OptionText::of).orElse("").replace(',', ' ');
  }
}
