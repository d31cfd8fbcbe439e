package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.remote.WritersInProgress;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UntoldWritesTest {
  private final TableVersions versions = new TableVersions();
  private final TableTag one = versions.tag(TableTag.Scope.RELATION, 16_384);
  private final TableTag two = versions.tag(TableTag.Scope.RELATION, 16_385);
  private final UntoldWrites untold = new UntoldWrites();

  private static WriteSet writes(TableTag tag) {
    return new WriteSet(List.of(tag), false);
  }

  private void fail(WriteSet writes) {
    untold.told(untold.committed(writes), false);
  }

  @Test
  void commitsOfAnOutageAreToldTogether() {
    for (int i = 0; i < 100_000; i++) {
      fail(writes(i % 2 == 0 ? one : two));
    }
    UntoldWrites.Telling all = untold.due();
    assertThat(all).isNotNull();
    assertThat(all.writes().tags()).containsExactlyInAnyOrder(one, two);
    assertThat(untold.due()).isNull();
    assertThat(untold.conceals(List.of(two))).as("until they are told").isTrue();

    untold.told(all, true);
    assertThat(untold.isWaiting()).isFalse();
    assertThat(untold.conceals(List.of(one))).isFalse();
    assertThat(untold.conceals(List.of(two))).isFalse();
  }

  @Test
  void whatIsCommittedWhileOthersAreToldStaysToBeTold() {
    fail(writes(one));
    UntoldWrites.Telling first = untold.due();
    assertThat(first).isNotNull();
    fail(writes(one));
    untold.told(first, true);

    assertThat(untold.conceals(List.of(one))).isTrue();
    assertThat(untold.isWaiting()).isTrue();
  }

  @Test
  void whatCouldNotBeToldIsToBeToldAgain() {
    fail(writes(one));
    UntoldWrites.Telling first = untold.due();
    assertThat(first).isNotNull();
    untold.told(first, false);

    assertThat(untold.isWaiting()).isTrue();
    assertThat(untold.due()).isNotNull();
  }

  @Test
  void otherTablesAreReadMeanwhile() {
    fail(writes(one));
    assertThat(untold.conceals(List.of(two))).isFalse();
  }

  @Test
  void nothingIsAskedForWhereNothingIsLost() {
    untold.asked(untold.lost(), new WritersInProgress(1, Set.of()));
    assertThat(untold.isWaiting()).isFalse();
  }
}
