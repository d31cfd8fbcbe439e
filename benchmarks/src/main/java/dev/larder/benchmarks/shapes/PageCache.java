package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The operating system's page cache of some files, by the tools of Linux: {@code sync} and {@code
 * dd} of coreutils, {@code fincore} of util-linux. No rights are needed beyond those of reading the
 * files, and no other files are concerned. Stateless.
 */
final class PageCache {
  private PageCache() {}

  /**
   * Takes {@code files} out of the page cache, if it can.
   *
   * @return the share of their bytes that is in it afterwards, 0 to 1; 1 where nobody can tell
   */
  static double drop(List<Path> files) throws InterruptedException {
    try {
      Command.run(command(files, "sync")); // What is not written yet cannot be dropped.
      for (Path file : files) {
        Command.run(List.of("dd", "if=" + file, "of=/dev/null", "iflag=nocache", "count=0"));
      }
      return resident(
          Command.run(command(files, "fincore", "--bytes", "--noheadings", "-o", "RES,SIZE")));
    } catch (IOException e) {
      return 1;
    }
  }

  private static List<String> command(List<Path> files, String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    files.forEach(file -> command.add(file.toString()));
    return command;
  }

  /** Returns the sum of the first numbers of {@code lines} divided by that of the second ones. */
  static double resident(List<String> lines) {
    long resident = 0;
    long all = 0;
    for (String line : lines) {
      String[] numbers = line.strip().split(" +", -1);
      resident += Long.parseLong(numbers[0]);
      all += Long.parseLong(numbers[1]);
    }
    return all == 0 ? 1 : resident / (double) all;
  }
}
