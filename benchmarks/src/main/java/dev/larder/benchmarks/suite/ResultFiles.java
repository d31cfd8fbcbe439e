package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Readings as CSV, one a line, and as JSON, with their spread and the machine. Stateless. */
final class ResultFiles {
  private static final String HEADER = "experiment,variant,factors,metric,unit,value";

  private ResultFiles() {}

  static void writeCsv(Path file, List<Sample> samples) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(HEADER + "\n");
      for (Sample sample : samples) {
        String factors =
            sample.factors().entrySet().stream()
                .map(factor -> factor.getKey() + "=" + factor.getValue())
                .collect(Collectors.joining(";"));
        out.write(
            String.join(
                    ",",
                    quote(sample.experiment()),
                    quote(sample.variant()),
                    quote(factors),
                    quote(sample.metric()),
                    quote(sample.unit()),
                    Double.toString(sample.value()))
                + "\n");
      }
    }
  }

  static void readCsv(Path file, Results results) throws IOException {
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.substring(1).split("\",\"?", -1);
      SortedMap<String, String> factors = new TreeMap<>();
      for (String factor : cells[2].split(";", -1)) {
        if (!factor.isEmpty()) {
          int at = factor.indexOf('=');
          factors.put(factor.substring(0, at), factor.substring(at + 1));
        }
      }
      results.add(
          new Sample(
              cells[0], cells[1], factors, cells[3], cells[4], Double.parseDouble(cells[5])));
    }
  }

  static void writeJson(Path file, Map<String, String> machine, Results results)
      throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("{\n  \"machine\": " + object(machine) + ",\n  \"readings\": [");
      String separator = "\n";
      for (Map.Entry<Sample.Key, Spread> entry : results.spreads().entrySet()) {
        Sample.Key key = entry.getKey();
        Spread spread = entry.getValue();
        out.write(separator);
        out.write(
            "    {\"experiment\": "
                + quote(key.experiment())
                + ", \"variant\": "
                + quote(key.variant())
                + ", \"factors\": "
                + object(key.factors())
                + ", \"metric\": "
                + quote(key.metric())
                + ", \"unit\": "
                + quote(key.unit())
                + ", \"median\": "
                + spread.median()
                + ", \"min\": "
                + spread.min()
                + ", \"max\": "
                + spread.max()
                + ", \"count\": "
                + spread.count()
                + "}");
        separator = ",\n";
      }
      out.write("\n  ]\n}\n");
    }
  }

  private static String object(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> quote(member.getKey()) + ": " + quote(member.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** None of our texts has a character that JSON and CSV quote differently. */
  private static String quote(String text) {
    if (text.chars().anyMatch(c -> c == '"' || c == '\\' || c < ' ')) {
      throw new IllegalArgumentException("A name must not need escapes: " + text);
    }
    return '"' + text + '"';
  }
}
