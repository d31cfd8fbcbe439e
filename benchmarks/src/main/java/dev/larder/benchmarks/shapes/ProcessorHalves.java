package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One half of the processors for this JVM and the other for the server, as if that were another
 * machine: neither has its code and data driven out of a processor's caches by the other. By {@code
 * taskset} of util-linux. For one thread at a time.
 */
public final class ProcessorHalves {
  private static final long OWN = ProcessHandle.current().pid();

  private ProcessorHalves() {}

  /** Something to do. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    void run() throws Exception;
  }

  /** Returns whether there are two processors at least, and a command to choose among them. */
  public static boolean arePossible() throws InterruptedException {
    try {
      return processors().size() > 1;
    } catch (IOException e) {
      return false; // Another system.
    }
  }

  /**
   * Does {@code work} while the two are parted; afterwards this JVM has all processors again.
   *
   * @param server the pids of those of its processes that serve connections
   */
  public static void during(List<Long> server, Work work) throws Exception {
    List<Integer> all = processors();
    int half = all.size() / 2;
    try {
      for (long pid : server) {
        pin(pid, all.subList(0, half));
      }
      pin(OWN, all.subList(half, all.size()));
      work.run();
    } finally {
      pin(OWN, all);
    }
  }

  private static List<Integer> processors() throws IOException, InterruptedException {
    // pid 1's current affinity list: 0-3,8
    String line = Command.run(List.of("taskset", "-cp", Long.toString(OWN))).get(0);
    return parse(line.substring(line.lastIndexOf(' ') + 1));
  }

  /** Returns the numbers that a list such as {@code 0-3,8} names. */
  static List<Integer> parse(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  private static void pin(long pid, List<Integer> processors)
      throws IOException, InterruptedException {
    String list = String.join(",", processors.stream().map(String::valueOf).toList());
    Command.run(List.of("taskset", "-acp", list, Long.toString(pid)));
  }
}
