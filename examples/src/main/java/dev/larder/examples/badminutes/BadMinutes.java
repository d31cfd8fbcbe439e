package dev.larder.examples.badminutes;

import dev.larder.examples.Postgres;
import dev.larder.examples.badminutes.Report.Answers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two minutes of an application without a cache and of the same with Larder: what {@link Scene}
 * names happens to both at the same time, on one server. {@link Pages} and {@link Dashboard} say
 * what a right answer is, and every one is checked.
 */
public final class BadMinutes {
  static final int RIGHT = 0;
  static final int WRONG = 1;
  static final int FAILED = 2;

  /** What a process says of a second comes a little after its end. */
  private static final long SAID_AFTER_MILLIS = 300;

  private static final long MILLIS = 1_000;

  private final BadMinutesOptions options;
  private final String url;
  private final Report report;
  private final Map<Side, Deployment> deployments = new EnumMap<>(Side.class);
  private @Nullable StoppedServer stopped;

  private BadMinutes(BadMinutesOptions options, String url, Report report) {
    this.options = options;
    this.url = url;
    this.report = report;
  }

  /** Runs the example and ends the process with its exit code. */
  public static void main(String[] arguments) {
    int code = run(System.out, System.err, arguments);
    if (code != RIGHT) {
      System.exit(code);
    }
  }

  /** Runs the example and returns its exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    try {
      BadMinutesOptions options = BadMinutesOptions.parse(arguments);
      if (options.help()) {
        out.print(BadMinutesOptions.HELP);
        return RIGHT;
      }
      return run(options, out);
    } catch (BadMinutesOptions.BadOption e) {
      err.println(e.getMessage() + " Try --help.");
    } catch (SQLException | IOException e) {
      err.println("The example could not run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("Interrupted.");
    }
    return FAILED;
  }

  private static int run(BadMinutesOptions options, PrintStream out)
      throws IOException, SQLException, InterruptedException {
    out.println("Starting PostgreSQL and two processes on the loopback ...");
    Report report = new Report(out, options.seconds());
    Path folder = Files.createTempDirectory("larder-example-");
    Path warmup = folder.resolve("warm");
    try (Postgres postgres = Postgres.start()) {
      create(postgres.url());
      new BadMinutes(options, postgres.url(), report).live(warmup);
    } finally {
      Files.deleteIfExists(warmup);
      Files.delete(folder);
    }
    report.table();
    Path samples = options.out();
    if (samples != null) {
      report.write(samples);
    }
    boolean right = report.wrong(Side.DRIVER) + report.wrong(Side.LARDER) == 0;
    out.println();
    out.println(right ? "Every answer was right." : "WRONG ANSWERS where there must be none.");
    return right ? RIGHT : WRONG;
  }

  private static void create(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      // The two sides share two cores or so: no query takes more than one.
      statement.execute("ALTER DATABASE postgres SET max_parallel_workers_per_gather = 0");
      Pages.createSales(statement);
      for (Side side : Side.values()) {
        Pages.create(statement, side);
        Dashboard.create(statement, side);
      }
      statement.execute("VACUUM ANALYZE");
    }
  }

  private void live(Path warmup) throws IOException, SQLException, InterruptedException {
    try {
      for (Side side : Side.values()) {
        boolean pastLarder = side == Side.LARDER && options.pastLarder();
        deployments.put(side, Deployment.start(side, url, warmup, pastLarder));
      }
      for (Deployment deployment : deployments.values()) {
        deployment.awaitReady();
      }
      watch();
    } finally {
      goOn();
      deployments.values().forEach(Deployment::close);
    }
  }

  private void watch() throws IOException, SQLException, InterruptedException {
    report.head();
    // The second in which they began is no whole one.
    long begun = System.currentTimeMillis() / MILLIS + 2;
    for (int second = 0; second <= options.seconds(); second++) {
      sleepUntil((begun + second) * MILLIS);
      for (Scene scene : Scene.values()) {
        if (second == scene.to(options.seconds())) {
          end(scene);
        }
      }
      if (second > 0) {
        sleepUntil((begun + second) * MILLIS + SAID_AFTER_MILLIS);
        report.second(second - 1, answers(begun + second - 1));
      }
      for (Scene scene : Scene.values()) {
        if (second == scene.from(options.seconds())) {
          begin(scene);
        }
      }
    }
  }

  private static void sleepUntil(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(Math.max(0, millis - System.currentTimeMillis()));
  }

  private Map<Side, Answers> answers(long second) throws IOException {
    Map<Side, Answers> answers = new EnumMap<>(Side.class);
    for (Map.Entry<Side, Deployment> side : deployments.entrySet()) {
      Deployment deployment = side.getValue();
      deployment.check();
      answers.put(
          side.getKey(), new Answers(deployment.pages(second), deployment.dashboards(second)));
    }
    return answers;
  }

  private void begin(Scene scene) throws IOException, SQLException {
    int lasts = scene.to(options.seconds()) - scene.from(options.seconds());
    switch (scene) {
      case CALM -> report.event("Visitors ask for pages, and some pages change.");
      case EXHAUSTED -> {
        report.event("Slow queries take all connections of the pool, for " + lasts + " s.");
        sayToAll(Application.EXHAUST + " " + lasts);
      }
      case STOPPED -> {
        report.event("All processes of the database are stopped, for " + lasts + " s.");
        stopped = StoppedServer.stop(url);
      }
      case DEPLOY -> {
        report.event("Both processes end, and new ones start. Larder's cache is empty.");
        deploy(false);
      }
      case WARM_DEPLOY -> {
        report.event("The same, with Larder's warm start.");
        deploy(true);
      }
      case DASHBOARD -> {
        report.event("A dashboard is looked at, and its table written 50 times a second.");
        sayToAll(Application.LOOK);
      }
    }
  }

  private void end(Scene scene) {
    if (scene == Scene.STOPPED) {
      goOn();
      report.event("The database goes on.");
    } else if (scene == Scene.EXHAUSTED) {
      report.event("The slow queries end.");
    }
  }

  private void goOn() {
    if (stopped != null) {
      stopped.close();
      stopped = null;
    }
  }

  private void sayToAll(String words) throws IOException {
    for (Deployment deployment : deployments.values()) {
      deployment.say(words);
    }
  }

  private void deploy(boolean warm) throws IOException {
    for (Deployment deployment : deployments.values()) {
      deployment.deploy(warm);
    }
  }
}
