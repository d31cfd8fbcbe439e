package dev.larder.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads through the store, at READ COMMITTED or in one REPEATABLE READ transaction, and finds fault
 * with every row that the database would not have returned. Readers are the actors 0 and 1.
 */
final class ModelReader implements ModelActor {
  private static final int PC = 0;
  private static final int READ = 1;
  private static final int HELD = 2;
  private static final int SEEN = 3;
  private static final int STEP = 4;
  private static final int FILL = 5;
  private static final int BEGIN = 6;
  private static final int CAPTURED = 8;
  private static final int ROWS = 11;
  private static final int E0 = 13;
  private static final int LOCKS = 14;
  // Contents are kept plus 2: 0 is none, 1 is what a truncated table shows, 2 and up are counts.
  private static final int SNAPSHOT = 15; // of table 0; with PAIR times that of table 1
  private static final int FIRST = 16;
  private static final int PAIR = 100;
  private static final int ANNOUNCED = 18;

  private static final int LOOK_UP = 0;
  private static final int READ_E0 = 1;
  private static final int READ_EPOCH = 2;
  private static final int COMPARE = 3;
  private static final int VALIDATE = 4;
  private static final int CAPTURE = 5;
  private static final int EXECUTE = 6;
  private static final int PUT = 7;
  private static final int DONE = 8;
  private static final int READ_ANNOUNCES = 9;
  private static final int COMPARE_ANNOUNCES = 10;
  private static final List<String> NAMES =
      List.of(
          "look up",
          "read e0",
          "read epoch",
          "compare",
          "validate",
          "capture",
          "execute",
          "put",
          "done",
          "read announces",
          "compare announces");

  private final ModelProduction production;
  private final ModelMutant mutant;
  private final ModelCounts counts;
  private final int self;
  private final boolean repeatableRead;
  private final int[] keys;

  /**
   * Creates a reader.
   *
   * @param self the number of this actor
   * @param keys what it reads, in order
   */
  ModelReader(
      ModelProduction production,
      ModelMutant mutant,
      ModelCounts counts,
      int self,
      boolean repeatableRead,
      int... keys) {
    this.production = production;
    this.mutant = mutant;
    this.counts = counts;
    this.self = self;
    this.repeatableRead = repeatableRead;
    this.keys = keys;
  }

  void begin(ModelState state) {
    state.set(self, PC, repeatableRead ? READ_E0 : LOOK_UP);
  }

  static boolean anyLocked(ModelState state, int tables) {
    return ((state.get(0, LOCKS) | state.get(1, LOCKS)) & tables) != 0;
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
    int pc = state.get(self, PC);
    String key = pc == DONE ? "" : " key " + keys[state.get(self, READ)];
    return "reader " + self + " " + NAMES.get(pc) + " " + state.get(self, STEP) + key;
  }

  @Override
  public @Nullable String step(ModelState state, int choice) {
    int key = keys[state.get(self, READ)];
    production.load(state);
    switch (state.get(self, PC)) {
      case READ_E0 -> {
        state.set(self, E0, (int) production.versions.epoch());
        go(state, mutant == ModelMutant.HIT_AS_FIRST_READ ? LOOK_UP : firstOfMiss());
      }
      case LOOK_UP -> lookUp(state, key);
      case READ_EPOCH -> {
        state.set(self, SEEN, (int) production.versions.epoch());
        go(state, COMPARE);
      }
      case COMPARE -> {
        long validated = held(state).validatedEpoch();
        if (validated == state.get(self, SEEN)) {
          counts.fastHits++;
          return current(state, key);
        }
        go(state, READ_ANNOUNCES);
      }
      case READ_ANNOUNCES -> readAnnounces(state, COMPARE_ANNOUNCES);
      case COMPARE_ANNOUNCES -> {
        return compareAnnounces(state, key);
      }
      case VALIDATE -> {
        return validate(state, key);
      }
      case CAPTURE -> capture(state, key);
      case EXECUTE -> {
        return execute(state, key);
      }
      default -> put(state, key);
    }
    return null;
  }

  /** The read begins: a hit must not be older than what the database holds now. */
  private void lookUp(ModelState state, int key) {
    for (int table = 0; table < ModelState.TABLES; table++) {
      state.set(self, BEGIN + table, state.committed(table));
    }
    state.set(self, HELD, state.stored(key));
    go(state, state.stored(key) == 0 ? firstOfMiss() : READ_EPOCH);
  }

