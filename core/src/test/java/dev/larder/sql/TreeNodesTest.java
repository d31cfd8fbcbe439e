package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import net.sf.jsqlparser.statement.Statement;
import org.junit.jupiter.api.Test;

/**
 * Every concrete class of JSqlParser's tree is either named by the visitor or refused by name here,
 * so that a new version of the parser cannot add a node that nobody has looked at.
 */
class TreeNodesTest {
  private static Set<Class<?>> concreteClasses() throws Exception {
    Path jar = Path.of(Statement.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> names;
    try (JarFile file = new JarFile(jar.toFile())) {
      names =
          file.stream()
              .map(entry -> entry.getName())
              .filter(
                  name ->
                      name.matches("net/sf/jsqlparser/(expression|schema|statement)/.*\\.class"))
              .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
              .collect(Collectors.toSet());
    }
    Set<Class<?>> classes =
        new java.util.HashSet<>(); // Loaded without being initialized: enums and adapters too.
    for (String name : names) {
      Class<?> type = Class.forName(name, false, TreeNodesTest.class.getClassLoader());
      if (!Modifier.isAbstract(type.getModifiers())
          && !type.isEnum()
          && !type.isInterface()
          && !type.isAnonymousClass()
          && !type.isSynthetic()
          && !Throwable.class.isAssignableFrom(type)
          && !name.endsWith("Adapter")) {
        classes.add(type);
      }
    }
    return classes;
  }

  private static Set<String> refused() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(TreeNodesTest.class.getResourceAsStream("refused-nodes.txt"));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).collect(Collectors.toSet());
    }
  }

  private static String shortName(Class<?> type) {
    return type.getName().substring("net.sf.jsqlparser.".length());
  }

  @Test
  void everyConcreteClassIsNamedOrRefused() throws Exception {
    TreeNodes nodes = new TreeNodes();
    Set<String> unnamed = new TreeSet<>();
    for (Class<?> type : concreteClasses()) {
      if (nodes.parts(type) == null) {
        unnamed.add(shortName(type));
      }
    }
    assertThat(unnamed).isEqualTo(new TreeSet<>(refused()));
    assertThat(unnamed).hasSizeGreaterThan(100);
  }

  @Test
  void noClassIsBothNamedAndRefused() throws Exception {
    Set<String> refused = refused();
    TreeNodes nodes = new TreeNodes();
    assertThat(concreteClasses())
        .filteredOn(type -> nodes.parts(type) != null)
        .hasSizeGreaterThan(80)
        .noneMatch(type -> refused.contains(shortName(type)));
  }
}
