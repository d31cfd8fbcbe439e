package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs what a test says in a class path of its own, with another version of the driver. */
public final class OtherDrivers {
  private OtherDrivers() {}

  /** Runs a probe with the driver of a version; a probe takes a URL. */
  public static List<String> with(
      String version, Class<? extends Function<String, List<String>>> probe, String url)
      throws Exception {
    try (URLClassLoader isolated =
        new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader())) {
      return probe(probe, isolated).apply(url);
    }
  }

  /** Runs a probe in a class path that lacks a class which replay needs. */
  public static List<String> without(
      String missing, Class<? extends Function<String, List<String>>> probe, String url)
      throws Exception {
    try (URLClassLoader lacking =
        new URLClassLoader(classPath("42.7.0"), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(missing)) {
              throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
          }
        }) {
      return probe(probe, lacking).apply(url);
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<String, List<String>> probe(Class<?> probe, ClassLoader loader)
      throws ReflectiveOperationException {
    return (Function<String, List<String>>)
        Class.forName(probe.getName(), true, loader).getConstructor().newInstance();
  }

  /** This class path with another driver. */
  private static URL[] classPath(String version) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!Path.of(entry).getFileName().toString().startsWith("postgresql-4")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Path driver = Path.of("target", "drivers", "postgresql-" + version + ".jar");
    assertThat(driver).exists();
    urls.add(driver.toUri().toURL());
    return urls.toArray(new URL[0]);
  }
}
