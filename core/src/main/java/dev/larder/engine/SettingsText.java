package dev.larder.engine;

import dev.larder.QueryCacheConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** The effective settings of a cache in words, by the names that users set them by. Stateless. */
final class SettingsText {
  private static final Set<String> LISTS =
      Set.of(
          "larder.tables.include",
          "larder.tables.exclude",
          "larder.tables.timeToLive",
          "larder.functions.readOnly",
          "larder.functions.writes",
          "larder.triggers.writes");

  private SettingsText() {}

  /** In words: the settings that every user meets, and of the others those that are set. */
  static String words(QueryCacheConfig config, long maxBytes) {
    StringJoiner text = new StringJoiner(", ");
    of(config, maxBytes)
        .forEach((name, value) -> text.add(name + (LISTS.contains(name) ? " of " : "=") + value));
    return text.toString();
  }

  /**
   * Returns the values by name, of the settings that every user meets, and of the others those that
   * are set; of one that says something of several tables or routines, the names of these.
   *
   * @param maxBytes the budget in force
   */
  static Map<String, String> of(QueryCacheConfig config, long maxBytes) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("larder.enabled", String.valueOf(config.enabled()));
    values.put("larder.name", config.name());
    values.put("larder.writers", word(config.writers()));
    config
        .remote()
        .ifPresent(
            remote ->
                values.put(
                    "larder.backend", remote.toString().replaceFirst("^larder.backend=", "")));
    values.put("larder.mode", word(config.mode()));
    boolean own = config.maxBytes().isPresent() || config.maxEntries().isPresent();
    values.put("larder.maxBytes", maxBytes + (own ? "" : " (shared by all caches of the JVM)"));
    config
        .maxEntries()
        .ifPresent(entries -> values.put("larder.maxEntries", String.valueOf(entries)));
    values.put("larder.maxResultBytes", String.valueOf(config.maxResultBytes()));
    if (config.maxResultRows() != Long.MAX_VALUE) {
      values.put("larder.maxResultRows", String.valueOf(config.maxResultRows()));
    }
    values.put("larder.timeToLive", config.timeToLive().map(SettingsText::age).orElse("unlimited"));
    names(values, "larder.tables.include", config.includedTables());
    names(values, "larder.tables.exclude", config.excludedTables());
    names(values, "larder.tables.timeToLive", config.tableTimeToLive().keySet());
    names(values, "larder.functions.readOnly", config.readOnlyFunctions());
    names(values, "larder.functions.writes", config.functionWrites().keySet());
    names(values, "larder.triggers.writes", config.triggerWrites().keySet());
    values.put("larder.unwrap", word(config.unwrap()));
    values.put("larder.radar", word(config.radar()));
    if (!config.radarInterval().equals(QueryCacheConfig.DEFAULT_RADAR_INTERVAL)) {
      values.put("larder.radarInterval", age(config.radarInterval()));
    }
    if (config.verify() > 0) {
      values.put("larder.verify", String.valueOf(config.verify()));
    }
    return values;
  }

  private static void names(Map<String, String> values, String setting, Set<String> names) {
    if (!names.isEmpty()) {
      values.put(setting, String.join(" ", names));
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String age(Duration age) {
    return age.toMillis() % 1_000 == 0 ? age.toSeconds() + " s" : age.toMillis() + " ms";
  }
}
