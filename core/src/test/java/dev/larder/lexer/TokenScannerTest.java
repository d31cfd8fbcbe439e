package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.Token.Kind;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenScannerTest {
  /** The tokens, each in angle brackets behind its kind. */
  private static String tokens(String sql, LexOptions options) {
    StringJoiner tokens = new StringJoiner(" ");
    TokenScanner scanner = new TokenScanner(sql, options);
    while (scanner.next()) {
      tokens.add(scanner.kind() + "{" + sql.substring(scanner.start(), scanner.end()) + "}");
    }
    assertThat(scanner.kind()).isEqualTo(Kind.END);
    assertThat(scanner.end()).isEqualTo(sql.length());
    return tokens.toString();
  }

  private static String tokens(String sql) {
    return tokens(sql, LexOptions.STATEMENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$12a | POSITIONAL_PARAMETER{$12} WORD{a}",
        "$$a$$b | DOLLAR_STRING{$$a$$} WORD{b}",
        "$a$ b $ $b$ $a$ c | DOLLAR_STRING{$a$ b $ $b$ $a$} WORD{c}",
        "$a$a$a$b | DOLLAR_STRING{$a$a$a$} WORD{b}",
        "$a$ b $b$ | OTHER{$a$ b $b$}",
        "$a b | OTHER{$} WORD{a} WORD{b}",
        "a'b' | WORD{a} STRING{'b'}",
        "N'b'n'b' | STRING{N'b'} STRING{n'b'}",
        "e'b\\'c' | ESCAPE_STRING{e'b\\'c'}",
        "U&'a'u&'b' | UNICODE_STRING{U&'a'} UNICODE_STRING{u&'b'}",
        "U&\"a\"u&\"b\" | UNICODE_NAME{U&\"a\"} UNICODE_NAME{u&\"b\"}",
        "a&\"b\" | WORD{a} OPERATOR{&} QUOTED_NAME{\"b\"}",
        "u& \"b\" | WORD{u} OPERATOR{&} QUOTED_NAME{\"b\"}",
        "a:=b | WORD{a} PUNCTUATION{:=} WORD{b}",
        "a=:b | WORD{a} OPERATOR{=} PUNCTUATION{:} WORD{b}",
        "a::b | WORD{a} PUNCTUATION{::} WORD{b}",
        "a..b.c | WORD{a} PUNCTUATION{..} WORD{b} PUNCTUATION{.} WORD{c}",
        "'a | OTHER{'a}",
        "\"a | OTHER{\"a}",
        "E'a\\ | OTHER{E'a\\}",
        "/* a * | OTHER{/* a *}",
        "/* a /* b */ | OTHER{/* a /* b */}",
        "/* a /* b */ */c | COMMENT{/* a /* b */ */} WORD{c}",
        "a -- b | WORD{a} COMMENT{-- b}",
        "a - | WORD{a} OPERATOR{-}",
        "'a' - | STRING{'a'} OPERATOR{-}",
        "@-a | OPERATOR{@-} WORD{a}",
        "a @-b | WORD{a} OPERATOR{@-} WORD{b}",
        "a @ =-b | WORD{a} OPERATOR{@} OPERATOR{=} OPERATOR{-} WORD{b}",
        "a =+-+ b | WORD{a} OPERATOR{=} OPERATOR{+} OPERATOR{-} OPERATOR{+} WORD{b}",
        "a+<b | WORD{a} OPERATOR{+<} WORD{b}",
        "a <--b | WORD{a} OPERATOR{<} COMMENT{--b}",
        "a </*b*/ c | WORD{a} OPERATOR{<} COMMENT{/*b*/} WORD{c}",
        "a ? b | WORD{a} OPERATOR{?} WORD{b}",
        "{a} | OTHER{{} WORD{a} OTHER{}}",
      })
  void tokensAreThoseOfTheServer(String sql, String expected) {
    assertThat(tokens(sql)).isEqualTo(expected);
  }

  @Test
  void questionMarksOfPreparedStatementsAreParametersUnlessTheyAreDoubled() {
    assertThat(tokens("a<?", LexOptions.PREPARED)).isEqualTo("WORD{a} OPERATOR{<} PARAMETER{?}");
    assertThat(tokens("a???", LexOptions.PREPARED)).isEqualTo("WORD{a} OPERATOR{??} PARAMETER{?}");
    assertThat(tokens("a ??-?", LexOptions.PREPARED))
        .isEqualTo("WORD{a} OPERATOR{??-} PARAMETER{?}");
  }

  @Test
  void nationalStringsEscapeWherePlainOnesDo() {
    LexOptions escaping = LexOptions.of(false, false);
    assertThat(tokens("N'a\\'b'", escaping)).isEqualTo("ESCAPE_STRING{N'a\\'b'}");
    assertThat(tokens("'a\\'b'", escaping)).isEqualTo("ESCAPE_STRING{'a\\'b'}");
    assertThat(tokens("N'a\\'")).isEqualTo("STRING{N'a\\'}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'a'\n'b'", "'a'\r'b'", "'a' -- c\n 'b'", "'a'\u000b\n\t'b'\n'c'"})
  void stringsGoOnBehindANewline(String sql) {
    TokenScanner scanner = new TokenScanner(sql + "d", LexOptions.STATEMENT);
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.kind()).isEqualTo(Kind.STRING);
    assertThat(scanner.end()).isEqualTo(sql.length());
  }

  @Test
  void whatIsNotAsciiIsPartOfAName() {
    assertThat(tokens("\u0080\u0080 b\u0080")).isEqualTo("WORD{\u0080\u0080} WORD{b\u0080}");
    assertThat(tokens("a\u007f")).isEqualTo("WORD{a} OTHER{\u007f}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "1.",
        ".5",
        "1.5",
        "1e5",
        "1E-5",
        "1.e+5",
        "0x1F",
        "0b1_0",
        "0o_17",
        "1_000.000_1",
        "1_0e1_0",
        "0",
        "0.5",
        "0e1",
      })
  void numbersAreReadWhole(String number) {
    assertThat(tokens(number)).isEqualTo("NUMBER{" + number + "}");
    assertThat(tokens(number + ",")).isEqualTo("NUMBER{" + number + "} PUNCTUATION{,}");
  }

  @ParameterizedTest
  @CsvSource({
    "1e, NUMBER{1} WORD{e}",
    "1e+, NUMBER{1} WORD{e} OPERATOR{+}",
    "1f5, NUMBER{1} WORD{f5}",
    "1_, NUMBER{1} WORD{_}",
    "1__0, NUMBER{1} WORD{__0}",
    "1._5, NUMBER{1.} WORD{_5}",
    "1e_5, NUMBER{1} WORD{e_5}",
    "0x, NUMBER{0} WORD{x}",
    "0xg, NUMBER{0} WORD{xg}",
    "0b2, NUMBER{0} WORD{b2}",
    "0o8, NUMBER{0} WORD{o8}",
    "10x1, NUMBER{10} WORD{x1}",
    "1..2, NUMBER{1} PUNCTUATION{..} NUMBER{2}",
    "1.5.5, NUMBER{1.5} NUMBER{.5}",
    "1\u0660, NUMBER{1} WORD{\u0660}",
  })
  void numbersEndWhereThoseOfTheServerEnd(String sql, String expected) {
    assertThat(tokens(sql)).isEqualTo(expected);
  }
}
