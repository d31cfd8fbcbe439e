package dev.larder.benchmarks.peers;

import dev.larder.benchmarks.shapes.Crew;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Variant;
import dev.larder.benchmarks.suite.BarFigure;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.RowSetProvider;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One point lookup, the same 1,000 rows, one machine: with no cache, with the product, and with
 * what a user would pick instead. The variants take turns. Every one answers from its cache, but
 * for the first: the balances are compared before, and the keys asked for once.
 */
public final class Peers implements Experiment {
  static final String SQL = "SELECT abalance FROM account WHERE aid = ?";

  private static final String NAME = "peers";
  private static final String TIME = "time";
  private static final int KEYS = 1_000;
  private static final int MOST_THREADS = 8;

  /** What {@link Servers#postgres} fills the column with. */
  private static final int BALANCE_OF_A_KEY = 7;

  /** Reads the balance of a key. */
  @FunctionalInterface
  private interface Lookup {
    int balance(Connection connection, int id) throws SQLException;
  }

  private record Peer(String label, Variant variant, Lookup lookup) {}

  /** For the command. */
  public Peers() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(20 + steps(scale) * scale.of(4L, 20L));
  }

  @Override
  public int steps(Scale scale) {
    return threads().size() * rounds(scale);
  }

  private static List<Integer> threads() {
    return List.of(1, MOST_THREADS);
  }

  private static int rounds(Scale scale) {
    return scale.of(3, 5);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      servers.postgres().createAccounts();
      servers.withLarderMemcached(NAME).withLarder(NAME).withPgpool(true);
      Variant direct = servers.variants().get(0);
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(servers.postgres().url());
      try (HibernateLookup hibernate = new HibernateLookup(servers.postgres().url(), MOST_THREADS);
          SpringLookup spring = new SpringLookup(source);
          AwsCache aws =
              AwsCache.isInstalled()
                  ? AwsCache.start(servers.postgres().url(), MOST_THREADS)
                  : null) {
        List<Peer> peers = new ArrayList<>();
        for (Variant variant : servers.variants()) {
          peers.add(new Peer(variant.label(), variant, (c, id) -> lookUp(c, SQL, id)));
        }
        peers.add(new Peer("Hibernate query cache", direct, (c, id) -> hibernate.balance(id)));
        peers.add(new Peer("Spring @Cacheable", direct, (c, id) -> spring.balance(id)));
        Map<Integer, CachedRowSet> kept = rowSets(direct);
        peers.add(new Peer("CachedRowSet copy", direct, (c, id) -> copied(kept, id)));
        if (aws != null) {
          String hinted = AwsCache.hinted(SQL);
          peers.add(new Peer(AwsCache.LABEL, aws.variant(), (c, id) -> lookUp(c, hinted, id)));
        }
        for (int threads : threads()) {
          measure(peers, threads, scale, results, progress);
        }
        if (aws != null && aws.hits() < KEYS) {
          throw new SQLException("Redis found something " + aws.hits() + " times only.");
        }
      }
    }
  }

  private static Map<Integer, CachedRowSet> rowSets(Variant direct) throws SQLException {
    Map<Integer, CachedRowSet> kept = new HashMap<>();
    try (Connection connection = direct.source().connect();
        PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (int id = 1; id <= KEYS; id++) {
        statement.setInt(1, id);
        try (ResultSet rows = statement.executeQuery()) {
          CachedRowSet copy = RowSetProvider.newFactory().createCachedRowSet();
          copy.populate(rows);
          kept.put(id, copy);
        }
      }
    }
    return kept;
  }

  private static int copied(Map<Integer, CachedRowSet> kept, int id) throws SQLException {
    CachedRowSet original = kept.get(id);
    if (original == null) {
      throw new SQLException("There is no row set of " + id);
    }
    CachedRowSet copy = original.createCopy();
    copy.next();
    return copy.getInt(1);
  }

  private static int lookUp(Connection connection, String sql, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static void measure(
      List<Peer> peers, int threads, Scale scale, Results results, Progress progress)
      throws Exception {
    Map<Peer, Crew> crews = new LinkedHashMap<>();
    try {
      for (Peer peer : peers) {
        Crew crew = new Crew(peer.variant, threads);
        crews.put(peer, crew);
        crew.run((connection, thread) -> askForEverything(peer, connection));
        crew.run((connection, thread) -> read(peer, connection, scale.of(300L, 2_000L)));
      }
      for (int round = 0; round < rounds(scale); round++) {
        for (Map.Entry<Peer, Crew> entry : crews.entrySet()) {
          Peer peer = entry.getKey();
          Crew.Done done =
              entry
                  .getValue()
                  .run((connection, thread) -> read(peer, connection, scale.of(300L, 1_000L)));
          double micros = threads * 1e6 / done.perSecond();
          results.add(NAME, peer.label, TIME, "µs", micros, "threads", threads);
        }
        progress.step(NAME + ": round " + round + " of " + threads + " threads");
      }
    } finally {
      for (Crew crew : crews.values()) {
        crew.close();
      }
    }
  }

  private static long askForEverything(Peer peer, Connection connection) throws SQLException {
    for (int id = 1; id <= KEYS; id++) {
      int balance = peer.lookup.balance(connection, id);
      if (balance != id * BALANCE_OF_A_KEY) {
        throw new SQLException(peer.label + " says " + balance + " of " + id);
      }
    }
    return KEYS;
  }

  private static long read(Peer peer, Connection connection, long millis) throws SQLException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long start = System.nanoTime();
    long lookups = 0;
    long sum = 0;
    while (System.nanoTime() - start < nanos) {
      sum += peer.lookup.balance(connection, random.nextInt(KEYS) + 1);
      lookups++;
    }
    if (sum == 0) {
      throw new SQLException("Nothing was read.");
    }
    return lookups;
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures.bars(NAME, "Point lookup of 1,000 hot keys, latency as a thread sees it", "µs");
    for (int threads : threads()) {
      for (String variant : results.variants(NAME)) {
        List<Double> times =
            results.values(NAME, variant, TIME, "threads", Integer.toString(threads));
        if (!times.isEmpty()) {
          figure.bar(
              threads + (threads == 1 ? " thread" : " threads"),
              variant,
              Spread.of(times).median());
        }
      }
    }
    figure.save();
  }
}
