package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/codes.md} explains every code that Larder has, and no other. */
final class CodesPageTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Pattern CODE = Pattern.compile("LRD-\\d{3}");
  private static final Pattern SECTION =
      Pattern.compile("(?ms)^## (LRD-\\d{3}): ([^\\n]+)\\n(.*?)(?=^## |\\z)");
  private static final List<String> MODULES =
      List.of("core", "jdbc-wrapper", "memcached-backend", "change-feed", "spring-boot-starter");

  private static Map<Path, String> texts(Path folder, String ending) throws IOException {
    Map<Path, String> texts = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> file.toString().endsWith(ending))
          .forEach(
              file -> {
                try {
                  texts.put(file, Files.readString(file));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return texts;
  }

  private static Map<Path, String> sources() throws IOException {
    Map<Path, String> sources = new LinkedHashMap<>();
    for (String module : MODULES) {
      sources.putAll(texts(ROOT.resolve(module).resolve("src/main/java"), ".java"));
    }
    return sources;
  }

  private static Set<String> codes(String text) {
    Set<String> codes = new TreeSet<>();
    Matcher code = CODE.matcher(text);
    while (code.find()) {
      codes.add(code.group());
    }
    return codes;
  }

  @Test
  void everyCodeHasItsSectionInOrderAndEverySectionItsCode() throws IOException {
    List<String> sections = new ArrayList<>();
    Matcher section = SECTION.matcher(Files.readString(ROOT.resolve("docs/codes.md")));
    while (section.find()) {
      sections.add(section.group(1));
      assertThat(section.group(3))
          .as(section.group(1))
          .matches(
              "(?s)\\n"
                  + "\\*\\*What happened\\.\\*\\* \\S.*\\n"
                  + "\\n"
                  + "\\*\\*The rows you read\\.\\*\\* \\S.*\\n"
                  + "\\n"
                  + "\\*\\*What to do\\.\\*\\* \\S.*");
    }
    assertThat(sections).containsExactlyElementsOf(codes(String.join(" ", sources().values())));
  }

  @Test
  void everyWarningHasACode() throws IOException {
    Pattern warning = Pattern.compile("Level\\.(?:WARNING|ERROR),\\s*([^;]{0,120})");
    List<String> without = new ArrayList<>();
    int found = 0;
    for (Map.Entry<Path, String> source : sources().entrySet()) {
      Matcher logged = warning.matcher(source.getValue());
      while (logged.find()) {
        found++;
        if (!logged.group(1).startsWith("text(") && !CODE.matcher(logged.group(1)).find()) {
          without.add(source.getKey() + ": " + logged.group(1));
        }
      }
    }
    assertThat(found).isGreaterThan(4);
    assertThat(without).isEmpty();
  }

  @Test
  void everyTroubleIsCountedByItsCode() {
    assertThat(CacheLog.counts()).hasSize(CacheLog.Trouble.values().length);
    long before = count("LRD-010");
    CacheLog.trouble(CacheLog.Trouble.MXBEAN, "first");
    CacheLog.trouble(CacheLog.Trouble.MXBEAN, "second");
    assertThat(count("LRD-010")).isEqualTo(before + 2);
  }

  private static long count(String code) {
    return CacheLog.counts().getOrDefault(code, -1L);
  }

  @Test
  void otherPagesNameNoCodeThatIsNotThere() throws IOException {
    Set<String> known = codes(Files.readString(ROOT.resolve("docs/codes.md")));
    Map<Path, String> pages = texts(ROOT.resolve("docs"), ".md");
    pages.put(ROOT.resolve("README.md"), Files.readString(ROOT.resolve("README.md")));
    assertThat(pages).hasSizeGreaterThan(10);
    pages.forEach((page, text) -> assertThat(known).as("%s", page).containsAll(codes(text)));
  }
}
