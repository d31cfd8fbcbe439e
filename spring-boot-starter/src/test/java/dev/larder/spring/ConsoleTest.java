package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The console in a browser, below a context path, as somebody who has logged in uses it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("gate")
@NeedsProgram(Program.CHROMIUM)
class ConsoleTest {
  private static final String NAME = "console";
  private static final String TITLE = "SELECT title FROM book WHERE id = ?";
  private static final String STOCK = "SELECT sum(amount) FROM stock";
  private static final String LATE = "SELECT title FROM book WHERE now() IS NOT NULL";
  private static final String ROWS = "[...document.querySelectorAll('#queries tbody tr')]";

  private ShopDatabase database;
  private ConfigurableApplicationContext context;
  private JdbcTemplate jdbc;
  private Chromium browser;
  private String home;

  @BeforeAll
  void start() throws Exception {
    database = ShopDatabase.withBooks();
    database.execute("CREATE TABLE stock (book int, amount int)");
    database.execute("INSERT INTO stock VALUES (1, 4), (2, 5)");
    context =
        new SpringApplicationBuilder(GuardedShop.class)
            .properties(
                Map.of(
                    "server.port", "0",
                    "server.servlet.context-path", "/shop",
                    "spring.datasource.url", database.larderUrl(),
                    "spring.flyway.enabled", "false",
                    "spring.liquibase.enabled", "false",
                    "larder.name", NAME,
                    "larder.writers", "this-jvm",
                    "larder.console.enabled", "true",
                    "larder.console.writable", "true"))
            .run();
    HikariDataSource pool = context.getBean(HikariDataSource.class);
    jdbc = new JdbcTemplate(pool);
    untilHit(pool, () -> jdbc.queryForObject(TITLE, String.class, 1));
    untilHit(pool, () -> jdbc.queryForObject(STOCK, Integer.class));
    home =
        "http://127.0.0.1:"
            + context.getEnvironment().getRequiredProperty("local.server.port")
            + "/shop";
    browser = Chromium.start();
    browser.size(1280, 900);
    browser.open(home + "/login");
    browser.click("input[name=username]");
    browser.type("anna");
    browser.click("input[name=password]");
    browser.type("secret");
    browser.press("Enter", 13);
    browser.until("!location.pathname.endsWith('/login')");
  }

