package dev.larder.engine;

import dev.larder.QueryCacheConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/** The effective settings of a cache in words, by the names that users set them by. Stateless. */
final class SettingsText {
  private SettingsText() {}

  /**
   * Returns the settings: those that every user meets, and of the others those that are set.
   *
   * @param maxBytes the budget in force
   */
  static String of(QueryCacheConfig config, long maxBytes) {
    StringJoiner text = new StringJoiner(", ");
    text.add("larder.enabled=" + config.enabled());
    text.add("larder.name=" + config.name());
    text.add("larder.writers=" + word(config.writers()));
    text.add("larder.mode=" + word(config.mode()));
    boolean own = config.maxBytes().isPresent() || config.maxEntries().isPresent();
    text.add("larder.maxBytes=" + maxBytes + (own ? "" : " (shared by all caches of the JVM)"));
    config.maxEntries().ifPresent(entries -> text.add("larder.maxEntries=" + entries));
    text.add("larder.maxResultBytes=" + config.maxResultBytes());
    if (config.maxResultRows() != Long.MAX_VALUE) {
      text.add("larder.maxResultRows=" + config.maxResultRows());
    }
    text.add("larder.timeToLive=" + config.timeToLive().map(SettingsText::age).orElse("unlimited"));
    names(text, "larder.tables.include", config.includedTables());
    names(text, "larder.tables.exclude", config.excludedTables());
    names(text, "larder.tables.timeToLive", config.tableTimeToLive().keySet());
    names(text, "larder.functions.readOnly", config.readOnlyFunctions());
    names(text, "larder.functions.writes", config.functionWrites().keySet());
    names(text, "larder.triggers.writes", config.triggerWrites().keySet());
    text.add("larder.unwrap=" + word(config.unwrap()));
    return text.toString();
  }

  private static void names(StringJoiner text, String setting, Set<String> names) {
    if (!names.isEmpty()) {
      text.add(setting + " of " + String.join(" ", names));
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String age(Duration age) {
    return age.toMillis() % 1_000 == 0 ? age.toSeconds() + " s" : age.toMillis() + " ms";
  }
}
