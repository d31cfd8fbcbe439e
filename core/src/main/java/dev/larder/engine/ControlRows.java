package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.sql.QueryHints;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.DatabaseControls.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of {@code larder_control} make of a configuration: they switch off and shorten, and
 * never more. Immutable and thread-safe.
 *
 * @param config with the tables excluded, and the lives shortened, that the rows name
 * @param off whether everything is switched off
 * @param shown the rows that say something about this cache, and those that are ignored, in words
 * @param ignored why rows are ignored, or the table is
 */
record ControlRows(QueryCacheConfig config, boolean off, List<String> shown, List<String> ignored) {
  private static final String TABLE = "larder_control";
  private static final Set<String> ON = Set.of("on", "true", "yes", "1");
  private static final Set<String> OFF = Set.of("off", "false", "no", "0");

  static ControlRows of(QueryCacheConfig config, DatabaseControls controls) {
    ControlRows rows = new ControlRows(config, false, List.of(), List.of());
    if (controls.trouble() != null) {
      rows = rows.ignoring(TABLE + " (" + controls.trouble() + ")");
    }
    for (Row row : controls.rows()) {
      rows = rows.with(row);
    }
    return rows;
  }

  private ControlRows with(Row row) {
    String scope = word(row.scope());
    String name = row.name() == null ? "" : row.name().strip();
    String setting = word(row.setting());
    String value = word(row.value());
    String text =
        TABLE + ' ' + scope + (name.isEmpty() ? "" : ' ' + name) + ": " + setting + '=' + value;
    boolean knownScope = Set.of("all", "table", "cache").contains(scope);
    if (!knownScope) {
      return ignoring(text + " (scope must be all, table or cache)");
    }
    if (scope.equals("all") != name.isEmpty()) {
      return ignoring(text + " (name must be that of the table or cache, and empty for all)");
    }
    if (scope.equals("cache") && !name.equals(config.get(CacheOptions.NAME))) {
      return this;
    }
    try {
      return switch (setting) {
        case "enabled" -> enabled(scope.equals("table") ? name : null, value, text);
        case "timetolive" -> timeToLive(scope.equals("table") ? name : "*", value, text);
        default -> ignoring(text + " (setting must be enabled or timeToLive)");
      };
    } catch (IllegalArgumentException e) {
      return ignoring(text + " (" + e.getMessage() + ')');
    }
  }

  private static String word(@Nullable String text) {
    return text == null ? "" : text.strip().toLowerCase(Locale.ROOT);
  }

  private ControlRows enabled(@Nullable String table, String value, String text) {
    if (ON.contains(value)) {
      return new ControlRows(config, off, with(shown, text), ignored);
    }
    if (!OFF.contains(value)) {
      return ignoring(text + " (value must be on or off)");
    }
    return table == null
        ? new ControlRows(config, true, with(shown, text), ignored)
        : new ControlRows(config.excluding(List.of(table)), off, with(shown, text), ignored);
  }

  private ControlRows timeToLive(String pattern, String value, String text) {
    Duration age = QueryHints.duration(value);
    return age == null
        ? ignoring(text + " (value must be a time such as 500ms, 30s, 5m or 1h)")
        : new ControlRows(config.limiting(Map.of(pattern, age)), off, with(shown, text), ignored);
  }

  private ControlRows ignoring(String text) {
    return new ControlRows(config, off, with(shown, "ignored: " + text), with(ignored, text));
  }

  private static List<String> with(List<String> list, String text) {
    List<String> longer = new ArrayList<>(list);
    longer.add(text);
    return List.copyOf(longer);
  }
}
