package dev.larder.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
  @TempDir private Path directory;

  @Test
  void readingsSurviveTheFile() throws IOException {
    Results results = new Results();
    results.add("a", "x, simple", "time", "µs", 1.5, "threads", 4, "writes", "NONE");
    results.add("a", "y", "time", "µs", 2e9);
    Path file = directory.resolve("results.csv");

    ResultFiles.writeCsv(file, results.samples());
    Results read = new Results();
    ResultFiles.readCsv(file, read);

    assertThat(read.samples()).isEqualTo(results.samples());
  }

  @Test
  void jsonSaysTheSpreadOfRepetitions() throws IOException {
    Results results = new Results();
    for (double value : new double[] {3, 1, 2, 10}) {
      results.add("a", "x", "time", "µs", value, "threads", 4);
    }
    Path file = directory.resolve("results.json");

    ResultFiles.writeJson(file, Map.of("processors", "2"), results);

    assertThat(Files.readString(file))
        .contains("\"processors\": \"2\"", "\"median\": 2.5, \"min\": 1.0, \"max\": 10.0")
        .contains("\"count\": 4", "\"threads\": \"4\"");
    assertThat(results.line("a", "x", "time", "threads", factors -> true))
        .isEqualTo(List.of(new Results.Point(4, new Spread(2.5, 1, 10, 4))));
  }
}
