package dev.larder.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the work of one thread must see of the log, on whichever connection, and up to where it has
 * written itself. A position of another server than the one that is asked says nothing. Confined to
 * its thread.
 */
public final class ThreadPosition implements AutoCloseable {
  private static final ThreadLocal<@Nullable ThreadPosition> CURRENT = new ThreadLocal<>();

  /** Whether there was ever one: where there was not, a hit has no thread to look into. */
  private static volatile boolean used;

  private final List<LogPosition> wanted;
  private final Map<String, LogPosition> written = new LinkedHashMap<>();

  private ThreadPosition(Collection<LogPosition> wanted) {
    this.wanted = List.copyOf(wanted);
  }

  /**
   * Begins the work of this thread, and ends what it had begun before.
   *
   * @param wanted each of them must be seen
   */
  public static ThreadPosition begin(Collection<LogPosition> wanted) {
    used = true;
    ThreadPosition begun = new ThreadPosition(wanted);
    CURRENT.set(begun);
    return begun;
  }

  /** Returns that of this thread, or null. */
  public static @Nullable ThreadPosition current() {
    return used ? CURRENT.get() : null;
  }

  /**
   * Returns whether an entry may be hit if it is current after this call.
   *
   * @param system the identifier of the cluster that is asked; a log of it may not be read yet
   * @param reached up to where everything in the log was announced
   */
  public boolean isWithin(String system, LogPosition reached) {
    for (LogPosition position : wanted) {
      if (position.system().equals(system) && !position.isWithin(reached)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether there is anything that it must see. */
  public boolean asksForSomething() {
    return !wanted.isEmpty();
  }

  /** Says that the thread has committed a write whose end is before {@code position}. */
  public void wrote(LogPosition position) {
    written.put(position.system(), position);
  }

  /** Returns positions after all that the thread has written, one of each server. */
  public List<LogPosition> written() {
    return new ArrayList<>(written.values());
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // It is this one, or another one was begun.
  public void close() {
    if (CURRENT.get() == this) {
      CURRENT.remove();
    }
  }
}