  @AfterAll
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    context.close();
  }

  @BeforeEach
  void open() {
    cache().enabled(true);
    for (int i = 0; i < 30; i++) {
      jdbc.queryForObject(TITLE, String.class, 1 + i % 3);
    }
    jdbc.queryForObject(STOCK, Integer.class);
    jdbc.queryForList(LATE);
    browser.size(1280, 900);
    browser.dark(false);
    browser.open(home + "/larder");
    browser.until("document.querySelector('#cache').options.length > 0");
    // Other tests leave caches in this JVM.
    browser.evaluate(
        "(() => { const caches = document.querySelector('#cache'); caches.value ="
            + " [...caches.options].find(o => o.text.startsWith('console ')).value;"
            + " caches.dispatchEvent(new Event('change')) })()");
    browser.until(
        "document.querySelectorAll('#queries tbody tr .sql').length >= 3 &&"
            + " document.querySelector('#queries tbody').innerText.includes('FROM stock')");
    // Nothing moves but what the test itself does.
    browser.click("#live");
  }

  private LarderCache cache() {
    return LarderCaches.all().stream()
        .filter(cache -> cache.name().equals(NAME))
        .findFirst()
        .orElseThrow();
  }

  private Object shown(String selector) {
    return String.valueOf(
        browser.evaluate("document.querySelector(" + Chromium.quoted(selector) + ").innerText"));
  }

  @Test
  void opensWithCountsQueriesAndReasonsInWords() throws Exception {
    assertThat(shown("#state")).isEqualTo("on");
    assertThat(shown("#tiles")).asString().contains("hit ratio", "time saved", "%");
    assertThat(shown("#chart")).asString().contains("lines at 0, 50 and 100 %");
    assertThat(browser.evaluate("document.querySelector('#chart polyline').getAttribute('points')"))
        .asString()
        .matches("0(\\.0)?,\\d.* 600(\\.0)?,\\d.*");
    assertThat(shown("#queries"))
        .asString()
        .contains(
            "SELECT title FROM book", "Not cached because its answer depends on the time of day")
        .contains("setObject(1, LocalDate.now())");
    browser.picture("light");
    browser.click("#tab-reasons");
    browser.until("!document.querySelector('#reasons').hidden");
    assertThat(shown("#reasons")).asString().contains("time of day");
    browser.picture("reasons");
    browser.click("#tab-settings");
    assertThat(shown("#settings")).asString().contains("larder.writers", "this-jvm");
    browser.picture("settings");
    assertThat(browser.problems()).isEmpty();
    assertThat(browser.requested())
        .allMatch(url -> url.startsWith("http://127.0.0.1:") || url.startsWith("data:"));
  }

  private static final String AGAIN = "SELECT price FROM book WHERE id = ?";
  private static final String NEVER_AGAIN = "SELECT price, title FROM book WHERE id = ?";
  private static final Duration NOTICED = Duration.ofSeconds(60);

  private String admission(String sql) {
    return cache().queries().stream()
        .filter(row -> sql.equals(row.get("query")) && row.get("profit_because") != null)
        .map(row -> String.valueOf(row.get("admission")))
        .findFirst()
        .orElse("unknown");
  }

  private void show(String sql) {
    browser.evaluate("document.querySelector('#queries-filter').value = ''");
    browser.click("#queries-filter");
    browser.evaluate(ROWS + "[0].dataset.old = 1");
    browser.type(sql);
    browser.until(ROWS + ".length === 1 && !" + ROWS + "[0].dataset.old");
  }

  @Test
  void showsWhichQueriesPayAndWhy() throws Exception {
    long end = System.nanoTime() + NOTICED.toNanos();
    for (int i = 1;
        !admission(NEVER_AGAIN).equals("probed") || admission(AGAIN).equals("unknown");
        i++) {
      jdbc.queryForList(NEVER_AGAIN, -i);
      // A miss now and then ends the windows.
      jdbc.queryForList(AGAIN, i % 200 == 0 ? -i : i % 3);
      assertThat(System.nanoTime()).isLessThan(end);
    }
    assertThat(admission(AGAIN)).isEqualTo("admitted");
    show("price, title");
    assertThat(shown("#queries tbody"))
        .asString()
        .contains("Probed: most executions are not looked up, because that does not pay. In the")
        .containsPattern("last window, of [0-9]+ look-ups 0 were hits; a hit saves .* costs .* µs")
        .containsPattern("−[0-9.]+ (µs|ms)");
    show("SELECT price FROM");
    assertThat(shown("#queries tbody"))
        .asString()
        .containsPattern("Admitted. In the last window, of [0-9]+ look-ups [0-9]+ were hits;")
        .doesNotContain("−");
    show("now()");
    assertThat(shown("#queries tbody")).asString().doesNotContain("Admitted");
    browser.evaluate("document.querySelector('#queries-filter').select()");
    browser.type("price");
    browser.until(ROWS + ".length === 2");
    browser.click("#queries th[data-column=profit_micros_per_second] button");
    browser.until(ROWS + "[1].innerText.includes('price, title')");
    browser.picture("admission");
    browser.size(360, 740);
    browser.picture("phone-admission");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void countsOutdatedHitsOnceThereAreSome() throws Exception {
    assertThat(shown("#tiles")).asString().doesNotContain("outdated");
    String declared = "SELECT title FROM book WHERE id = 3 /* larder:stale=10m */";
    try (Connection reading = context.getBean(HikariDataSource.class).getConnection();
        Statement statement = reading.createStatement()) {
      statement.executeQuery(declared).close();
      jdbc.update("UPDATE book SET title = title WHERE id = 3");
      statement.executeQuery(declared).close();
    }
    open();
    assertThat(shown("#tiles")).asString().contains("1\nof these outdated");
  }

  @Test
  void sortsByAColumnBothWays() {
    String bypasses = "#queries th[data-column=bypasses]";
    browser.click(bypasses + " button");
    browser.until("document.querySelector('" + bypasses + "').ariaSort === 'descending'");
    browser.until(ROWS + "[0].innerText.includes('now()')");
    browser.click(bypasses + " button");
    browser.until("document.querySelector('" + bypasses + "').ariaSort === 'ascending'");
    browser.until("!" + ROWS + "[0].innerText.includes('now()')");
    browser.until(ROWS + ".at(-1).innerText.includes('now()')");
  }

  @Test
  void filtersByTextAndByReason() {
    browser.click("#queries-filter");
    browser.type("STOCK");
    browser.until(ROWS + ".length === 1 && " + ROWS + "[0].innerText.includes('sum(amount)')");
    browser.click("#queries-filter");
    browser.evaluate("document.querySelector('#queries-filter').select()");
    browser.type("time of day");
    browser.until(ROWS + ".length === 1 && " + ROWS + "[0].innerText.includes('now()')");
    browser.evaluate("document.querySelector('#queries-filter').select()");
    browser.type("no such text");
    browser.until("document.querySelector('#queries').innerText.includes('Nothing matches')");
  }

  @Test
  void showsWholeLinesOfALongQueryAndAllOfItOnceAskedFor() throws Exception {
    jdbc.queryForList(
        IntStream.rangeClosed(1, 60)
            .mapToObj(i -> "title AS title_of_the_book_" + i)
            .collect(Collectors.joining(", ", "SELECT ", " FROM book")));
    for (int width : new int[] {1280, 390}) {
      browser.size(width, 900);
      browser.evaluate("document.querySelector('#queries-filter').value = ''");
      browser.click("#queries-filter");
      browser.evaluate(ROWS + "[0].dataset.old = 1");
      browser.type("title_of_the_book");
      browser.until(ROWS + ".length === 1 && !" + ROWS + "[0].dataset.old");
      assertThat(linesOfTheFirst()).isCloseTo(5, Offset.offset(.05));
      browser.click(".more");
      browser.until("document.querySelector('.more').ariaExpanded === 'true'");
      browser.evaluate(ROWS + "[0].dataset.old = 1");
      browser.evaluate("document.querySelector('#queries th[data-column=hits] button').click()");
      browser.until(
          "!"
              + ROWS
              + "[0].dataset.old && document.querySelector('.more').ariaExpanded === 'true'");
      assertThat(linesOfTheFirst()).isGreaterThan(9);
      browser.picture("long-" + width + "-all");
      // Not with the mouse, for which a picture may have moved the page.
      browser.evaluate("document.querySelector('.more').click()");
      browser.until("document.querySelector('.more').ariaExpanded === 'false'");
      browser.picture("long-" + width);
    }
    browser.evaluate("document.querySelector('#queries-filter').select()");
    browser.type("stock");
    browser.until(ROWS + ".length === 1 && " + ROWS + "[0].innerText.includes('sum(amount)')");
    assertThat(browser.evaluate("document.querySelector('.more')")).isNull();
  }

  private double linesOfTheFirst() {
    Object lines =
        browser.evaluate(
            "(() => { const text = "
                + ROWS
                + "[0].querySelector('.sql'); return text.clientHeight /"
                + " parseFloat(getComputedStyle(text).lineHeight) })()");
    return ((Number) java.util.Objects.requireNonNull(lines)).doubleValue();
  }

  @Test
  void clearsATableAfterAskingSoThatAWritePastTheCacheIsSeen() throws Exception {
    assertThat(jdbc.queryForObject(STOCK, Integer.class)).isEqualTo(9);
    database.execute("UPDATE stock SET amount = amount + 1");
    assertThat(jdbc.queryForObject(STOCK, Integer.class)).isEqualTo(9);
    browser.click("#tab-tables");
    browser.click("#tables button[data-key='public.stock']");
    assertThat(shown("#confirm")).asString().contains("public.stock");
    browser.picture("question");
    browser.click("#no");
    browser.until("!document.querySelector('#confirm').open");
    assertThat(jdbc.queryForObject(STOCK, Integer.class)).isEqualTo(9);
    browser.click("#tables button[data-key='public.stock']");
    browser.click("#yes");
    browser.until("!document.querySelector('#confirm').open");
    browser.until(
        "[...document.querySelectorAll('#tables tbody tr')].find(row =>"
            + " row.innerText.includes('stock')).cells[5].innerText === '1'");
    assertThat(jdbc.queryForObject(STOCK, Integer.class)).isEqualTo(11);
    database.execute("UPDATE stock SET amount = amount - 1");
    browser.picture("tables");
  }

  @Test
  void clearsAQuery() {
    long before = (Long) cache().status().get("entries");
    browser.click("#queries-filter");
    browser.type("sum(amount)");
    browser.until(ROWS + ".length === 1");
    browser.click("#queries tbody button");
    browser.click("#yes");
    browser.until(ROWS + ".length === 1 && !" + ROWS + "[0].querySelector('button')");
    assertThat(cache().status()).containsEntry("entries", before - 1);
  }

  @Test
  void switchesOffAndOnAndClearsEverything() throws Exception {
    browser.click("#switch");
    browser.click("#yes");
    browser.until("document.querySelector('#state').innerText === 'off'");
    assertThat(cache().enabled()).isFalse();
    browser.picture("off");
    browser.click("#switch");
    browser.until("document.querySelector('#state').innerText === 'on'");
    assertThat(cache().enabled()).isTrue();
    browser.click("#clear-all");
    browser.click("#yes");
    browser.until("document.querySelector('#tiles').innerText.match(/(^|\\n)0\\nresults/)");
    assertThat(cache().status()).containsEntry("entries", 0L);
  }

  @Test
  void fitsAPhoneAndTheDark() throws Exception {
    browser.size(360, 740);
    for (boolean dark : new boolean[] {false, true}) {
      browser.dark(dark);
      for (String tab : new String[] {"queries", "tables", "reasons", "settings"}) {
        browser.click("#tab-" + tab);
        browser.until("!document.querySelector('#" + tab + "').hidden");
        browser.until("!!document.querySelector('#" + tab + " :is(tbody td, dd, li)')");
        assertThat(
                browser.evaluate(
                    "document.documentElement.scrollWidth <= 360 && [...document"
                        + ".querySelectorAll('button, select, input, .panel, .tile, td')].every(e =>"
                        + " e.getBoundingClientRect().right <= 360)"))
            .as(tab)
            .isEqualTo(true);
        browser.picture("phone-" + tab + (dark ? "-dark" : ""));
      }
    }
    browser.size(1280, 900);
    browser.click("#tab-queries");
    browser.picture("dark");
    assertThat(contrast("body")).isGreaterThan(4.5);
    assertThat(contrast(".why .cure")).isGreaterThan(4.5);
    assertThat(contrast(".danger")).isGreaterThan(4.5);
  }

  /** Returns the contrast of an element's text to the panel, as WCAG 2 defines it. */
  private double contrast(String selector) {
    Object ratio =
        browser.evaluate(
            "(() => { const light = css => { const [r, g, b] = css.match(/[\\d.]+/g).map(v => v /"
                + " 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return"
                + " .2126 * r + .7152 * g + .0722 * b }; const one ="
                + " light(getComputedStyle(document.querySelector('"
                + selector
                + "')).color), two ="
                + " light(getComputedStyle(document.querySelector('.panel')).backgroundColor);"
                + " return (Math.max(one, two) + .05) / (Math.min(one, two) + .05) })()");
    return ((Number) java.util.Objects.requireNonNull(ratio)).doubleValue();
  }

  @Test
  void everythingIsReachedWithTheKeyboard() {
    browser.evaluate("document.body.tabIndex = -1; document.body.focus()");
    StringBuilder reached = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      browser.press("Tab", 9);
      reached.append(
          browser.evaluate(
              "' ' + (document.activeElement.id || document.activeElement.closest('th')"
                  + "?.dataset.column || document.activeElement.className)"));
      if (reached.toString().endsWith("saved_millis")) {
        break;
      }
    }
    assertThat(reached.toString())
        .contains("skip", "live", "switch", "clear-all", "tab-queries", "queries-filter", "hits");
    browser.press("Enter", 13);
    browser.until(
        "document.querySelector('#queries th[data-column=saved_millis]').ariaSort === 'ascending'");
    browser.evaluate("document.querySelector('#tab-queries').focus()");
    browser.press("ArrowRight", 39);
    browser.until(
        "document.activeElement.id === 'tab-tables' && !document.querySelector('#tables').hidden");
    browser.evaluate("document.querySelector('#clear-all').focus()");
    browser.press("Enter", 13);
    browser.until("document.querySelector('#confirm').open && document.activeElement.id === 'no'");
    browser.press("Escape", 27);
    browser.until("!document.querySelector('#confirm').open");
  }
}
