package dev.larder.memcached.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VersionValueTest {
  private static final long LAYOUT = 7;

  private final Token token = Token.random();
  private final Token writer = Token.random();
  private final Token fresh = Token.random();
  private final VersionValue ready = VersionValue.ready(token, 1, List.of());

  private static Mark mark(Token writer, int... buckets) {
    return new Mark(writer, Buckets.of(LAYOUT, java.util.Arrays.stream(buckets).boxed().toList()));
  }

  private VersionValue written(VersionValue value, int... buckets) {
    Token other = Token.random();
    return value.announced(mark(other, buckets)).published(Set.of(other), Token.random());
  }

  private static int count(VersionValue value, int bucket) {
    return value.counts() == null ? 0 : value.counts().of(bucket);
  }

  @Test
  void writeOfRowsRaisesTheirCountsAndLeavesTheLife() {
    VersionValue once = written(ready, 3, 200);
    VersionValue twice = written(once, 3);

    assertThat(twice.life()).isEqualTo(once.life()).isEqualTo(token);
    assertThat(twice.token()).isNotEqualTo(once.token());
    assertThat(List.of(count(twice, 3), count(twice, 200), count(twice, 4), count(twice, 999)))
        .containsExactly(2, 1, 0, 0);
  }

  @Test
  void publicationsOfRowsTogetherMeanTheSameAsOneAfterAnother() {
    VersionValue value = written(ready, 3).announced(mark(writer, 3, 5)).announced(mark(fresh, 5));
    Token last = Token.random();
    VersionValue apart =
        value.published(Set.of(fresh), Token.random()).published(Set.of(writer), last);

    assertThat(value.published(Set.of(writer, fresh), last)).isEqualTo(apart);
    assertThat(List.of(count(apart, 3), count(apart, 5))).containsExactly(2, 2);
    VersionValue raw = VersionValue.raw(token).announced(Mark.of(writer)).announced(Mark.of(fresh));
    assertThat(raw.published(Set.of(writer, fresh), last)).isEqualTo(VersionValue.raw(token));
  }

  @Test
  void writeOfAnyRowsBeginsANewLife() {
    VersionValue once = written(ready, 3);
    VersionValue after = once.announced(Mark.of(writer)).published(Set.of(writer), fresh);

    assertThat(after).isEqualTo(VersionValue.ready(fresh, 1, List.of()));
    assertThat(after.life()).isEqualTo(fresh);
  }

  @Test
  void writeByOtherSchemesBeginsANewLife() {
    VersionValue once = written(ready, 3);
    Mark other = new Mark(writer, Buckets.of(LAYOUT + 1, List.of(3)));

    assertThat(once.announced(other).published(Set.of(writer), fresh).life()).isEqualTo(fresh);
    assertThat(ready.announced(other).published(Set.of(writer), fresh).life()).isEqualTo(token);
  }

  @Test
  void countThatWouldBeginAgainBeginsANewLife() {
    VersionValue value = ready;
    for (int i = 0; i < 0xffff; i++) {
      value = written(value, 3);
    }
    assertThat(count(value, 3)).isEqualTo(0xffff);
    assertThat(written(value, 4).life()).isEqualTo(token);
    assertThat(written(value, 3).life()).isNotEqualTo(token);
    assertThat(written(value, 3).counts()).isNull();
  }

  @Test
  void barrierBeginsANewLifeWhereMarksMayHaveBeenLost() {
    VersionValue raw = VersionValue.raw(token).announced(mark(writer, 3));

    assertThat(raw.published(Set.of(writer), fresh)).isEqualTo(VersionValue.raw(token));
    assertThat(raw.settled(Set.of(writer), fresh, 1))
        .isEqualTo(VersionValue.ready(fresh, 1, List.of()));
    assertThat(written(ready, 3).settled(Set.of(), fresh, 2).life())
        .as("another server generation")
        .isEqualTo(fresh);
    assertThat(
            written(ready, 3).announced(mark(writer, 3)).settled(Set.of(writer), fresh, 2).life())
        .as("another server generation")
        .isEqualTo(fresh);
  }

  @Test
  void barrierRaisesWhatMarksOfTheDeadSay() {
    VersionValue value = written(ready, 3).announced(mark(writer, 3, 5)).announced(mark(fresh, 7));
    Token settled = Token.random();
    VersionValue after = value.settled(Set.of(writer), settled, 1);

    assertThat(after.life()).isEqualTo(token);
    assertThat(after.token()).isEqualTo(settled);
    assertThat(List.of(count(after, 3), count(after, 5), count(after, 7))).containsExactly(2, 1, 0);
    assertThat(after.writers()).containsExactly(fresh);
    for (List<Mark> marks :
        List.of(
            List.of(mark(writer, 3), Mark.of(fresh)), List.of(Mark.of(fresh), mark(writer, 3)))) {
      assertThat(VersionValue.ready(token, 1, marks).settled(Set.of(writer, fresh), settled, 1))
          .as("one of them may have written any rows")
          .isEqualTo(VersionValue.ready(settled, 1, List.of()));
    }
  }
}
