package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.larder.lexer.Token.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-jdk")
public class SqlLexerFuzzTest {
  private static final int TEXTS = Integer.getInteger("larder.fuzz.texts", 1_000);
  private static final int LENGTH = 12 * Integer.getInteger("larder.long", 100_000);

  private static final List<LexOptions> OPTIONS =
      List.of(
          LexOptions.STATEMENT,
          LexOptions.PREPARED,
          LexOptions.of(false, false),
          LexOptions.of(true, false));

  public static final String[] PIECES = {
    "select",
    "a",
    "e",
    "E",
    "u",
    "n",
    "b",
    "'",
    "''",
    "\"",
    "\\",
    "$",
    "$$",
    "$a$",
    "$1",
    "?",
    "??",
    "1",
    "0x",
    ".5",
    "1e5",
    "_",
    ".",
    "..",
    ":",
    "::",
    ":=",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "--",
    "\n",
    "/*",
    "*/",
    "/",
    "*",
    "-",
    "+",
    "<",
    ">",
    "=",
    "@",
    "&",
    "%",
    " ",
    "\t",
    "\u000b",
    "\u00e9",
    "{",
    "}",
    "\u0000",
    "now",
    "today",
    "regclass",
    "'x'",
    "E'y'",
    "U&'z'",
    "\"q\"",
    "/* c */",
    "larder:off",
  };

  /** Tokens that mean the same with any white space or comment in between. */
  private static final String[] TOKENS = {
    "select",
    "from",
    "t",
    "\"q q\"",
    "'x'",
    "'it''s'",
    "E'\\n'",
    "1",
    "2.5",
    "1e5",
    "?",
    "=",
    "<=",
    "->>",
    "@>",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "::",
    ";",
    "*",
    "-",
    "/",
    "$1",
    "$$d  d$$",
    "B'1'",
    "'now'",
  };

  private static final String[] GAPS = {" ", "\t ", "\n", " /* c */ ", " /* ? 'x */", " -- c'?\n"};

  private static String soup(Random random) {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "select " : "");
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static List<String> tokens(String sql, LexOptions options) {
    List<String> tokens = new ArrayList<>();
    TokenScanner scanner = new TokenScanner(sql, options);
    while (scanner.next()) {
      if (scanner.kind() != Kind.COMMENT) {
        tokens.add(sql.substring(scanner.start(), scanner.end()));
      }
    }
    return tokens;
  }

  /** Puts the literals back where the shape has placeholders for {@code tokens}. */
  private static List<String> restored(StatementText text, List<String> tokens) {
    List<String> restored = tokens(text.shape().text(), text.shape().options());
    assertThat(restored).hasSameSizeAs(tokens);
    int next = 0;
    for (int i = 0; i < tokens.size() && next < text.literals().size(); i++) {
      boolean placeholder = restored.get(i).equals("''") || restored.get(i).equals("0");
      if (placeholder && text.literals().get(next).equals(tokens.get(i))) {
        restored.set(i, text.literals().get(next++));
      }
    }
    assertThat(next).isEqualTo(text.literals().size());
    return restored;
  }

  @Test
  void shapeOfAShapeIsTheShape() {
    Random random = new Random(1);
    for (int i = 0; i < 20 * TEXTS; i++) {
      String sql = soup(random);
      LexOptions options = OPTIONS.get(random.nextInt(4));
      StatementText text = SqlLexer.lex(sql, options);
      StatementText again = SqlLexer.lex(text.shape().text(), options);
      assertThat(again.shape().text()).as(sql).isEqualTo(text.shape().text());
      assertThat(again.parameterCount()).as(sql).isEqualTo(text.parameterCount());
    }
  }

  @Test
  void literalsPutBackGiveTheSameTokens() {
    Random random = new Random(2);
    int extracted = 0;
    for (int i = 0; i < 10 * TEXTS; i++) {
      String sql = "select " + soup(random);
      LexOptions options = OPTIONS.get(random.nextInt(4));
      StatementText text = SqlLexer.lex(sql, options);
      if (text.literals().isEmpty()) {
        continue;
      }
      extracted++;
      List<String> expected = tokens(sql, options);
      assertThat(restored(text, expected)).as(sql).isEqualTo(expected);
    }
    assertThat(extracted).isGreaterThan(TEXTS);
  }

  @Test
  void textsThatDifferInWhiteSpaceAndCommentsAreEqual() {
    Random random = new Random(3);
    for (int i = 0; i < 5 * TEXTS; i++) {
      StringBuilder one = new StringBuilder("select ");
      StringBuilder two = new StringBuilder("/* two */ select\n");
      for (int n = 1 + random.nextInt(10); n > 0; n--) {
        String token = TOKENS[random.nextInt(TOKENS.length)];
        String gap = GAPS[random.nextInt(GAPS.length)];
        boolean string = token.endsWith("'");
        if (token.equals(";")) {
          gap = " "; // A comment alone behind it is a statement.
        }
        one.append(token).append(' ');
        two.append(token).append(string ? " /**/ " : gap);
      }
      LexOptions options = random.nextBoolean() ? LexOptions.STATEMENT : LexOptions.PREPARED;
      StatementText first = SqlLexer.lex(one.toString(), options);
      StatementText second = SqlLexer.lex(two.toString(), options);
      assertThat(second.shape()).as(two.toString()).isEqualTo(first.shape());
      assertThat(second.literals()).as(two.toString()).isEqualTo(first.literals());
      assertThat(second.parameterCount()).as(two.toString()).isEqualTo(first.parameterCount());
    }
  }

  @Test
  void textsThatDifferInALiteralHaveEqualShapes() {
    Random random = new Random(4);
    for (int i = 0; i < TEXTS; i++) {
      String text = Integer.toString(random.nextInt(), 36);
      String sql = "select a from t where b = '%s' and c > %d";
      StatementText one = SqlLexer.lex(sql.formatted(text, i), LexOptions.STATEMENT);
      StatementText two = SqlLexer.lex(sql.formatted(text + "x", i + 1), LexOptions.STATEMENT);
      assertThat(two.shape()).isEqualTo(one.shape());
      assertThat(two.literals()).isNotEqualTo(one.literals());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'",
        "''",
        "\"",
        "/*",
        "*/",
        "--",
        "-",
        "$",
        "$a",
        "$a$",
        "$$",
        "$a$ ",
        "(",
        "a",
        "a ",
        "1",
        "1.",
        "0x",
        "?",
        "??",
        "+",
        "@-",
        "'a' ",
        "'a'\n",
        "E'\\",
        ";",
        "regclass ",
        "\\",
        "\u00e9",
        "/*/",
        "now "
      })
  void tenMillionCharactersTakeLinearTime(String piece) {
    String sql = "select " + piece.repeat(LENGTH / piece.length());
    for (LexOptions options : OPTIONS.subList(0, 2)) {
      StatementText text =
          assertTimeoutPreemptively(Duration.ofSeconds(20), () -> SqlLexer.lex(sql, options));
      assertThat(text.shape().text()).isNotEmpty();
    }
  }
}
