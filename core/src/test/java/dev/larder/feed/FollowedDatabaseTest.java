package dev.larder.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.TableVersions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FollowedDatabaseTest {
  private final FollowedDatabase followed =
      new FollowedDatabase("shop", new TableVersions(), () -> null);
  private final AtomicInteger asked = new AtomicInteger();

  FollowedDatabaseTest() {
    followed.asksSoon(asked::incrementAndGet);
  }

  @Test
  void aUseIsNotedUntilItWasAskedFor() {
    assertThat(followed.wasUsed()).isFalse();
    followed.use();
    followed.use();
    assertThat(followed.wasUsed()).isTrue();
    assertThat(followed.wasUsed()).isFalse();
    assertThat(asked).hasValue(0);
  }

  @Test
  void theFirstUseOfOneThatRestsHasTheServerAskedSoon() {
    assertThat(followed.rest()).isTrue();
    followed.use();
    followed.use();
    assertThat(asked).hasValue(1);

    assertThat(followed.wasUsed()).isTrue();
    followed.use();
    assertThat(asked).hasValue(1);
  }

  @Test
  void itDoesNotRestWhereItWasUsedMeanwhile() {
    followed.use();
    assertThat(followed.rest()).isFalse();
    followed.wasUsed();
    followed.use();
    assertThat(asked).hasValue(0);
  }
}
