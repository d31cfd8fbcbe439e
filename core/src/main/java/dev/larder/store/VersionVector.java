package dev.larder.store;

import dev.larder.result.HeapWeight;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The versions of tags, each as it was captured at a moment at which it was not with in-flight
 * writers. Immutable once {@linkplain TableVersions#capture captured}; thread-safe then. The arrays
 * are never handed out.
 */
public final class VersionVector {
  /**
   * What {@link #presentSum} returns where there is none; the bits of the in-flight count are 0 in
   * each sum.
   */
  public static final long IN_FLIGHT = -1;

  /** ALL comes first. */
  private final Tag[] tags;

  /** None of them has a writer in flight, so that a tag with an equal stamp has none either. */
  private final long[] stamps;

  /**
   * The epoch that was read before the statement was sent, where the answer decided which tags are
   * here; else 0. Of the time before that they say nothing.
   */
  private final long since;

  /** Creates a vector with nothing captured yet. */
  VersionVector(TableTag all, List<? extends Tag> others) {
    this(all, others, 0);
  }

  VersionVector(TableTag all, List<? extends Tag> others, long since) {
    this.since = since;
    tags = new Tag[others.size() + 1];
    stamps = new long[tags.length];
    tags[0] = all;
    for (int i = 1; i < tags.length; i++) {
      tags[i] = others.get(i - 1);
    }
  }

  private VersionVector(Tag[] tags, long[] stamps, long since) {
    this.tags = tags;
    this.stamps = stamps;
    this.since = since;
  }

  private VersionVector(VersionVector one, VersionVector other) {
    since = Math.max(one.since, other.since);
    int size = one.tags.length;
    tags = Arrays.copyOf(one.tags, size + other.tags.length - 1);
    stamps = Arrays.copyOf(one.stamps, tags.length);
    System.arraycopy(other.tags, 1, tags, size, other.tags.length - 1);
    System.arraycopy(other.stamps, 1, stamps, size, other.tags.length - 1);
  }

  /** Returns a vector of all tags of this one and of {@code other}, as they were captured. */
  public VersionVector and(VersionVector other) {
    return other.tags.length == 1 ? since(other.since) : new VersionVector(this, other);
  }

  /** Returns this vector, of use only to who reads later than {@code epoch}. */
  public VersionVector since(long epoch) {
    return epoch <= since ? this : new VersionVector(tags, stamps, epoch);
  }

  /** Captures the stamp of tag {@code index}, or returns false because it has in-flight writers. */
  boolean capture(int index) {
    long stamp = tags[index].stamp();
    stamps[index] = stamp;
    return !Tag.inFlight(stamp);
  }

  /**
   * Returns whether tag {@code index} still has the captured version and is not with in-flight
   * writers.
   */
  boolean holds(int index) {
    return tags[index].stamp() == stamps[index];
  }

  /** Returns whether nothing has been written since the capture, or is being written. */
  public boolean isUnchanged() {
    for (int i = 0; i < tags.length; i++) {
      if (!holds(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether nothing that was read has been written since the capture, or is being written:
   * each tag is unchanged, or is of rows of a table of whose columns none was set that was read.
   *
   * @param columns of some of the tables, captured at the time of this vector or earlier
   */
  boolean isUnchangedBeside(VersionVector columns) {
    for (int i = 0; i < tags.length; i++) {
      boolean excused = holds(i) || (tags[i] instanceof KeyTag && columns.holds(tags[i].table()));
      if (!excused) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether there are tags of {@code table} and all of them are unchanged. */
  @SuppressWarnings("ReferenceEquality") // There is one tag for each table.
  private boolean holds(TableTag table) {
    boolean some = false;
    for (int i = 1; i < tags.length; i++) {
      if (tags[i].table() == table) {
        some = true;
        if (!holds(i)) {
          return false;
        }
      }
    }
    return some;
  }

  /** Returns whether no tag has a version above {@code epoch}. */
  public boolean notAfter(long epoch) {
    if (epoch == Long.MAX_VALUE) {
      return true; // Without a look at the stamps: the usual hit has no other need of them.
    }
    if (since > epoch && ProtocolStep.DATE_LATE_TAGS.isTaken()) {
      return false;
    }
    for (long stamp : stamps) {
      if (Tag.versionOf(stamp) > epoch) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a write that this vector depends on has been published since: it can then never
   * hold again.
   */
  public boolean isSuperseded() {
    return isSuperseded(sum());
  }

  /**
   * Returns whether such a write has been published since the same tags had stamps with this sum.
   */
  boolean isSuperseded(long sum) {
    long versions = 0;
    for (Tag tag : tags) {
      versions += Tag.versionOf(tag.stamp());
    }
    return versions << Tag.IN_FLIGHT_BITS != sum;
  }

  /**
   * Returns the sum of the present stamps, or {@link #IN_FLIGHT} while a tag has in-flight writers.
   * No stamp falls below what it was without in-flight writers, so that equal sums mean equal
   * stamps. A sum may wrap around.
   */
  public long presentSum() {
    boolean inFlight = false;
    long sum = 0;
    for (Tag tag : tags) {
      long stamp = tag.stamp();
      inFlight |= Tag.inFlight(stamp);
      sum += stamp;
    }
    return inFlight ? IN_FLIGHT : sum;
  }

  /** Returns whether the vector is of whole tables. */
  public boolean isOfTables() {
    for (Tag tag : tags) {
      if (!(tag instanceof TableTag)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sum of the captured stamps, as {@link #presentSum} was then. */
  public long sum() {
    long sum = 0;
    for (long stamp : stamps) {
      sum += stamp;
    }
    return sum;
  }

  /** Returns the bytes of this vector on the heap, without the tags, which others share. */
  long heapBytes() {
    return HeapWeight.ofObject(2, Long.BYTES)
        + HeapWeight.ofReferences(tags.length)
        + HeapWeight.ofBytes(stamps.length * Long.BYTES);
  }

  /** Returns which counts of {@link Announces} those of the tags are. */
  short[] announces() {
    return Announces.indexes(tags);
  }

  /** Returns how many tags there are, {@link TableTag.Scope#ALL} included. */
  public int size() {
    return tags.length;
  }

  /** Returns tag {@code index}. */
  public Tag tag(int index) {
    return tags[index];
  }

  /** Returns the tags but for that of {@link TableTag.Scope#ALL}. */
  public List<Tag> tags() {
    return List.of(tags).subList(1, tags.length);
  }

  /** Adds the tags of the tables that were read to {@code read}. */
  public void addTablesTo(Collection<TableTag> read) {
    for (int i = 1; i < tags.length; i++) { // The first is of everything.
      read.add(tags[i].table());
    }
  }
}
