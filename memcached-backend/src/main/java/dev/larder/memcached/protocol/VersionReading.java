package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader makes of the versions that it read, in one go with the entry. Immutable.
 *
 * <p>With {@link Verdict#READABLE} an entry of exactly these tokens may be hit, and a result that
 * is executed from now on may be kept under them. Otherwise the database answers, and nothing is
 * kept.
 *
 * @param tokens in the order of the keys; empty unless readable
 * @param missing the keys that hold nothing: somebody should {@linkplain #seed seed} them
 * @param unsettled the keys that hold something that cannot be read by
 */
public record VersionReading(
    Verdict verdict, List<Token> tokens, List<String> missing, List<String> unsettled) {
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

  public VersionReading {
    tokens = List.copyOf(tokens);
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
    List<Token> tokens = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> unsettled = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      VersionItem item = replies.get(i).item();
      Verdict one = verdict(replies.get(i), serverGeneration);
      verdict = one.compareTo(verdict) > 0 ? one : verdict;
      if (item != null) {
        tokens.add(item.value().token());
        if (one != Verdict.READABLE) {
          unsettled.add(keys.get(i));
        }
      } else if (one == Verdict.MISSING) {
        missing.add(keys.get(i));
      }
    }
    return new VersionReading(
        verdict, verdict == Verdict.READABLE ? tokens : List.of(), missing, unsettled);
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
    return item.value().writers().isEmpty() ? Verdict.NOT_READY : Verdict.BEING_WRITTEN;
  }

  /** Returns the requests that make the missing versions, not ready to be read. */
  List<VersionRequest> seed(Token token) {
    List<VersionRequest> requests = new ArrayList<>();
    for (String key : missing) {
      requests.add(new VersionRequest.Add(key, VersionValue.raw(token)));
    }
    return requests;
  }

  /** Returns whether an entry that was made under {@code others} may be hit. */
  public boolean permits(List<Token> others) {
    return verdict == Verdict.READABLE && tokens.equals(others);
  }
}
