package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What editors know of the options is what {@link CacheOptions} says of them. */
final class OptionMetadataTest {
  private static final String REWRITE = "larder.docs.rewrite";
  private static final String COMMAND =
      "mvn -pl spring-boot-starter -am test -Dtest=OptionMetadataTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -D"
          + REWRITE
          + "=true";
  private static final String FILE =
      "src/main/resources/META-INF/additional-spring-configuration-metadata.json";

  /** Also run by the module for Spring Boot 4, which lies in the starter's. */
  private static Path file() {
    Path module = Path.of(System.getProperty("basedir", "."));
    return Files.exists(module.resolve(FILE))
        ? module.resolve(FILE)
        : module.resolve("..").resolve(FILE);
  }

  /** Where a property says more than the option of its name. */
  private static final String ENABLED =
      "Whether Larder is put below the data sources with an ordinary PostgreSQL URL. Without it only"
          + " URLs that begin with jdbc:larder: are cached. Given as false, those start with caching"
          + " switched off; their writes still invalidate.";

  @Test
  void theFileIsTheGeneratedOne() throws IOException {
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(file(), generated());
    }
    assertThat(Files.readString(file())).as("rewrite it with: %s", COMMAND).isEqualTo(generated());
  }

  private static String generated() {
    return CacheOptions.all().stream()
            .map(OptionMetadataTest::property)
            .collect(Collectors.joining(",\n", "{\n  \"properties\": [\n", ""))
        + """
        ,
            {
              "name": "larder.feed.position",
              "type": "java.lang.String",
              "description": "How a caller carries what it has written from one process to another, so that the next one uses no result from before: see change-feed.md. header: the response has a header Larder-Position, which the caller sends with its next requests. cookie: a browser does so by itself. This needs larder.feed=wal.",
              "defaultValue": "off"
            },
            {
              "name": "larder.memcached",
              "type": "java.util.Map<java.lang.String,java.lang.String>",
              "description": "The options of the memcached backend, such as larder.memcached.servers and larder.memcached.on-unreachable."
            }
          ],
        """
        + CacheOptions.all().stream()
            .filter(option -> !option.type().choices().isEmpty() && !isSwitch(option))
            .map(OptionMetadataTest::hint)
            .collect(
                Collectors.joining(
                    ",\n",
                    "  \"hints\": [\n",
                    """
                    ,
                        { "name": "larder.feed.position", "values": [{ "value": "off" }, { "value": "header" }, { "value": "cookie" }] }
                      ]
                    }
                    """));
  }

  private static boolean isSwitch(Option<?> option) {
    return option == CacheOptions.ENABLED;
  }

  private static String property(Option<?> option) {
    String text = isSwitch(option) ? ENABLED : plain(option.description());
    String value = isSwitch(option) ? "" : option.defaultText();
    return """
            {
              "name": "larder.%s",
              "type": "%s",
              "description": "%s"%s
            }"""
        .formatted(
            OptionProperties.kebab(option),
            type(option),
            text.replace("\"", "\\\""),
            value.isEmpty() || value.contains(" ")
                ? ""
                : ",\n      \"defaultValue\": \"" + value + '"')
        .indent(4)
        .stripTrailing();
  }

  private static String hint(Option<?> option) {
    return option.type().choices().stream()
        .map(word -> "{ \"value\": \"" + word + "\" }")
        .collect(
            Collectors.joining(
                ", ",
                "    { \"name\": \"larder.%s\", \"values\": ["
                    .formatted(OptionProperties.kebab(option)),
                "] }"));
  }

  private static String type(Option<?> option) {
    Object value = option.byDefault().map(Object.class::cast).orElse("");
    if (value instanceof Boolean) {
      return "java.lang.Boolean";
    } else if (value instanceof Duration || option == CacheOptions.TIME_TO_LIVE) {
      return "java.time.Duration";
    } else if (value instanceof Collection || value instanceof Map) {
      return "java.util.List<java.lang.String>";
    }
    return "java.lang.String";
  }

  /** Returns Markdown as a sentence in an editor. */
  private static String plain(String markdown) {
    return markdown.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
  }
}
