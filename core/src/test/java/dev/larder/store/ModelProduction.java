package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The production objects that the model drives, and the way to put them into a state and to read it
 * back. Everything that the protocol decides is decided by them.
 */
@SuppressWarnings("NullAway") // Nobody asks a model's entry for its result.
final class ModelProduction {
  private static final VarHandle STAMP = handle(Tag.class, "stamp", long.class);
  private static final VarHandle EPOCH = handle(TableVersions.class, "epoch", AtomicLong.class);
  private static final VarHandle STAMPS = handle(VersionVector.class, "stamps", long[].class);

  private static final VarHandle ANNOUNCES =
      handle(TableVersions.class, "announces", Announces.class);
  private static final VarHandle COUNTS = handle(Announces.class, "counts", AtomicLongArray.class);
  private static final VarHandle STATE = handle(PendingWrite.class, "state", int.class);

  final TableVersions versions = new TableVersions();
  private final AtomicLong epoch = (AtomicLong) EPOCH.get(versions);
  private final Announces announces = (Announces) ANNOUNCES.get(versions);
  private final AtomicLongArray counts = (AtomicLongArray) COUNTS.get(announces);
  private final TableTag[] tags = new TableTag[ModelState.TABLES + 1];

  ModelProduction() {
    tags[0] = versions.all();
    for (int table = 0; table < ModelState.TABLES; table++) {
      tags[table + 1] = versions.tag(TableTag.Scope.RELATION, table + 1);
    }
  }

  private static VarHandle handle(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  void load(ModelState state) {
    epoch.setPlain(state.epoch());
    for (int i = 0; i < tags.length; i++) {
      STAMP.set(tags[i], state.stamp(i));
      counts.setPlain(index(i), state.announces(i));
    }
  }

  void save(ModelState state) {
    state.setEpoch(epoch.getPlain());
    for (int i = 0; i < tags.length; i++) {
      state.setTag(i, (long) STAMP.get(tags[i]), counts.getPlain(index(i)));
    }
  }

  Announces announces() {
    return announces;
  }

  private int index(int tag) {
    return Announces.indexes(tags[tag])[0];
  }

  /** Returns the tags of the tables in {@code mask}. */
  List<TableTag> tagsOf(int mask) {
    List<TableTag> result = new ArrayList<>();
    for (int table = 0; table < ModelState.TABLES; table++) {
      if ((mask >> table & 1) != 0) {
        result.add(tags[table + 1]);
      }
    }
    return result;
  }

  static int stateOf(PendingWrite write) {
    return (int) STATE.get(write);
  }

  static void setState(PendingWrite write, int state) {
    STATE.set(write, state);
  }

  /** Returns a vector of a key's tags with nothing captured. */
  VersionVector vector(int key) {
    return new VersionVector(tags[0], tagsOf(key + 1));
  }

  static long[] stampsOf(VersionVector vector) {
    return (long[]) STAMPS.get(vector);
  }

  /** Returns a production entry in the state of the model's entry {@code number}. */
  CacheEntry entry(ModelState state, int number) {
    VersionVector vector = vector(state.keyOf(number));
    long[] stamps = stampsOf(vector);
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = state.captured(number, i);
    }
    CacheEntry entry = new CacheEntry(null, vector, Long.MAX_VALUE, null);
    entry.validatedAt(state.validated(number), state.validatedAnnounces(number));
    return entry;
  }
}
