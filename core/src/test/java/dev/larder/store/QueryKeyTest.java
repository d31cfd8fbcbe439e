package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueryKeyTest {
  private static final String SQL = "select v from t where id = ? and name = ?";
  private static final StatementShape SHAPE = shape(SQL);
  private static final SessionFingerprint SESSION = session("public");

  @Test
  void equalPartsAreOneKeyWhateverObjectsTheyAre() {
    QueryKey left = key(new Object[] {"'a'"}, new Object[] {1_000L, "x", null});
    QueryKey right =
        new QueryKey(
            shape(SQL),
            session("public"),
            new Object[] {"'" + "a'"},
            new Object[] {Long.valueOf(1_000L), new StringBuilder("x").toString(), null},
            0);

    assertThat(left).isEqualTo(right).hasSameHashCodeAs(right);
  }

  /** All pairs of queries that differ in one thing, most of which look alike as text. */
  @Test
  void differentQueriesAreNeverEqual() {
    List<QueryKey> keys = new ArrayList<>();
    Object[] values = {
      1,
      1L,
      (short) 1,
      (byte) 1,
      "1",
      '1',
      1.0,
      1.0f,
      true,
      "true",
      new BigDecimal("1"),
      new BigDecimal("1.0"),
      0.0,
      -0.0,
      Double.NaN,
      Float.NaN,
      "",
      "null",
      null
    };
    for (Object value : values) {
      keys.add(binds(value));
      keys.add(key(new Object[] {value}, new Object[0]));
      keys.add(binds(value, null));
      keys.add(binds(null, value, null));
    }
    keys.add(binds("a", "bc"));
    keys.add(binds("ab", "c"));
    keys.add(binds("abc"));
    keys.add(key(new Object[] {"a"}, new Object[] {"bc"}));
    keys.add(key(new Object[] {"a", "bc"}, new Object[0]));
    keys.add(binds());
    keys.add(new QueryKey(SHAPE, SESSION, new Object[0], new Object[0], 1));
    keys.add(new QueryKey(SHAPE, SESSION, new Object[0], new Object[0], 1L << 32));
    keys.add(new QueryKey(SHAPE, session("other"), new Object[0], new Object[0], 0));
    keys.add(new QueryKey(shape(SQL + " " + "or true"), SESSION, new Object[0], new Object[0], 0));

    for (int i = 0; i < keys.size(); i++) {
      for (int j = 0; j < keys.size(); j++) {
        assertThat(keys.get(i).equals(keys.get(j))).as("%s and %s", i, j).isEqualTo(i == j);
        assertThat(Arrays.equals(KeyBytes.of(keys.get(i)), KeyBytes.of(keys.get(j))))
            .as("bytes of %s and %s", i, j)
            .isEqualTo(i == j);
      }
    }
    Map<QueryKey, Integer> map = new HashMap<>();
    keys.forEach(key -> map.merge(key, 1, Integer::sum));
    assertThat(map).hasSize(keys.size());
  }

  @Test
  void equalKeysHaveEqualBytes() {
    Object[] values = {1, 2L, "x\ud800", 0.5, new BigDecimal("1.50"), null};

    assertThat(KeyBytes.of(binds(values)))
        .isNotNull()
        .isEqualTo(KeyBytes.of(binds(values.clone()).detach()));
  }

  @Test
  void keyWithAValueOfAnUnknownClassHasNoBytes() {
    assertThat(KeyBytes.of(binds(new Lenient()))).isNull();
  }

  /** A bind value that writes itself. */
  private record Part(int value) implements KeyPart {
    @Override
    public void writeTo(KeySink sink) {
      sink.number(value);
    }
  }

  @Test
  void valueThatWritesItselfIsToldFromOthersByItsClassAndWhatItWrites() {
    assertThat(KeyBytes.of(binds(new Part(1))))
        .isEqualTo(KeyBytes.of(binds(new Part(1))))
        .isNotEqualTo(KeyBytes.of(binds(new Part(2))))
        .isNotEqualTo(KeyBytes.of(binds(1L)));
  }

  @Test
  void keysWithCollidingHashesAreTold() {
    QueryKey left = binds("Aa", "BB");
    QueryKey right = binds("BB", "Aa");

    assertThat(left).hasSameHashCodeAs(right);
    assertThat(left).isNotEqualTo(right);
  }

  /** A value class whose equality ignores what it is a subclass of. */
  private static class Lenient {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Lenient;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static final class Sent extends Lenient {}

  @Test
  void valuesOfTwoClassesDifferEvenIfTheyCallEachOtherEqual() {
    assertThat(binds(new Lenient())).isEqualTo(binds(new Lenient()));
    assertThat(binds(new Lenient())).isNotEqualTo(binds(new Sent()));
  }

  @Test
  void detachedKeyKeepsItsValuesWhenTheCallersArraysChange() {
    Object[] literals = {"1"};
    Object[] binds = {1L};
    QueryKey detached = key(literals, binds).detach();
    literals[0] = "2";
    binds[0] = 2L;

    assertThat(detached).isEqualTo(key(new Object[] {"1"}, new Object[] {1L}));
  }

  @Test
  void anyPartOfTheSessionTellsSessionsApart() {
    SortedMap<String, String> settings = new TreeMap<>(Map.of("timezone", "UTC"));
    List<SessionFingerprint> sessions =
        List.of(
            new SessionFingerprint("s", "a", "b", List.of("x", "y"), settings),
            new SessionFingerprint("s", "b", "a", List.of("x", "y"), settings),
            new SessionFingerprint("t", "a", "b", List.of("x", "y"), settings),
            new SessionFingerprint("s", "a", "b", List.of("y", "x"), settings),
            new SessionFingerprint("s", "a", "b", List.of("x"), settings),
            new SessionFingerprint("s", "a", "b", List.of("x,y"), settings),
            new SessionFingerprint("s", "a", "b", List.of("x", "y"), new TreeMap<>()),
            new SessionFingerprint(
                "s", "a", "b", List.of("x", "y"), new TreeMap<>(Map.of("timezone", "utc"))));

    assertThat(sessions).doesNotHaveDuplicates();
    for (SessionFingerprint session : sessions) {
      assertThat(session.intern()).isEqualTo(session);
    }
  }

  @Test
  void settingsThatDifferInCaseDifferWhateverTheCallersOrder() {
    SortedMap<String, String> upper = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    upper.put("app.A", "1");
    SortedMap<String, String> lower = new TreeMap<>(Comparator.reverseOrder());
    lower.put("app.a", "1");

    assertThat(new SessionFingerprint("s", "a", "b", List.of(), upper))
        .isNotEqualTo(new SessionFingerprint("s", "a", "b", List.of(), lower));
  }

  @Test
  void equalSessionsInternToOneObject() {
    assertThat(session("interned").intern()).isSameAs(session("interned").intern());
  }

  private static QueryKey binds(@Nullable Object... binds) {
    return key(new Object[0], binds);
  }

  private static QueryKey key(@Nullable Object[] literals, @Nullable Object[] binds) {
    return new QueryKey(SHAPE, SESSION, literals, binds, 0);
  }

  private static StatementShape shape(String sql) {
    return SqlLexer.lex(sql, LexOptions.PREPARED).shape();
  }

  private static SessionFingerprint session(String schema) {
    return new SessionFingerprint("space", "user", "user", List.of(schema), new TreeMap<>());
  }
}
