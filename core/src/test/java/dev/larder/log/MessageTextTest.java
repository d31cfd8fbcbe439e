package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Neither a credential nor a character that is not seen gets into a message. */
@Tag("each-jdk")
final class MessageTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Unable to parse URL jdbc:postgresql://h:99999999/db?user=a&password=hunter2",
        "Unable to parse URL jdbc:postgresql://h/db?password=hunter2&user=a",
        "Unable to parse URL jdbc:postgresql://h/db?password=my hunter2",
        "Unable to parse URL jdbc:postgresql://h/db?PASSWORD=hunter2",
        "jdbc:postgresql://h/db?sslpassword=hunter2",
        "jdbc:postgresql://h/db?user=a%26password%3Dhunter2%26x",
        "jdbc:postgresql://h/db?a=b%2526password%253Dhunter2",
        "jdbc:postgresql://bob:hunter2@h/db is wrong",
        "jdbc:postgresql://bob:hun@hunter2@h/db is wrong",
        "jdbc:postgresql://bob:a/hunter2?x@h/db is wrong",
        "jdbc:oracle:thin:scott/hunter2@//h/db is wrong",
        "bob:hunter2@cache:11211 is wrong",
        "larder.memcached.encryptionKey=hunter2",
        "larder.memcached.encryption-key: hunter2",
        "{user=a, password=hunter2}",
        "{\"password\": \"hunter2\"}",
        "pwd=hunter2;x",
        "api_key=hunter2",
      })
  void credentialsAreLeftOut(String words) {
    assertThat(MessageText.of(words)).doesNotContain("hunter2").contains("…");
    assertThat(MessageText.of(new SQLException(words))).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FATAL: password authentication failed for user \"bob\"",
        "relation \"a@b\" does not exist",
        "give the present password, or another role in larder.feed.url",
        "jdbc:postgresql://h:5432/db?user=bob&ssl=true",
        "Größe Ä ß 表 😀",
      })
  void otherWordsStay(String words) {
    assertThat(MessageText.of(words)).isEqualTo(words);
  }

  @Test
  void whatFollowsTheNextParameterIsShown() {
    assertThat(MessageText.of("jdbc:postgresql://h/db?password=hunter2&ssl=true"))
        .isEqualTo("jdbc:postgresql://h/db?password=…&ssl=true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mysql://bob:hunter2@h/db?x=1",
        "jdbc:mysql://bob:hun?hunter2@h/db?x=1",
        "jdbc:mysql://bob:hun hunter2@h/db?x=1",
        "jdbc:oracle:thin:scott/hunter2@h/db?x=1",
        "jdbc:mysql://h/db?password=hunter2"
      })
  void serverOfAUrlHasNoCredentials(String url) {
    assertThat(MessageText.server(url)).doesNotContain("hunter2").contains("h/db");
  }

  @Test
  void charactersThatAreNotSeenAreEscaped() {
    String name = "a\nb\rc\td\u001b[31m\u009b1m\u202e\u2066\u200b\u2028\u2029\u0000\u007f";
    assertThat(MessageText.escaped(name))
        .isEqualTo(
            "a\\nb\\rc\\td\\u001b[31m\\u009b1m\\u202e\\u2066\\u200b\\u2028\\u2029\\u0000\\u007f");
  }

  @Test
  void causesAndSuppressedExceptionsAreShownWithoutCredentials() {
    SQLException inner = new SQLException("see jdbc:postgresql://h/db?password=hunter2");
    IllegalStateException outer = new IllegalStateException("a\nLRD-012 forged", inner);
    outer.addSuppressed(new SQLException("//bob:hunter2@h"));
    inner.setNextException(new SQLException("password=hunter2"));

    Throwable shown = Objects.requireNonNull(MessageText.shown(outer));

    StringWriter trace = new StringWriter();
    shown.printStackTrace(new PrintWriter(trace, true));
    assertThat(trace.toString())
        .contains("java.lang.IllegalStateException: a\\nLRD-012 forged", "password=…", "//…@h")
        .contains("MessageTextTest.causesAndSuppressed")
        .doesNotContain("hunter2");
    SQLException plain = new SQLException("plain", new SQLException("plain too"));
    assertThat(MessageText.shown(plain)).isSameAs(plain);
  }

  @Test
  void causesInACircleEnd() {
    SQLException one = new SQLException("password=hunter2");
    one.initCause(new SQLException("two", one));
    assertThat(MessageText.shown(one)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "//@", "a:", "password", "password=&", "@", "secret ", "\n", "%26"})
  void aPassOverAMillionCharactersIsLinear(String part) {
    String words = part.repeat(1_000_000 / part.length());
    long begin = System.nanoTime();
    assertThat(MessageText.of(words)).isNotEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
  }
}
