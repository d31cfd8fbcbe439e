package dev.larder.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The writes that are under way, queries included. Every statement that is sent comes and goes
 * here. So most of them only take the slot of their thread, which other processors do not use;
 * those that find it taken go into a set. Thread-safe.
 *
 * <p>To add is a volatile write, and to look at all of them are volatile reads. So of one thread
 * that adds a write and then reads something, and another that changes that and then looks at all
 * writes, one sees the other.
 */
final class PendingWrites {
  private static final int SLOTS = 1 << 6;

  /** So many references are as long as a line of a processor's cache, and more. */
  private static final int STRIDE = 1 << 4;

  private final AtomicReferenceArray<PendingWrite> slots =
      new AtomicReferenceArray<>(SLOTS * STRIDE);

  private final Set<PendingWrite> others = ConcurrentHashMap.newKeySet();

  /** Adds a write that was never added. */
  void add(PendingWrite write) {
    int slot = ((int) Thread.currentThread().getId() & (SLOTS - 1)) * STRIDE;
    write.slot = slot;
    if (slots.get(slot) != null || !slots.compareAndSet(slot, null, write)) {
      others.add(write);
    }
  }

  /** Removes a write; any thread may. */
  void remove(PendingWrite write) {
    if (!slots.compareAndSet(write.slot, write, null)) {
      others.remove(write);
    }
  }

  /** Shows {@code consumer} each write that was added before the call and is still there. */
  void forEach(Consumer<PendingWrite> consumer) {
    for (int slot = 0; slot < slots.length(); slot += STRIDE) {
      PendingWrite write = slots.get(slot);
      if (write != null) {
        consumer.accept(write);
      }
    }
    others.forEach(consumer);
  }

  /** Returns all of them, as of about now. */
  Collection<PendingWrite> all() {
    List<PendingWrite> all = new ArrayList<>();
    forEach(all::add);
    return List.copyOf(all);
  }
}
