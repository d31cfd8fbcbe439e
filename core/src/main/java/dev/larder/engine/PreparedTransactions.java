package dev.larder.engine;

import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What prepared transactions of one database wrote, by their names. Thread-safe.
 *
 * <p>The server has at most one transaction of a name, but takes the name again as soon as that has
 * ended. So writes are known only from the answer to a PREPARE on, and only while nothing else is
 * under way that takes or frees the name. A commit that is under way while the name is taken again
 * may be one of the latter: it becomes a write of everything before that can be prepared.
 */
public final class PreparedTransactions {
  /** How many names are remembered; with more of them, the writes of all count as unknown. */
  private static final int MOST = 10_000;

  private final Database database;

  /** Guarded by this. */
  private final Map<String, Name> names = new HashMap<>();

  /** The commits that have not ended, and perhaps some that have. Guarded by this. */
  private final List<Commit> commits = new ArrayList<>();

  /** Whether a name was used that is not remembered. Guarded by this. */
  private boolean namesAreMissing;

  /** What a transaction wrote that was prepared while the catalog was at {@code catalogVersion}. */
  private record Prepared(WriteSet writes, long catalogVersion) {
    private static final Prepared ANYTHING = new Prepared(WriteSet.UNKNOWN, 0);
  }

  /** A commit of a prepared transaction. */
  private record Commit(String gid, PendingWrite write) {}

  /** A name of prepared transactions. Guarded by the outer object. */
  private static final class Name {
    /** What has the name, as far as is known. */
    private @Nullable Prepared known;

    /** What the PREPARE that was sent last would have it mean; null where it prepares nothing. */
    private @Nullable Prepared next;

    /** How often a PREPARE was sent that is not answered; a lost one never is. */
    private int underWay;

    /** Whether anything else may have taken or freed the name while one was under way. */
    private boolean contested;

    void doubt() {
      contested |= underWay > 0;
      known = known == null ? null : Prepared.ANYTHING;
    }
  }

  PreparedTransactions(Database database) {
    this.database = database;
  }

  /**
   * Says that a transaction is about to be prepared as {@code gid}: what that means is unknown
   * until {@link #prepared} or {@link #refused} is called. Without an answer, call neither.
   *
   * @param gid is empty where the name is not understood, and may be any then
   * @param writes what it wrote; null where no transaction is open, so that none can be prepared
   * @param catalogVersion the number of the catalog version by which the writes were found
   */
  public synchronized void preparing(String gid, @Nullable WriteSet writes, long catalogVersion) {
    if (gid.isEmpty() || (names.size() >= MOST && !names.containsKey(gid))) {
      namesAreMissing = true;
      doubt();
      return;
    }
    Name name = names.computeIfAbsent(gid, key -> new Name());
    name.contested |= name.underWay > 0 || widen(gid);
    name.underWay++;
    name.next = writes == null ? null : new Prepared(writes, catalogVersion);
  }

  /**
   * Says that the server has prepared a transaction as {@code gid}.
   *
   * @param certain whether it is the one that was announced
   */
  public synchronized void prepared(String gid, boolean certain) {
    Name name = names.get(gid);
    if (name != null && name.next != null) {
      Prepared made = certain && !database.isHitElsewhere() ? name.next : Prepared.ANYTHING;
      name.known = name.contested ? null : made;
    }
    answered(gid);
  }

  /** Says that the server has refused to prepare a transaction as {@code gid}. */
  public synchronized void refused(String gid) {
    answered(gid);
  }

  /**
   * Returns what a commit of {@code gid} writes; unknown if that is not certain, if the catalog has
   * changed since, or if others may prepare transactions.
   */
  public synchronized WriteSet writes(String gid) {
    if (!ProtocolStep.REMEMBER_PREPARED.isTaken()) {
      return WriteSet.NONE;
    }
    Name name = names.get(gid);
    Prepared known = name == null || name.underWay > 0 ? null : name.known;
    return known != null
            && known.catalogVersion() == database.catalog().version()
            && !namesAreMissing
            && !database.isHitElsewhere()
        ? known.writes()
        : WriteSet.UNKNOWN;
  }

  /**
   * Says that a commit of {@code gid} is about to be sent, and was announced.
   *
   * @param writes what {@link #writes} returned before
   */
  public synchronized void committing(String gid, WriteSet writes, PendingWrite announced) {
    commits.removeIf(commit -> commit.write().ended());
    commits.add(new Commit(gid, announced));
    if (!writes(gid).equals(writes)) {
      database.widen(announced);
    }
  }

  /** Returns whether a transaction was prepared and has not ended, as far as is known. */
  synchronized boolean isOpen(String gid) {
    Name name = names.get(gid);
    return name != null && name.known != null;
  }

  /** Forgets the prepared transaction {@code gid}, which has ended. */
  public synchronized void ended(String gid) {
    Name name = names.get(gid);
    if (name != null) {
      name.doubt();
      name.known = null;
      forgetUnused(gid, name);
    }
  }

  /** Says that somebody else may have taken or freed any name, or is about to. */
  synchronized void doubt() {
    commits.forEach(commit -> database.widen(commit.write()));
    names.values().forEach(Name::doubt);
  }

  private boolean widen(String gid) {
    boolean any = false;
    for (Commit commit : commits) {
      if (commit.gid().equals(gid) && !commit.write().ended()) {
        database.widen(commit.write());
        any = true;
      }
    }
    return any;
  }

  private void answered(String gid) {
    Name name = names.get(gid);
    if (name != null) {
      name.underWay--;
      name.contested &= name.underWay > 0;
      forgetUnused(gid, name);
    }
  }

  private void forgetUnused(String gid, Name name) {
    if (name.known == null && name.underWay == 0) {
      names.remove(gid);
    }
  }
}
