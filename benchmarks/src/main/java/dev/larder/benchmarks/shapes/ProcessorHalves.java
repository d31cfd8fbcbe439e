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
  private static final int ATTEMPTS = 5;
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
    } catch (IOException | NumberFormatException e) {
      return false; // Another system.
    }
  }

  /**
   * Does {@code work} while the two are parted; afterwards both have all processors again.
   *
   * @param server the process whose children all others of the server are
   */
  public static void during(ProcessHandle server, Work work) throws Exception {
    List<Integer> all = processors();
    int half = all.size() / 2;
    try {
      pinServer(server, all.subList(0, half));
      pin(OWN, all.subList(half, all.size()));
      work.run();
    } finally {
      pin(OWN, all);
      pinServer(server, all);
    }
  }

  /** New children have the processors of their parent. */
  private static void pinServer(ProcessHandle server, List<Integer> processors)
      throws IOException, InterruptedException {
    pin(server.pid(), processors);
    for (ProcessHandle child : server.children().toList()) {
      pin(child.pid(), processors);
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

  /** Tries again where a thread or a process ends meanwhile. */
  private static void pin(long pid, List<Integer> processors)
      throws IOException, InterruptedException {
    String list = String.join(",", processors.stream().map(String::valueOf).toList());
    for (int attempt = 1; ; attempt++) {
      try {
        Command.run(List.of("taskset", "-acp", list, Long.toString(pid)));
        return;
      } catch (IOException e) {
        if (ProcessHandle.of(pid).isEmpty()) {
          return;
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
