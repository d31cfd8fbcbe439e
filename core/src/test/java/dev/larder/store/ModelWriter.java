package dev.larder.store;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Announces, sends a commit that may end in several ways, and publishes. */
final class ModelWriter implements ModelActor {
  /** How the database and the connection treat a commit. */
  enum Outcome {
    COMMITTED,
    ROLLED_BACK,
    /** The connection dies; the server process lives on for a while and may yet commit. */
    SOCKET_DEATH
  }

  private static final int PC = 0;
  private static final int STEP = 1;
  private static final int VERSION = 2;

  /** The state of the production's pending write. */
  private static final int STATE = 3;

  /** What that state was when the write ended. */
  private static final int BEFORE = 4;

  // The parts of an announce, in the order in which they must come.
  private static final int IN_FLIGHT = 0;
  private static final int ANNOUNCES = 1;
  private static final int EPOCH = 2;

  private static final int REGISTER = 0;
  private static final int ANNOUNCE = 1;
  private static final int LOOK_AGAIN = 2;
  private static final int WIDEN = 3;
  private static final int SEND = 4;
  private static final int ZOMBIE = 5;
  private static final int END = 6;
  private static final int PUBLISH = 7;
  private static final int PUBLISH_BEFORE_ZOMBIE = 8;
  private static final int DONE = 9;
  private static final List<String> NAMES =
      List.of(
          "register",
          "announce",
          "look again",
          "widen",
          "send",
          "zombie",
          "end",
          "publish",
          "publish before zombie",
          "done");

  private final ModelProduction production;
  private final ModelMutant mutant;
  private final int self;
  private final int tables;
  private final boolean truncates;
  private final boolean watchesCatalog;
  private final List<Outcome> outcomes;
  private final PendingWrite write;
  private final List<TableTag> tags;

  /**
   * Creates a writer.
   *
   * @param self the number of this actor
   * @param tables the tables that its commit changes, a bit each
   * @param watchesCatalog whether the trigger applies to it, of which it does not know
   * @param unknown whether it announces a write that may have hit anything
   */
  ModelWriter(
      ModelProduction production,
      ModelMutant mutant,
      int self,
      int tables,
      boolean unknown,
      boolean truncates,
      boolean watchesCatalog,
      List<Outcome> outcomes) {
    this.production = production;
    this.mutant = mutant;
    this.self = self;
    this.tables = tables;
    this.truncates = truncates;
    this.watchesCatalog = watchesCatalog;
    this.outcomes = outcomes;
    WriteSet writes = unknown ? WriteSet.UNKNOWN : new WriteSet(production.tagsOf(tables), false);
    this.write = new PendingWrite(writes, 0);
    this.tags = unknown ? List.of(production.versions.all()) : writes.tags();
  }

  @Override
  public int choices(ModelState state) {
    return switch (state.get(self, PC)) {
      case DONE -> 0;
      case SEND -> outcomes.size();
      case ZOMBIE -> 2;
      default -> 1;
    };
  }

  @Override
  public boolean canStep(ModelState state, int choice) {
    int pc = state.get(self, PC);
    boolean commits =
        pc == SEND ? outcomes.get(choice) == Outcome.COMMITTED : pc == ZOMBIE && choice == 0;
    return !(commits && truncates && ModelReader.anyLocked(state, tables));
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    switch (state.get(self, PC)) {
      case REGISTER -> go(state, ANNOUNCE);
      case ANNOUNCE -> announce(state);
      case LOOK_AGAIN -> {
        boolean changed = state.version() != 0;
        boolean looks = mutant != ModelMutant.WRITER_DOES_NOT_LOOK_AT_THE_CATALOG_AGAIN;
        go(state, changed && looks ? WIDEN : SEND);
      }
      case WIDEN -> {
        boolean more = widen(state, state.get(self, STEP));
        next(state, more, SEND);
      }
      case SEND -> send(state, outcomes.get(choice));
      case ZOMBIE -> {
        if (choice == 0) {
          commit(state);
        }
        go(state, mutant == ModelMutant.RELEASE_ON_SOCKET_DEATH ? DONE : END);
      }
      case END -> end(state);
      case PUBLISH -> publish(state, DONE);
      default -> publish(state, ZOMBIE);
    }
    return null;
  }

  @Override
  public String describe(ModelState state) {
    return "writer " + self + " " + NAMES.get(state.get(self, PC)) + " " + state.get(self, STEP);
  }

  private void announce(ModelState state) {
    production.load(state);
    boolean more = announceStep(state, state.get(self, STEP));
    production.save(state);
    next(state, more, watchesCatalog ? LOOK_AGAIN : SEND);
  }

