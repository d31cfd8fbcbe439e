package dev.larder.memcached;

import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes that this JVM commits, or has committed, and other JVMs have yet to be told of. Until they
 * are, what is shared may be older than these writes although its versions are good, so that this
 * JVM, which knows better, does not read it. However many are committed while nobody can be told,
 * what is kept are the tables. Thread-safe.
 */
final class UntoldWrites {
  // Guarded by this.
  private final IdentityHashMap<RemoteWrite, WriteSet> underWay = new IdentityHashMap<>();
  private final List<Lost> lost = new ArrayList<>();
  private final Set<Telling> telling = new HashSet<>();
  private WriteSet due = WriteSet.NONE;

  private volatile WriteSet concealed = WriteSet.NONE;

  /** A write whose outcome nobody will learn; the primary knows when there is one. */
  static final class Lost {
    private final WriteSet writes;
    private @Nullable WritersInProgress before;

    private Lost(WriteSet writes) {
      this.writes = writes;
    }
  }

  /** What somebody is telling, until {@link #told}. */
  static final class Telling {
    private final WriteSet writes;

    private Telling(WriteSet writes) {
      this.writes = writes;
    }

    WriteSet writes() {
      return writes;
    }
  }

  /** Notes a write that was not acknowledged, before its commit is sent. */
  synchronized void begin(RemoteWrite write, WriteSet writes) {
    underWay.put(write, writes);
    concealed = concealed.union(writes);
  }

  /**
   * Notes that the outcome of {@code write} is definite; returns what the caller is to tell, or
   * null if it was acknowledged.
   */
  synchronized @Nullable Telling end(RemoteWrite write) {
    WriteSet writes = underWay.remove(write);
    return writes == null ? null : committed(writes);
  }

  /** Notes that nobody will call {@link #end}; returns false if {@code write} was acknowledged. */
  synchronized boolean lose(RemoteWrite write) {
    WriteSet writes = underWay.remove(write);
    if (writes != null) {
      lost.add(new Lost(writes));
    }
    return writes != null;
  }

  /** Notes what was committed without an announce, and returns what the caller is to tell. */
  synchronized Telling committed(WriteSet writes) {
    Telling own = new Telling(writes);
    telling.add(own);
    concealed = concealed.union(writes);
    return own;
  }

  /** Returns whether there is anything that nobody is telling, or to be asked. */
  synchronized boolean isWaiting() {
    return !due.isEmpty() || !lost.isEmpty();
  }

  /** Returns all that nobody is telling, for the caller to tell; null if there is nothing. */
  synchronized @Nullable Telling due() {
    WriteSet writes = due;
    due = WriteSet.NONE;
    return writes.isEmpty() ? null : committed(writes);
  }

  /** Notes whether others were told. */
  synchronized void told(Telling one, boolean acknowledged) {
    telling.remove(one);
    if (!acknowledged) {
      due = due.union(one.writes);
      return; // As much is concealed as before.
    }
    WriteSet left = due;
    for (WriteSet writes : underWay.values()) {
      left = left.union(writes);
    }
    for (Telling other : telling) {
      left = left.union(other.writes);
    }
    for (Lost write : lost) {
      left = left.union(write.writes);
    }
    concealed = left;
  }

  /** Returns those whose outcome the primary is to be asked about. */
  synchronized List<Lost> lost() {
    return List.copyOf(lost);
  }

  /**
   * Notes what the primary said of {@code some}, by a question sent after that was returned.
   *
   * @param now null if it did not answer
   */
  synchronized void asked(List<Lost> some, @Nullable WritersInProgress now) {
    if (now == null) {
      return;
    }
    Set<Lost> over = new HashSet<>();
    for (Lost write : some) {
      WritersInProgress before = write.before;
      if (before == null || before.serverGeneration() != now.serverGeneration()) {
        before = now;
        write.before = now;
      }
      Set<String> left = new HashSet<>(before.writers());
      left.retainAll(now.writers());
      if (left.isEmpty()) {
        over.add(write);
        due = due.union(write.writes);
      }
    }
    lost.removeIf(over::contains);
  }

  /** Returns all that others have yet to be told of. */
  WriteSet all() {
    return concealed;
  }

  /** Returns whether what is shared may be older than what this JVM has written to {@code tags}. */
  boolean conceals(List<TableTag> tags) {
    WriteSet writes = concealed;
    return writes.unknown()
        || (!writes.isEmpty() && tags.stream().anyMatch(writes.tags()::contains));
  }
}
