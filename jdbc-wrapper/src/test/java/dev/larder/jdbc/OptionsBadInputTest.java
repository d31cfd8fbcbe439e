package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.larder.CacheOptions;
import dev.larder.Option;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** URLs and options that nobody would write: each is taken, or refused with an SQLException. */
class OptionsBadInputTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** What takes time by its square takes longer than that with so many characters. */
  private static final int LENGTH = Integer.getInteger("larder.long", 200_000);

  /** Only what is built from it says whether an option was understood. */
  private static void read(String url, Properties properties) {
    try {
      LarderOptions options = LarderOptions.of(url, properties);
      assertThat(options.properties().stringPropertyNames())
          .noneMatch(name -> name.startsWith(CacheOptions.PREFIX));
      options.config();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo(LarderOptions.INVALID_PARAMETER_VALUE);
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Property(tries = 1_000)
  void everyValueOfEveryOptionIsTakenOrRefused(
      @ForAll("names") String name, @ForAll("values") String value) {
    Properties properties = new Properties();
    properties.setProperty(name, value);

    read("jdbc:postgresql://localhost/db?" + name + "=" + value, new Properties());
    read("jdbc:postgresql:db", properties);
  }

  @Property(tries = 1_000)
  void everyUrlIsTakenOrRefused(@ForAll("urls") String url) throws SQLException {
    LarderDriver driver = new LarderDriver();

    read(url, new Properties());
    try {
      if (driver.acceptsURL(url)) {
        assertThat(LarderDriver.delegateUrl(url)).startsWith("jdbc:");
      }
      assertThat(driver.getPropertyInfo(url, new Properties())).isNotEmpty();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isNotNull();
    }
  }

  static Stream<Option<?>> options() {
    return CacheOptions.all().stream();
  }

  @ParameterizedTest
  @MethodSource("options")
  void longValuesAreReadInTimeThatIsLinear(Option<?> property) {
    for (String piece :
        List.of("9", "a", "a,", "*", "a*", "=", "a=b|", "|", " ", "%25", "\ud800")) {
      String value = piece.repeat(LENGTH / piece.length());
      assertTimeoutPreemptively(
          LIMIT, () -> read("jdbc:postgresql:db?" + property.key() + "=" + value, null), piece);
    }
  }

  @Provide
  Arbitrary<String> names() {
    Arbitrary<String> known = Arbitraries.of(options().map(Option::key).toList());
    Arbitrary<String> near =
        Combinators.combine(known, Arbitraries.integers().between(0, 30), Arbitraries.chars().all())
            .as((name, at, c) -> new StringBuilder(name).insert(at % name.length(), c).toString());
    return Arbitraries.frequencyOf(Tuple.of(6, known), Tuple.of(1, near));
  }

  @Provide
  Arbitrary<String> values() {
    Arbitrary<String> pieces =
        Arbitraries.of(
                "0",
                "1",
                "-1",
                "99999999999999999999",
                "64",
                "MB",
                "kb",
                " ",
                "s",
                "ms",
                "PT",
                "P1D",
                "30s",
                "true",
                "off",
                "this-jvm",
                "demand",
                "a",
                "*",
                ",",
                "=",
                "|",
                ".",
                "\"",
                "%",
                "%41",
                "%zz",
                "+",
                "\u0000",
                "\ud800",
                "\u0130",
                "\u0661",
                "null",
                "a.b",
                "f=t|u")
            .list()
            .ofMaxSize(6)
            .map(parts -> String.join("", parts));
    return Arbitraries.oneOf(pieces, Arbitraries.strings().all().ofMaxLength(30));
  }

  @Provide
  Arbitrary<String> urls() {
    return Arbitraries.of(
            "jdbc:",
            "larder:",
            "JDBC:",
            "postgresql:",
            "otel:",
            "//",
            "localhost",
            ":",
            "5432",
            "/",
            "db",
            "?",
            "&",
            "larder.",
            "larder.enabled",
            "=",
            "true",
            "%",
            "%2",
            "%41",
            ";",
            "[::1]",
            ",",
            "user",
            "\u0000",
            "\ud800",
            " ",
            "#",
            "larder.larder.")
        .list()
        .ofMaxSize(14)
        .map(parts -> String.join("", parts));
  }
}
