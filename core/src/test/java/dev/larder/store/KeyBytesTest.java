package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys are equal if and only if their bytes are: each part of a key, on its own, changes them. */
class KeyBytesTest {
  private static final String SQL = "select v from t where a = ?";

  /** The parts of a key, one of which a test changes. */
  private record Parts(
      String sql,
      boolean prepared,
      String space,
      String sessionUser,
      String currentUser,
      List<String> path,
      Map<String, String> settings,
      List<Object> literals,
      List<Object> binds,
      long options) {

    byte[] bytes() {
      SortedMap<String, String> sorted = new TreeMap<>(settings);
      return Objects.requireNonNull(
          KeyBytes.of(
              new QueryKey(
                  SqlLexer.lex(sql, LexOptions.of(prepared, true)).shape(),
                  new SessionFingerprint(space, sessionUser, currentUser, path, sorted),
                  literals.toArray(),
                  binds.toArray(),
                  options)));
    }
  }

  private static Parts parts(String sql, List<Object> binds) {
    return new Parts(
        sql,
        true,
        "space",
        "session",
        "current",
        List.of("a", "b"),
        Map.of("s", "1"),
        List.of("'x'"),
        binds,
        7);
  }

  private static final Parts BASE = parts(SQL, List.of("bind"));

  private static Parts changed(UnaryOperator<Parts> change) {
    return change.apply(BASE);
  }

  private static void assertAllDiffer(Map<String, byte[]> all) {
    for (Map.Entry<String, byte[]> left : all.entrySet()) {
      for (Map.Entry<String, byte[]> right : all.entrySet()) {
        if (!left.getKey().equals(right.getKey())) {
          assertThat(left.getValue())
              .as("%s and %s", left.getKey(), right.getKey())
              .isNotEqualTo(right.getValue());
        }
      }
    }
  }

  @Test
  void eachPartOnItsOwnChangesTheBytes() {
    Map<String, byte[]> all = new HashMap<>();
    all.put("base", BASE.bytes());
    all.put("text", parts("select w from t where a = ?", BASE.binds()).bytes());
    all.put("hint", parts("/*larder:ttl=5s*/ " + SQL, BASE.binds()).bytes());
    all.put("longer hint", parts("/*larder:ttl=6s*/ " + SQL, BASE.binds()).bytes());
    Parts b = BASE;
    all.put("plain", with(b, false, b.space(), "session", "current", b.path(), b.settings(), 7));
    all.put("space", with(b, true, "other", "session", "current", b.path(), b.settings(), 7));
    all.put("session", with(b, true, "space", "other", "current", b.path(), b.settings(), 7));
    all.put("current", with(b, true, "space", "session", "other", b.path(), b.settings(), 7));
    all.put("users", with(b, true, "space", "current", "session", b.path(), b.settings(), 7));
    all.put("path", with(b, true, "space", "session", "current", List.of("b"), b.settings(), 7));
    all.put("one", with(b, true, "space", "session", "current", List.of("ab"), b.settings(), 7));
    all.put("value", with(b, true, "space", "session", "current", b.path(), Map.of("s", "2"), 7));
    all.put("name", with(b, true, "space", "session", "current", b.path(), Map.of("r", "1"), 7));
    all.put("options", with(b, true, "space", "session", "current", b.path(), b.settings(), 8));
    all.put("bind", parts(SQL, List.of("other")).bytes());
    all.put("binds", parts(SQL, List.of("bind", "bind")).bytes());
    all.put(
        "literal",
        new Parts(
                SQL,
                true,
                "space",
                "session",
                "current",
                b.path(),
                b.settings(),
                List.of("'y'"),
                b.binds(),
                7)
            .bytes());
    assertAllDiffer(all);
    assertThat(changed(UnaryOperator.identity()).bytes()).isEqualTo(all.get("base"));
  }

  private static byte[] with(
      Parts base,
      boolean prepared,
      String space,
      String sessionUser,
      String currentUser,
      List<String> path,
      Map<String, String> settings,
      long options) {
    return new Parts(
            base.sql(),
            prepared,
            space,
            sessionUser,
            currentUser,
            path,
            settings,
            base.literals(),
            base.binds(),
            options)
        .bytes();
  }

  @Test
  void valuesThatLookAlikeHaveBytesOfTheirOwn() {
    Map<String, byte[]> all = new HashMap<>();
    Object[] values = {
      1,
      2,
      1L,
      (short) 1,
      "1",
      "",
      "é",
      "\u00ff",
      "\u0100",
      "\u0001",
      "\u0101",
      "ab",
      "a",
      1.0,
      2.0,
      1.0f,
      2.0f,
      0.0,
      -0.0,
      true,
      false,
      new BigDecimal("1"),
      new BigDecimal("1.0"),
      new BigDecimal("0.1"),
      new BigDecimal("256"),
      new BigDecimal("257"),
      Thread.State.NEW,
      Thread.State.BLOCKED
    };
    for (Object value : values) {
      all.put(value.getClass().getSimpleName() + value, parts(SQL, List.of(value)).bytes());
    }
    all.put("null", nullBind());
    assertThat(all).hasSize(values.length + 1);
    assertAllDiffer(all);
  }

  private static byte[] nullBind() {
    return new Parts(
            SQL,
            true,
            "space",
            "session",
            "current",
            BASE.path(),
            BASE.settings(),
            BASE.literals(),
            Arrays.asList((Object) null),
            7)
        .bytes();
  }

  @Test
  void aValueOfAnUnknownClassHasNone() {
    byte @Nullable [] bytes =
        KeyBytes.of(
            new QueryKey(
                SqlLexer.lex(SQL, LexOptions.PREPARED).shape(),
                new SessionFingerprint("", "", "", List.of(), new TreeMap<>()),
                new Object[0],
                new Object[] {new StringBuilder("x")},
                0));
    assertThat(bytes).isNull();
  }
}
