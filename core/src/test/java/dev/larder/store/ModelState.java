package dev.larder.store;

/**
 * One state of the protocol's model, as numbers: what the production objects hold, the database,
 * the store, and where each actor is.
 */
final class ModelState {
  static final int TABLES = 2;

  /** A key for each set of tables: bit t of {@code key + 1} stands for table t. */
  static final int KEYS = 3;

  static final int ACTOR_CELLS = 19;

  private static final int SLOTS = 5;
  private static final int TAGS = TABLES + 1;
  private static final int EPOCH = 0;
  private static final int STAMPS = 1;
  private static final int ANNOUNCES = STAMPS + TAGS;
  private static final int COMMITTED = ANNOUNCES + TAGS;
  private static final int TRUNCATED = COMMITTED + TABLES;
  private static final int TRIGGER = TRUNCATED + TABLES;
  private static final int GENERATION = TRIGGER + 1;
  private static final int STORE = GENERATION + 1;
  private static final int ENTRIES = STORE + KEYS;
  private static final int ENTRY_CELLS = 3 + TAGS + TABLES;
  private static final int ACTORS = ENTRIES + SLOTS * ENTRY_CELLS;

  private final int[] cells;

  ModelState(int actors) {
    this(new int[ACTORS + actors * ACTOR_CELLS]);
    cells[EPOCH] = 1;
    for (int tag = 0; tag < TAGS; tag++) {
      cells[STAMPS + tag] = 1 << Tag.IN_FLIGHT_BITS;
    }
  }

  private ModelState(int[] cells) {
    this.cells = cells;
  }

  ModelState copy() {
    return new ModelState(cells.clone());
  }

  static boolean reads(int key, int table) {
    return (key + 1 >> table & 1) != 0;
  }

  /** Returns cell {@code index} of an actor. */
  int get(int actor, int index) {
    return cells[ACTORS + actor * ACTOR_CELLS + index];
  }

  void set(int actor, int index, int value) {
    cells[ACTORS + actor * ACTOR_CELLS + index] = value;
  }

  // What the production objects hold.

  long epoch() {
    return cells[EPOCH];
  }

  long stamp(int tag) {
    return cells[STAMPS + tag];
  }

  long announces(int tag) {
    return cells[ANNOUNCES + tag];
  }

  void setEpoch(long epoch) {
    cells[EPOCH] = Math.toIntExact(epoch);
  }

  void setTag(int tag, long stamp, long announces) {
    cells[STAMPS + tag] = Math.toIntExact(stamp);
    cells[ANNOUNCES + tag] = Math.toIntExact(announces);
  }

  // The database: a table's content is the number of commits that wrote it.

  int committed(int table) {
    return cells[COMMITTED + table];
  }

  void commit(int table, boolean truncates) {
    cells[COMMITTED + table]++;
    if (truncates) {
      cells[TRUNCATED + table] = cells[COMMITTED + table];
    }
  }

  /** Returns the content that a catalog taken at {@code content} shows: −1 once truncated. */
  int visible(int table, int content) {
    return cells[TRUNCATED + table] > content ? -1 : content;
  }

  /** Returns whether a write of table 0 writes table 1 too. */
  boolean hasTrigger() {
    return cells[TRIGGER] != 0;
  }

  void createTrigger() {
    cells[TRIGGER] = 1;
  }

  /** Returns the version of the catalog. */
  int version() {
    return cells[GENERATION];
  }

  void nextCatalogVersion() {
    cells[GENERATION]++;
  }

  // The store: entries are numbered from 1; 0 is none.

  int stored(int key) {
    return cells[STORE + key];
  }

  /** Puts a new entry and returns its number. */
  int put(int key, int held, int otherHeld) {
    cells[STORE + key] = 0;
    collect(held, otherHeld);
    int slot = 0;
    while (cells[ENTRIES + slot * ENTRY_CELLS] != 0) {
      slot++;
    }
    cells[STORE + key] = slot + 1;
    cells[ENTRIES + slot * ENTRY_CELLS] = key + 1;
    setValidated(slot + 1, -1, -1);
    return slot + 1;
  }

  /** Wipes the entries that neither the store nor a reader holds, so that equal states meet. */
  void collect(int held, int otherHeld) {
    for (int slot = 0; slot < SLOTS; slot++) {
      int entry = slot + 1;
      boolean reachable = entry == held || entry == otherHeld;
      for (int key = 0; key < KEYS; key++) {
        reachable |= cells[STORE + key] == entry;
      }
      for (int i = 0; i < ENTRY_CELLS && !reachable; i++) {
        cells[ENTRIES + slot * ENTRY_CELLS + i] = 0;
      }
    }
  }

  int keyOf(int entry) {
    return cells[at(entry)] - 1;
  }

  int validated(int entry) {
    return cells[at(entry) + 1];
  }

  int validatedAnnounces(int entry) {
    return cells[at(entry) + 2];
  }

  void setValidated(int entry, long epoch, long announces) {
    cells[at(entry) + 1] = Math.toIntExact(epoch);
    cells[at(entry) + 2] = Math.toIntExact(announces);
  }

  int captured(int entry, int index) {
    return cells[at(entry) + 3 + index];
  }

  void setCaptured(int entry, int index, int stamp) {
    cells[at(entry) + 3 + index] = stamp;
  }

  int row(int entry, int table) {
    return cells[at(entry) + 3 + TAGS + table];
  }

  void setRow(int entry, int table, int content) {
    cells[at(entry) + 3 + TAGS + table] = content;
  }

  private static int at(int entry) {
    return ENTRIES + (entry - 1) * ENTRY_CELLS;
  }

  /** Returns 64 bits that tell states apart; of ten million, two meet with odds of 1 in 370,000. */
  long hash() {
    long hash = 0x9E3779B97F4A7C15L;
    for (int cell : cells) {
      hash = (hash ^ cell) * 0xBF58476D1CE4E5B9L;
      hash ^= hash >>> 32;
    }
    hash *= 0x94D049BB133111EBL;
    return hash ^ hash >>> 29;
  }
}
