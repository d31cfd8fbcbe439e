package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
    assertThat(tokens.from(1).size()).isEqualTo(1);
    assertThat(tokens.from(3).size()).isZero();
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
    assertThat(tokens.relation(1)).isEqualTo(new RelationName("b", "c"));
    assertThat(tokens.relation(3)).isEqualTo(new RelationName("b", "c"));
    assertThat(tokens.relation(7)).isEqualTo(new RelationName(null, "d"));
    assertThat(tokens.afterName(7)).isEqualTo(8);
    assertThat(tokens.relation(11)).isEqualTo(new RelationName(null, "e"));
    assertThat(tokens("( a ) . b").nameStart(4)).isEqualTo(4);
  }

  @Test
  void wordsAreFoundUnlessTheyAreAttributes() {
    assertThat(tokens("select a.execute").contains("execute")).isFalse();
    assertThat(tokens("select \"execute\"").contains("execute")).isFalse();
    assertThat(tokens("execute a").contains("execute")).isTrue();
    assertThat(tokens("select a").contains(TokenKind.QUOTED_NAME)).isFalse();
    assertThat(tokens("select \"a\"").contains(TokenKind.QUOTED_NAME)).isTrue();
  }

  @Test
  void namesAreCutWhereTheServerCutsThem() {
    assertThat(tokens("x".repeat(63)).get(0).name()).isEqualTo("x".repeat(63));
    assertThat(tokens("X".repeat(64)).get(0).name()).isEqualTo("x".repeat(63));
    assertThat(tokens('"' + "X".repeat(64) + '"').get(0).name()).isEqualTo("X".repeat(63));
  }

  @Test
  void longNamesThatAreNotAsciiAreUnclear() {
    assertThat(tokens("\u00e9".repeat(31) + "a").get(0).kind()).isEqualTo(TokenKind.WORD);
    assertThat(tokens("\u00e9".repeat(32)).get(0).kind()).isEqualTo(TokenKind.UNICODE_NAME);
    assertThat(tokens("\u20ac".repeat(21)).get(0).kind()).isEqualTo(TokenKind.WORD);
    assertThat(tokens("\u20ac".repeat(22)).get(0).kind()).isEqualTo(TokenKind.UNICODE_NAME);
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
