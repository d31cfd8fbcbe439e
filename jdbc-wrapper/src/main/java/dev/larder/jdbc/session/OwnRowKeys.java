package dev.larder.jdbc.session;

import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.KeyedWrite;
import dev.larder.keys.RowKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The unique keys of rows that the current transaction has inserted. Until it ends, or is rolled
 * back to a savepoint, every row that has such a key is one whose old values nobody else has read,
 * or were announced: others cannot commit a row with that key, and what this transaction moves
 * there it has announced. So a later change of it tells no old values. Confined to the thread that
 * uses the connection.
 */
public final class OwnRowKeys {
  private static final int MOST = 1_000;

  private final Set<RowKey> keys = new HashSet<>();

  /** Of the catalog that the inserts were looked up in. */
  private long catalogVersion;

  /** What is under way inserts. */
  private List<RowKey> inserting = List.of();

  /**
   * Returns the effects of what is about to be sent, by what is known of the rows that it changes.
   *
   * @param maySave whether the driver sets savepoints of its own
   */
  public Effects beforeSending(Effects effects, boolean maySave) {
    inserting = List.of();
    if (maySave || !effects.arePlain() || effects.writes().unknown()) {
      keys.clear();
      return effects;
    }
    KeyedWrite keyed = effects.keyed();
    if (keyed == null) {
      return effects;
    }
    if (effects.catalogVersion() != catalogVersion) {
      keys.clear();
      catalogVersion = effects.catalogVersion();
    }
    inserting = keyed.inserted();
    return !keys.isEmpty() && keyed.changesOnly(keys) ? effects.ofOwnRows() : effects;
  }

  /**
   * Notes that what was under way has been answered.
   *
   * @param counted how many rows it has written; negative where nobody has counted
   */
  public void sent(boolean failed, long counted) {
    if (failed || keys.size() > MOST) {
      forget();
    } else if (!inserting.isEmpty() && counted == rows(inserting)) {
      keys.addAll(inserting);
    }
    inserting = List.of();
  }

  /** The keys of one scheme are as many as the rows. */
  private static long rows(List<RowKey> keys) {
    List<Integer> first = keys.get(0).columns();
    return keys.stream().filter(key -> key.columns().equals(first)).count();
  }

  /** Forgets all of them. */
  void forget() {
    keys.clear();
    inserting = List.of();
  }
}
