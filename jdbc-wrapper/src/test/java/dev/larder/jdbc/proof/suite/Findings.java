package dev.larder.jdbc.proof.suite;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two files with what was found: {@code differences.txt} and {@code bypasses.txt}. */
final class Findings implements AutoCloseable {
  private final PrintWriter differences;
  private final PrintWriter bypasses;

  Findings(Path directory) throws IOException {
    Files.createDirectories(directory);
    differences = new PrintWriter(Files.newBufferedWriter(directory.resolve("differences.txt")));
    bypasses = new PrintWriter(Files.newBufferedWriter(directory.resolve("bypasses.txt")));
  }

  /** Notes that {@code larder} is not what {@code server} says. */
  void difference(String kind, String place, String sql, Answer server, Answer larder) {
    differences.printf(
        "%s %s: %s%n  server: %s%n  larder: %s%n",
        kind, place, sql.strip(), server.beginning(), larder.beginning());
    differences.flush();
  }

  /** Notes that a query was not cached. */
  void bypass(String reason, String place, String sql) {
    bypasses.printf("%s\t%s\t%s%n", reason, place, sql.strip().replaceAll("\\s+", " "));
  }

  @Override
  public void close() {
    differences.close();
    bypasses.close();
  }
}
