package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Shop} that somebody else writes than Larder: four connections read through a cache, and
 * the driver alone writes single rows at a steady rate. With the change feed, and with results that
 * live 5 s; and with memcached, where the writer uses Larder, as it must.
 */
public final class OutsideWrites implements Experiment {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final String NAME = "outside-writes";
  private static final ShopReadings READINGS =
      new ShopReadings(
          NAME,
          "A shop read by "
              + ShopReadings.READERS
              + " connections, while somebody else writes rows of it by key");
  private static final String FEED = "Larder, change feed";
  private static final String FIVE_SECONDS = "Larder, 5 s";
  private static final int CONNECTIONS = 100;
  private static final List<Integer> RATES = List.of(0, 65, 1_000);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** A reading way, and the one that writes. */
  private record Ways(Variant reading, Variant writing) {
    String label() {
      return reading.label();
    }
  }

  /** For the command. */
  public OutsideWrites() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(20L + steps(scale) * scale.of(3L, 6L));
  }

  @Override
  public int steps(Scale scale) {
    return rates(scale).size() * 4 * rounds(scale);
  }

  private static List<Integer> rates(Scale scale) {
    return scale.of(List.of(0, 65), RATES);
  }

  private static int rounds(Scale scale) {
    return scale.of(1, 2);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = Servers.withLogicalLog(CONNECTIONS)) {
      Postgres postgres = servers.postgres();
      Shop.create(postgres);
      postgres.execute("CREATE PUBLICATION larder FOR ALL TABLES");
      servers.withLarderMemcached(NAME);
      List<Ways> all = ways(servers);
      for (Ways ways : all) {
        READINGS.warmUp(ways.reading());
      }
      for (int round = 0; round < rounds(scale); round++) {
        for (int rate : rates(scale)) {
          for (Ways ways : all) {
            READINGS.take(
                results,
                ways.reading(),
                ways.writing(),
                rate,
                2 * SECOND,
                scale.of(SECOND, 4 * SECOND));
            progress.step(NAME + ": " + ways.label() + ", " + rate + " writes a second");
          }
        }
      }
    }
  }

  private static List<Ways> ways(Servers servers) {
    Postgres postgres = servers.postgres();
    Variant direct = new Variant(Servers.DIRECT, postgres::direct);
    Variant feed =
        new Variant(FEED, () -> awaitLive(postgres.larderOf("feed", "any", "&larder.feed=wal")));
    Variant brief = new Variant(FIVE_SECONDS, () -> postgres.larderOf("brief", "any", ""));
    return servers.variants().stream()
        .filter(variant -> variant.label().equals(Servers.LARDER_MEMCACHED))
        .findAny()
        .map(
            shared ->
                List.of(
                    new Ways(direct, direct),
                    new Ways(feed, direct),
                    new Ways(brief, direct),
                    new Ways(shared, shared)))
        .orElse(List.of(new Ways(direct, direct), new Ways(feed, direct), new Ways(brief, direct)));
  }

  private static Connection awaitLive(Connection connection) throws SQLException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW larder.feed")) {
        row.next();
        if (row.getString("state").equals("live")) {
          return connection;
        }
      }
    }
    throw new SQLException("The feed was not live within a minute.");
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    READINGS.draw(results, figures);
  }
}
