package dev.larder.engine;

import dev.larder.engine.Lookup.Miss;

/** Is told how misses end. Thread-safe. */
interface MissListener {
  /** Listens to nothing. */
  MissListener NONE = new MissListener() {};

  /** The result of {@code miss} was kept, and weighs so much. */
  default void kept(Miss miss, long weightBytes) {}

  /** A result was not kept. */
  default void notKept() {}

  /** A result like that of {@code miss} cannot be kept any more. */
  default void cannotKeep(Miss miss) {}
}
