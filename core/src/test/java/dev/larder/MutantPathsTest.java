package dev.larder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The gate runs the mutants again whenever something has changed that they are of. */
final class MutantPathsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

  private static List<String> listed() throws IOException {
    return Files.readAllLines(ROOT.resolve(".ci/mutants.paths")).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Test
  void everyPathExists() throws IOException {
    assertThat(listed()).isNotEmpty().allMatch(path -> Files.isDirectory(ROOT.resolve(path)));
  }

  @Test
  void everyPackageWithAStepOfTheProtocolIsListed() throws IOException {
    List<Path> listed = listed().stream().map(ROOT::resolve).toList();
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> withSteps =
          files
              .filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
              .filter(MutantPathsTest::hasStep)
              .toList();
      assertThat(withSteps)
          .hasSizeGreaterThan(10)
          .allMatch(file -> listed.stream().anyMatch(file::startsWith));
    }
  }

  private static boolean hasStep(Path file) {
    try {
      return Files.readString(file).contains("ProtocolStep.");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