  private void readAnnounces(ModelState state, int then) {
    short[] indexes = held(state).announces();
    int step = state.get(self, STEP);
    int sum = state.get(self, ANNOUNCED) + (int) production.announces().get(indexes[step]);
    state.set(self, ANNOUNCED, sum);
    if (step + 1 < indexes.length) {
      state.set(self, STEP, step + 1);
    } else {
      go(state, then);
    }
  }

  private @Nullable String compareAnnounces(ModelState state, int key) {
    CacheEntry entry = held(state);
    if (entry.validatedAnnounces() != state.get(self, ANNOUNCED)) {
      go(state, VALIDATE);
      return null;
    }
    entry.validatedAt(state.get(self, SEEN));
    save(state, entry);
    counts.announceHits++;
    return current(state, key);
  }

  private void save(ModelState state, CacheEntry entry) {
    state.setValidated(state.get(self, HELD), entry.validatedEpoch(), entry.validatedAnnounces());
  }

  private @Nullable String validate(ModelState state, int key) {
    CacheEntry entry = held(state);
    long seen = state.get(self, SEEN);
    int step = state.get(self, STEP);
    if (mutant == ModelMutant.VALIDATED_AT_LATER_EPOCH && step == entry.versions().size()) {
      seen = production.versions.epoch();
    }
    long announced = state.get(self, ANNOUNCED);
    if (mutant == ModelMutant.ANNOUNCES_READ_AFTER_STAMPS && step == entry.versions().size()) {
      announced = production.announces().sum(entry);
    }
    int next = production.versions.validateStep(entry, seen, announced, step);
    save(state, entry);
    if (next == TableVersions.CURRENT) {
      counts.slowHits++;
      return current(state, key);
    }
    if (next == TableVersions.NOT_CURRENT) {
      go(state, firstOfMiss());
    } else {
      state.set(self, STEP, next);
    }
    return null;
  }

  /** The entry is current: it is hit, unless the transaction forbids it. */
  private @Nullable String current(ModelState state, int key) {
    if (repeatableRead && !mayHit(state, key)) {
      go(state, firstOfMiss());
      return null;
    }
    int entry = state.get(self, HELD);
    counts.repeatableReadHits += repeatableRead ? 1 : 0;
    for (int table = 0; table < ModelState.TABLES; table++) {
      state.set(self, ROWS + table, state.row(entry, table));
    }
    String fault = repeatableRead ? faultOfSnapshot(state, key) : faultOfHit(state, key);
    endRead(state);
    return fault;
  }

  private boolean mayHit(ModelState state, int key) {
    if (state.get(self, SNAPSHOT) == 0) {
      return true; // Only the mutant comes here before its first statement.
    }
    boolean locked = (key + 1 & ~state.get(self, LOCKS)) == 0;
    boolean old = held(state).versions().notAfter(state.get(self, E0));
    return (locked || mutant == ModelMutant.HIT_WITHOUT_LOCK)
        && (old || mutant == ModelMutant.HIT_WITHOUT_E0);
  }

  private void capture(ModelState state, int key) {
    int step = state.get(self, STEP);
    VersionVector vector = production.vector(key);
    boolean quiet = vector.capture(step);
    state.set(self, CAPTURED + step, (int) ModelProduction.stampsOf(vector)[step]);
    if (quiet && step + 1 < vector.size()) {
      state.set(self, STEP, step + 1);
      return;
    }
    state.set(self, FILL, quiet && mayFill(state, key) ? 1 : 0);
    if (mutant != ModelMutant.CAPTURE_AFTER_EXECUTE) {
      go(state, EXECUTE);
    } else {
      putOrEnd(state);
    }
  }

