package dev.larder.examples.demo;

import dev.larder.examples.Postgres;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The demo's main class: {@code --help} says what it does. {@link Ledger} says how answers are
 * checked, {@link Reader} and {@link Writer} what the workload is.
 */
public final class Demo {
  static final int RIGHT = 0;
  static final int WRONG = 1;
  static final int FAILED = 2;

  private static final int PAIRS = 4;
  private static final Logger LARDER_LOG = Logger.getLogger("dev.larder");

  private final DemoOptions options;
  private final PrintStream out;
  private final boolean terminal;
  private final Side larderWriter;

  private Demo(DemoOptions options, PrintStream out, boolean terminal, Side larderWriter) {
    this.options = options;
    this.out = out;
    this.terminal = terminal;
    this.larderWriter = larderWriter;
  }

  /** Runs the demo and ends the process with its exit code. */
  public static void main(String[] arguments) {
    LARDER_LOG.setLevel(Level.WARNING);
    int code = run(System.out, System.err, Terminal.isThere(), Side.LARDER, arguments);
    if (code != RIGHT) {
      System.exit(code);
    }
  }

  /**
   * Runs the demo and returns its exit code.
   *
   * @param larderWriter what the writer writes through while Larder is read: anything but {@link
   *     Side#LARDER} breaks Larder's assumption, and the demo must find the wrong rows
   */
  static int run(
      PrintStream out, PrintStream err, boolean terminal, Side larderWriter, String... arguments) {
    try {
      DemoOptions options = DemoOptions.parse(arguments);
      if (options.help()) {
        out.print(DemoOptions.HELP);
        return RIGHT;
      }
      return new Demo(options, out, terminal, larderWriter).run();
    } catch (DemoOptions.BadOption e) {
      err.println(e.getMessage() + " Try --help.");
    } catch (SQLException | IOException e) {
      err.println("The demo could not run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("Interrupted.");
    }
    return FAILED;
  }

  private int run() throws SQLException, IOException, InterruptedException {
    String url = options.url();
    if (url != null) {
      return run(url);
    }
    out.println("Starting PostgreSQL on the loopback, for this demo alone ...");
    try (Postgres postgres = Postgres.start()) {
      return run(postgres.url());
    }
  }

  private int run(String url) throws SQLException, InterruptedException {
    Bank bank = Bank.in(url, options.accounts());
    Thread onInterrupt = new Thread(() -> drop(bank), "demo-cleanup");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      return run(bank);
    } finally {
      drop(bank);
      forget(onInterrupt);
    }
  }

  private int run(Bank bank) throws SQLException, InterruptedException {
    out.printf(Locale.ROOT, "Loading pgbench's tables with %,d accounts ...%n", bank.accounts());
    bank.load();
    describe();
    Ledger ledger = new Ledger(bank.accounts(), bank.tellers(), bank.branches());
    Totals direct = new Totals();
    Totals larder = new Totals();
    // Keeps the cache alive between the rounds.
    try (Connection observer = bank.connect(Side.LARDER)) {
      rounds(bank, ledger, observer, direct, larder);
      int balances = bank.compare(ledger);
      Report report = new Report(out);
      report.table(direct, larder, hitRatio(observer));
      report.queries(observer);
      return verdict(ledger, balances);
    }
  }

  private void describe() {
    out.printf(
        Locale.ROOT,
        """

        %d threads read and one writes; 1 of %d statements is a write transaction.
        Reads:  60 %% an account by id, 14 %% an account and its branch,
                25 %% a teller and its branch, 1 %% the sum over a branch;
                9 of 10 ask for one of %d busy accounts, 1 for any.
        Writes: all add a line of history, 7 of 20 change a teller, 1 of 20 an account.
        Each round through Larder starts with an empty cache.

        """,
        options.threads(),
        Pace.STATEMENTS_A_WRITE,
        Keys.BUSY);
  }

  /** Runs one round of each to warm up, and then pairs of rounds, so that drift hits both alike. */
  private void rounds(Bank bank, Ledger ledger, Connection observer, Totals direct, Totals larder)
      throws SQLException, InterruptedException {
    List<Ledger.Seen> readers = new ArrayList<>();
    for (int i = 0; i < options.threads(); i++) {
      readers.add(ledger.new Seen());
    }
    Duration time = options.time().dividedBy(2L * PAIRS);
    Progress progress = new Progress(out, terminal, time.multipliedBy(2L * (PAIRS + 1)));
    Round round = new Round(bank, ledger, readers, progress);
    for (int i = 0; i < 2 * (PAIRS + 1); i++) {
      // Direct first, then Larder first, and so on.
      Side side = i % 4 == 0 || i % 4 == 3 ? Side.DIRECT : Side.LARDER;
      boolean counts = i >= 2;
      progress.begin(
          (counts ? "measuring " : "warming up ") + side.name().toLowerCase(Locale.ROOT),
          time.multipliedBy(i));
      Totals totals = side == Side.DIRECT ? direct : larder;
      if (side == Side.LARDER) {
        // The direct rounds write behind Larder's back.
        execute(observer, "RESET larder.cache");
      }
      round.run(
          side,
          side == Side.DIRECT ? Side.DIRECT : larderWriter,
          time,
          counts ? totals : new Totals());
      if (i == 1) {
        execute(observer, "RESET larder.statistics");
      }
    }
    progress.end();
  }

  private int verdict(Ledger ledger, int balances) {
    out.println();
    if (ledger.wrong() == 0) {
      out.printf(
          Locale.ROOT,
          "Every answer was right; in the end all %,d balances were as written.%n",
          balances);
      return RIGHT;
    }
    out.printf(Locale.ROOT, "WRONG ROWS: %,d. The first of them:%n", ledger.wrong());
    ledger.examples().forEach(example -> out.println("  " + example));
    return WRONG;
  }

  private static String hitRatio(Connection observer) throws SQLException {
    try (Statement statement = observer.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return String.format(Locale.ROOT, "%.1f %%", 100 * row.getDouble("hit_ratio"));
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void drop(Bank bank) {
    try {
      bank.close();
    } catch (SQLException e) {
      LARDER_LOG.log(Level.FINE, "the demo's schema went with its server", e);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LARDER_LOG.log(Level.FINE, "already shutting down", e);
    }
  }
}
