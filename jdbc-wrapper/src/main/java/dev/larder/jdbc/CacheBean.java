package dev.larder.jdbc;

import dev.larder.log.MessageText;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows a cache to JMX. Stateless. */
final class CacheBean {
  private CacheBean() {}

  /** Returns a thread-safe bean of {@code cache}. */
  static LarderCacheMXBean of(LarderCache cache) {
    return (LarderCacheMXBean)
        Proxy.newProxyInstance(
            CacheBean.class.getClassLoader(),
            new Class<?>[] {LarderCacheMXBean.class},
            (bean, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? method.invoke(cache, arguments)
                    : answer(cache, method, arguments == null ? null : arguments[0]));
  }

  @SuppressWarnings("NullAway") // What takes an argument is given one, and JMX takes null for void.
  private static Object answer(LarderCache cache, Method method, @Nullable Object argument) {
    return switch (method.getName()) {
      case "getName" -> cache.name();
      case "getDatabase" -> cache.database();
      case "getSettings" -> cache.settings();
      case "isEnabled" -> cache.enabled();
      case "getHitRatio" -> cache.status().get("hit_ratio") instanceof Double d ? d : Double.NaN;
      case "getLazy" -> String.valueOf(cache.status().get("lazy"));
      case "getSavedMillis" -> cache.savedTime().toMillis();
      case "getBypassesByReason" -> cache.bypasses();
      case "getQuarantinedTables" ->
          cache.quarantine().stream().map(row -> String.valueOf(row.get("table_name"))).toList();
      case "releaseQuarantine" -> cache.releaseQuarantine();
      case "show" -> lines(rows(cache, String.valueOf(argument)));
      case "clearTable" -> cache.clearTable((String) argument);
      case "setEnabled" -> done(() -> cache.enabled((boolean) argument));
      case "clear" -> done(cache::clear);
      case "resetStatistics" -> done(cache::resetStatistics);
      default -> cache.status().get(column(method)) instanceof Long count ? count : 0L;
    };
  }

  private static List<Map<String, @Nullable Object>> rows(LarderCache cache, String what) {
    return switch (what) {
      case "cache" -> List.of(cache.status());
      case "tables" -> cache.tables();
      case "queries" -> cache.queries();
      case "bypasses" -> cache.bypassTimes();
      case "advice" -> cache.advice();
      case "feed" -> cache.feed();
      case "quarantine" -> cache.quarantine();
      default ->
          throw new IllegalArgumentException(
              "show takes cache, tables, queries, bypasses, advice, feed or quarantine, not '%s'."
                  .formatted(MessageText.escaped(what)));
    };
  }

  private static String lines(List<Map<String, @Nullable Object>> rows) {
    List<String> lines = new ArrayList<>();
    if (!rows.isEmpty()) {
      lines.add(String.join("\t", rows.get(0).keySet()));
    }
    for (Map<String, @Nullable Object> row : rows) {
      lines.add(
          row.values().stream()
              .map(value -> value == null ? "" : String.valueOf(value).replaceAll("\\s", " "))
              .collect(Collectors.joining("\t")));
    }
    return String.join("\n", lines);
  }

  private static @Nullable Object done(Runnable operation) {
    operation.run();
    return null;
  }

  /** An attribute is called as its column is: {@code getMaxBytes} counts {@code max_bytes}. */
  private static String column(Method getter) {
    String words = getter.getName().substring("get".length()).replaceAll("(?<=.)(?=[A-Z])", "_");
    return words.toLowerCase(Locale.ROOT);
  }
}
