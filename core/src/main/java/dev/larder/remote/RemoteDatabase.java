package dev.larder.remote;

import dev.larder.result.CachedResult;
import org.jspecify.annotations.Nullable;

/** What a {@link RemoteCache} is told of the database whose results it holds. Thread-safe. */
public interface RemoteDatabase {
  /** Returns the cluster's system identifier. */
  String systemIdentifier();

  /** Returns the database's object identifier. */
  long oid();

  /**
   * Returns who may still commit a change to the database, by a question that is sent to the
   * primary after this call; null if the primary did not answer. Throws nothing.
   */
  @Nullable WritersInProgress writersInProgress();

  /** Returns {@code result} with its rows in the form that is replayed fastest. */
  CachedResult adopt(CachedResult result);
}
