package dev.larder.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The protocol of {@link FollowedWrites} in random orders of the steps of a server, of who reads
 * its log, of who asks it and of who reads through the cache. No hit may lack what was visible at
 * the moment up to which everything is known; and when all is quiet, what is current is what the
 * database has.
 */
final class FeedModelTest {
  private static final int RUNS = Integer.getInteger("larder.feed.runs", 20_000);
  private static final int STEPS = 150;

  private static @Nullable String firstFault(FeedModel.Fault fault, int runs) {
    for (int seed = 0; seed < runs; seed++) {
      String wrong = new FeedModel(seed, fault).run(STEPS);
      if (wrong != null) {
        return "seed " + seed + ": " + wrong;
      }
    }
    return null;
  }

  @Test
  void protocolHolds() {
    long hits = 0;
    long known = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      FeedModel model = new FeedModel(seed, FeedModel.Fault.NONE);
      assertThat(model.run(STEPS)).as("seed %s", seed).isNull();
      hits += model.hits;
      known += model.known;
    }

    assertThat(hits).isGreaterThan(RUNS / 10);
    assertThat(known).as("rows that hits had to have").isGreaterThan(RUNS / 10);
    System.out.println("proof: hits in the model of the feed=" + hits);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void faultIsFound(FeedModel.Fault fault) {
    assertThat(firstFault(fault, RUNS)).isNotNull();
    System.out.println("proof: mutants of the feed killed=1");
  }

  @ParameterizedTest
  @EnumSource(names = {"PUBLISH_WHEN_VISIBLE", "SETTLE_BEFORE_FOLLOWING"})
  @SuppressWarnings("try") // The step is left out until it is closed.
  void stepIsNeeded(ProtocolStep step) {
    try (LeftOut left = new LeftOut(step)) {
      assertThat(firstFault(FeedModel.Fault.NONE, RUNS)).isNotNull();
    }
    System.out.println("proof: mutants of the feed killed=1");
  }
}