  private boolean mayFill(ModelState state, int key) {
    if (!repeatableRead || mutant == ModelMutant.PUT_WITHOUT_E0) {
      return true;
    }
    VersionVector vector = production.vector(key);
    long[] stamps = ModelProduction.stampsOf(vector);
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = state.get(self, CAPTURED + i);
    }
    return vector.notAfter(state.get(self, E0));
  }

  private @Nullable String execute(ModelState state, int key) {
    counts.executions++;
    if (repeatableRead && state.get(self, SNAPSHOT) == 0) {
      state.set(self, SNAPSHOT, state.committed(0) + 2 + PAIR * (state.committed(1) + 2));
    }
    for (int table = 0; table < ModelState.TABLES; table++) {
      boolean reads = ModelState.reads(key, table);
      state.set(self, ROWS + table, reads ? serverRead(state, table) : 0);
    }
    if (repeatableRead) {
      state.set(self, LOCKS, state.get(self, LOCKS) | key + 1);
      String fault = faultOfSnapshot(state, key);
      if (fault != null) {
        return fault;
      }
    }
    if (mutant == ModelMutant.CAPTURE_AFTER_EXECUTE) {
      go(state, CAPTURE);
    } else {
      putOrEnd(state);
    }
    return null;
  }

  private int serverRead(ModelState state, int table) {
    if (!repeatableRead) {
      return state.committed(table);
    }
    int pair = state.get(self, SNAPSHOT);
    return state.visible(table, (table == 0 ? pair % PAIR : pair / PAIR) - 2);
  }

  private void put(ModelState state, int key) {
    int entry = state.put(key, 0, state.get(1 - self, HELD));
    counts.puts++;
    for (int i = 0; i < production.vector(key).size(); i++) {
      state.setCaptured(entry, i, state.get(self, CAPTURED + i));
    }
    for (int table = 0; table < ModelState.TABLES; table++) {
      state.setRow(entry, table, state.get(self, ROWS + table));
    }
    endRead(state);
  }

  private @Nullable String faultOfHit(ModelState state, int key) {
    for (int table = 0; table < ModelState.TABLES; table++) {
      int row = state.get(self, ROWS + table);
      if (ModelState.reads(key, table) && row < state.get(self, BEGIN + table)) {
        return "hit returned " + row + " of table " + table + ", which was overwritten before";
      }
    }
    return null;
  }

  /** A transaction that has read a table reads the same for ever, and what the server would. */
  private @Nullable String faultOfSnapshot(ModelState state, int key) {
    for (int table = 0; table < ModelState.TABLES; table++) {
      if (!ModelState.reads(key, table)) {
        continue;
      }
      int row = state.get(self, ROWS + table);
      int first = state.get(self, FIRST + table);
      if (first != 0 && first != row + 2) {
        return "snapshot broken: read " + (first - 2) + " of table " + table + ", then " + row;
      }
      if (state.get(self, SNAPSHOT) != 0 && row != serverRead(state, table)) {
        return "hit returned " + row + " of table " + table + ", not the snapshot's content";
      }
      state.set(self, FIRST + table, row + 2);
    }
    return null;
  }

  private CacheEntry held(ModelState state) {
    return production.entry(state, state.get(self, HELD));
  }

  private int firstOfMiss() {
    return mutant == ModelMutant.CAPTURE_AFTER_EXECUTE ? EXECUTE : CAPTURE;
  }

  private void putOrEnd(ModelState state) {
    if (state.get(self, FILL) == 1) {
      go(state, PUT);
    } else {
      endRead(state);
    }
  }

  private void endRead(ModelState state) {
    int read = state.get(self, READ) + 1;
    for (int cell = HELD; cell < E0; cell++) {
      state.set(self, cell, 0);
    }
    state.set(self, ANNOUNCED, 0);
    state.collect(0, state.get(1 - self, HELD));
    if (read < keys.length) {
      state.set(self, READ, read);
      go(state, LOOK_UP);
      return;
    }
    for (int cell = 0; cell < ModelState.ACTOR_CELLS; cell++) {
      state.set(self, cell, 0);
    }
    go(state, DONE);
  }

  /** Goes on, and forgets what is of no use from there on, so that equal states meet. */
  private void go(ModelState state, int pc) {
    state.set(self, PC, pc);
    state.set(self, STEP, 0);
    if (pc == CAPTURE || pc == EXECUTE) {
      state.set(self, HELD, 0);
      state.set(self, SEEN, 0);
      state.set(self, ANNOUNCED, 0);
      state.set(self, BEGIN, 0);
      state.set(self, BEGIN + 1, 0);
      state.collect(0, state.get(1 - self, HELD));
    }
  }
}
