package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a run must say about where it ran. Stateless. */
public final class Machine {
  private Machine() {}

  /** Returns processor, memory, load and versions by name; what cannot be found out is left out. */
  static Map<String, String> describe(Scale scale) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("time", Instant.now().toString());
    facts.put("scale", scale.name().toLowerCase(Locale.ROOT));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    first("/proc/cpuinfo", "model name", facts, "processor");
    first("/proc/meminfo", "MemTotal", facts, "memory");
    facts.put("load at the start", load());
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("pgjdbc", driverVersion());
    version(facts, "pgpool-II", "pgpool", "--version");
    version(facts, "memcached", "memcached", "-V");
    return facts;
  }

  /** Returns the bytes of memory, or what the JVM may use where that cannot be found out. */
  public static long memoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Runtime.getRuntime().maxMemory();
  }

  /** Returns the load average of the last minute. */
  static String load() {
    return String.format(
        Locale.ROOT, "%.1f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Returns what a figure says about its machine. */
  static String footnote(Map<String, String> facts) {
    return String.format(
        "%s cores, load %s to %s, Java %s, pgjdbc %s, %s",
        facts.get("processors"),
        facts.get("load at the start"),
        facts.get("load at the end"),
        Runtime.version().feature(),
        facts.get("pgjdbc"),
        facts.get("scale"));
  }

  private static String driverVersion() {
    try {
      Class<?> info = Class.forName("org.postgresql.util.DriverInfo");
      return String.valueOf(info.getField("DRIVER_VERSION").get(null));
    } catch (ReflectiveOperationException e) {
      return "of unknown version";
    }
  }

  private static void first(String file, String line, Map<String, String> facts, String name) {
    try {
      Files.readAllLines(Path.of(file)).stream()
          .filter(text -> text.startsWith(line))
          .findFirst()
          .ifPresent(text -> facts.put(name, text.substring(text.indexOf(':') + 1).strip()));
    } catch (IOException e) {
      facts.remove(name); // Another system: there is no such file.
    }
  }

  private static void version(Map<String, String> facts, String name, String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor(5, TimeUnit.SECONDS) && !output.isEmpty()) {
        facts.put(name, output.lines().findFirst().orElse(""));
      }
    } catch (IOException e) {
      facts.put(name, "not installed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
