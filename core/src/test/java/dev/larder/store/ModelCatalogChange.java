package dev.larder.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates a trigger that makes writes of table 0 write table 1 too, while a writer is under way.
 */
final class ModelCatalogChange implements ModelActor {
  private static final int PC = 0;
  private static final int STEP = 1;
  private static final int VERSION = 2;

  private static final int ANNOUNCE = 0;
  private static final int SEND = 1;
  private static final int RELOAD = 2;
  private static final int VISIT = 3;
  private static final int WIDEN = 4;
  private static final int PUBLISH = 5;
  private static final int DONE = 6;
  private static final List<String> NAMES =
      List.of("announce", "send", "reload", "visit", "widen", "publish", "done");

  private final ModelProduction production;
  private final ModelMutant mutant;
  private final int self;
  private final ModelWriter writer;
  private final PendingWrite write = new PendingWrite(WriteSet.UNKNOWN, 0);

  ModelCatalogChange(ModelProduction production, ModelMutant mutant, int self, ModelWriter writer) {
    this.production = production;
    this.mutant = mutant;
    this.self = self;
    this.writer = writer;
  }

  @Override
  public int choices(ModelState state) {
    return state.get(self, PC) == DONE ? 0 : 1;
  }

  @Override
  public boolean canStep(ModelState state, int choice) {
    return true;
  }

  @Override
  public String describe(ModelState state) {
    return "change " + NAMES.get(state.get(self, PC)) + " " + state.get(self, STEP);
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    boolean late = mutant == ModelMutant.CATALOG_CHANGE_WIDENS_AFTER_ITS_PUBLISH;
    int step = state.get(self, STEP);
    switch (state.get(self, PC)) {
      case ANNOUNCE -> {
        production.load(state);
        boolean more = production.versions.announceStep(production.versions.tagsOf(write), step);
        production.save(state);
        next(state, more, SEND);
      }
      case SEND -> {
        state.createTrigger();
        next(state, false, late ? PUBLISH : RELOAD);
      }
      case RELOAD -> {
        state.nextCatalogVersion();
        next(state, false, VISIT);
      }
      case VISIT -> {
        boolean widens = mutant != ModelMutant.CATALOG_CHANGE_WIDENS_NOBODY;
        int after = late ? DONE : PUBLISH;
        next(state, false, widens && writer.isPending(state) ? WIDEN : after);
      }
      case WIDEN -> next(state, writer.widen(state, step), late ? DONE : PUBLISH);
      default -> {
        production.load(state);
        write.takeVersion(state.get(self, VERSION));
        boolean more =
            production.versions.publishStep(
                write, production.versions.tagsOf(write), PendingWrite.OPEN, step);
        state.set(self, VERSION, (int) write.version());
        production.save(state);
        next(state, more, late ? RELOAD : DONE);
      }
    }
    return null;
  }

  private void next(ModelState state, boolean more, int then) {
    state.set(self, STEP, more ? state.get(self, STEP) + 1 : 0);
    if (!more) {
      state.set(self, PC, then);
      state.set(self, VERSION, 0);
    }
  }
}
