package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The processor time that an application takes in its first seconds, with and without Larder: with
 * all processors, with one, and with half of one as a container's limit gives it. The two take
 * turns.
 */
public final class ColdStart implements Experiment {
  private static final String NAME = "cold-start";
  private static final String PROCESSOR = "processor";
  private static final String DONE = "statements";
  private static final String SECONDS = "seconds";
  private static final String LIMIT = "limit";

  /** What an application may have of the machine. */
  private enum Limit {
    ALL("all processors", "all", 15, 2_000) {
      @Override
      List<String> command() {
        return List.of();
      }
    },
    ONE("one processor", "one", 15, 1_000) {
      @Override
      List<String> command() {
        return List.of("taskset", "-c", "0");
      }
    },
    HALF("half a processor", "half", 30, 300) {
      @Override
      List<String> command() throws IOException {
        Path group = ControlGroup.ofHalfAProcessor();
        String join = "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"";
        return List.of("sh", "-c", join, "sh");
      }
    };

    private final String label;
    private final String word;
    private final int seconds;
    private final int rate;

    Limit(String label, String word, int seconds, int rate) {
      this.label = label;
      this.word = word;
      this.seconds = seconds;
      this.rate = rate;
    }

    int seconds(Scale scale) {
      return scale.of(5, seconds);
    }

    /** Returns what stands before the command of an application that has no more. */
    abstract List<String> command() throws IOException;
  }

  /** For the command. */
  public ColdStart() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    long seconds = limits(scale).stream().mapToLong(limit -> limit.seconds(scale) + 2).sum();
    return Duration.ofSeconds(10 + rounds(scale) * 2 * seconds);
  }

  @Override
  public int steps(Scale scale) {
    return (int) rounds(scale) * limits(scale).size();
  }

  /** It starts the JVMs that it measures. */
  @Override
  public boolean forksItself() {
    return true;
  }

  private static long rounds(Scale scale) {
    return scale.of(1L, 3L);
  }

  private static List<Limit> limits(Scale scale) {
    return scale.of(List.of(Limit.ALL), List.of(Limit.values()));
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      for (int round = 0; round < rounds(scale); round++) {
        for (Limit limit : limits(scale)) {
          boolean larderFirst = round % 2 == 1;
          measure(limit, scale, postgres, larderFirst, results);
          measure(limit, scale, postgres, !larderFirst, results);
          progress.step(NAME + ": " + limit.label);
        }
      }
    }
  }

  private static void measure(
      Limit limit, Scale scale, Postgres postgres, boolean larder, Results results)
      throws IOException, InterruptedException, SQLException {
    String url = larder ? postgres.larderUrl(NAME) : postgres.url();
    String variant = larder ? Servers.LARDER : Servers.DIRECT;
    List<ColdClient.Second> seconds =
        ColdClient.run(limit.command(), url, limit.seconds(scale), limit.rate);
    for (int i = 0; i < seconds.size(); i++) {
      ColdClient.Second second = seconds.get(i);
      double millis = (double) second.processorMillis();
      results.add(NAME, variant, PROCESSOR, "s", millis / 1e3, SECONDS, i + 1, LIMIT, limit.word);
      results.add(
          NAME,
          variant,
          DONE,
          "1",
          (double) second.statements(),
          SECONDS,
          i + 1,
          LIMIT,
          limit.word);
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    for (Limit limit : Limit.values()) {
      int seconds = line(results, Servers.DIRECT, PROCESSOR, limit).size();
      if (seconds == 0) {
        continue; // Of the quick suite, which has one limit only.
      }
      LineFigure figure =
          figures
              .lines(
                  NAME + '-' + limit.word,
                  String.format(
                      Locale.ROOT,
                      "The first %d seconds with %s, %,d statements a second",
                      seconds,
                      limit.label,
                      limit.rate),
                  "seconds since the JVM began",
                  "seconds of processor that the JVM has taken")
              .fromZeroX();
      for (String variant : List.of(Servers.DIRECT, Servers.LARDER)) {
        figure.line(
            variant + done(results, variant, limit), line(results, variant, PROCESSOR, limit));
      }
      figure.save();
    }
  }

  private static String done(Results results, String variant, Limit limit) {
    List<Results.Point> done = line(results, variant, DONE, limit);
    double last = done.isEmpty() ? 0 : done.get(done.size() - 1).y().median();
    return String.format(Locale.ROOT, " (%,d statements done)", Math.round(last));
  }

  private static List<Results.Point> line(
      Results results, String variant, String metric, Limit limit) {
    return results.line(
        NAME, variant, metric, SECONDS, factors -> limit.word.equals(factors.get(LIMIT)));
  }
}
