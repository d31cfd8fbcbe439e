package dev.larder.remote;

import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;
import java.util.Arrays;

/**
 * What a result depends on in the shared versions, and what they were when they were read in one
 * go. Immutable and thread-safe, compared by content.
 */
public final class RemoteTokens implements Weighed {
  private final long[] words;

  private RemoteTokens(long[] words) {
    this.words = words;
  }

  /** Returns the versions that {@code words}, which the caller gives away, stand for. */
  public static RemoteTokens of(long[] words) {
    return new RemoteTokens(words);
  }

  /** Returns how many words there are. */
  public int size() {
    return words.length;
  }

  /** Returns word {@code index}. */
  public long word(int index) {
    return words[index];
  }

  @Override
  public long weightBytes() {
    return HeapWeight.ofObject(1, 0) + HeapWeight.ofBytes(words.length * Long.BYTES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RemoteTokens that && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }
}
