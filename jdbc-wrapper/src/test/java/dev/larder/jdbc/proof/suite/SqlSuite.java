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
 * Folders of SQL files for psql, such as PostgreSQL's own regression tests, and the three servers
 * that they run on. The files go in the order of the {@code parallel_schedule} beside the folder,
 * where there is one, or of their names.
 */
final class SqlSuite implements AutoCloseable {
  private final List<SuiteServer> servers = new ArrayList<>();

  /** Starts the servers. */
  SqlSuite() throws IOException {
    Path temporary = Files.createTempDirectory("larder-suite");
    for (int i = 0; i < 3; i++) {
      servers.add(SuiteServer.start(temporary.resolve(String.valueOf(i))));
    }
  }

  /**
   * Runs the files of {@code folder} in databases that are new, and prints a line for each file.
   *
   * @param pattern of the names of the files to run
   * @param output where differences and bypasses are listed
   * @param pastLarder each of so many writes goes past Larder; 0 for none
   */
  SuiteCounts run(Path folder, String pattern, Path output, long pastLarder)
      throws IOException, SQLException {
    SuiteCounts total = new SuiteCounts();
    Path scripts = folder.toAbsolutePath().normalize();
    for (SuiteServer server : servers) {
      server.prepare(scripts);
    }
    try (Side bare = new Side(servers.get(0));
        Side twin = new Side(servers.get(1));
        CachedSide cached = new CachedSide(servers.get(2));
        Findings findings = new Findings(output)) {
      for (String file : files(scripts)) {
        if (file.matches(pattern)) {
          SuiteCounts counts = new SuiteCounts();
          cached.use(file);
          StatementRun statements =
              new StatementRun(bare, twin, cached, counts, findings, pastLarder);
          List<Side> sides = List.of(bare, twin, cached);
          new FileRun(file, read(scripts, file), sides, statements, counts).run();
          System.out.println(counts.line(file));
          total.add(counts);
        }
      }
    }
    return total;
  }

  @Override
  public void close() throws IOException {
    for (SuiteServer server : servers) {
      server.close();
    }
  }

  private static String read(Path folder, String file) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(file + ".sql"));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> files(Path folder) throws IOException {
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
