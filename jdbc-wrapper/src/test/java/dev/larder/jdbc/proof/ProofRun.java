package dev.larder.jdbc.proof;

import dev.larder.jdbc.CrashingServer;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.background.Warmer;
import dev.larder.jdbc.proof.history.HistoryLog;
import dev.larder.jdbc.proof.history.HistoryNames;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.history.WindowChecker;
import dev.larder.jdbc.proof.workload.Arena;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.ProofSchema;
import dev.larder.jdbc.proof.workload.Query;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A run of the history checker: clients work for a window, come to rest, every query is asked once
 * more while nothing changes, the window is checked, and the next begins.
 */
final class ProofRun {
  /** The option of a run in which hot queries are asked in the background, too. */
  static final String WARMED = "larder.warmup.queriesPerSecond";

  private static final int CLIENTS = 6;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final HistoryNames NAMES =
      new HistoryNames() {
        @Override
        public String query(int number) {
          return Query.ALL.get(number).toString();
        }

        @Override
        public String kind(int number) {
          return WriteKind.values()[number].name();
        }
      };

  private final Settings settings;
  private final WindowChecker checker;
  private final List<HistoryLog> logs = new ArrayList<>();
  private final CyclicBarrier barrier = new CyclicBarrier(CLIENTS + 1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean resting;
  private volatile boolean over;
  private long leastReads;
  private @Nullable String counted;
  private int windows;
  private long wrongHits;
  private long verifiedHits;
  private long narrowedHits;
  private long flightHits;
  private long staleHits;
  private long staleRefreshes;
  private long warmed;
  private Connection through;
  private Connection past;

  /**
   * What a run does.
   *
   * @param length how long it takes
   * @param window how long the clients work before they come to rest
   * @param focus the kinds of writes that are to happen often; empty for all of them as usual
   * @param favourite the line that is read most, or null
   * @param untilAnomaly whether it ends with the first anomaly, or the first hit that is found
   *     wrong
   * @param server one that is to crash in each window, or null
   * @param option of Larder's, besides the usual ones, as {@code name=value}; several with an
   *     ampersand between them
   * @param staleness that every table is declared to have; zero for none
   * @param bound the staleness that is checked
   */
  record Settings(
      long seed,
      Duration length,
      Duration window,
      Client.Pace pace,
      Set<WriteKind> focus,
      @Nullable Line favourite,
      boolean untilAnomaly,
      @Nullable CrashingServer server,
      String option,
      Duration staleness,
      Duration bound) {
    /** As above, without staleness. */
    Settings(
        long seed,
        Duration length,
        Duration window,
        Client.Pace pace,
        Set<WriteKind> focus,
        @Nullable Line favourite,
        boolean untilAnomaly,
        @Nullable CrashingServer server,
        String option) {
      this(
          seed,
          length,
          window,
          pace,
          focus,
          favourite,
          untilAnomaly,
          server,
          option,
          Duration.ZERO,
          Duration.ZERO);
    }

    /** Returns these, where results may be used so long after they became outdated. */
    Settings outdated(Duration declared, Duration checked) {
      return new Settings(
          seed,
          length,
          window,
          pace,
          focus,
          favourite,
          untilAnomaly,
          server,
          option + "&larder.tables.staleness=*%3D" + declared.toMillis() + "ms",
          declared,
          checked);
    }

    /** As above, without an option. */
    Settings(
        long seed,
        Duration length,
        Duration window,
        Client.Pace pace,
        Set<WriteKind> focus,
        @Nullable Line favourite,
        boolean untilAnomaly,
        @Nullable CrashingServer server) {
      this(seed, length, window, pace, focus, favourite, untilAnomaly, server, "larder.verify=0");
    }
  }

  private final Random popularity;

  ProofRun(Settings settings) {
    this.popularity = new Random(settings.seed());
    this.settings = settings;
    this.checker = new WindowChecker(NAMES, settings.bound().toNanos());
  }

  /**
   * Has the run go on, for three times its length at most, until it has checked so many reads:
   * beside other work a thread reads less.
   */
  ProofRun untilReads(long reads) {
    leastReads = reads;
    return this;
  }

  /** Has the run go on, for as long at most, until {@code SHOW larder.cache} counts some. */
  ProofRun untilCounted(String column) {
    counted = column;
    return this;
  }

  /**
   * Runs.
   *
   * @param started is run when everything is open and the first window begins
   */
  ProofReport run(Runnable started) throws Exception {
    try (Arena arena = arena()) {
      try {
        return run(arena, started);
      } finally {
        closeConnections();
      }
    }
  }

  private ProofReport run(Arena arena, Runnable started) throws Exception {
    through = arena.connect();
    past = arena.connectPast();
    LarderProbe.awaitCatalog(through);
    arena.choosePopular(popularity);
    started.run();
    Warmer warmer = settings.option().contains(WARMED) ? Warmer.start(through) : null;
    List<Thread> threads = startClients(arena);
    HistoryLog own = new HistoryLog(0);
    logs.add(own);
    long start = System.nanoTime();
    try {
      windows(arena, own, start);
    } finally {
      over = true;
      if (warmer != null) {
        warmer.close();
      }
      resting = false;
      barrier.await(60, TimeUnit.SECONDS);
      for (Thread thread : threads) {
        thread.join(60_000);
      }
    }
    wrongHits = LarderProbe.count(through, "wrong_hits");
    verifiedHits = LarderProbe.count(through, "verified_hits");
    narrowedHits = LarderProbe.narrowedHits(through);
    flightHits = LarderProbe.count(through, "flight_hits");
    staleHits = LarderProbe.count(through, "stale_hits");
    staleRefreshes = LarderProbe.count(through, "stale_refreshes");
    warmed = LarderProbe.count(through, "warmup_asked");
    boolean mayHit = !settings.option().contains("larder.verify=1");
    if (checker.counts().anomalies() == 0 && wrongHits == 0 && mayHit) {
      awaitHits(through);
    }
    return new ProofReport(
        settings.seed(),
        Duration.ofNanos(System.nanoTime() - start),
        windows,
        LarderProbe.count(through, "hits"),
        LarderProbe.count(through, "misses"),
        LarderProbe.count(through, "bypasses"),
        arena.faults(),
        checker.counts(),
        checker.anomalies());
  }

  /** Returns how many hits that were verified would have been wrong. */
  long wrongHits() {
    return wrongHits;
  }

  /** Returns how many hits that were verified were right. */
  long verifiedHits() {
    return verifiedHits;
  }

  /** Returns how many hits were of queries that rest on some rows of their tables. */
  long narrowedHits() {
    return narrowedHits;
  }

  /** Returns how many hits were of executions that had waited for another. */
  long flightHits() {
    return flightHits;
  }

  /** Returns how many hits were outdated. */
  long staleHits() {
    return staleHits;
  }

  /** Returns how many of them were replaced in the background. */
  long staleRefreshes() {
    return staleRefreshes;
  }

  /** Returns how many queries were asked in the background. */
  long warmed() {
    return warmed;
  }

  private void closeConnections() throws SQLException {
    for (Connection connection : new Connection[] {through, past}) {
      if (connection != null) {
        connection.close();
      }
    }
  }

  private Arena arena() throws SQLException, IOException {
    CrashingServer server = settings.server();
    return server == null
        ? new Arena(
            settings.focus(), settings.favourite(), settings.option(), settings.pace().pauses())
        : new Arena(server, settings.focus());
  }

  private List<Thread> startClients(Arena arena) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= CLIENTS; i++) {
      HistoryLog log = new HistoryLog(i);
      logs.add(log);
      Client client = new Client(arena, log, i, settings.seed(), settings.pace());
      Thread thread = new Thread(() -> work(client, log), "proof-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return threads;
  }

  private void work(Client client, HistoryLog log) {
    try {
      while (!over) {
        try {
          while (!resting && !log.isNearlyFull()) {
            client.burst(() -> resting);
          }
        } catch (Exception | AssertionError e) {
          failure.compareAndSet(null, e);
          resting = true;
        }
        barrier.await(5, TimeUnit.MINUTES);
        barrier.await(5, TimeUnit.MINUTES);
      }
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    }
  }

  private void windows(Arena arena, HistoryLog own, long start) throws Exception {
    long nextProgress = start + PROGRESS_NANOS;
    while (true) {
      LockSupport.parkNanos(settings.window().toNanos());
      crash(arena);
      resting = true;
      barrier.await(2, TimeUnit.MINUTES);
      if (failure.get() != null) {
        throw new IllegalStateException(
            "seed " + settings.seed() + ": a client has failed", failure.get());
      }
      arena.awaitLost(past);
      LockSupport.parkNanos(settings.staleness().toNanos()); // Nothing outdated is used after it.
      readEverything(own);
      checker.check(logs, ProofSchema.versions(past));
      windows++;
      boolean found =
          settings.untilAnomaly()
              && (checker.counts().anomalies() > 0 || LarderProbe.count(through, "wrong_hits") > 0);
      if (found || isOver(start)) {
        return;
      }
      if (System.nanoTime() > nextProgress) {
        nextProgress += PROGRESS_NANOS;
        progress(through, System.nanoTime() - start);
      }
      arena.choosePopular(popularity);
      resting = false;
      barrier.await(2, TimeUnit.MINUTES);
    }
  }

  private boolean isOver(long start) throws Exception {
    long length = settings.length().toNanos();
    boolean done =
        checker.counts().reads() >= leastReads
            && (counted == null || LarderProbe.count(through, counted) > 0);
    return System.nanoTime() - start > (done ? length : 3 * length);
  }

  /** Stops the server while everybody works, starts it again, and lets them go on for a while. */
  private void crash(Arena arena) throws Exception {
    CrashingServer server = settings.server();
    if (server != null) {
      arena.faulted();
      server.crashAndStart();
      LockSupport.parkNanos(settings.window().toNanos());
      Connection before = through;
      past.close();
      past = arena.connectPast();
      through = arena.connect();
      before.close();
    }
  }

  /** At rest every answer must be the present one: first past the cache, and then through it. */
  private void readEverything(HistoryLog own) throws Exception {
    BitSet asked = WindowChecker.queries(logs);
    for (Query query : Query.ALL) {
      if (query.slots() == 2) {
        read(query, past, own);
      }
    }
    for (Query query : Query.ALL) {
      if (asked.get(query.number())) {
        read(query, through, own);
      }
    }
  }

  private static void read(Query query, Connection connection, HistoryLog own) throws Exception {
    own.beginRead(query.number(), System.nanoTime());
    query.run(connection, own, false);
    own.endRead(System.nanoTime(), false);
  }

  /** After all that happened every query comes to be a hit again: nothing stays uncached. */
  private static void awaitHits(Connection through) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    HistoryLog ignored = new HistoryLog(0);
    for (Query query : Query.ALL) {
      long before;
      do {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              query + " is not cached again: " + LarderProbe.reason(through, query.toString()));
        }
        before = LarderProbe.count(through, "hits");
        read(query, through, ignored);
        ignored.cancelRead();
      } while (LarderProbe.count(through, "hits") == before);
    }
  }

  private void progress(Connection through, long nanos) throws Exception {
    System.out.printf(
        "proof: %d s, %,d reads checked, %,d hits, %,d misses, %,d bypasses, %,d commits, %d anomalies%n",
        TimeUnit.NANOSECONDS.toSeconds(nanos),
        checker.counts().reads(),
        LarderProbe.count(through, "hits"),
        LarderProbe.count(through, "misses"),
        LarderProbe.count(through, "bypasses"),
        checker.counts().commits(),
        checker.counts().anomalies());
  }
}
