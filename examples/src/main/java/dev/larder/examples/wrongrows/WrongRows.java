package dev.larder.examples.wrongrows;

import dev.larder.examples.MemcachedProcess;
import dev.larder.examples.Postgres;
import dev.larder.examples.wrongrows.Report.Phase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sixty seconds of three processes that read and change the same products: through the PostgreSQL
 * driver alone, through a cache that was written by hand, and through Larder. {@link Board} says
 * what a wrong row is, and every one is counted. In the end psql changes rows past all of them.
 */
public final class WrongRows {
  /** With it begins what the radar says. */
  static final String RADAR_CODE = "LRD-002";

  static final int RIGHT = 0;
  static final int WRONG = 1;
  static final int FAILED = 2;

  private static final Duration AFTER_THE_RADAR = Duration.ofSeconds(4);
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(150);
  private static final int CHANGES_A_SECOND = 2;

  private final WrongRowsOptions options;
  private final PrintStream out;
  private final Report report;
  private final List<Phase> phases = new ArrayList<>();
  private boolean noticed;

  private WrongRows(WrongRowsOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
    this.report = new Report(out);
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
      WrongRowsOptions options = WrongRowsOptions.parse(arguments);
      if (options.help()) {
        out.print(WrongRowsOptions.HELP);
        return RIGHT;
      }
      return new WrongRows(options, out).run();
    } catch (WrongRowsOptions.BadOption e) {
      err.println(e.getMessage() + " Try --help.");
    } catch (SQLException | IOException e) {
      err.println("The example could not run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("Interrupted.");
    }
    return FAILED;
  }

  private int run() throws IOException, SQLException, InterruptedException {
    return options.feed() ? runFollowing() : runSharing();
  }

  private int runSharing() throws IOException, SQLException, InterruptedException {
    out.println("Starting PostgreSQL and three processes on the loopback ...");
    Path memory = Files.createTempFile("larder-example-", ".board");
    try (Postgres postgres = Postgres.start();
        MemcachedProcess memcached = memcached()) {
      JdbcProducts.create(postgres.url());
      Board board = Board.in(memory);
      String larderUrl = larderUrl(postgres, memcached);
      try (Instances instances =
          Instances.start(postgres.url(), larderUrl, memory, options.timeToLive())) {
        report.head();
        watch(postgres, board, instances);
      }
      report.table(phases, false);
      return verdict(memcached != null);
    } finally {
      Files.delete(memory);
    }
  }

  private int runFollowing() throws IOException, SQLException, InterruptedException {
    out.println("Starting PostgreSQL and three processes on the loopback ...");
    Path memory = Files.createTempFile("larder-example-", ".board");
    try (Postgres postgres = Postgres.startFollowed()) {
      JdbcProducts.create(postgres.url());
      JdbcProducts.publish(postgres.url());
      Board board = Board.in(memory);
      try (Instances instances =
          Instances.start(postgres.url(), postgres.followingUrl(), memory, options.timeToLive())) {
        report.head();
        watchFollowing(postgres, board, instances);
      }
      report.table(phases, true);
      return verdictOfTheFeed();
    } finally {
      Files.delete(memory);
    }
  }

  private void watchFollowing(Postgres postgres, Board board, Instances instances)
      throws IOException, SQLException, InterruptedException {
    long begun = System.nanoTime();
    report.event("Each process changes a product every other second, on each side.");
    Phase quiet =
        phase(
            "nobody else writes",
            new Watch(board, instances, null, board.totals()),
            () -> isBefore(begun, options.time().multipliedBy(2).dividedBy(5)));
    try (Outsider outsider = Outsider.open(board, postgres.port(), postgres.url())) {
      report.event(outsider.name() + " changes rows past all of them:");
      report.event(Outsider.statement("product_...", "..."));
      phase(
          "somebody else writes, too",
          new Watch(board, instances, outsider, quiet.end()),
          () -> isBefore(begun, options.time()));
    }
  }

  private int verdictOfTheFeed() {
    long wrong = 0;
    for (Phase phase : phases) {
      wrong += phase.totals().wrong(Side.PLAIN) + phase.totals().late(Side.LARDER);
    }
    out.println();
    out.println(
        wrong == 0
            ? "No row of Larder's was older than a second, whoever wrote."
            : "WRONG ROWS where there must be none.");
    return wrong == 0 ? RIGHT : WRONG;
  }

