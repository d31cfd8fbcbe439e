package dev.larder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What has found a fault once is run again: in {@code verify} or in the gate. */
final class RegressionTagsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Pattern NAME = Pattern.compile("`(\\w+Test)\\b");
  private static final Pattern TAG = Pattern.compile("Tag\\(\"([a-z-]+)\"\\)");

  /** What {@code verify} or a step of {@code .ci/run} runs, besides classes without a tag. */
  private static final Set<String> RUN =
      Set.of("regression", "gate", "proof", "mutants", "each-server", "each-jdk", "each-boot");

  private static Map<String, String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().matches(".*/src/(test|lincheck)/java/.*Test\\.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  RegressionTagsTest::text,
                  String::concat,
                  TreeMap::new));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyTestThatFoundAFaultIsTaggedAndRun() throws IOException {
    Map<String, String> tests = tests();
    Set<String> found =
        NAME.matcher(Files.readString(ROOT.resolve("docs/proof-found.md")))
            .results()
            .map(name -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).hasSizeGreaterThan(30);
    for (String name : found) {
      String text = tests.getOrDefault(name, "");
      Set<String> tags =
          TAG.matcher(text).results().map(tag -> tag.group(1)).collect(Collectors.toSet());
      assertThat(tags).as("%s of docs/proof-found.md", name).contains("regression");
      assertThat(RUN).as("the tags of %s", name).containsAll(tags);
      assertThat(text).as(name).doesNotContain("@Disabled");
    }
  }

  @Test
  void theGateRunsWhatTheTagsSay() throws IOException {
    String gate = Files.readString(ROOT.resolve(".ci/run"));
    assertThat(gate).contains("'proof | gate | each-server | each-jdk'", ".ci/mutants");
    assertThat(Files.readString(ROOT.resolve("pom.xml")))
        .contains("<tests.groups>proof | gate</tests.groups>")
        .contains("<tests.excludedGroups>gate,proof,mutants,docker</tests.excludedGroups>");
  }
}
