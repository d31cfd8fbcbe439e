package dev.larder.jdbc;

import dev.larder.feed.LogPosition;
import dev.larder.feed.ThreadPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries a place in the server's log from one process to another, so that who wrote in one sees
 * that in the other: what {@code SET larder.position} does for a session, for all that one thread
 * does, on whichever connections. Needs {@code larder.feed=wal} where it is read, and nothing where
 * it is written. Confined to its thread.
 */
public final class LarderPosition implements AutoCloseable {
  /** A position has about 45 characters. */
  private static final int MAX_LENGTH = 256;

  /** Allowed in a cookie. */
  private static final String SEPARATOR = "|";

  private final ThreadPosition position;

  private LarderPosition(ThreadPosition position) {
    this.position = position;
  }

  /**
   * Begins what this thread does for somebody.
   *
   * @param wanted what {@link #written} has returned elsewhere; null, or a text that it cannot have
   *     returned, stands for nothing. One from the future costs hits.
   * @return ends it when closed
   */
  public static LarderPosition begin(@Nullable String wanted) {
    return new LarderPosition(ThreadPosition.begin(parse(wanted)));
  }

  private static List<LogPosition> parse(@Nullable String text) {
    if (text == null || text.length() > MAX_LENGTH) {
      return List.of();
    }
    List<LogPosition> positions = new ArrayList<>();
    for (String each : text.split("[|]", -1)) {
      try {
        positions.add(LogPosition.parse(each));
      } catch (IllegalArgumentException e) {
        return List.of(); // From outside may come anything.
      }
    }
    return positions;
  }

  /**
   * {@return a place in the log after everything that this thread has committed through Larder
   * since it began; empty if it has committed nothing} With several servers there is one for each.
   * Letters, digits and {@code : / |} are all that it is made of.
   */
  public String written() {
    return position.written().stream()
        .map(LogPosition::toString)
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Ends it: from now on the thread must see what everybody must. */
  @Override
  public void close() {
    position.close();
  }
}
