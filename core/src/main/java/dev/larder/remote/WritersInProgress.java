package dev.larder.remote;

import java.util.Set;

/**
 * Who may still commit a change, as the primary said it in one moment. Immutable.
 *
 * @param serverGeneration that was asked
 * @param writers their names; a transaction keeps its name until its commit is visible or undone,
 *     even if it is prepared in between or its client dies
 */
public record WritersInProgress(long serverGeneration, Set<String> writers) {
  public WritersInProgress {
    writers = Set.copyOf(writers);
  }
}
