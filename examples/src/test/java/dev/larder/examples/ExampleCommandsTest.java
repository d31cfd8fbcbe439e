package dev.larder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands of the page of the examples. */
final class ExampleCommandsTest {
  /** A program that Maven runs on the way to an example would get them in place of its own. */
  @Test
  void optionsInExecArgsReachTheExampleAlone() throws IOException {
    List<Path> running;
    try (Stream<Path> files = Files.find(Path.of(".."), 3, (file, ignored) -> isPom(file))) {
      running = files.filter(file -> text(file).contains("<goal>exec</goal>")).toList();
    }
    assertThat(running)
        .isNotEmpty()
        .allSatisfy(pom -> assertThat(text(pom)).contains("<commandlineArgs>"));
  }

  private static boolean isPom(Path file) {
    return file.endsWith("pom.xml") && !file.toString().contains("target");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
