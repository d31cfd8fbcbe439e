package dev.larder.memcached.protocol;

import dev.larder.memcached.format.BucketCounts;
import dev.larder.memcached.format.Buckets;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.VersionValue;
import java.util.List;

/** The buckets of the rows of one table: row 0 is in bucket 0, row 1 in bucket 1. */
final class ModelRows {
  static final Need OF_0 = new Need(new Buckets(7, List.of(0)));
  static final Need OF_1 = new Need(new Buckets(7, List.of(1)));

  /** Row 0, by schemes in which it has the bucket that row 1 has by the usual ones. */
  static final Need OF_0_BY_OTHERS = new Need(new Buckets(8, List.of(1)));

  private ModelRows() {}

  /** Returns {@code value} as a reader takes it. */
  static VersionValue read(VersionValue value, ModelMutant mutant) {
    if (mutant != ModelMutant.MARK_WITH_BUCKETS_IS_NO_MARK) {
      return value;
    }
    List<Mark> marks = value.marks().stream().filter(mark -> mark.rows() == null).toList();
    return new VersionValue(
        value.ready(), value.token(), value.serverGeneration(), value.counts(), marks);
  }

  /** Returns {@code need} as a writer writes it. */
  static Need written(Need need, ModelMutant mutant) {
    return mutant == ModelMutant.LAYOUT_IS_NOT_COMPARED && need.equals(OF_0_BY_OTHERS)
        ? OF_1
        : need;
  }

  /** Returns what a publish makes of {@code before}, if it is to make {@code after}. */
  static VersionValue published(VersionValue before, VersionValue after, ModelMutant mutant) {
    boolean leaves =
        mutant == ModelMutant.COUNTS_ARE_NOT_RAISED
            || mutant == ModelMutant.WHOLE_WRITE_LEAVES_THE_LIFE;
    if (!leaves || !before.ready()) {
      return after;
    }
    BucketCounts counts = before.counts();
    return new VersionValue(
        true,
        after.token(),
        after.serverGeneration(),
        counts == null ? new BucketCounts(before.token(), 7, "") : counts,
        after.marks());
  }

  /** Returns what the barrier makes, if it is to make {@code after}. */
  static VersionValue settled(ModelState state, VersionValue after, ModelMutant mutant) {
    return mutant == ModelMutant.LIFE_IS_NOT_RENEWED && after.counts() == null
        ? new VersionValue(
            true,
            after.token(),
            after.serverGeneration(),
            new BucketCounts(state.firstLife, 7, ""),
            after.marks())
        : after;
  }
}
