package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Shop} that is written while it is read: four connections read, one writes single rows by
 * their keys at a steady rate.
 */
public final class ShopWrites implements Experiment {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final String NAME = "writes";
  private static final ShopReadings READINGS =
      new ShopReadings(
          NAME,
          "A shop read by "
              + ShopReadings.READERS
              + " connections, while single rows of it are written by key");
  private static final String BY_KEY = "Larder, by key";
  private static final String BY_TABLE = "Larder, by table";
  private static final List<Integer> RATES = List.of(0, 1, 10, 65, 300, 1_000);

  /** For the command. */
  public ShopWrites() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(12L + steps(scale) * scale.of(2L, 4L));
  }

  @Override
  public int steps(Scale scale) {
    return rates(scale).size() * 3 * rounds(scale);
  }

  private static List<Integer> rates(Scale scale) {
    return scale.of(List.of(0, 65), RATES);
  }

  private static int rounds(Scale scale) {
    return scale.of(1, 3);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      Shop.create(postgres);
      postgres.awaitCatalog();
      List<Variant> variants =
          List.of(
              new Variant(Servers.DIRECT, postgres::direct),
              larder(postgres, BY_KEY, "key"),
              larder(postgres, BY_TABLE, "table"));
      for (Variant variant : variants) {
        READINGS.warmUp(variant);
      }
      for (int round = 0; round < rounds(scale); round++) {
        for (int rate : rates(scale)) {
          for (Variant variant : variants) {
            READINGS.take(results, variant, variant, rate, SECOND, scale.of(SECOND, 3 * SECOND));
            progress.step(NAME + ": " + variant.label() + ", " + rate + " writes a second");
          }
        }
      }
    }
  }

  private static Variant larder(Postgres postgres, String label, String invalidation) {
    String parameters = "&larder.maxBytes=1GB&larder.invalidation=" + invalidation;
    return new Variant(label, () -> postgres.larder("by-" + invalidation, parameters));
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    READINGS.draw(results, figures);
  }
}
