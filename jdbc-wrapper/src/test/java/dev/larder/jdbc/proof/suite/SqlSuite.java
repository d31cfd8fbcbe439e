package dev.larder.jdbc.proof.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of SQL files for psql, such as PostgreSQL's own regression tests: in the order of the
 * {@code parallel_schedule} beside the folder, where there is one, or of their names.
 */
final class SqlSuite {
  private final Path folder;
  private final Path output;
  private final long pastLarder;

  /**
   * @param output where differences and bypasses are listed
   * @param pastLarder each of so many writes goes past Larder; 0 for none
   */
  SqlSuite(Path folder, Path output, long pastLarder) {
    this.folder = folder.toAbsolutePath().normalize();
    this.output = output;
    this.pastLarder = pastLarder;
  }

  /** Runs all files whose names match {@code pattern}, and prints a line for each. */
  SuiteCounts run(String pattern) throws IOException, SQLException {
    SuiteCounts total = new SuiteCounts();
    Path temporary = Files.createTempDirectory("larder-suite");
    try (SuiteServer first = SuiteServer.start(temporary.resolve("1"), folder);
        SuiteServer second = SuiteServer.start(temporary.resolve("2"), folder);
        SuiteServer third = SuiteServer.start(temporary.resolve("3"), folder);
        Findings findings = new Findings(output)) {
      CachedSide cached = new CachedSide(third);
      List<Side> sides = List.of(new Side(first), new Side(second), cached);
      for (String file : files()) {
        if (file.matches(pattern)) {
          SuiteCounts counts = new SuiteCounts();
          StatementRun statements =
              new StatementRun(sides.get(0), sides.get(1), cached, counts, findings, pastLarder);
          sides.forEach(side -> side.variables.clear());
          cached.use(file);
          new FileRun(file, read(file), sides, statements, counts).run();
          System.out.println(counts.line(file));
          total.add(counts);
        }
      }
      for (Side side : sides) {
        side.close();
      }
      cached.end();
    }
    return total;
  }

  private String read(String file) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(file + ".sql"));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<String> files() throws IOException {
    Path schedule = folder.resolveSibling("parallel_schedule");
    if (!Files.exists(schedule)) {
      try (Stream<Path> all = Files.list(folder)) {
        return all.map(path -> path.getFileName().toString())
            .filter(name -> name.endsWith(".sql"))
            .map(name -> name.substring(0, name.length() - 4))
            .sorted()
            .toList();
      }
    }
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(schedule)) {
      if (line.startsWith("test:")) {
        names.addAll(List.of(line.substring(5).strip().split("\\s+")));
      }
    }
    return names;
  }
}
