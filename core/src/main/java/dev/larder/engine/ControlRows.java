package dev.larder.engine;

import dev.larder.TableRules;
import dev.larder.lexer.QueryHints;
import dev.larder.lexer.Tokens;
import dev.larder.log.MessageText;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.DatabaseControls.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Obeys the rows of {@code larder_control}: they switch off and shorten, and never more. A row that
 * says nothing is ignored. Made, read and forgotten by one thread.
 */
final class ControlRows {
  static final Set<String> ON = Set.of("on", "true", "yes", "1");

  private static final Set<String> OFF = Set.of("off", "false", "no", "0");

  /** The rows that concern the cache in words, with those that are ignored. */
  final List<String> shown = new ArrayList<>();

  /** Why rows are ignored, or the table is. */
  final List<String> ignored = new ArrayList<>();

  /** With the tables excluded, and the lives shortened, that the rows name. */
  TableRules tables;

  boolean off;

  private final String cache;

  /**
   * Obeys {@code controls}.
   *
   * @param cache the name of the cache
   * @param tables what the configuration says
   */
  ControlRows(String cache, TableRules tables, DatabaseControls controls) {
    this.cache = cache;
    this.tables = tables;
    if (controls.trouble() != null) {
      ignore("larder_control (" + controls.trouble() + ')');
    }
    controls.rows().forEach(this::obey);
  }

  private void obey(Row row) {
    String scope = word(row.scope());
    String name = row.name() == null ? "" : row.name().strip();
    String setting = word(row.setting());
    String value = word(row.value());
    String words = "larder_control " + (scope + ' ' + name).strip() + ": " + setting + '=' + value;
    String fault;
    if (!Set.of("all", "table", "cache").contains(scope)) {
      fault = "scope must be all, table or cache";
    } else if (scope.equals("all") != name.isEmpty()) {
      fault = "name must be that of the table or cache, and empty for all";
    } else if (scope.equals("cache") && !name.equals(cache)) {
      return;
    } else {
      fault = obey(scope.equals("table") ? name : null, setting, value);
    }
    if (fault == null) {
      shown.add(words);
    } else {
      ignore(words + " (" + fault + ')');
    }
  }

  /**
   * Obeys one setting.
   *
   * @param table null for all tables
   * @return why it cannot be obeyed, or null
   */
  private @Nullable String obey(@Nullable String table, String setting, String value) {
    Duration age = QueryHints.duration(value);
    try {
      if (setting.equals("enabled")) {
        if (OFF.contains(value)) {
          off |= table == null;
          tables = table == null ? tables : tables.excluding(List.of(table));
        }
        return ON.contains(value) || OFF.contains(value) ? null : "value must be on or off";
      } else if (!setting.equals("timetolive")) {
        return "setting must be enabled or timeToLive";
      } else if (age == null) {
        return "value must be a time such as 500ms, 30s, 5m or 1h";
      }
      tables = tables.limiting(table == null ? "*" : table, age);
      return null;
    } catch (IllegalArgumentException e) {
      return MessageText.of(e);
    }
  }

  private void ignore(String words) {
    shown.add("ignored: " + words);
    ignored.add(words);
  }

  private static String word(@Nullable String text) {
    return text == null ? "" : Tokens.fold(text.strip());
  }
}
