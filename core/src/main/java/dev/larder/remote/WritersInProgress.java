package dev.larder.remote;

import java.util.Set;

/**
 * Who may still commit a change, as the primary said it in one moment. Immutable.
 *
 * @param serverGeneration the life of the server that was asked
 * @param writers their names: a transaction that has written keeps its name until its commit is
 *     visible or undone, be it prepared in between, whether or not its client lives
 */
public record WritersInProgress(long serverGeneration, Set<String> writers) {
  public WritersInProgress {
    writers = Set.copyOf(writers);
  }
}
