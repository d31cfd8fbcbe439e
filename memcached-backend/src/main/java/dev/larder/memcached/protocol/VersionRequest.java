package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.VersionValue;

/** What one asks the version server to do, each in one step that nobody else's comes between. */
public sealed interface VersionRequest {
  /** The key it is about. */
  String key();

  /** Reads a value and its number. */
  record Gets(String key) implements VersionRequest {}

  /** Adds {@code mark} to a value that is there. */
  record Append(String key, Mark mark) implements VersionRequest {}

  /** Stores {@code value} where none is. */
  record Add(String key, VersionValue value) implements VersionRequest {}

  /** Takes away what is there: whoever reads it next finds nothing, as after an eviction. */
  record Remove(String key) implements VersionRequest {}

  /** Takes the turn of a version where nobody has it, for so many seconds. */
  record TakeTurn(String key, int seconds) implements VersionRequest {}

  /** Ends the turn of a version, whoever has it. */
  record EndTurn(String key) implements VersionRequest {}

  /** Stores {@code value} if what is there is still {@code item}. */
  record Cas(VersionItem item, VersionValue value) implements VersionRequest {
    @Override
    public String key() {
      return item.key();
    }
  }
}