  private @Nullable MemcachedProcess memcached() {
    if (options.memcached()) {
      try {
        return MemcachedProcess.start();
      } catch (IOException e) {
        out.println(e.getMessage());
      }
    }
    out.println(
        "Without memcached Larder's processes do not see each other's changes: what they\n"
            + "have read lives at most 5 s, and may be as old as in a cache by hand.");
    return null;
  }

  private static String larderUrl(Postgres postgres, @Nullable MemcachedProcess memcached) {
    String url =
        postgres.url().replace("jdbc:postgresql:", "jdbc:larder:postgresql:")
            + "&larder.radar=bypass";
    return memcached == null
        ? url
        : url
            + "&larder.writers=memcached&larder.backend=memcached&larder.memcached.servers="
            + memcached.address()
            // A machine that does other things, too, is no memcached that does not answer.
            + "&larder.memcached.timeout=1000ms&larder.memcached.onUnreachable=failCommit";
  }

  private void watch(Postgres postgres, Board board, Instances instances)
      throws IOException, SQLException, InterruptedException {
    long begun = System.nanoTime();
    report.event("Each process changes a product every other second, on each side.");
    Phase quiet =
        phase(
            "nobody else writes",
            new Watch(board, instances, null, board.totals()),
            () -> isBefore(begun, options.time().multipliedBy(2).dividedBy(5)));
    try (Outsider outsider = Outsider.open(board, postgres.port(), postgres.url())) {
      String name = outsider.name();
      report.event("A session that nobody knows of, " + name + ", changes rows past all of them:");
      report.event(Outsider.statement("product_...", "..."));
      long since = System.nanoTime();
      Phase foreign =
          phase(
              "somebody else writes, too",
              new Watch(board, instances, outsider, quiet.end()),
              () -> !instances.allWarned() && isBefore(since, LONGEST_SEARCH));
      noticed = instances.allWarned();
      report.event(
          noticed
              ? "Larder has noticed in each process, and leaves the table to the database."
              : "Larder has not noticed in each process, which it should have.");
      long after = System.nanoTime();
      phase(
          "still, and Larder's radar has noticed",
          new Watch(board, instances, outsider, foreign.end()),
          () -> isBefore(begun, options.time()) || isBefore(after, AFTER_THE_RADAR));
    }
  }

  /** What is watched, from {@code start} on. */
  private record Watch(
      Board board, Instances instances, @Nullable Outsider outsider, Totals start) {}

  /** Watches for as long as {@code goesOn}, and until the end of the next second. */
  private Phase phase(String name, Watch watch, BooleanSupplier goesOn)
      throws IOException, SQLException, InterruptedException {
    Totals last = watch.start();
    boolean more = true;
    while (more) {
      more = goesOn.getAsBoolean();
      Totals now = second(watch);
      report.second(now.since(last));
      watch.instances().warnings().forEach(this::tell);
      last = now;
    }
    Phase phase = new Phase(name, last.since(watch.start()), last);
    phases.add(phase);
    return phase;
  }

  private static boolean isBefore(long begunNanos, Duration time) {
    return System.nanoTime() - begunNanos < time.toNanos();
  }

  /** Waits until the second is over, and returns what there was by then. */
  private static Totals second(Watch watch) throws IOException, SQLException, InterruptedException {
    Outsider outsider = watch.outsider();
    for (int i = 0; i < CHANGES_A_SECOND; i++) {
      if (outsider != null) {
        outsider.change();
      }
      long part = TimeUnit.SECONDS.toMillis(1) / CHANGES_A_SECOND;
      TimeUnit.MILLISECONDS.sleep(part - System.currentTimeMillis() % part);
    }
    return watch.board().totals();
  }

  private void tell(Instances.Line warning) {
    String text = warning.text();
    int end = text.indexOf(". Until");
    report.event(
        "process " + (warning.instance() + 1) + ": " + (end < 0 ? text : text.substring(0, end)));
  }

  private int verdict(boolean shared) {
    long wrong = phases.get(2).totals().wrong(Side.LARDER);
    for (Phase phase : phases) {
      wrong += phase.totals().wrong(Side.PLAIN);
    }
    wrong += shared ? phases.get(0).totals().wrong(Side.LARDER) : 0;
    out.println();
    if (wrong == 0 && noticed) {
      out.println(
          shared
              ? "Larder had no wrong row while all writers went through it, and none once its\n"
                  + "radar had noticed the one that did not."
              : "Larder had no wrong row once its radar had noticed who writes past it.");
      return RIGHT;
    }
    out.println(noticed ? "WRONG ROWS where there must be none." : "The radar has failed.");
    return WRONG;
  }
}
