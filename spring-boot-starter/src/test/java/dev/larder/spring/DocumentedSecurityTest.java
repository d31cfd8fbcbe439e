package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What {@code docs/spring-boot.md} says of the console's login leaves the pages of an application
 * as they were; in a browser, with forms.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("gate")
@NeedsProgram(Program.CHROMIUM)
class DocumentedSecurityTest {
  private static final String PAGE = "spring-boot.md";

  /** The page of an application that asks for a login at one place, and lets everybody in else. */
  private static final String OWN_CHAIN =
      """
      @Bean
      SecurityFilterChain own(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                requests -> requests%s.requestMatchers("/plain").authenticated().anyRequest().permitAll())
            .formLogin(Customizer.withDefaults())
            .build();
      }
      """;

  private ShopDatabase database;
  private Chromium browser;
  private @Nullable ConfigurableApplicationContext context;
  private String home = "";

  @BeforeAll
  void open() throws Exception {
    database = ShopDatabase.withBooks();
    browser = Chromium.start();
  }

  @AfterAll
  void close() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void stop() {
    if (context != null) {
      context.close();
    }
  }

  private void start(Class<?>... documented) throws Exception {
    start("", documented);
  }

  private void start(String documentedProperty, Class<?>... documented) throws Exception {
    Class<?>[] all = Arrays.copyOf(documented, documented.length + 1);
    all[documented.length] = FormsShop.class;
    Map<String, Object> properties = new HashMap<>();
    properties.put("server.port", "0");
    properties.put("spring.datasource.url", database.larderUrl());
    properties.put("spring.flyway.enabled", "false");
    properties.put("spring.liquibase.enabled", "false");
    properties.put("larder.writers", "this-jvm");
    properties.put("larder.name", "documented");
    properties.put("larder.console.enabled", "true");
    properties.put("larder.console.writable", "true");
    properties.put("management.endpoints.web.exposure.include", "health,larder");
    context =
        new SpringApplicationBuilder(all)
            .properties(properties)
            .properties(documentedProperty.strip())
            .run();
    home = "127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    browser.forget();
  }

  private String documented() throws IOException {
    return DocumentedCode.block(PAGE, "SecurityFilterChain");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + home + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** Sends the form that is shown. */
  private void save(String expected) {
    browser.click("input[name=title]");
    browser.type("Emma");
    browser.click("button");
    browser.until("location.pathname.startsWith('/saved')");
    browser.until("document.body.innerText === " + Chromium.quoted(expected));
  }

  private void login(String user) {
    browser.until("location.pathname === '/login'");
    browser.click("input[name=username]");
    browser.type(user);
    browser.click("input[name=password]");
    browser.type("secret");
    browser.press("Enter", 13);
    browser.until("location.pathname !== '/login'");
  }

  /** The console is shown, and can change something. */
  private void useConsole() {
    browser.until("document.querySelector('#cache').options.length > 0");
    // Other tests leave caches in this JVM.
    browser.evaluate(
        "(() => { const caches = document.querySelector('#cache'); caches.value ="
            + " [...caches.options].find(o => o.text.startsWith('documented ')).value;"
            + " caches.dispatchEvent(new Event('change')) })()");
    browser.until("document.querySelector('#state').innerText === 'on'");
    browser.click("#switch");
    browser.click("#yes");
    browser.until("document.querySelector('#state').innerText === 'off'");
    browser.click("#switch");
    browser.until("document.querySelector('#state').innerText === 'on'");
  }

  /** Opens the console in an application that has it ask by itself. */
  private void openConsole(String user) {
    // A page may not fetch by an address that holds a password; the browser remembers it.
    browser.open("http://" + user + ":secret@" + home + "/larder/console.css");
    browser.open("http://" + home + "/larder");
  }

  @Test
  void anApplicationWithoutSecurityKeepsItsPages() throws Exception {
    start(
        DocumentedCode.block(PAGE, "tracking-modes"),
        DocumentedCode.configuration("Documented", documented()));
    browser.open("http://" + home + "/plain");
    save("Emma by nobody after /plain");
    assertThat(get("/plain").headers().map())
        .doesNotContainKeys("x-frame-options", "x-content-type-options", "cache-control");
    assertThat(get("/login").statusCode()).isEqualTo(404);
    assertThat(get("/logout").statusCode()).isEqualTo(404);
    assertThat(get("/actuator/larder").statusCode()).isEqualTo(200);
    assertThat(get("/larder").statusCode()).isEqualTo(401);
    assertThat(get("/larder/state").statusCode()).isEqualTo(401);
    openConsole("anna");
    useConsole();
    browser.open("http://" + home + "/plain");
    save("Emma by nobody after /plain");
  }

  @Test
  void whoHasNotTheRoleIsRefused() throws Exception {
    start(DocumentedCode.configuration("Documented", documented()));
    openConsole("carl");
    assertThat(browser.evaluate("document.body.innerText"))
        .asString()
        .contains("403")
        .doesNotContain("hit ratio");
  }

  @Test
  void anApplicationWithAChainOfItsOwnKeepsItsPages() throws Exception {
    start(DocumentedCode.configuration("Documented", OWN_CHAIN.formatted(""), documented()));
    browser.open("http://" + home + "/guarded");
    save("Emma by nobody after /guarded");
    assertThat(get("/plain").headers().firstValue("location").orElse("")).endsWith("/login");
    assertThat(get("/larder").statusCode()).isEqualTo(401);
    browser.open("http://" + home + "/plain");
    login("anna");
    browser.open("http://" + home + "/guarded");
    save("Emma by anna after /guarded");
    browser.open("http://" + home + "/larder");
    useConsole();
  }

  @Test
  void aChainOfTheApplicationTakesTheRuleOfTheConsole() throws Exception {
    String rule = DocumentedCode.block(PAGE, ".requestMatchers(\"/larder/**\")");
    start(DocumentedCode.configuration("Documented", OWN_CHAIN.formatted(rule)));
    browser.open("http://" + home + "/guarded");
    save("Emma by nobody after /guarded");
    browser.open("http://" + home + "/larder");
    login("anna");
    useConsole();
    browser.open("http://" + home + "/guarded");
    save("Emma by anna after /guarded");
  }

  @Test
  void anApplicationWithTheLoginOfSpringBootNeedsNothing() throws Exception {
    start();
    browser.open("http://" + home + "/guarded");
    login("anna");
    save("Emma by anna after /guarded");
    browser.open("http://" + home + "/larder");
    useConsole();
  }
}
