package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group of Linux whose processes have half a processor, as in a container's limit. */
final class ControlGroup {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final String NAME = "larder-cold-start";

  private ControlGroup() {}

  /**
   * Returns the folder of the group, which is made if it is not there. It stays.
   *
   * @throws IOException if it cannot be made; says what to do
   */
  static Path ofHalfAProcessor() throws IOException {
    boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
    Path group = (second ? ROOT : ROOT.resolve("cpu")).resolve(NAME);
    try {
      if (!Files.exists(group)) {
        Files.createDirectory(group);
      }
      if (second) {
        Files.writeString(group.resolve("cpu.max"), "50000 100000");
      } else {
        Files.writeString(group.resolve("cpu.cfs_period_us"), "100000");
        Files.writeString(group.resolve("cpu.cfs_quota_us"), "50000");
      }
      return group;
    } catch (IOException e) {
      throw new IOException(
          "Half a processor needs a control group of Linux (" + group + "): be root, on Linux.", e);
    }
  }
}
