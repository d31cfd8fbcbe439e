package dev.larder.jdbc.connection;

import dev.larder.jdbc.database.ConnectionFactory;
import dev.larder.jdbc.database.Opened;
import org.jspecify.annotations.Nullable;

/**
 * What opens further connections like one of the application's. Thread-safe.
 *
 * @param own opens plain ones, with no cache in front
 * @param background opens ordinary ones of Larder's own, for queries that nobody waits for: see
 *     {@link BackgroundConnection}. Null on one of these, which opens no others
 */
public record FurtherConnections(
    ConnectionFactory own, Opened.@Nullable Opening<BackgroundConnection> background) {

  /** Returns whether these are those of a {@link BackgroundConnection}. */
  public boolean areOfBackground() {
    return background == null;
  }
}