  private boolean announceStep(ModelState state, int step) {
    switch (mutant) {
      case NO_COUNT_IN_FLIGHT -> {
        production.versions.advance();
        return false;
      }
      case BUMP_ONLY_BEFORE -> {
        if (step == 0) {
          state.set(self, VERSION, (int) production.versions.advance());
        } else {
          tags.get(step - 1).publish(state.get(self, VERSION));
        }
        return step < tags.size();
      }
      case BOOLEAN_IN_FLIGHT -> {
        if (step < tags.size() && tags.get(step).inFlight() > 0) {
          return true;
        }
        return production.versions.announceStep(production.versions.tagsOf(write), step);
      }
      case EPOCH_BEFORE_COUNT -> {
        return announceInOrder(step, EPOCH, IN_FLIGHT, ANNOUNCES);
      }
      case NO_ANNOUNCE_COUNTED -> {
        return announceInOrder(step, IN_FLIGHT, EPOCH);
      }
      case ANNOUNCE_COUNTED_BEFORE_IN_FLIGHT -> {
        return announceInOrder(step, ANNOUNCES, IN_FLIGHT, EPOCH);
      }
      case EPOCH_BEFORE_ANNOUNCE_COUNTED -> {
        return announceInOrder(step, IN_FLIGHT, EPOCH, ANNOUNCES);
      }
      default -> {
        return production.versions.announceStep(production.versions.tagsOf(write), step);
      }
    }
  }

  /** Does a step of an announce whose parts come in this order, and returns whether more follow. */
  private boolean announceInOrder(int step, int... parts) {
    int size = write.writes().unknown() ? 1 : write.writes().bumped().size();
    int first = 0;
    for (int part : parts) {
      int length = part == EPOCH ? 1 : size;
      if (step < first + length) {
        production.versions.announceStep(
            production.versions.tagsOf(write), part * size + step - first);
        break;
      }
      first += length;
    }
    return step + 1 < IntStream.of(parts).map(part -> part == EPOCH ? 1 : size).sum();
  }

  private void send(ModelState state, Outcome outcome) {
    if (outcome == Outcome.COMMITTED) {
      commit(state);
    }
    if (outcome != Outcome.SOCKET_DEATH) {
      go(state, END);
    } else {
      go(state, mutant == ModelMutant.RELEASE_ON_SOCKET_DEATH ? PUBLISH_BEFORE_ZOMBIE : ZOMBIE);
    }
  }

  private void commit(ModelState state) {
    int written = tables | (watchesCatalog && state.hasTrigger() ? 0b10 : 0);
    for (int table = 0; table < ModelState.TABLES; table++) {
      if ((written >> table & 1) != 0) {
        state.commit(table, truncates);
      }
    }
  }

  /** Does a step of widening this write, by itself or by the one who changes the catalog. */
  boolean widen(ModelState state, int step) {
    load(state);
    boolean more = production.versions.widenStep(write, step);
    save(state);
    return more;
  }

  /** Returns whether the write is among those under way. */
  boolean isPending(ModelState state) {
    int pc = state.get(self, PC);
    return pc != REGISTER && pc != DONE;
  }

  private void end(ModelState state) {
    load(state);
    state.set(self, BEFORE, write.end());
    save(state);
    go(state, PUBLISH);
  }

  private void load(ModelState state) {
    production.load(state);
    ModelProduction.setState(write, state.get(self, STATE));
  }

  private void save(ModelState state) {
    production.save(state);
    state.set(self, STATE, ModelProduction.stateOf(write));
  }

  private void publish(ModelState state, int then) {
    production.load(state);
    write.takeVersion(state.get(self, VERSION));
    boolean more = publishStep(state, state.get(self, STEP));
    state.set(self, VERSION, (int) write.version());
    production.save(state);
    next(state, more, then);
  }

  private boolean publishStep(ModelState state, int step) {
    switch (mutant) {
      case NO_BUMP_AFTER_COMMIT -> {
        if (step > 0) {
          tags.get(step - 1).publish(0);
        } else {
          production.versions.advance();
        }
        return step < tags.size();
      }
      case BUMP_ONLY_BEFORE -> {
        return false;
      }
      case COUNT_FALLS_BEFORE_BUMP -> {
        if (step == 0) {
          write.takeVersion(production.versions.advance());
        } else {
          TableTag tag = tags.get((step - 1) / 2);
          if (step % 2 == 0) {
            tag.raise(); // Undone by the same step: only the version changes.
          }
          tag.publish(step % 2 == 0 ? write.version() : 0);
        }
        return step < 2 * tags.size();
      }
      default -> {
        return production.versions.publishStep(
            write, production.versions.tagsOf(write), state.get(self, BEFORE), step);
      }
    }
  }

  private void next(ModelState state, boolean more, int then) {
    if (more) {
      state.set(self, STEP, state.get(self, STEP) + 1);
    } else {
      go(state, then);
    }
  }

  private void go(ModelState state, int pc) {
    state.set(self, PC, pc);
    state.set(self, STEP, 0);
    if (pc != PUBLISH && pc != PUBLISH_BEFORE_ZOMBIE) {
      state.set(self, VERSION, 0);
    }
  }
}
