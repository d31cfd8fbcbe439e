package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command of the operating system. Stateless. */
final class Command {
  private Command() {}

  /**
   * Runs {@code command} to its end and returns the lines that it prints.
   *
   * @throws IOException if there is no such command, or if it fails
   */
  static List<String> run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(command.get(0) + " has ended with status " + status);
    }
    return output.lines().toList();
  }
}
