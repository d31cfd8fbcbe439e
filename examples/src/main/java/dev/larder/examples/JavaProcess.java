package dev.larder.examples;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Another JVM with the class path of this one. */
public final class JavaProcess {
  private JavaProcess() {}

  /** Starts {@code main}; what it says to its standard error is lost. */
  public static Process start(Class<?> main, String... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /** Starts {@code main} with options of the JVM, as {@link #start(Class, String...)}. */
  public static Process start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-Xmx128m", "-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** That of this process, be it Maven's. */
  private static String classPath() {
    if (JavaProcess.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::toString)
          .map(url -> Path.of(URI.create(url)).toString())
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }
}
