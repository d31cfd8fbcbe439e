package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The page at {@code /larder}: three static files, what they show as JSON, and two requests that
 * change something. It asks for nothing from elsewhere. Thread-safe.
 */
final class Console {
  private static final String PATH = "/larder";
  private static final String FILES = "dev/larder/spring/console/";
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1_000;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final ConsoleGuard guard;
  private final ConsoleHistory history;

  Console(ConsoleGuard guard, ConsoleHistory history) {
    this.guard = guard;
    this.history = history;
  }

  RouterFunction<ServerResponse> routes() {
    return RouterFunctions.route()
        .GET(PATH, guarded(file("console.html", MediaType.TEXT_HTML)))
        .GET(PATH + "/console.css", guarded(file("console.css", new MediaType("text", "css"))))
        .GET(PATH + "/console.js", guarded(file("console.js", new MediaType("text", "javascript"))))
        .GET(PATH + "/state", guarded(this::state))
        .GET(PATH + "/rows/{section}", guarded(this::rows))
        .POST(PATH + "/clear", guarded(changing(this::clear)))
        .POST(PATH + "/enabled", guarded(changing(this::enable)))
        .build();
  }

  // ---- who may

  private HandlerFunction<ServerResponse> guarded(HandlerFunction<ServerResponse> handler) {
    return request -> {
      String refusal = guard.refusal(request.servletRequest());
      return refusal == null ? handler.handle(request) : refused(refusal);
    };
  }

  private HandlerFunction<ServerResponse> changing(HandlerFunction<ServerResponse> handler) {
    return request -> {
      String refusal = guard.changeRefusal(request.servletRequest());
      return refusal == null ? handler.handle(request) : refused(refusal);
    };
  }

  private static ServerResponse refused(String why) {
    return answer(HttpStatus.FORBIDDEN, MediaType.TEXT_PLAIN).body(why);
  }

  private static ServerResponse.BodyBuilder answer(HttpStatus status, MediaType type) {
    return ServerResponse.status(status)
        .contentType(type)
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", POLICY)
        .header("Referrer-Policy", "no-referrer")
        .header("X-Content-Type-Options", "nosniff")
        .header("X-Frame-Options", "DENY");
  }

  private static ServerResponse json(Object body) {
    return answer(HttpStatus.OK, MediaType.APPLICATION_JSON).body(body);
  }

  private static HandlerFunction<ServerResponse> file(String name, MediaType type) {
    ClassPathResource file = new ClassPathResource(FILES + name, Console.class.getClassLoader());
    return request -> answer(HttpStatus.OK, type).body(file);
  }

  // ---- what it shows

  private ServerResponse state(ServerRequest request) {
    Map<String, @Nullable Object> state = new LinkedHashMap<>();
    state.put("writable", guard.mayChange());
    state.put("headers", guard.mayChange() ? headers(request.servletRequest()) : Map.of());
    state.put("caches", caches(null).map(this::cache).toList());
    return json(state);
  }

  /** Returns the headers that a request that changes something must bring. */
  private static Map<String, String> headers(HttpServletRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(ConsoleGuard.TOKEN_HEADER, ConsoleGuard.token(request));
    headers.putAll(CsrfHeaders.of(request));
    return headers;
  }

  private Map<String, @Nullable Object> cache(LarderCache cache) {
    Map<String, @Nullable Object> shown = CacheViews.status(cache);
    shown.put("id", id(cache));
    if (shown.containsKey(CacheGroup.FEED)) {
      Map<String, @Nullable Object> feed = cache.feed().get(0);
      shown.put("feed_because", feed.get("because"));
      shown.put("feed_cure", feed.get("cure"));
    }
    shown.put("settings", cache.settings());
    shown.put("reasons", reasons(cache));
    shown.put("history", history.of(cache).stream().map(ConsoleHistory.Point::numbers).toList());
    return shown;
  }

