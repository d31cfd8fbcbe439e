package dev.larder.benchmarks.suite;

import dev.larder.benchmarks.cost.Floods;
import dev.larder.benchmarks.cost.Observing;
import dev.larder.benchmarks.cost.Overheads;
import dev.larder.benchmarks.growth.Connections;
import dev.larder.benchmarks.growth.Growth;
import dev.larder.benchmarks.peers.Peers;
import dev.larder.benchmarks.replay.ColumnTypes;
import dev.larder.benchmarks.replay.ResultShapes;
import dev.larder.benchmarks.shapes.BreakEven;
import dev.larder.benchmarks.shapes.ColdStart;
import dev.larder.benchmarks.shapes.Concurrency;
import dev.larder.benchmarks.shapes.FeedCost;
import dev.larder.benchmarks.shapes.LoadChanges;
import dev.larder.benchmarks.shapes.OutsideWrites;
import dev.larder.benchmarks.shapes.QueryWeights;
import dev.larder.benchmarks.shapes.ShopWrites;
import dev.larder.benchmarks.shapes.Tenants;
import dev.larder.benchmarks.shapes.WarmStart;
import dev.larder.benchmarks.shapes.WarmStartFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The one command: {@code Suite quick|full [experiment ...]}. Each experiment runs in JVMs of its
 * own, all experiments once before any runs again. Readings go to {@code larder.benchmarks.out}
 * ({@code target/suite}) as results.csv and results.json, and so do the figures; {@code Suite draw}
 * draws them again from results.csv. {@code larder.benchmarks.heap} is the heap of each of these
 * JVMs, as behind {@code -Xmx}; without it each experiment says how much it needs.
 */
public final class Suite {
  private static final String STEP = "step ";
  private static final Path OUT =
      Path.of(System.getProperty("larder.benchmarks.out", "target/suite"));

  private Suite() {}

  static List<Experiment> all() {
    return List.of(
        new LockExperiment(),
        new BreakEven(),
        new QueryWeights(),
        new Concurrency(),
        new ShopWrites(),
        new OutsideWrites(),
        new FeedCost(),
        new WarmStart(),
        new WarmStartFile(),
        new ColdStart(),
        new LoadChanges(),
        new Overheads(),
        new Observing(),
        new Tenants(),
        new Floods(),
        new ResultShapes(),
        new ColumnTypes(),
        new Peers(),
        new Growth(),
        new Connections());
  }

  /** Runs what {@code args} name. */
  public static void main(String[] args) throws Exception {
    System.setProperty("java.awt.headless", "true");
    System.setProperty("jmh.ignoreLock", "true");
    Locale.setDefault(Locale.ROOT);
    List<String> words = Arrays.asList(args);
    if (words.equals(List.of("draw"))) {
      Results results = new Results();
      ResultFiles.readCsv(OUT.resolve("results.csv"), results);
      draw(results, Files.readString(OUT.resolve("footnote.txt")));
    } else if (!words.isEmpty() && words.get(0).equals("one")) {
      Plan plan = plan(List.of(words.get(1), words.get(2)));
      one(plan.scale(), plan.experiments().get(0), Path.of(words.get(3)));
    } else {
      System.exit(run(words));
    }
  }

  private static int run(List<String> words) throws Exception {
    Plan plan;
    try {
      plan = plan(words);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return 2;
    }
    return run(plan, System.out) ? 0 : 1;
  }

  /** Returns what {@code words} ask for; throws with the usage where that is nothing. */
  static Plan plan(List<String> words) {
    List<String> scales = List.of("quick", "full");
    List<String> names = all().stream().map(Experiment::name).toList();
    String scale = words.isEmpty() ? "" : words.get(0).toLowerCase(Locale.ROOT);
    List<String> chosen = words.size() > 1 ? words.subList(1, words.size()) : names;
    if (!scales.contains(scale) || !names.containsAll(chosen)) {
      throw new IllegalArgumentException(
          "Usage: Suite quick|full [experiment ...], or Suite draw\nThe experiments are "
              + String.join(", ", names)
              + ".");
    }
    return new Plan(
        Scale.valueOf(scale.toUpperCase(Locale.ROOT)),
        chosen.stream().map(name -> all().get(names.indexOf(name))).toList());
  }

  /** Runs one experiment in this JVM, for the command that has started it. */
  private static void one(Scale scale, Experiment experiment, Path csv) throws Exception {
    Results results = new Results();
    PrintStream out = System.out;
    experiment.run(scale, results, what -> out.println(STEP + what));
    ResultFiles.writeCsv(csv, results.samples());
  }

  private static boolean run(Plan plan, PrintStream out) throws IOException, InterruptedException {
    Files.createDirectories(OUT);
    plan.lines().forEach(out::println);
    Scale scale = plan.scale();
    Map<String, String> machine = Machine.describe(scale);
    Results results = new Results();
    List<String> failed = new ArrayList<>();
    ProgressBar bar = new ProgressBar(out, plan.expected());
    for (int fork = 0; fork < scale.forks(); fork++) {
      for (Experiment experiment : plan.experiments()) {
        if (fork == 0 || !experiment.forksItself()) {
          try {
            run(scale, experiment, results, bar);
          } catch (Exception e) {
            failed.add(experiment.name() + ": " + e.getMessage());
          }
        }
      }
    }
    bar.end();
    machine.put("load at the end", Machine.load());
    String footnote = Machine.footnote(machine);
    ResultFiles.writeCsv(OUT.resolve("results.csv"), results.samples());
    ResultFiles.writeJson(OUT.resolve("results.json"), machine, results);
    Files.writeString(OUT.resolve("footnote.txt"), footnote);
    draw(results, footnote);
    failed.forEach(out::println);
    return failed.isEmpty();
  }

  private static void run(Scale scale, Experiment experiment, Results results, ProgressBar bar)
      throws Exception {
    var step = experiment.expected(scale).dividedBy(experiment.steps(scale));
    if (experiment.forksItself()) {
      experiment.run(scale, results, what -> bar.done(step, what));
    } else {
      Path csv = OUT.resolve(experiment.name() + ".csv");
      fork(scale, experiment, csv, what -> bar.done(step, what));
      ResultFiles.readCsv(csv, results);
    }
  }

  private static void fork(Scale scale, Experiment experiment, Path csv, Progress progress)
      throws IOException, InterruptedException {
    Path errors = OUT.resolve(experiment.name() + ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap(experiment, scale));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("larder.benchmarks."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Suite.class.getName()));
    command.addAll(List.of("one", scale.name(), experiment.name(), csv.toString()));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    Thread ending = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(ending);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(STEP)) {
          progress.step(line.substring(STEP.length()));
        }
      }
    }
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(ending);
    if (status != 0) {
      throw new IOException("failed; see " + errors);
    }
  }

  /** Returns what the property says, or what the experiment asks for. */
  private static String heap(Experiment experiment, Scale scale) {
    return System.getProperty("larder.benchmarks.heap", (experiment.heapBytes(scale) >> 20) + "m");
  }

  private static void draw(Results results, String footnote) throws IOException {
    Figures figures = new Figures(OUT, footnote);
    for (Experiment experiment : all()) {
      experiment.draw(results, figures);
    }
  }
}
