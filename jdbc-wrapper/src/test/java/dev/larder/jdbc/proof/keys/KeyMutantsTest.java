package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each rule of docs/invalidation.md is needed: without it an oracle finds a stale read or a write
 * that says too little. A mutant is compiled, and runs in a class loader of its own.
 *
 * <p>{@code -Dlarder.keys.mutants} says how many of them are tried, without it a few that are found
 * soon, {@code -Dlarder.keys.mutant} a part of the name of those that are, {@code
 * -Dlarder.keys.mutant.seed} which statements they meet, and {@code -Dlarder.keys.mutant.writes}
 * how many.
 */
@Tag("mutants")
final class KeyMutantsTest {
  private static final Path CORE = Path.of("../core/src/main/java/dev/larder");
  private static final @Nullable Long SEED = Long.getLong("larder.keys.mutant.seed");
  private static final long WRITES = Long.getLong("larder.keys.mutant.writes", 10_000);
  private static final int TRIED = Integer.getInteger("larder.keys.mutants", 0);
  private static final long FEW_WRITES = 25;
  private static final String NAMED = System.getProperty("larder.keys.mutant", "");

  /**
   * Those that are found within seconds, for where no number is given, each with the seed of
   * statements that find it soon.
   */
  private static final Map<String, Long> QUICK =
      new TreeMap<>(
          Map.of(
              "found: one of several is enough", 4L,
              "subqueries read nothing", 1L,
              "plain: who comes is not looked for", 1L,
              "plain: who goes is not looked for", 1L));

  @TempDir Path classes;

  static List<KeyMutant> mutants() {
    if (!NAMED.isEmpty()) {
      return KeyMutant.ALL.stream().filter(mutant -> mutant.name().contains(NAMED)).toList();
    }
    if (TRIED == 0) {
      return QUICK.keySet().stream().map(KeyMutantsTest::named).toList();
    }
    List<KeyMutant> chosen = new ArrayList<>(KeyMutant.ALL);
    Collections.shuffle(chosen, new Random(System.nanoTime()));
    return chosen.subList(0, Math.min(TRIED, chosen.size()));
  }

  private static KeyMutant named(String name) {
    return KeyMutant.ALL.stream()
        .filter(mutant -> mutant.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no mutant is called " + name));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void isFound(KeyMutant mutant) throws Exception {
    compile(mutant);
    long begun = System.nanoTime();
    String found = check(mutant, mutant.amount(WRITES));
    double seconds = (System.nanoTime() - begun) / 1e9;
    System.out.printf("key mutant: %s: %s, %.1f s%n", mutant, found, seconds);
    assertThat(found).as(mutant.name()).startsWith("found");
    System.out.println("proof: mutants of keys killed=1");
  }

  @Test
  void nothingIsFoundInTheSourceAsItIs() throws Exception {
    KeyMutant.Edit same = new KeyMutant.Edit("keys/KeyType", "public enum", "public  enum");
    KeyMutant none = new KeyMutant("none", KeyOracle.class, List.of(same));
    compile(none);
    boolean all = TRIED >= KeyMutant.ALL.size();
    assertThat(check(none, all ? WRITES : FEW_WRITES)).startsWith("not found");
  }

  private static Path file(KeyMutant.Edit edit) {
    return CORE.resolve(edit.file() + ".java");
  }

  /** Returns the files that {@code mutant} changes, changed. */
  static Map<Path, String> mutated(KeyMutant mutant) throws IOException {
    Map<Path, String> sources = new LinkedHashMap<>();
    for (KeyMutant.Edit edit : mutant.edits()) {
      Path file = file(edit);
      String source = sources.containsKey(file) ? sources.get(file) : Files.readString(file);
      sources.put(file, edited(mutant, edit, source));
    }
    return sources;
  }

  private static String edited(KeyMutant mutant, KeyMutant.Edit edit, String source) {
    StringBuilder pattern = new StringBuilder();
    for (String line : edit.from().split("\n\\s*", -1)) {
      pattern.append(pattern.isEmpty() ? "" : "\n\\s*").append(Pattern.quote(line));
    }
    String changed = source.replaceFirst(pattern.toString(), Matcher.quoteReplacement(edit.to()));
    assertThat(changed)
        .as(
            "the mutant '%s' wants to replace '%s', which is not in %s any more",
            mutant, edit.from(), edit.file())
        .isNotEqualTo(source);
    return changed;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void compile(KeyMutant mutant) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Map.Entry<Path, String> changed : mutated(mutant).entrySet()) {
      Path source = classes.resolve(changed.getKey().getFileName());
      Files.writeString(source, changed.getValue());
      sources.add(source);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());
      Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(sources);
      boolean compiled = compiler.getTask(messages, files, null, options, null, units).call();
      assertThat(compiled).as("%s: %s", mutant, messages).isTrue();
    }
  }

  private static long seed(KeyMutant mutant) {
    return SEED == null ? QUICK.getOrDefault(mutant.name(), 1L) : SEED;
  }

  private String check(KeyMutant mutant, long amount) throws Exception {
    List<URL> urls = new ArrayList<>();
    urls.add(classes.toUri().toURL());
    for (String path : classPath().split(File.pathSeparator, -1)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    try (TestDatabase database = TestDatabase.create();
        Larder larder = new Larder(urls.toArray(new URL[0]))) {
      Class<?> oracle = larder.loadClass(mutant.oracle().getName());
      Object made =
          oracle.getConstructor(String.class, long.class).newInstance(database.url(), seed(mutant));
      try {
        oracle.getMethod("check", long.class).invoke(made, amount);
        return "not found by " + oracle.getField("counts").get(made);
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).isInstanceOf(AssertionError.class);
        return "found by " + oracle.getField("counts").get(made);
      } finally {
        oracle.getMethod("close").invoke(made);
      }
    }
  }

  /** Has classes of Larder of its own. */
  private static final class Larder extends URLClassLoader {
    Larder(URL[] urls) {
      super(urls, KeyMutantsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.larder.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
