package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.CacheOptions;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
class LarderOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:db",
        "jdbc:postgresql:",
        "jdbc:postgresql:///",
        "jdbc:postgresql://a:1,b:2,[::1]:3/db%3F?a=%20b&c&&targetServerType=primary&",
        "jdbc:postgresql://h/db?",
        "jdbc:postgresql://h/db?options=-c%20larder.x=1&notlarder.x=1"
      })
  void aUrlWithoutOptionsStaysAsItIs(String url) throws SQLException {
    LarderOptions options = LarderOptions.of(url, null);
    assertThat(options.url()).isEqualTo(url);
    assertThat(options.options()).isEmpty();
    assertThat(options.properties()).isEmpty();
  }

  @Test
  void optionsAreTakenOutAndTheOthersStayAsTheyStood() throws SQLException {
    LarderOptions options =
        LarderOptions.of(
            "jdbc:postgresql://h/db?larder.mode=all&a=%20b&larder.enabled&c&&larder.name=x%20y+z&d=",
            null);
    assertThat(options.url()).isEqualTo("jdbc:postgresql://h/db?a=%20b&c&&d=");
    assertThat(options.options())
        .isEqualTo(Map.of("larder.mode", "all", "larder.enabled", "", "larder.name", "x y z"));
    assertThat(LarderOptions.of("jdbc:postgresql:db?larder.mode=all", null).url())
        .isEqualTo("jdbc:postgresql:db");
  }

  @Test
  void anOptionOfTheUrlWinsOverThePropertiesAndTheLastOneWins() throws SQLException {
    Properties given = new Properties();
    given.setProperty("larder.name", "properties");
    given.setProperty("larder.mode", "demand");
    LarderOptions options =
        LarderOptions.of("jdbc:postgresql:db?larder.name=first&larder.name=last", given);
    assertThat(options.options()).isEqualTo(Map.of("larder.name", "last", "larder.mode", "demand"));
  }

  @Test
  void propertiesAreCopiedWithTheirDefaultsAndWithoutOptions() throws SQLException {
    Properties defaults = new Properties();
    defaults.setProperty("user", "u");
    defaults.setProperty("larder.mode", "demand");
    Properties given = new Properties(defaults);
    given.setProperty("password", "p");
    given.setProperty("larder.name", "n");
    given.put("odd", 5);
    given.put("larder.maxEntries", 7);
    Properties before = (Properties) given.clone();
    LarderOptions options = LarderOptions.of("jdbc:postgresql:db", given);
    assertThat(options.properties()).isEqualTo(Map.of("user", "u", "password", "p", "odd", 5));
    assertThat(options.options())
        .isEqualTo(Map.of("larder.mode", "demand", "larder.name", "n", "larder.maxEntries", "7"));
    assertThat(given).isEqualTo(before);
    assertThat(options.config().find(CacheOptions.MAX_ENTRIES)).hasValue(7L);
  }

  @Test
  void badPercentEncodingIsAnErrorThatNamesTheOption() {
    assertThatThrownBy(() -> LarderOptions.of("jdbc:postgresql:db?larder.name=%zz", null))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "LRD-040 larder.name is \"%zz\", which is not percent-encoded; write %25 for a percent sign.")
        .extracting("SQLState")
        .isEqualTo("22023");
  }
}