  /** Returns the reasons for bypasses in words with their counts, the most frequent first. */
  private static List<Map<String, Object>> reasons(LarderCache cache) {
    Map<String, Long> counts = cache.bypasses();
    return LarderCaches.reasons().stream()
        .filter(reason -> counts.getOrDefault(reason.name(), 0L) > 0)
        .sorted(Comparator.comparingLong(reason -> -counts.getOrDefault(reason.name(), 0L)))
        .map(
            reason ->
                Map.<String, Object>of(
                    "reason", reason.description(),
                    "cure", reason.cure(),
                    "count", counts.getOrDefault(reason.name(), 0L)))
        .toList();
  }

  private ServerResponse rows(ServerRequest request) {
    String section = request.pathVariable("section");
    if (!CacheViews.isSection(section)) {
      return answer(HttpStatus.NOT_FOUND, MediaType.TEXT_PLAIN).body("There is no " + section);
    }
    String words = request.param("words").orElse("").toLowerCase(Locale.ROOT);
    Stream<Map<String, @Nullable Object>> rows =
        CacheViews.rows(section, caches(request.param("cache").orElse(null)).toList())
            .filter(row -> words.isEmpty() || holds(row, words));
    String sort = request.param("sort").orElse("");
    if (!sort.isEmpty()) {
      rows = rows.sorted(order(sort, "ascending".equals(request.param("order").orElse(""))));
    }
    int limit = request.param("limit").map(Console::limit).orElse(DEFAULT_LIMIT);
    List<Map<String, @Nullable Object>> found = rows.toList();
    Map<String, String> cures = new LinkedHashMap<>();
    LarderCaches.reasons().forEach(reason -> cures.put(reason.description(), reason.cure()));
    return json(
        Map.of(
            "rows", found.stream().limit(limit).toList(), "found", found.size(), "cures", cures));
  }

  private static int limit(String text) {
    return text.matches("[1-9]\\d{0,3}")
        ? Math.min(MAX_LIMIT, Integer.parseInt(text))
        : DEFAULT_LIMIT;
  }

  private static boolean holds(Map<String, @Nullable Object> row, String words) {
    return row.entrySet().stream()
        .filter(entry -> !entry.getKey().equals("cache") && !entry.getKey().equals("database"))
        .map(Map.Entry::getValue)
        .anyMatch(
            value -> value instanceof String text && text.toLowerCase(Locale.ROOT).contains(words));
  }

  private static Comparator<Map<String, @Nullable Object>> order(String column, boolean ascending) {
    Comparator<Map<String, @Nullable Object>> order =
        CacheViews.byNumber(column)
            .thenComparing(row -> Objects.toString(row.get(column), ""), Comparator.reverseOrder());
    return ascending ? order.reversed() : order;
  }

  // ---- what it changes

  private ServerResponse clear(ServerRequest request) {
    String table = request.param("table").orElse("");
    String query = request.param("query").orElse("");
    int asked = 0;
    for (LarderCache cache : caches(request.param("cache").orElse(null)).toList()) {
      if (!table.isEmpty()) {
        cache.clearTable(table);
      } else if (!query.isEmpty()) {
        cache.clearQuery(query);
      } else {
        cache.clear();
      }
      asked++;
    }
    return json(Map.of("caches", asked));
  }

  private ServerResponse enable(ServerRequest request) {
    boolean on = Boolean.parseBoolean(request.param("enabled").orElse(""));
    List<LarderCache> asked = caches(request.param("cache").orElse(null)).toList();
    asked.forEach(cache -> cache.enabled(on));
    return json(Map.of("caches", asked.size()));
  }

  private static Stream<LarderCache> caches(@Nullable String id) {
    return LarderCaches.all().stream().filter(cache -> id == null || id(cache).equals(id));
  }

  private static String id(LarderCache cache) {
    return Integer.toHexString(cache.hashCode());
  }
}
