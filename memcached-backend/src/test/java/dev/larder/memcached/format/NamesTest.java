package dev.larder.memcached.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NamesTest {
  private static final byte[] KEY = "select 1".getBytes(StandardCharsets.UTF_8);

  private final TableVersions tags = new TableVersions();
  private final TableTag table = tags.tag(TableTag.Scope.RELATION, 16_384);
  private final TableTag below = tags.tag(TableTag.Scope.BELOW, 16_384);
  private final Names names = new Names("larder", "7300000000000000001", 5, null);

  @Test
  void versionsAreNamedByNamespaceClusterDatabaseAndTag() {
    assertThat(names.ofVersion(table)).isEqualTo("larder:7300000000000000001:5:V:R16384");
    assertThat(names.ofVersion(below)).isEqualTo("larder:7300000000000000001:5:V:B16384");
    assertThat(names.ofVersion(tags.all()))
        .isEqualTo(names.ofEverything())
        .isEqualTo("larder:7300000000000000001:5:V:A");
  }

  @Test
  void entryIsNamedByItsFormatAndTheHashOfItsKey() {
    assertThat(names.ofEntry(KEY)).matches("larder:7300000000000000001:5:E2:[0-9a-f]{64}");
    assertThat(names.ofEntry(KEY)).isNotEqualTo(names.ofEntry(new byte[] {1}));
  }

  @Test
  void leaseIsNamedByItsEntry() {
    String entry = names.ofEntry(KEY);
    assertThat(Names.ofLease(entry)).isEqualTo(entry + ":lease");
  }

  @Test
  void nameWithASecretDoesNotShowWhatWasAskedFor() {
    byte[] secret = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    byte[] another = "0123456789abcdeg".getBytes(StandardCharsets.UTF_8);
    Names first = new Names("larder", "7", 5, new Secret(secret));
    Names other = new Names("larder", "7", 5, new Secret(another));

    assertThat(first.ofEntry(KEY))
        .isNotEqualTo(other.ofEntry(KEY))
        .isNotEqualTo(new Names("larder", "7", 5, null).ofEntry(KEY))
        .isEqualTo(new Names("larder", "7", 5, new Secret(secret.clone())).ofEntry(KEY));
    assertThat(first.ofVersion(table)).isEqualTo("larder:7:5:V:R16384");
  }

  @Test
  void nameThatMemcachedDoesNotTakeIsHashed() {
    Names longNames = new Names("n".repeat(250), "7", 5, null);

    assertThat(longNames.ofVersion(table)).matches("larder:[0-9a-f]{64}");
    assertThat(longNames.ofVersion(table)).isNotEqualTo(longNames.ofVersion(below));
  }
}
