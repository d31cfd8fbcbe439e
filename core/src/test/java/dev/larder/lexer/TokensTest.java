package dev.larder.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.Token.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("each-jdk")
class TokensTest {
  private static Tokens tokens(String sql) {
    return Tokens.of(SqlLexer.lex(sql, LexOptions.STATEMENT).shape());
  }

  @Test
  void indexesOutOfRangeAreTheEnd() {
    Tokens tokens = tokens("select a");

    assertThat(tokens.size()).isEqualTo(2);
    assertThat(tokens.get(-1)).isSameAs(Token.END);
    assertThat(tokens.get(0).is("select")).isTrue();
    assertThat(tokens.get(2)).isSameAs(Token.END);
    assertThat(tokens.is(1, "a", "b")).isFalse();
    assertThat(tokens.between(1, 2).size()).isEqualTo(1);
  }

  @Test
  void commentsAreNoTokens() {
    StatementShape unended = SqlLexer.lex("select '/* a */", LexOptions.STATEMENT).shape();

    assertThat(tokens("select /* a */ b -- c").size()).isEqualTo(2);
    assertThat(Tokens.of(unended).size()).isEqualTo(2);
    assertThat(Tokens.of(new StatementShape("a /* b */ c", LexOptions.STATEMENT, QueryHints.NONE)))
        .satisfies(tokens -> assertThat(tokens.size()).isEqualTo(2));
  }

  @Test
  void bracketsAreFoundByTheirCounterparts() {
    Tokens tokens = tokens("f ( a [ ( b ) ] , c ) d )");

    assertThat(tokens.afterClosing(1)).isEqualTo(11);
    assertThat(tokens.afterClosing(3)).isEqualTo(8);
    assertThat(tokens.afterClosing(4)).isEqualTo(7);
    assertThat(tokens.opening(10)).isEqualTo(1);
    assertThat(tokens.opening(7)).isEqualTo(3);
    assertThat(tokens.opening(6)).isEqualTo(4);
    assertThat(tokens.opening(12)).isEqualTo(-1);
    assertThat(tokens("( a [ b").afterClosing(0)).isEqualTo(4);
    assertThat(tokens("( a )").opening(2)).isZero();
  }

  @Test
  void namesWithDotsAreOne() {
    Tokens tokens = tokens("select a . b . c , d . * , e");

    assertThat(tokens.afterName(1)).isEqualTo(6);
    assertThat(tokens.nameStart(5)).isEqualTo(1);
    assertThat(tokens.nameStart(3)).isEqualTo(1);
    assertThat(tokens.afterName(7)).isEqualTo(8);
    assertThat(tokens("( a ) . b").nameStart(4)).isEqualTo(4);
  }

  @Test
  void wordsAreFoundUnlessTheyAreAttributes() {
    assertThat(tokens("select a.execute").contains("execute")).isFalse();
    assertThat(tokens("select \"execute\"").contains("execute")).isFalse();
    assertThat(tokens("execute a").contains("execute")).isTrue();
    assertThat(tokens("select a").contains(Kind.QUOTED_NAME)).isFalse();
    assertThat(tokens("select \"a\"").contains(Kind.QUOTED_NAME)).isTrue();
  }

  @Test
  void namesAreCutWhereTheServerCutsThem() {
    assertThat(tokens("x".repeat(63)).get(0).name()).isEqualTo("x".repeat(63));
    assertThat(tokens("X".repeat(64)).get(0).name()).isEqualTo("x".repeat(63));
    assertThat(tokens('"' + "X".repeat(64) + '"').get(0).name()).isEqualTo("X".repeat(63));
  }

  @Test
  void longNamesThatAreNotAsciiAreUnclear() {
    assertThat(tokens("\u00e9".repeat(31) + "a").get(0).kind()).isEqualTo(Kind.WORD);
    assertThat(tokens("\u00e9".repeat(32)).get(0).kind()).isEqualTo(Kind.UNICODE_NAME);
    assertThat(tokens("\u20ac".repeat(21)).get(0).kind()).isEqualTo(Kind.WORD);
    assertThat(tokens("\u20ac".repeat(22)).get(0).kind()).isEqualTo(Kind.UNICODE_NAME);
  }

  @Test
  void onlyAsciiLettersAreFolded() {
    assertThat(tokens("\u00c9AMZamz_0$").get(0).name()).isEqualTo("\u00c9amzamz_0$");
    assertThat(tokens("\u00c9\u00c9").get(0).name()).isEqualTo("\u00c9\u00c9");
    assertThat(tokens("AMZ\u0130").get(0).name()).isEqualTo("amz\u0130");
    assertThat(tokens("\"A\u00c9\"\"b\"").get(0).name()).isEqualTo("A\u00c9\"b");
  }

  @Test
  void everyBracketIsTheSameToken() {
    Tokens tokens = tokens("( ( a . b :: c");

    assertThat(tokens.get(0)).isSameAs(tokens.get(1));
    assertThat(tokens.isSymbol(3, ".")).isTrue();
    assertThat(tokens.isSymbol(5, "::")).isTrue();
    assertThat(tokens.isSymbol(5, ":")).isFalse();
  }
}
