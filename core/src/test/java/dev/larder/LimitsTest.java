package dev.larder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The limits of CONTRIBUTING: 300 lines a type and 30 a method, without the Javadoc before. What is
 * longer is in {@code limits.txt} with its present size, and that list may only shrink: a new entry
 * is a defect, and so is a number that is higher than what it stands for.
 */
final class LimitsTest {
  private static final int TYPE = 300;
  private static final int METHOD = 30;
  private static final String REWRITE = "larder.limits.rewrite";

  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Path LIST = ROOT.resolve("core/src/test/resources/dev/larder/limits.txt");
  private static final List<String> MODULES =
      List.of(
          "core",
          "jdbc-wrapper",
          "memcached-backend",
          "change-feed",
          "spring-boot-starter",
          "examples",
          "benchmarks");

  /** What is over a limit, with its lines. */
  private static final Map<String, Integer> TOO_LONG = new TreeMap<>();

  private static int measured;

  @BeforeAll
  static void measure() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
      List<Path> sources = sources();
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Measure(unit, positions).scan(unit, null);
      }
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("module-info.java"))
            .forEach(sources::add);
      }
    }
    return sources;
  }

  /** Measures the types and methods of one file. */
  private static final class Measure extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final LineMap lines;
    private final Deque<String> inside = new ArrayDeque<>();

    Measure(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
      this.lines = unit.getLineMap();
      inside.addLast(unit.getPackageName().toString());
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
      inside.addLast(type.getSimpleName().toString());
      check(String.join(".", inside), type, TYPE);
      super.visitClass(type, unused);
      inside.removeLast();
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      check(String.join(".", inside) + "#" + method.getName(), method, METHOD);
      return super.visitMethod(method, unused);
    }

    private void check(String name, Tree tree, int limit) {
      long first = lines.getLineNumber(positions.getStartPosition(unit, tree));
      long end = positions.getEndPosition(unit, tree);
      int size = end < 0 ? 0 : (int) (lines.getLineNumber(end) - first + 1);
      measured++;
      if (size > limit) {
        TOO_LONG.merge(name, size, Math::max);
      }
    }
  }

  private static Map<String, Integer> excepted() throws IOException {
    Map<String, Integer> excepted = new TreeMap<>();
    for (String line : Files.readAllLines(LIST)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] entry = line.split(" ");
        excepted.put(entry[0], Integer.valueOf(entry[1]));
      }
    }
    return excepted;
  }

  @Test
  void whatIsOverALimitIsOnTheListWithItsPresentSize() throws IOException {
    Map<String, Integer> excepted = excepted();
    if (Boolean.getBoolean(REWRITE)) {
      excepted.keySet().retainAll(TOO_LONG.keySet());
      excepted.replaceAll((name, size) -> Math.min(size, TOO_LONG.getOrDefault(name, size)));
      Files.writeString(LIST, head() + lines(excepted));
    }
    assertThat(measured).isGreaterThan(4000);
    assertThat(lines(TOO_LONG))
        .as(
            "What is new or has grown is to be made shorter. What has shrunk is lowered in %s"
                + " with -D%s=true, which adds nothing and raises nothing.",
            LIST.getFileName(), REWRITE)
        .isEqualTo(lines(excepted));
  }

  private static String head() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String lines(Map<String, Integer> sizes) {
    return sizes.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue() + "\n")
        .collect(Collectors.joining());
  }
}
