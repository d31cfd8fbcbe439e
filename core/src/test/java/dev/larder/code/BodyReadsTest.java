package dev.larder.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body reads besides its arguments. */
class BodyReadsTest {
  private static boolean reads(String text) {
    return BodyReads.of(text, new BodyText(text).words(Set.of()), Set.of("item")).anything();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1 from pg_class",
        "select 1 from only pg_catalog.pg_class c",
        "select 1 from pg_catalog . pg_class",
        "select 1 from\"pg_class\"",
        "select 1 from \"pg_catalog\".\"pg_class\"",
        "select 1 from unnest($1),pg_am",
        "select 1 from unnest($1), pg_catalog.pg_am",
        "select 1 from item"
      })
  void aTableIsRead(String body) {
    assertThat(reads(body)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select pg_catalog.replace($1, pg_catalog.lower($2), pg_catalog.upper($3))",
        "select f($1, pg_size_pretty(1))",
        "select 1 from pg_catalog.unnest($1)",
        "select 1 from pg_options_to_table($1)",
        "select pg_catalog.strpos($1,pg_catalog.lower($2::pg_catalog.text))"
      })
  void aFunctionIsNoTable(String body) {
    assertThat(reads(body)).isFalse();
  }
}
