package dev.larder.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderDriver;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.sf.jsqlparser.parser.CCJSqlParser;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that names the URL and nothing of Larder, in a JVM of its own, with Larder, the driver
 * and what they need on the class path and on the module path.
 */
@Tag("gate")
class ModulePathTest {
  private static final String PROGRAM =
      """
      package shop;

      import java.sql.*;

      public class Shop {
        public static void main(String[] arguments) throws SQLException {
          try (Connection connection = DriverManager.getConnection(arguments[0]);
              Statement statement = connection.createStatement()) {
            String title = "";
            long until = System.nanoTime() + 30_000_000_000L;
            while (hits(statement) == 0 && System.nanoTime() < until) {
              try (ResultSet row = statement.executeQuery("SELECT title FROM book WHERE id = 1")) {
                row.next();
                title = row.getString(1);
              }
            }
            System.out.println(title + ", hits: " + hits(statement) + ", module: "
                + DriverManager.getDriver(arguments[0]).getClass().getModule().isNamed());
          }
        }

        private static long hits(Statement statement) throws SQLException {
          try (ResultSet row = statement.executeQuery("SHOW larder.cache")) {
            row.next();
            return row.getLong("hits");
          }
        }
      }
      """;

  private static final String MODULE = "module shop { requires java.sql; }";

  @TempDir private Path directory;

  @Test
  void worksOnTheClassPath() throws Exception {
    Path classes = compile(List.of());

    assertThat(run("-cp", path(classes), "shop.Shop")).endsWith("Emma, hits: 1, module: false");
  }

  @Test
  void worksOnTheModulePath() throws Exception {
    Files.writeString(directory.resolve("module-info.java"), MODULE);
    Path classes = compile(List.of(directory.resolve("module-info.java").toString()));

    assertThat(run("-p", path(classes), "-m", "shop/shop.Shop"))
        .endsWith("Emma, hits: 1, module: true");
  }

  private Path compile(List<String> more) throws IOException {
    Path source = directory.resolve("Shop.java");
    Files.writeString(source, PROGRAM);
    Path classes = directory.resolve("classes");
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), source.toString()));
    arguments.addAll(more);
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(failures).isZero();
    return classes;
  }

  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    try (AdoptionDatabase database = AdoptionDatabase.create()) {
      command.add(database.larderUrl());
      Path output = directory.resolve("output");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return Files.readString(output).strip();
    }
  }

  /** Everything that an application with larder-jdbc has, and no more. */
  private static String path(Path classes) {
    return Stream.concat(
            Stream.of(classes),
            Stream.of(
                    LarderDriver.class,
                    QueryCacheConfig.class,
                    CCJSqlParser.class,
                    Caffeine.class,
                    NullMarked.class,
                    org.postgresql.Driver.class)
                .map(ModulePathTest::location))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
