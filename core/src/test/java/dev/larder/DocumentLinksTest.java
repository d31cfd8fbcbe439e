package dev.larder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links of the pages lead somewhere, and {@code docs/architecture.md} names what there is. */
final class DocumentLinksTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Path ARCHITECTURE = ROOT.resolve("docs/architecture.md");
  private static final List<String> FOLDERS = List.of(".", "docs", "examples", "benchmarks");
  private static final List<String> MODULES =
      List.of("core", "jdbc-wrapper", "memcached-backend", "change-feed", "spring-boot-starter");

  private static final Pattern INLINE = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern DEFINED = Pattern.compile("(?m)^\\[([^]]+)]: (\\S+)$");
  private static final Pattern REFERENCE = Pattern.compile("\\[`([\\w.]+)`]\\[([^]]+)]");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }

  private static List<MatchResult> find(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    int found = 0;
    for (Path page : pages()) {
      String text = Files.readString(page);
      List<String> targets = new ArrayList<>();
      find(INLINE, text).forEach(link -> targets.add(link.group(1)));
      find(DEFINED, text).forEach(link -> targets.add(link.group(2)));
      for (String target : targets) {
        if (!target.contains("://")) {
          found++;
          if (!leadsSomewhere(page, target)) {
            broken.add(page.getFileName() + ": " + target);
          }
        }
      }
    }
    assertThat(found).isGreaterThan(200);
    assertThat(broken).isEmpty();
  }

  /** The site's build fails otherwise, but later. */
  @Test
  void everyPageIsInASectionOfTheSite() throws IOException {
    String sections = Files.readString(ROOT.resolve("site/.vitepress/config.mjs"));
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      String name = ROOT.relativize(page).normalize().toString();
      if (!sections.contains("'" + name + "'")) {
        missing.add(name);
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path path = file.isEmpty() ? page : page.resolveSibling(file);
    return Files.exists(path)
        && (hash < 0 || headings(Files.readString(path)).contains(target.substring(hash + 1)));
  }

  /** Returns the anchors of a page, as renderers of Markdown make them of its headings. */
  private static Set<String> headings(String text) {
    return find(HEADING, text).stream()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void everyClassAndMemberThatTheArchitectureNamesIsThere() throws IOException {
    String text = Files.readString(ARCHITECTURE);
    Map<String, String> defined = new HashMap<>();
    find(DEFINED, text).forEach(link -> defined.put(link.group(1), link.group(2)));
    List<String> missing = new ArrayList<>();
    Set<String> used = new TreeSet<>();
    for (MatchResult link : find(REFERENCE, text)) {
      String[] name = link.group(1).split("\\.", 2);
      String target = defined.getOrDefault(link.group(2), "");
      used.add(link.group(2));
      if (!target.endsWith("/" + name[0] + ".java")
          || (name.length > 1 && !isMember(ARCHITECTURE.resolveSibling(target), name[1]))) {
        missing.add(link.group(1));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(used).containsExactlyInAnyOrderElementsOf(defined.keySet()).hasSizeGreaterThan(100);
  }

  /** A member in lower case is a method, another one a type. */
  private static boolean isMember(Path file, String name) throws IOException {
    boolean method = Character.isLowerCase(name.charAt(0));
    String declared =
        method
            ? "(?m)^  (?! )(?:@\\w+ )?[\\w<>@\\[\\], .?]+ " + name + "\\("
            : "(?:class|record|enum|interface) " + name + "\\b";
    return Pattern.compile(declared).matcher(Files.readString(file)).find();
  }

  @Test
  void thePictureShowsEveryPackage() throws IOException {
    Set<String> shown = new TreeSet<>();
    Matcher name =
        Pattern.compile("class=\"name\"[^>]*>([^<]+)<")
            .matcher(Files.readString(ROOT.resolve("docs/architecture.svg")));
    while (name.find()) {
      shown.add(name.group(1));
    }
    Set<String> packages = new TreeSet<>();
    for (String module : MODULES) {
      Path sources = ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> file.endsWith("package-info.java"))
            .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
            .forEach(each -> packages.add(shortName(each)));
      }
    }
    assertThat(shown).isEqualTo(packages);
  }

  /** The first package of a module is shown with its whole name. */
  private static String shortName(String name) {
    Set<String> whole =
        Set.of(
            "dev.larder",
            "dev.larder.jdbc",
            "dev.larder.memcached",
            "dev.larder.changefeed",
            "dev.larder.spring");
    return whole.contains(name) ? name : name.substring(name.lastIndexOf('.') + 1);
  }
}
