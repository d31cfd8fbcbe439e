package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemcachedSettingsTest {
  private final Map<String, String> options = new HashMap<>();

  MemcachedSettingsTest() {
    set("servers", "127.0.0.1:11211");
    set("onUnreachable", "failCommit");
  }

  private void set(String name, String value) {
    options.put("larder.memcached." + name, value);
  }

  private void fails(String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemcachedSettings.of(options))
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void serverAndTheChoiceAreEnough() {
    MemcachedSettings settings = MemcachedSettings.of(options);

    assertThat(settings.versionServer())
        .isEqualTo(InetSocketAddress.createUnresolved("127.0.0.1", 11211));
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(200));
    assertThat(settings.maxStaleness()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.nearCache().kind()).isEqualTo(MemcachedSettings.NearCache.Kind.VALIDATED);
    assertThat(settings.encryptionKey()).isNull();
  }

  @Test
  void missingChoiceIsAnErrorThatExplainsIt() {
    options.remove("larder.memcached.onUnreachable");

    fails("larder.memcached.onUnreachable", "failCommit", "boundedStaleness", "30s", "try again");
  }

  @Test
  void severalServersNeedOneThatHoldsTheVersions() {
    set("servers", "127.0.0.1:11211,127.0.0.1:11212");
    fails("larder.memcached.versionServer", "2 servers", "every JVM");

    set("versionServer", "127.0.0.1:11213");
    fails("larder.memcached.versionServer", "127.0.0.1:11213", "one of larder.memcached.servers");

    set("versionServer", "127.0.0.1:11212");
    assertThat(MemcachedSettings.of(options).versionServer().getPort()).isEqualTo(11212);
  }

  @Test
  void otherHostNeedsEncryptionOrLeave() {
    set("servers", "192.0.2.1:11211");
    fails("192.0.2.1:11211", "plain text", "encryptionKey", "allowPlaintext=true");

    set("allowPlaintext", "true");
    assertThat(MemcachedSettings.of(options).servers()).hasSize(1);

    options.remove("larder.memcached.allowPlaintext");
    set("encryptionKey", Base64.getEncoder().encodeToString(new byte[32]));
    assertThat(MemcachedSettings.of(options).encryptionKey()).isNotNull();
  }

  @Test
  void secretIsNeverShown() {
    String key = Base64.getEncoder().encodeToString("0123456789abcdef".getBytes());
    set("encryptionKey", key);
    assertThat(MemcachedSettings.of(options).toString())
        .contains("encrypted=true")
        .doesNotContain(key);

    set("encryptionKey", "secret");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemcachedSettings.of(options))
        .withMessageContaining("Base64")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "servers|",
        "servers|host",
        "servers|host:0",
        "servers|host:65536",
        "servers|a:1,,b:2",
        "onUnreachable|maybe",
        "namespace|a b",
        "timeout|200",
        "timeout|9ms",
        "timeout|5001ms",
        "maxStaleness|0s",
        "maxEntryBytes|1",
        "maxEntryBytes|x",
        "compression|zip",
        "allowPlaintext|yes",
        "nearCache|on",
        "nearCache|polled(0ms)",
        "nearCache|polled(1s)"
      })
  void badValueIsAnErrorThatNamesOptionValueAndRule(String name, String value) {
    String text = value == null ? "" : value;
    set(name, text);

    fails(
        "larder.memcached." + name,
        "\"" + text + "\"",
        "must be "
            + MemcachedOptions.find("larder.memcached." + name)
                .orElseThrow()
                .type()
                .rule()
                .replace("`", ""));
  }

  @Test
  void unknownOptionIsAnErrorThatNamesTheKnownOnes() {
    set("server", "localhost:11211");

    fails("larder.memcached.server ", "larder.memcached.servers");
  }

  @Test
  void serverThatIsNamedTwiceIsAnError() {
    set("servers", "localhost:1,LOCALHOST:1");

    fails("twice");
  }

  @Test
  void addressesAreReadAsTheyAreWritten() {
    set("servers", "[::1]:11211, localhost:11212");
    set("versionServer", "localhost:11212");
    set("nearCache", "polled(50ms)");

    MemcachedSettings settings = MemcachedSettings.of(options);

    assertThat(settings.servers())
        .containsExactly(
            InetSocketAddress.createUnresolved("::1", 11211),
            InetSocketAddress.createUnresolved("localhost", 11212));
    assertThat(settings.nearCache().period()).isEqualTo(Duration.ofMillis(50));
  }
}
