package dev.larder.memcached.protocol;

import org.jspecify.annotations.Nullable;

/** Evicts versions, starts the server again, and delivers what was taken for lost. */
final class ModelFaults implements ModelActor {
  private static final int RESTART = ModelState.KEYS;
  private static final int DELIVER = RESTART + 1;

  private final ModelMutant mutant;

  ModelFaults(ModelMutant mutant) {
    this.mutant = mutant;
  }

  @Override
  public int choices(ModelState state) {
    return state.evictions + state.restarts > 0 || state.inFlight != null ? DELIVER + 1 : 0;
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    VersionRequest late = state.inFlight;
    if (choice < RESTART) {
      if (state.evictions > 0 && state.values[choice] != null) {
        state.store(choice, null);
        state.evictions--;
      }
    } else if (choice == RESTART) {
      if (state.restarts > 0) {
        state.restart();
        state.restarts--;
      }
    } else if (late != null) {
      state.execute(late, mutant);
      state.inFlight = null;
    }
    return null;
  }

  @Override
  public String describe(ModelState state, int choice) {
    return choice < RESTART
        ? "evict " + choice
        : choice == RESTART ? "restart" : "deliver " + state.inFlight;
  }
}
