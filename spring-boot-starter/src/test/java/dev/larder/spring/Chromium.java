package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.FileSystemUtils;

/**
 * One page in a headless Chromium of this machine, driven by its DevTools protocol. Every wait ends
 * when what it waits for is there, and fails after half a minute.
 */
final class Chromium implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final Path profile;
  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<Map<String, Object>> answers = new LinkedBlockingQueue<>();
  private final List<String> requested = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private String session = "";

  private Chromium(Path profile, Process process, String url) {
    this.profile = profile;
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(url), new Receiver())
            .join();
  }

  static Chromium start() throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory("larder-chromium");
    Process process =
        new ProcessBuilder(
                binary(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile())
            .start();
    Chromium chromium = new Chromium(profile, process, debugger(profile, process));
    Map<String, Object> target = chromium.send("Target.createTarget", Map.of("url", "about:blank"));
    chromium.session =
        (String)
            chromium
                .send(
                    "Target.attachToTarget",
                    Map.of("targetId", String.valueOf(target.get("targetId")), "flatten", true))
                .get("sessionId");
    for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
      chromium.send(domain + ".enable", Map.of());
    }
    // As on a phone; and a picture of the whole page is as wide as the page.
    chromium.send("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    return chromium;
  }

  private static String binary() {
    String named = System.getProperty("larder.chromium", "");
    return named.isEmpty() ? Program.CHROMIUM.path().toString() : named;
  }

  /** Chromium writes its port and path into a file of its profile when it is ready. */
  private static String debugger(Path profile, Process process)
      throws IOException, InterruptedException {
    Path file = profile.resolve("DevToolsActivePort");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline && process.isAlive()) {
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      if (lines.size() > 1) {
        return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError("Chromium did not start: " + Files.readString(profile.resolve("log")));
  }

  // ---- what a test does

  void open(String url) {
    evaluate("window.left = true");
    send("Page.navigate", Map.of("url", url));
    until("!window.left && document.readyState === 'complete'");
    problems.clear();
  }

  /** Begins anew, as somebody who was never here. */
  void forget() {
    send("Network.clearBrowserCookies", Map.of());
  }

  /** Returns what the expression is, after its promise if it is one. */
  @Nullable Object evaluate(String expression) {
    Map<String, Object> answer =
        send(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    assertThat(answer).as(expression).doesNotContainKey("exceptionDetails");
    return map(answer.get("result")).get("value");
  }

  /** Waits until the expression is true. */
  void until(String expression) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String waiting =
        "new Promise(done => { const look = () => { let is = false; try { is = "
            + expression
            + " } catch (e) { is = false } if (is) done(true); else setTimeout(look, 25) }; look();"
            + " setTimeout(() => done(false), 2000) })";
    while (System.nanoTime() < deadline) {
      Map<String, Object> answer =
          send(
              "Runtime.evaluate",
              Map.of("expression", waiting, "returnByValue", true, "awaitPromise", true));
      // A page that is just being left answers with an error.
      if (Boolean.TRUE.equals(map(answer.getOrDefault("result", Map.of())).get("value"))) {
        return;
      }
    }
    throw new AssertionError(
        "never true: " + expression + "\n" + evaluate("document.body.innerText"));
  }

  /** Clicks as a user does: into the middle of what the selector finds first. */
  void click(String selector) {
    until("document.querySelector(" + quoted(selector) + ").getBoundingClientRect().height > 0");
    Map<String, Object> place =
        map(
            evaluate(
                "(() => { const e = document.querySelector("
                    + quoted(selector)
                    + "); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                    + " return {x: r.x + r.width / 2, y: r.y + r.height / 2} })()"));
    for (String type : List.of("mousePressed", "mouseReleased")) {
      Map<String, Object> event = new LinkedHashMap<>(place);
      event.putAll(Map.of("type", type, "button", "left", "clickCount", 1));
      send("Input.dispatchMouseEvent", event);
    }
  }

  void type(String text) {
    send("Input.insertText", Map.of("text", text));
  }

  void press(String key, int code) {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      Map<String, Object> event = new LinkedHashMap<>();
      event.putAll(Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
      if (key.equals("Enter") && type.equals("rawKeyDown")) {
        event.putAll(Map.of("type", "keyDown", "text", "\r"));
      }
      send("Input.dispatchKeyEvent", event);
    }
  }

  void size(int width, int height) {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void dark(boolean dark) {
    send(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Writes a picture of the whole page below {@code target/console}. */
  void picture(String name) throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "console"));
    Map<String, Object> taken =
        send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.write(
        directory.resolve(name + ".png"),
        Base64.getDecoder().decode(String.valueOf(taken.get("data"))));
  }

  /** Returns the URLs of all requests so far. */
  List<String> requested() {
    return List.copyOf(requested);
  }

  /** Returns what this page has logged as errors, policy violations included. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    FileSystemUtils.deleteRecursively(profile);
  }

  // ---- the protocol

  private Map<String, Object> send(String method, Map<String, ?> parameters) {
    int id = ids.incrementAndGet();
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    socket.sendText(json(message), true).join();
    try {
      while (true) {
        Map<String, Object> answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(answer).as(method).isNotNull();
        if (answer.get("id") instanceof Number number && number.intValue() == id) {
          return map(answer.getOrDefault("result", Map.of()));
        }
        note(answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void note(Map<String, Object> event) {
    Map<String, Object> parameters = map(event.getOrDefault("params", Map.of()));
    if ("Network.requestWillBeSent".equals(event.get("method"))) {
      requested.add(String.valueOf(map(parameters.get("request")).get("url")));
    } else if ("Runtime.exceptionThrown".equals(event.get("method"))) {
      problems.add(String.valueOf(parameters));
    } else if ("Log.entryAdded".equals(event.get("method"))
        && "error".equals(map(parameters.get("entry")).get("level"))) {
      problems.add(String.valueOf(parameters));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return (Map<String, Object>) value;
  }

  static String quoted(String text) {
    return json(text);
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> map) {
      List<String> members = new ArrayList<>();
      map.forEach((name, member) -> members.add(json(String.valueOf(name)) + ':' + json(member)));
      return '{' + String.join(",", members) + '}';
    }
    if (value instanceof List<?> list) {
      return '[' + String.join(",", list.stream().map(Chromium::json).toList()) + ']';
    }
    if (value instanceof String text) {
      StringBuilder quoted = new StringBuilder("\"");
      text.chars()
          .forEach(
              c ->
                  quoted.append(
                      c < ' ' || c == '"' || c == '\\'
                          ? "\\u%04x".formatted(c)
                          : String.valueOf((char) c)));
      return quoted.append('"').toString();
    }
    return String.valueOf(value);
  }

  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void onOpen(WebSocket opened) {
      opened.request(Long.MAX_VALUE);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        answers.add(JsonParserFactory.getJsonParser().parseMap(text.toString()));
        text.setLength(0);
      }
      return null;
    }
  }
}
