package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A modular application needs to require no more than {@code dev.larder.jdbc}. */
class ModulePathTest {
  private static final List<String> PARTS =
      List.of("caffeine", "jsqlparser", "jspecify", "postgresql-4", "error_prone_annotations");

  private static final String MODULE =
      "module app { requires dev.larder.jdbc; requires java.management; }";

  private static final String MAIN =
      """
      package app;

      import java.lang.management.ManagementFactory;
      import java.sql.*;
      import javax.management.ObjectName;

      public class Main {
        public static void main(String[] arguments) throws Exception {
          try (Connection connection = DriverManager.getConnection(arguments[0]);
              Statement statement = connection.createStatement()) {
            var server = ManagementFactory.getPlatformMBeanServer();
            ObjectName bean = server.queryNames(new ObjectName("dev.larder:*"), null).iterator().next();
            long deadline = System.nanoTime() + 30_000_000_000L;
            while ((Long) server.getAttribute(bean, "Hits") == 0 && System.nanoTime() < deadline) {
              statement.executeQuery("SELECT title FROM book").close();
            }
            System.out.println(
                Main.class.getModule() + " has " + server.getAttribute(bean, "Hits") + " hit");
          }
        }
      }
      """;

  @Test
  void applicationOnTheModulePathHits(@TempDir Path directory) throws Exception {
    String modules =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(ModulePathTest::isModule)
            .collect(Collectors.joining(File.pathSeparator));
    Path info = Files.writeString(directory.resolve("module-info.java"), MODULE);
    Path main = Files.createDirectories(directory.resolve("app")).resolve("Main.java");
    Files.writeString(main, MAIN);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String classes = directory.resolve("classes").toString();
    int failed =
        compiler.run(
            null, null, null, "-p", modules, "-d", classes, info.toString(), main.toString());
    assertThat(failed).isZero();
    try (TestDatabase database = TestDatabase.create()) {
      database.execute("CREATE TABLE book (title text)", "INSERT INTO book VALUES ('Emma')");
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-p",
                  modules + File.pathSeparator + classes,
                  "-m",
                  "app/app.Main",
                  database.larderUrl("larder.writers=this-jvm"))
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output).contains("module app has 1 hit");
    }
  }

  /** Whether it is one of Larder's two modules or of what these require. */
  private static boolean isModule(String element) {
    Path path = Path.of(element);
    boolean larder = Files.exists(path.resolve("module-info.class"));
    return larder || PARTS.stream().anyMatch(path.getFileName().toString()::startsWith);
  }
}
