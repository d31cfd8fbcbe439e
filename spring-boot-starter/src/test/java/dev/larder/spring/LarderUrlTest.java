package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LarderUrlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://h/d",
        "jdbc:postgresql:d",
        "jdbc:p6spy:postgresql://h/d",
        "jdbc:tc:postgresql:17:///d"
      })
  void urlsOfPostgresqlAreFoundBehindOtherDrivers(String url) {
    assertThat(LarderUrl.isPlainPostgres(url)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdbc:larder:postgresql://h/d", "jdbc:h2:mem:d", "jdbc:mysql://h/postgresql:d"})
  void othersAreNot(String url) {
    assertThat(LarderUrl.isPlainPostgres(url)).isFalse();
  }

  @Test
  void optionsAreEncodedAndJoinThoseOfTheUrl() {
    assertThat(
            LarderUrl.withOptions(
                "jdbc:postgresql://h/d?user=u",
                Map.of("larder.writers", "this-jvm", "larder.tables.exclude", "a&b,\"C\"")))
        .isEqualTo(
            "jdbc:larder:postgresql://h/d?user=u&larder.tables.exclude=a%26b%2C%22C%22&larder.writers=this-jvm");
  }

  @Test
  void optionOfTheUrlWins() {
    String url = "jdbc:larder:postgresql://h/d?larder.mode=demand";
    assertThat(LarderUrl.withOptions(url, Map.of("larder.mode", "all"))).isEqualTo(url);
    assertThat(LarderUrl.withOptions(url, Map.of("larder.name", "x")))
        .isEqualTo(url + "&larder.name=x");
  }

  @Test
  void theDatabaseIsTheSameWithAndWithoutLarder() {
    assertThat(LarderUrl.target("jdbc:larder:postgresql://H:5432/d?user=u"))
        .isEqualTo(LarderUrl.target("jdbc:postgresql://h:5432/d"));
  }
}
