package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Code as it stands in the documentation, and Java sources that are compiled while a test runs. */
final class DocumentedCode {
  private static final Pattern FENCED = Pattern.compile("```[a-z]+\n(.*?)```", Pattern.DOTALL);

  private DocumentedCode() {}

  /** Returns the one block of code of the page in {@code docs} that holds the words. */
  static String block(String page, String words) throws IOException {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs").resolve(page))) {
      directory = directory.getParent();
    }
    Matcher blocks = FENCED.matcher(Files.readString(directory.resolve("docs").resolve(page)));
    List<String> found =
        blocks.results().map(block -> block.group(1)).filter(text -> text.contains(words)).toList();
    assertThat(found).as(words).hasSize(1);
    return found.get(0);
  }

  /** Returns the class of that name in this package, made of its source. */
  static Class<?> compiled(String name, String source) throws Exception {
    Path directory = Files.createTempDirectory("larder-documented");
    Path file = Files.writeString(directory.resolve(name + ".java"), source);
    StringWriter problems = new StringWriter();
    boolean well =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                problems,
                null,
                null,
                List.of("-proc:none", "-parameters", "-d", directory.toString()),
                null,
                ToolProvider.getSystemJavaCompiler()
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjects(file))
            .call();
    assertThat(well).as(source + problems).isTrue();
    URL[] place = {directory.toUri().toURL()};
    return new URLClassLoader(place, DocumentedCode.class.getClassLoader())
        .loadClass("dev.larder.documented." + name);
  }

  /** Returns a configuration of Spring with these methods. */
  static Class<?> configuration(String name, String... methods) throws Exception {
    Stream<String> imports =
        Stream.of(
            "org.springframework.context.annotation.*",
            "org.springframework.core.annotation.Order",
            "org.springframework.security.config.Customizer",
            "org.springframework.security.config.annotation.web.builders.HttpSecurity",
            "org.springframework.security.web.SecurityFilterChain");
    return compiled(
        name,
        "package dev.larder.documented;\n"
            + String.join("", imports.map(type -> "import " + type + ";\n").toList())
            + "@Configuration(proxyBeanMethods = false) public class "
            + name
            + " {\n"
            + String.join("\n", methods)
            + "}\n");
  }
}
