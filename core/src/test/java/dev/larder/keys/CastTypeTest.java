package dev.larder.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CastTypeTest {
  private static final Object[] NONE = {};
  private static final UUID SOME = UUID.fromString("0e37df36-f698-11e6-8dd4-cb9ced3df976");

  private static @Nullable Object cast(CastType type, Object bind) {
    Operand.Cast cast = new Operand.Cast(new Operand.Parameter(0), type);
    Object value = cast.value(NONE, new Object[] {bind});
    assertThat(cast.mayFail(NONE, new Object[] {bind})).isEqualTo(value == null);
    return value;
  }

  @ParameterizedTest
  @CsvSource({
    "SMALLINT, 32767, 32767",
    "SMALLINT, -32768, -32768",
    "SMALLINT, 32768,",
    "SMALLINT, -32769,",
    "INTEGER, 2147483647, 2147483647",
    "INTEGER, 2147483648,",
    "INTEGER, -2147483649,",
    "BIGINT, 9223372036854775807, 9223372036854775807",
    "BIGINT, 9223372036854775808,",
    "BIGINT, ' 7',",
    "BIGINT, 07,",
    "BIGINT, 7.0,",
  })
  void aNumberIsKeptInItsRange(CastType type, String text, @Nullable Long value) {
    assertThat(cast(type, text)).isEqualTo(value);
    if (value != null) {
      assertThat(cast(type, value)).isEqualTo(value);
    }
  }

  @Test
  void otherValuesAreThoseOfTheirOwnType() {
    assertThat(cast(CastType.UUID, SOME)).isEqualTo(SOME);
    assertThat(cast(CastType.UUID, SOME.toString().toUpperCase())).isEqualTo(SOME);
    assertThat(cast(CastType.UUID, "{" + SOME + "}")).isNull();
    assertThat(cast(CastType.TEXT, "7 ")).isEqualTo("7 ");
    assertThat(cast(CastType.TEXT, 7)).isNull();
    assertThat(cast(CastType.TEXT, SOME)).isNull();
    assertThat(cast(CastType.BOOLEAN, true)).isEqualTo(true);
    assertThat(cast(CastType.BOOLEAN, "t")).isNull();
    assertThat(cast(CastType.INTEGER, true)).isNull();
    assertThat(cast(CastType.INTEGER, 1.5)).isNull();
    assertThat(cast(CastType.INTEGER, Operand.NULL)).isSameAs(Operand.NULL);
  }

  @Test
  void anArrayIsCastByElement() {
    Operand.Elements array = new Operand.Elements(0, CastType.SMALLINT);
    assertThat(array.elements(new Object[] {of(List.of("7", 8, Operand.NULL))}))
        .containsExactly(7L, 8L, Operand.NULL);
    Object[] large = {of(List.of(7, 40_000))};
    assertThat(array.elements(large)).isNull();
    assertThat(array.mayFail(NONE, large)).isTrue();
    assertThat(array.mayFail(NONE, new Object[] {"{7,8}"})).isTrue();
    assertThat(new Operand.Elements(0, null).mayFail(NONE, large)).isFalse();
  }

  private static BoundValue of(List<Object> elements) {
    return new BoundValue() {
      @Override
      public @Nullable Object boundValue() {
        return null;
      }

      @Override
      public List<Object> boundElements() {
        return elements;
      }

      @Override
      public boolean mayBeFloat() {
        return false;
      }
    };
  }
}
