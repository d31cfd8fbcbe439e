import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and edits Spring PetClinic by its web pages, checks every page that shows an owner, and
 * prints what it took. Run with {@code java PetClinicLoad.java [url] [requests] [threads] [edits in
 * 100] [url for edits]}; ends with 1 if a page was stale.
 *
 * <p>An owner's city is its version, {@code City-<n>}. A page must be at least as new as every edit
 * that was answered before the page was asked for, and no newer than the edits that were sent when
 * it came. A visit is a version, too: the page must show as many as there are.
 */
final class PetClinicLoad {

  /** What was sent and answered of one owner: edits of the city, and visits of its pet. */
  private static final class Owner {
    final int id;
    final int pet;
    final String name;
    final AtomicInteger sent = new AtomicInteger();
    final AtomicInteger answered = new AtomicInteger();
    final AtomicInteger visitsSent = new AtomicInteger();
    final AtomicInteger visitsAnswered = new AtomicInteger();

    Owner(int id, int pet, String name) {
      this.id = id;
      this.pet = pet;
      this.name = name;
    }
  }

  private static final int OWNERS = 40;
  private static final Pattern CITY = Pattern.compile("City-(\\d+)<");
  private static final Pattern VISIT = Pattern.compile("visit-\\d+<");

  private final String url;
  private final String editUrl;
  private final int editsOfHundred;
  private final List<Owner> owners = new ArrayList<>();
  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger edits = new AtomicInteger();
  private final AtomicInteger checked = new AtomicInteger();
  private final AtomicInteger stale = new AtomicInteger();

  private PetClinicLoad(String url, String editUrl, int editsOfHundred) {
    this.url = url;
    this.editUrl = editUrl;
    this.editsOfHundred = editsOfHundred;
  }

  public static void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://localhost:8080";
    int requests = args.length > 1 ? Integer.parseInt(args[1]) : 20_000;
    int threads = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    int edits = args.length > 3 ? Integer.parseInt(args[3]) : 5;
    PetClinicLoad load = new PetClinicLoad(url, args.length > 4 ? args[4] : url, edits);
    load.createOwners();
    load.run(requests / 2, threads); // warms the JVM up
    load.edits.set(0);
    load.checked.set(0);
    double cpu = load.processorSeconds();
    long start = System.nanoTime();
    load.run(requests, threads);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%d requests, %d edits, %d pages checked, %d stale; %.0f requests/s, %.0f µs of processor"
            + " time each%n",
        requests,
        load.edits.get(),
        load.checked.get(),
        load.stale.get(),
        requests / seconds,
        (load.processorSeconds() - cpu) / requests * 1e6);
    System.exit(load.stale.get() == 0 ? 0 : 1);
  }

  private void createOwners() throws Exception {
    HttpClient client = client();
    for (int i = 0; i < OWNERS; i++) {
      String name = "Load" + Long.toString(System.nanoTime(), 36);
      int id =
          number(
              post(client, "/owners/new", form(name, 0))
                  .headers()
                  .firstValue("Location")
                  .orElseThrow(),
              "/owners/(\\d+)");
      post(
          client,
          "/owners/" + id + "/pets/new",
          Map.of("id", "", "name", "Rex", "birthDate", "2020-01-02", "type", "dog"));
      owners.add(new Owner(id, number(get(client, "/owners/" + id), "/pets/(\\d+)/edit"), name));
    }
  }

  private void run(int requests, int threads) throws Exception {
    left.set(requests);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Callable<Void> user =
        () -> {
          HttpClient client = client();
          while (left.getAndDecrement() > 0) {
            request(client);
          }
          return null;
        };
    List<Future<Void>> users = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      users.add(pool.submit(user));
    }
    for (Future<Void> one : users) {
      one.get();
    }
    pool.shutdown();
  }

  private void request(HttpClient client) throws Exception {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Owner owner = owners.get(random.nextInt(OWNERS));
    if (random.nextInt(100) < editsOfHundred) {
      edit(client, owner, random.nextInt(4) == 0);
      return;
    }
    switch (random.nextInt(10)) {
      case 0 -> get(client, "/vets.html");
      case 1 -> get(client, "/owners/find");
      case 2 -> get(client, "/owners?page=" + (1 + random.nextInt(10)));
      case 3 -> get(client, "/owners?lastName=" + owner.name); // one owner: a redirect to it
      case 4 -> get(client, "/owners/" + owner.id + "/pets/" + owner.pet + "/edit");
      case 5 ->
          check(
              client,
              owner,
              "/owners/" + owner.id + "/edit",
              Pattern.compile("City-(\\d+)\""),
              false);
      default -> check(client, owner, "/owners/" + owner.id, CITY, true);
    }
  }

  /**
   * One thread at a time edits an owner, so that the versions come in order; others read it
   * meanwhile.
   */
  private void edit(HttpClient client, Owner owner, boolean visit) throws Exception {
    synchronized (owner) {
      edits.incrementAndGet();
      if (visit && owner.visitsSent.get() < 10) {
        int number = owner.visitsSent.incrementAndGet();
        post(
            client,
            "/owners/" + owner.id + "/pets/" + owner.pet + "/visits/new",
            Map.of("date", soon(), "description", "visit-" + number));
        owner.visitsAnswered.set(number);
      } else {
        int version = owner.sent.incrementAndGet();
        post(client, "/owners/" + owner.id + "/edit", form(owner.name, version));
        owner.answered.set(version);
      }
    }
  }

  /** Some versions of PetClinic take no visit of today or before. */
  private static String soon() {
    return LocalDate.now(ZoneId.systemDefault()).plusDays(2).toString();
  }

  private void check(HttpClient client, Owner owner, String path, Pattern city, boolean visits)
      throws Exception {
    int atLeast = owner.answered.get();
    int visitsAtLeast = owner.visitsAnswered.get();
    String page = get(client, path);
    int version = number(page, city.pattern());
    long shown = VISIT.matcher(page).results().count();
    checked.incrementAndGet();
    boolean fresh = version >= atLeast && version <= owner.sent.get();
    if (visits) {
      fresh &= shown >= visitsAtLeast && shown <= owner.visitsSent.get();
    }
    if (!fresh) {
      stale.incrementAndGet();
      System.out.println(
          path
              + " shows City-"
              + version
              + " and "
              + shown
              + " visits; answered were "
              + atLeast
              + " and "
              + visitsAtLeast);
    }
  }

  /** The application's own processor time, from its actuator. */
  private double processorSeconds() throws Exception {
    return Double.parseDouble(
            group(get(client(), "/actuator/metrics/process.cpu.time"), "\"value\":([0-9.E]+)"))
        / 1e9;
  }

  private static Map<String, String> form(String name, int version) {
    return Map.of(
        "firstName",
        "Ann",
        "lastName",
        name,
        "address",
        "1 High St.",
        "city",
        "City-" + version,
        "telephone",
        "6085551023");
  }

  private String get(HttpClient client, String path) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(url + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException(path + ": " + answer.statusCode());
    }
    return answer.body();
  }

  private HttpResponse<String> post(HttpClient client, String path, Map<String, String> fields)
      throws Exception {
    String body =
        fields.entrySet().stream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(editUrl + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 302) {
      throw new IllegalStateException("POST " + path + ": " + answer.statusCode());
    }
    return answer;
  }

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .cookieHandler(new CookieManager())
        .build();
  }

  private static int number(String text, String pattern) {
    return Integer.parseInt(group(text, pattern));
  }

  private static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("No " + pattern + " in " + text);
    }
    return matcher.group(1);
  }
}
