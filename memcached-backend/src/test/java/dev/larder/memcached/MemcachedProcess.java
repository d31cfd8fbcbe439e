package dev.larder.memcached;

import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A process of the memcached on the PATH. */
final class MemcachedProcess implements RunningMemcached {
  private final List<String> command;
  private final Process process;

  private MemcachedProcess(List<String> command, Process process) {
    this.command = command;
    this.process = process;
  }

  /** Starts one that will answer on {@code port} of the loopback interface. */
  static MemcachedProcess start(int port, List<String> options) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Program.MEMCACHED.path().toString(), "-l", "127.0.0.1", "-U", "0"));
    command.addAll(List.of("-p", Integer.toString(port), "-u", System.getProperty("user.name")));
    command.addAll(options);
    return new MemcachedProcess(
        command,
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void suspend() throws Exception {
    signal("-STOP");
    // Each thread stops when it is its turn.
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    Waiting.until("memcached is stopped", () -> isStopped(threads));
  }

  private static boolean isStopped(Path threads) throws IOException {
    if (!Files.exists(threads)) {
      return true; // Nobody tells on this system.
    }
    try (Stream<Path> all = Files.list(threads)) {
      for (Path thread : all.toList()) {
        String line = Files.readString(thread.resolve("stat"));
        if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public void resume() throws Exception {
    signal("-CONT");
  }

  private void signal(String name) throws Exception {
    int result = new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
    if (result != 0) {
      throw new AssertionError("kill " + name + " failed");
    }
  }

  @Override
  public String toString() {
    return "memcached starts: " + String.join(" ", command);
  }
}
