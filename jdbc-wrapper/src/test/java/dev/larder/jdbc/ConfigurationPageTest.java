package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what {@link CacheOptions} says. */
class ConfigurationPageTest {
  private static final String REWRITE = "larder.docs.rewrite";
  private static final String COMMAND =
      "mvn -pl jdbc-wrapper -am test -Dtest=ConfigurationPageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -D"
          + REWRITE
          + "=true";

  @Test
  void thePageIsTheGeneratedOne() throws IOException {
    Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/configuration.md");
    if (Boolean.getBoolean(REWRITE)) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, generated());
    }
    assertThat(page).as("write it with: %s", COMMAND).exists();
    assertThat(Files.readString(page))
        .as("docs/configuration.md differs from CacheOptions; rewrite it with: %s", COMMAND)
        .isEqualTo(generated());
  }

  @Test
  void everyOptionIsOnThePage() {
    for (Option<?> property : CacheOptions.all()) {
      assertThat(generated()).contains("\n## `" + property.key() + "`\n", property.description());
    }
  }

  private static String generated() {
    StringBuilder page =
        new StringBuilder(
            """
            # Configuration

            <!-- Generated from CacheOptions; ConfigurationPageTest says how to rewrite it. -->

            You can set an option in three places. In the URL it is a parameter:

            ```
            jdbc:larder:postgresql://host/db?larder.writers=this-jvm&larder.maxBytes=128MB
            ```

            It can also be a property, of `DriverManager.getConnection` or of
            `LarderDataSource.setProperties`. Or you call `QueryCacheConfig.builder()`, for
            `new LarderDataSource(dataSource, config)`.

            A parameter of the URL wins over a property. If a parameter comes more than once, the
            last one counts. Values are percent-encoded. All of this is as in the PostgreSQL
            driver. Larder removes its options before the driver sees the URL.

            An unknown option or a bad value is an error when you open a connection (SQLState
            22023). The case of an option's name counts; the case of the words in its value does
            not.

            Larder reads names of tables, functions and triggers as PostgreSQL reads identifiers. It
            folds them to lower case unless they are in double quotes. They may have a schema.

            | option | default |
            |---|---|
            """);
    for (Option<?> property : CacheOptions.all()) {
      page.append(
          "| [`%s`](#%s) | %s |\n".formatted(property.key(), anchor(property), shown(property)));
    }
    for (Option<?> property : CacheOptions.all()) {
      page.append("\n## `").append(property.key()).append("`\n\n");
      page.append(property.description()).append("\n\n");
      page.append("- Value: ").append(property.type().rule()).append(".\n");
      page.append("- Default: ").append(shown(property)).append(".\n");
      if (!property.change().isEmpty()) {
        page.append("- While it is in use: ").append(property.change()).append(".\n");
      }
    }
    return page.toString();
  }

  private static String shown(Option<?> property) {
    String text = property.defaultText();
    if (text.isEmpty()) {
      return "none";
    }
    return text.contains(" ") ? text : '`' + text + '`';
  }

  /** As Markdown renderers make it of a heading: lower case, without dots. */
  private static String anchor(Option<?> property) {
    return property.key().replace(".", "").toLowerCase(Locale.ROOT);
  }
}
