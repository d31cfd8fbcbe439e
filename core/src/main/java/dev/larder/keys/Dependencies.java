package dev.larder.keys;

import dev.larder.result.CachedResult;
import dev.larder.store.Tag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the result of one execution depends on. Immutable.
 *
 * @param tags in any case
 * @param choices besides, each either on what was known before or on what the rows show
 */
public record Dependencies(List<? extends Tag> tags, List<Choice> choices) {
  /** Returns the dependencies of a result that no more is known of than what it reads. */
  public static Dependencies on(List<? extends Tag> tags) {
    return new Dependencies(tags, List.of());
  }

  /** Returns all tags that are known before there is a result. */
  public List<Tag> all() {
    List<Tag> all = new ArrayList<>(tags);
    choices.forEach(choice -> all.addAll(choice.otherwise()));
    return all;
  }

  /**
   * Something that a result depends on in one of two ways.
   *
   * @param otherwise the tags, where the rows show nothing better
   * @param shown finds better ones
   */
  public record Choice(List<? extends Tag> otherwise, ByRows shown) {}

  /** Finds tags in the rows of a result. */
  @FunctionalInterface
  public interface ByRows {
    /**
     * Returns the tags that take the place of the others, or null where the rows do not show them.
     * They are captured after the rows were read, and good only if they have not changed since
     * before the statement was sent.
     */
    @Nullable List<Tag> tags(CachedResult result);

    /** Returns what needs no other tags where the result has so many rows. */
    static ByRows atLeast(int rows) {
      return rows == 1 ? One.ROW : result -> result.rows().count() >= rows ? List.of() : null;
    }
  }

  /** Made once: each miss by a unique key needs it. */
  private static final class One {
    static final ByRows ROW = result -> result.rows().count() >= 1 ? List.of() : null;
  }
}
