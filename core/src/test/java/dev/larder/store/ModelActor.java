package dev.larder.store;

import org.jspecify.annotations.Nullable;

/** Somebody who takes part in the protocol, one atomic step after the other. */
interface ModelActor {
  /** Returns in how many ways the next step may go; 0 when the actor has finished. */
  int choices(ModelState state);

  /** Returns whether the actor could go this way now, or would have to wait. */
  boolean canStep(ModelState state, int choice);

  /** Does the next step in {@code state} and returns what it violates, or null. */
  @Nullable String step(ModelState state, int choice);

  /** Says where the actor is. */
  String describe(ModelState state);
}
