package dev.larder.benchmarks.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmStartTest {
  private final WarmStart experiment = new WarmStart();

  /** Returns two runs of two seconds of 700 and 900 lookups a second, after a tenth without any. */
  private Results readings(double resident) {
    Results results = new Results();
    for (int run = 0; run < 2; run++) {
      results.add(experiment.name(), "no cache", "resident", "share", resident, "rows", 1_000);
      for (int tenth = 1; tenth <= 20; tenth++) {
        double perSecond = tenth == 1 ? 0 : run == 0 ? 700 : 900;
        results.add(
            experiment.name(),
            "no cache",
            "throughput",
            "1/s",
            perSecond,
            "seconds",
            tenth / 10.0,
            "rows",
            1_000);
      }
    }
    return results;
  }

  private List<Results.Point> line() {
    return readings(0)
        .line(experiment.name(), "no cache", "throughput", "seconds", factors -> true);
  }

  @Test
  void theFirstSecondIsTheSumOfItsTenths() {
    assertThat(line()).hasSize(20);
    assertThat(WarmStart.inFirstSecond(line())).isEqualTo(720);
  }

  @Test
  void theLineBeginsWithTheFirstLookup() {
    List<Results.Point> drawn = WarmStart.answered(line());

    assertThat(drawn).hasSize(19);
    assertThat(drawn.get(0)).isEqualTo(new Results.Point(0.2, new Spread(800, 700, 900, 2)));
  }

  @Test
  void oneRunFromThePageCacheMakesTheFigureAWarmOne() {
    Results results = readings(0.01);
    assertThat(WarmStart.isCold(results)).isTrue();

    readings(0.5).samples().forEach(results::add);
    assertThat(WarmStart.isCold(results)).isFalse();
  }

  @Test
  void eachRunIsShort() {
    assertThat(experiment.expected(Scale.QUICK)).isLessThan(Duration.ofSeconds(60));
    assertThat(experiment.expected(Scale.FULL)).isLessThan(Duration.ofMinutes(5));
  }
}
