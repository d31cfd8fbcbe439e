package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.result.HeapWeight;
import dev.larder.sql.StatementKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The weights of keys, by the layout of objects on a 64-bit HotSpot JVM: a header of 12 bytes (of
 * an array 16), 4 bytes a reference, all rounded up to 8. That their sums are what a heap loses is
 * what {@code LocalResultStoreMemoryTest} measures.
 */
class KeyWeightTest {
  /** A String is 24 bytes, and so is its array of up to 8 Latin-1 characters. */
  private static final int SHORT_STRING = 48;

  private record Weight(@Nullable Object value, long bytes) {}

  static List<Weight> weights() {
    return List.of(
        new Weight(null, 0),
        new Weight(true, 0),
        new Weight(StatementKind.QUERY, 0),
        new Weight("12345678", SHORT_STRING),
        new Weight("123456789", SHORT_STRING + 8),
        new Weight("\u20ac2345", SHORT_STRING + 8),
        new Weight(1, 16),
        new Weight(1f, 16),
        new Weight(1L, 24),
        new Weight(1d, 24),
        // 12 + 4 + 20, and an array of an int for each 32 bits or so.
        new Weight(BigInteger.ONE, 40 + 24),
        new Weight(BigInteger.ONE.shiftLeft(64), 40 + 32),
        // 12 + 2 * 4 + 16, and the BigInteger.
        new Weight(new BigDecimal("1.5"), 40 + 40 + 24),
        new Weight((Weighed) () -> 77, 77),
        new Weight('c', 48));
  }

  @ParameterizedTest
  @MethodSource("weights")
  void valuesWeighWhatTheyOccupy(Weight weight) {
    assertThat(Weighed.weightOf(weight.value())).isEqualTo(weight.bytes());
  }

  @Test
  void objectsAreRoundedUp() {
    assertThat(HeapWeight.ofObject(0, 0)).isEqualTo(16);
    assertThat(HeapWeight.ofObject(1, 0)).isEqualTo(16);
    assertThat(HeapWeight.ofObject(1, 1)).isEqualTo(24);
    assertThat(HeapWeight.ofObject(3, 8)).isEqualTo(32);
  }

  @Test
  void arraysWeighTheirElementsToo() {
    assertThat(KeyWeight.of(new Object[0])).as("shared").isZero();
    assertThat(KeyWeight.of(new Object[] {1, null, "x"})).isEqualTo(32 + 16 + SHORT_STRING);
  }

  @Test
  void shapesWeighTheirTexts() {
    StatementShape shape = SqlLexer.lex("table t", LexOptions.PREPARED).shape();

    // 12 + 4 * 4 + 4, the flag that it is accounted for, and the text.
    assertThat(KeyWeight.of(shape)).isEqualTo(32 + 16 + SHORT_STRING);
  }

  @Test
  void sessionsWeighTheirTextsSchemasAndSettings() {
    long empty = KeyWeight.of(session(List.of(), Map.of()));

    assertThat(empty).isEqualTo(56 + 16 + 2 * interned() + 3 * SHORT_STRING + 24 + 16 + 48 + 32);
    assertThat(KeyWeight.of(session(List.of("a", "b"), Map.of())))
        .isEqualTo(empty + 8 + 2 * SHORT_STRING);
    // 12 + 5 * 4 + 1 for a node of the map.
    assertThat(KeyWeight.of(session(List.of(), Map.of("k", "v"))))
        .isEqualTo(empty + 40 + 2 * SHORT_STRING);
  }

  private static long interned() {
    return 16 + 48 + 32 + 12;
  }

  static SessionFingerprint session(List<String> path, Map<String, String> settings) {
    return new SessionFingerprint("s", "u", "c", path, new TreeMap<>(settings));
  }

  @Test
  void keysWeighTheirOwnParts() {
    StatementShape shape = SqlLexer.lex("select a from t", LexOptions.PREPARED).shape();
    SessionFingerprint session = session(List.of(), Map.of());
    QueryKey key = new QueryKey(shape, session, new Object[] {"'x'"}, new Object[] {1L, 2}, 0);

    // 12 + 4 * 4 + 12; two arrays with what is in them.
    assertThat(key.heapBytes()).isEqualTo(40 + (24 + SHORT_STRING) + (24 + 24 + 16));
  }
}
