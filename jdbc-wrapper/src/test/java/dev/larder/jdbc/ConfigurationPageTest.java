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

            Options are parameters of the URL:

            ```
            jdbc:larder:postgresql://host/db?larder.writers=this-jvm&larder.maxBytes=128MB
            ```

            or entries of the `Properties` of `DriverManager.getConnection` and of
            `LarderDataSource.setProperties`, or calls of `QueryCacheConfig.builder()` for
            `new LarderDataSource(dataSource, config)`. A parameter of the URL wins over the
            properties, and the last of several counts, as in the PostgreSQL driver; values are
            percent-encoded as there. Larder takes its options out before the driver sees the URL.
            An unknown option or a bad value is an error when a connection is opened (SQLState
            22023). Names of options are case-sensitive, the words in their values are not.

            Names of tables, functions and triggers are read as PostgreSQL reads identifiers: folded
            to lower case unless in double quotes, with or without their schema.

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
