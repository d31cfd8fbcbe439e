package dev.larder.jdbc.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.keys.BoundValue;
import dev.larder.keys.KeyType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArrayTextTest {
  @Test
  void elementsAreReadAsTheServerReadsThem() {
    assertThat(ArrayText.elements("{}", KeyType.TEXT)).isEmpty();
    assertThat(ArrayText.elements("{1,-2}", KeyType.INTEGER)).containsExactly(1L, -2L);
    assertThat(ArrayText.elements("{NULL,null,\"NULL\"}", KeyType.TEXT))
        .containsExactly(BoundValue.NULL, BoundValue.NULL, "NULL");
    assertThat(ArrayText.elements("{\"\",\"a,b\",\"{}\",\"q\\\"\\\\\"}", KeyType.TEXT))
        .containsExactly("", "a,b", "{}", "q\"\\");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "{",
        "}",
        "{1",
        "{1,}",
        "{,1}",
        "{,}",
        "{{1},{2}}",
        "[0:1]={1,2}",
        "{ 1}",
        "{1 }",
        "{a b}",
        "{a\\b}",
        "{\"a}",
        "{\"a\"b}",
        "{\"a\\}",
        "{a\"b\"}",
        "{1};{2}"
      })
  void anyOtherTextIsNotUnderstood(String text) {
    assertThat(ArrayText.elements(text, KeyType.TEXT)).isNull();
  }
}
