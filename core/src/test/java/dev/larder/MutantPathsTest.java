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
    assertThat(unlisted("main", "ProtocolStep.")).isEmpty();
  }

  @Test
  void everyTestOfMutantsIsListed() throws IOException {
    assertThat(unlisted("test", "@Tag(\"mutants\")")).isEmpty();
  }

  /**
   * Returns the sources of {@code kind} that contain {@code word}, and are below no listed path.
   */
  private static List<Path> unlisted(String kind, String word) throws IOException {
    List<Path> listed = listed().stream().map(ROOT::resolve).toList();
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> found =
          files
              .filter(file -> file.toString().matches(".*/src/" + kind + "/java/.*\\.java"))
              .filter(file -> !file.endsWith("MutantPathsTest.java"))
              .filter(file -> contains(file, word))
              .toList();
      assertThat(found).hasSizeGreaterThan(8);
      return found.stream().filter(file -> listed.stream().noneMatch(file::startsWith)).toList();
    }
  }

  private static boolean contains(Path file, String word) {
    try {
      return Files.readString(file).contains(word);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
