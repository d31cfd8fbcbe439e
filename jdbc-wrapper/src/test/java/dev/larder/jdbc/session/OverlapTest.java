package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OverlapTest {
  /** Its database is for calls under way, of which there are none. */
  @SuppressWarnings("NullAway")
  private final Overlap overlap = new Overlap(null);

  @Test
  void anotherThreadsQuestionIsWaitedFor() throws Exception {
    assertThat(overlap.mayAsk()).isTrue();
    CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(overlap::mayAsk);
    assertThat(other).isNotCompleted();

    overlap.asked();

    assertThat(other.get(1, TimeUnit.MINUTES)).isTrue();
  }

  /** As where the stack overflows between the leave to ask and the question. */
  @Test
  void aQuestionThatWasCutOffDoesNotKeepItsOwnThreadWaiting() {
    assertThat(overlap.mayAsk()).isTrue();

    assertThat(overlap.mayAsk()).isTrue();
  }
}
