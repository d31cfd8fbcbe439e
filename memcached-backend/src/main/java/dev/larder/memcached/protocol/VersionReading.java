package dev.larder.memcached.protocol;

import dev.larder.memcached.format.BucketCounts;
import dev.larder.memcached.format.Buckets;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.RemoteTokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader makes of the versions that it read, in one go with the entry. Immutable.
 *
 * <p>An entry may be hit if this {@linkplain #permits permits} what it was kept under. A result
 * that is executed from now on may be kept under {@link #tokens}. Otherwise the database answers,
 * and nothing is kept.
 *
 * @param values in the order of the keys; null where there is none to read by
 * @param serverGeneration the server generation that the reader is connected to
 * @param verdict for what depends on the whole of everything
 * @param missing the keys that hold nothing: somebody should {@linkplain #seed seed} them
 * @param unsettled the keys that hold something that cannot be read by, or not by everybody
 */
public record VersionReading(
    List<@Nullable VersionValue> values,
    long serverGeneration,
    Verdict verdict,
    List<String> missing,
    List<String> unsettled) {
  /** What may be done, and why not. */
  public enum Verdict {
    READABLE,
    /** A version is missing. */
    MISSING,
    /** A version is RAW, of another server generation, or does not decode. */
    NOT_READY,
    /** There is an in-flight writer, or one has died. */
    BEING_WRITTEN,
    /** The version server did not answer. */
    UNKNOWN
  }

  private static final int COUNT_BITS = 16;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  public VersionReading {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    missing = List.copyOf(missing);
    unsettled = List.copyOf(unsettled);
  }

  /**
   * Returns what {@code replies} to a multiget of {@code keys} mean.
   *
   * @param serverGeneration the server generation that the reader is connected to
   */
  public static VersionReading of(
      List<String> keys, List<VersionReply> replies, long serverGeneration) {
    Verdict verdict = Verdict.READABLE;
    List<@Nullable VersionValue> values = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> unsettled = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      VersionItem item = replies.get(i).item();
      Verdict one = verdict(replies.get(i), serverGeneration);
      verdict = worse(verdict, one);
      values.add(item == null ? null : item.value());
      if (item != null && one != Verdict.READABLE) {
        unsettled.add(keys.get(i));
      } else if (one == Verdict.MISSING) {
        missing.add(keys.get(i));
      }
    }
    return new VersionReading(values, serverGeneration, verdict, missing, unsettled);
  }

  private static Verdict worse(Verdict one, Verdict other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Verdict verdict(VersionReply reply, long serverGeneration) {
    VersionItem item = reply.item();
    if (item == null) {
      return switch (reply.outcome()) {
        case MISSING -> Verdict.MISSING;
        case UNREADABLE -> Verdict.NOT_READY;
        default -> Verdict.UNKNOWN;
      };
    }
    if (item.value().isReadable(serverGeneration)) {
      return Verdict.READABLE;
    }
    return item.value().marks().isEmpty() ? Verdict.NOT_READY : Verdict.BEING_WRITTEN;
  }

  /**
   * Returns the verdict for a result.
   *
   * @param needs what it depends on of each version; null where on nothing but that it is there
   */
  public Verdict verdict(List<@Nullable Need> needs) {
    if (verdict != Verdict.BEING_WRITTEN) {
      return verdict;
    }
    Verdict worst = Verdict.READABLE;
    for (int i = 0; i < values.size(); i++) {
      worst = worse(worst, verdict(values.get(i), needs.get(i)));
    }
    return worst;
  }

  private Verdict verdict(@Nullable VersionValue value, @Nullable Need need) {
    if (value == null) {
      return Verdict.MISSING;
    }
    if (need != null && isTouched(value, need.rows())) {
      return Verdict.BEING_WRITTEN;
    }
    return value.isSettled(serverGeneration)
        ? Verdict.READABLE
        : value.marks().isEmpty() ? Verdict.NOT_READY : Verdict.BEING_WRITTEN;
  }

  private static boolean isTouched(VersionValue value, @Nullable Buckets rows) {
    for (Mark mark : value.marks()) {
      if (mark.touches(rows)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether version {@code index} can be read by, as a whole. */
  boolean isReadable(int index) {
    VersionValue value = values.get(index);
    return value != null && value.isReadable(serverGeneration);
  }

  /** Returns the token of version {@code index}, which can be read by. */
  Token token(int index) {
    VersionValue value = values.get(index);
    if (value == null) {
      throw new IllegalStateException("no version");
    }
    return value.token();
  }

  /** As {@link #tokens(List)}, of a result that depends on the whole of everything. */
  public @Nullable RemoteTokens tokens() {
    return tokens(Collections.nCopies(values.size(), Need.WHOLE));
  }

  /**
   * Returns under what a result may be kept whose statement was sent after this was read; null
   * where it may not.
   *
   * @param needs what it depends on of each version; nothing counts as the whole
   */
  public @Nullable RemoteTokens tokens(List<@Nullable Need> needs) {
    List<Long> words = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      VersionValue value = values.get(i);
      Need need = needs.get(i);
      Buckets rows = value == null || need == null ? null : known(value, need.rows());
      if (value == null || !value.isSettled(serverGeneration) || isTouched(value, rows)) {
        return null;
      }
      add(words, value, rows);
    }
    return RemoteTokens.of(words.stream().mapToLong(Long::longValue).toArray());
  }

  /** Returns {@code rows}, or the whole table where their counts are not known. */
  private static @Nullable Buckets known(VersionValue value, @Nullable Buckets rows) {
    BucketCounts counts = value.counts();
    return rows == null || (counts != null && counts.layout() != rows.layout()) ? null : rows;
  }

  private static void add(List<Long> words, VersionValue value, @Nullable Buckets rows) {
    Token token = rows == null ? value.token() : value.life();
    words.add(rows == null ? 0L : rows.numbers().size());
    words.add(token.high());
    words.add(token.low());
    if (rows != null) {
      BucketCounts counts = value.counts();
      words.add(rows.layout());
      for (int bucket : rows.numbers()) {
        words.add(((long) bucket << COUNT_BITS) | (counts == null ? 0 : counts.of(bucket)));
      }
    }
  }

  /** Returns whether a result that was kept under {@code tokens} may be hit. */
  public boolean permits(RemoteTokens tokens) {
    int at = 0;
    for (VersionValue value : values) {
      if (value == null || !value.isSettled(serverGeneration) || tokens.size() < at + 3) {
        return false;
      }
      long size = tokens.word(at);
      Token token = new Token(tokens.word(at + 1), tokens.word(at + 2));
      at += 3;
      if (size == 0) {
        if (!value.marks().isEmpty() || !value.token().equals(token)) {
          return false;
        }
      } else {
        if (size < 0 || tokens.size() - at <= size || !value.life().equals(token)) {
          return false;
        }
        int end = at + 1 + (int) size;
        if (!areUnchanged(value, tokens, at, end)) {
          return false;
        }
        at = end;
      }
    }
    return at == tokens.size();
  }

  /** Compares the layout at {@code from} and the buckets after it. */
  private static boolean areUnchanged(VersionValue value, RemoteTokens tokens, int from, int end) {
    long layout = tokens.word(from);
    BucketCounts counts = value.counts();
    if (counts != null && counts.layout() != layout) {
      return false;
    }
    for (int at = from + 1; at < end; at++) {
      int bucket = (int) (tokens.word(at) >> COUNT_BITS);
      long count = tokens.word(at) & COUNT_MASK;
      if (count != (counts == null ? 0 : counts.of(bucket))) {
        return false;
      }
      for (Mark mark : value.marks()) {
        Buckets rows = mark.rows();
        if (rows == null || rows.layout() != layout || rows.contains(bucket)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the requests that make the missing versions, not ready to be read. */
  List<VersionRequest> seed(Token token) {
    List<VersionRequest> requests = new ArrayList<>();
    for (String key : missing) {
      requests.add(new VersionRequest.Add(key, VersionValue.raw(token)));
    }
    return requests;
  }
}
