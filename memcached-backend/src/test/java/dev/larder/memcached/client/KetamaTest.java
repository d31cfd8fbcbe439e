package dev.larder.memcached.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KetamaTest {
  private static final int NAMES = 10_000;

  private static Ketama<String> ring(String... servers) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String server : servers) {
      byName.put(server, server);
    }
    return new Ketama<>(byName);
  }

  @Test
  void everyServerGetsAFairShare() {
    Ketama<String> ring = ring("a:1", "b:1", "c:1");
    Map<String, Integer> shares = new HashMap<>();
    for (int i = 0; i < NAMES; i++) {
      shares.merge(ring.serverOf("name" + i), 1, Integer::sum);
    }

    assertThat(shares).hasSize(3);
    assertThat(shares.values()).allMatch(share -> share > NAMES / 3 * 0.7);
  }

  @Test
  void orderOfTheServersDoesNotMatter() {
    Ketama<String> one = ring("a:1", "b:1", "c:1");
    Ketama<String> other = ring("c:1", "a:1", "b:1");
    for (int i = 0; i < NAMES; i++) {
      assertThat(one.serverOf("name" + i)).isEqualTo(other.serverOf("name" + i));
    }
  }

  @Test
  void serverThatGoesMovesItsOwnShareOnly() {
    Ketama<String> before = ring("a:1", "b:1", "c:1");
    Ketama<String> after = ring("a:1", "b:1");
    for (int i = 0; i < NAMES; i++) {
      String server = before.serverOf("name" + i);
      if (!server.equals("c:1")) {
        assertThat(after.serverOf("name" + i)).isEqualTo(server);
      }
    }
  }
}
