package dev.larder.memcached.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The version of one table, as the version server keeps it. Immutable.
 *
 * <p>A value that is not {@code ready} (RAW) was made where none was: there may be in-flight
 * writers whose marks went away with its predecessor. Nobody reads by it before the barrier of
 * {@code dev.larder.memcached.protocol} has made it ready. Its token does not change until then,
 * and so tells it from a later one.
 *
 * <p>A result that depends on the whole table rests on the token. One that depends on some rows
 * rests on the {@linkplain #life life} and on the counts of their buckets. A write that says which
 * rows it may change raises their counts; any other begins a new life.
 *
 * @param ready whether every in-flight writer has its mark here
 * @param token changes with every write that is published
 * @param serverGeneration at which the value became ready; 0 if it is not
 * @param counts null where nothing was written to any bucket since the life began
 * @param marks of the writers between announce and publish
 */
public record VersionValue(
    boolean ready,
    Token token,
    long serverGeneration,
    @Nullable BucketCounts counts,
    List<Mark> marks) {
  public VersionValue {
    marks = List.copyOf(marks);
  }

  /** Returns a value where none was. */
  public static VersionValue raw(Token token) {
    return new VersionValue(false, token, 0, null, List.of());
  }

  /** Returns a value that begins a life. */
  public static VersionValue ready(Token token, long serverGeneration, List<Mark> marks) {
    return new VersionValue(true, token, serverGeneration, null, marks);
  }

  /** Returns what tells the counts from those of an earlier life. */
  public Token life() {
    return counts == null ? token : counts.life();
  }

  /** Returns who is between announce and publish. */
  public List<Token> writers() {
    return marks.stream().map(Mark::writer).toList();
  }

  /** Returns this value with one writer more: what the server's append makes of it. */
  public VersionValue announced(Mark mark) {
    List<Mark> more = new ArrayList<>(marks);
    more.add(mark);
    return new VersionValue(ready, token, serverGeneration, counts, more);
  }

  /** Returns this value after {@code finished} have finished, however that ended. */
  public VersionValue published(Set<Token> finished, Token fresh) {
    VersionValue after = without(finished, fresh);
    return ready ? after : new VersionValue(false, token, serverGeneration, null, after.marks);
  }

  /**
   * Returns this value as the barrier leaves it once {@code gone} have finished. Of writers whose
   * marks went away with an earlier value nobody knows what they wrote: a new life begins, unless
   * there were none.
   */
  public VersionValue settled(Set<Token> gone, Token fresh, long serverGeneration) {
    VersionValue after = without(gone, fresh);
    return ready && this.serverGeneration == serverGeneration
        ? after
        : ready(fresh, serverGeneration, after.marks);
  }

  /** Returns a ready value after {@code gone} have written what their marks say. */
  private VersionValue without(Set<Token> gone, Token fresh) {
    List<Mark> others = new ArrayList<>();
    List<Mark> ended = new ArrayList<>();
    marks.forEach(mark -> (gone.contains(mark.writer()) ? ended : others).add(mark));
    return new VersionValue(true, fresh, serverGeneration, after(ended), others);
  }

  /** Returns the counts after what {@code ended} say; null where a new life begins. */
  private @Nullable BucketCounts after(List<Mark> ended) {
    BucketCounts next = null;
    for (Mark mark : ended) {
      Buckets rows = mark.rows();
      BucketCounts before = next == null ? counts : next;
      if (rows == null) {
        return null;
      }
      next = (before == null ? BucketCounts.none(token, rows.layout()) : before).after(rows);
      if (next == null) {
        return null;
      }
    }
    return next;
  }

  /**
   * Returns whether everything in flight has its mark here, so that what no mark touches may be
   * read.
   */
  public boolean isSettled(long serverGeneration) {
    return ready && this.serverGeneration == serverGeneration;
  }

  /** Returns whether a reader may take the table for as old as the token. */
  public boolean isReadable(long serverGeneration) {
    return isSettled(serverGeneration) && marks.isEmpty();
  }
}
