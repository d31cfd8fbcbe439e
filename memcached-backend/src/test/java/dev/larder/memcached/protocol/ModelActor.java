package dev.larder.memcached.protocol;

import org.jspecify.annotations.Nullable;

/** Somebody who takes part in the protocol, one atomic step after the other. */
interface ModelActor {
  /** Returns in how many ways the next step may go; 0 when the actor has nothing to do. */
  int choices(ModelState state);

  /** Does the next step in {@code state} and returns what it violates, or null. */
  @Nullable String step(ModelState state, int choice);

  /** Says where the actor is. */
  String describe(ModelState state, int choice);
}
