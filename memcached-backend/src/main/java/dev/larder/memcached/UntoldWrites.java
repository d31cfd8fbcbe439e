package dev.larder.memcached;

import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes that this JVM commits, or has committed, and other JVMs have yet to be told of. Until they
 * are, what is shared may be older than these writes although its versions are good, so that this
 * JVM, which knows better, does not read it. Thread-safe.
 */
final class UntoldWrites {
  // Guarded by this.
  private final IdentityHashMap<RemoteWrite, Item> announced = new IdentityHashMap<>();
  private final Set<Item> items = new LinkedHashSet<>();

  private volatile WriteSet concealed = WriteSet.NONE;

  private enum Phase {
    /** Its outcome is to come. */
    UNDER_WAY,
    /** Nobody will learn its outcome; the primary knows when there is one. */
    LOST,
    /** To be told. */
    DUE
  }

  /** A write; guarded by the set that it is in. */
  static final class Item {
    private final WriteSet writes;
    private Phase phase;
    private @Nullable WritersInProgress before;

    private Item(WriteSet writes, Phase phase) {
      this.writes = writes;
      this.phase = phase;
    }
  }

  /** Notes a write that was not acknowledged, before its commit is sent. */
  synchronized void begin(RemoteWrite write, WriteSet writes) {
    Item item = new Item(writes, Phase.UNDER_WAY);
    announced.put(write, item);
    add(item);
  }

  /** Notes that the outcome of {@code write} is definite; returns null if it was acknowledged. */
  synchronized @Nullable Item end(RemoteWrite write) {
    Item item = announced.remove(write);
    if (item != null) {
      item.phase = Phase.DUE;
    }
    return item;
  }

  /** Notes that nobody will call {@link #end}; returns false if {@code write} was acknowledged. */
  synchronized boolean lose(RemoteWrite write) {
    Item item = announced.remove(write);
    if (item != null) {
      item.phase = Phase.LOST;
    }
    return item != null;
  }

  /** Notes what was committed without an announce. */
  synchronized Item committed(WriteSet writes) {
    Item item = new Item(writes, Phase.DUE);
    add(item);
    return item;
  }

  /** Returns whether there is anything to be told, or to be asked. */
  synchronized boolean isWaiting() {
    return items.stream().anyMatch(item -> item.phase != Phase.UNDER_WAY);
  }

  /** Returns what is to be told. */
  synchronized List<Item> due() {
    return items.stream().filter(item -> item.phase == Phase.DUE).toList();
  }

  /** Returns those whose outcome the primary is to be asked about. */
  synchronized List<Item> lost() {
    return items.stream().filter(item -> item.phase == Phase.LOST).toList();
  }

  /**
   * Notes what the primary said of {@code lost}, by a question sent after that was returned.
   *
   * @param now null if it did not answer
   */
  synchronized void asked(List<Item> lost, @Nullable WritersInProgress now) {
    for (Item item : lost) {
      WritersInProgress before = item.before;
      if (now == null) {
        continue;
      }
      if (before == null || before.incarnation() != now.incarnation()) {
        before = now;
        item.before = now;
      }
      Set<String> left = new HashSet<>(before.writers());
      left.retainAll(now.writers());
      item.phase = left.isEmpty() ? Phase.DUE : Phase.LOST;
    }
  }

  /** Notes that {@code told} were told. */
  synchronized void told(Collection<Item> told) {
    items.removeAll(told);
    concealed = union(items);
  }

  private void add(Item item) {
    items.add(item);
    concealed = concealed.union(item.writes);
  }

  /** Returns what {@code some} write. */
  static WriteSet union(Collection<Item> some) {
    WriteSet union = WriteSet.NONE;
    for (Item item : some) {
      union = union.union(item.writes);
    }
    return union;
  }

  /** Returns whether what is shared may be older than what this JVM has written to {@code tags}. */
  boolean conceals(List<TableTag> tags) {
    WriteSet writes = concealed;
    return writes.unknown()
        || (!writes.isEmpty() && tags.stream().anyMatch(writes.tags()::contains));
  }
}
