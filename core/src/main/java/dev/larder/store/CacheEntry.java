package dev.larder.store;

import dev.larder.result.CachedResult;
import dev.larder.result.HeapWeight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A result with the versions of what it read. Immutable but for the memory of its last validation,
 * and for what the store that keeps it notes about it; thread-safe.
 */
public final class CacheEntry {
  private static final long OWN_BYTES = HeapWeight.ofObject(6, 5 * Long.BYTES + Integer.BYTES + 4);

  private static final VarHandle EPOCH = handle("validatedEpoch");
  private static final VarHandle ANNOUNCES = handle("validatedAnnounces");

  private final CachedResult result;
  private final VersionVector versions;
  private final long timeToLiveNanos;
  private final EntryOwner owner;
  private final @Nullable Weighed attached;
  private final @Nullable VersionVector columns;
  private final int clears;

  // Written before the store publishes the entry, and where bear or giveRoom may be called.
  private long deadlineNanos;
  private long weightBytes;
  private boolean chargedShape;
  private boolean chargedSession;
  private boolean keepsDeadline;

  /** Racy: an entry that two threads find outdated at one time may count twice. */
  private boolean outdated;

  /**
   * A value of the epoch that was read before a successful check of the stamps; −1 before the
   * first. Two threads may overwrite each other's in any order: each is true for ever, and an older
   * one only costs another check. Written without a fence: nobody depends on who sees it first.
   */
  private volatile long validatedEpoch = -1;

  /** As {@link #validatedEpoch}, for the sum of the {@link Announces}. */
  private volatile long validatedAnnounces = -1;

  /** Which counts of {@link Announces} those of its tags are. */
  private final short[] announces;

  /**
   * Creates an entry.
   *
   * @param versions captured before the statement that made {@code result} was sent
   * @param timeToLiveNanos how long the entry may live from now on; {@link Long#MAX_VALUE} for ever
   * @param owner whose statistics count this entry
   */
  public CacheEntry(
      CachedResult result, VersionVector versions, long timeToLiveNanos, EntryOwner owner) {
    this(result, versions, null, timeToLiveNanos, owner, null, 0);
  }

  /**
   * As above.
   *
   * @param columns of tables of which {@code versions} has some rows, captured before the statement
   *     was sent; see {@link #isUnchangedBeside}. Null for none
   * @param attached what the owner keeps beside the result: what tells whether other JVMs have
   *     written what it read, or a {@link Renewal}; null where it is neither
   * @param clears see {@link #clears}; without meaning where there are no {@code columns}
   */
  public CacheEntry(
      CachedResult result,
      VersionVector versions,
      @Nullable VersionVector columns,
      long timeToLiveNanos,
      EntryOwner owner,
      @Nullable Weighed attached,
      int clears) {
    this.result = result;
    this.versions = versions;
    this.columns = columns;
    this.announces = versions.announces();
    this.timeToLiveNanos = timeToLiveNanos;
    this.owner = owner;
    this.attached = attached;
    this.clears = clears;
  }

  /**
   * Returns an entry of the same result and age that depends on what {@code later} was captured of,
   * at a moment at which this entry {@linkplain #isUnchangedBeside was unchanged}, or before it.
   *
   * @param attached of the new entry
   */
  public CacheEntry under(
      VersionVector later, @Nullable VersionVector columns, @Nullable Weighed attached) {
    CacheEntry entry =
        new CacheEntry(result, later, columns, timeToLiveNanos, owner, attached, clears);
    entry.deadlineNanos = deadlineNanos;
    entry.keepsDeadline = true;
    return entry;
  }

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(CacheEntry.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns the result. */
  public CachedResult result() {
    return result;
  }

  /** Returns the versions captured before the result was read. */
  public VersionVector versions() {
    return versions;
  }

  /**
   * Returns whether rows on which the result depends may have been written, but no column of theirs
   * that it shows or that decided about it: it is then what the database would return.
   */
  public boolean isUnchangedBeside() {
    return columns != null && versions.isUnchangedBeside(columns);
  }

  /** Returns how often the owner had been cleared before the result was read. */
  public int clears() {
    return clears;
  }

  /** Returns what the owner keeps beside the result, or null. */
  public @Nullable Weighed attached() {
    return attached;
  }

  /** Returns how long the entry may live after its creation, in nanoseconds. */
  public long timeToLiveNanos() {
    return timeToLiveNanos;
  }

  /** Returns whose statistics count this entry. */
  public EntryOwner owner() {
    return owner;
  }

  /**
   * For the store: weighs this entry and {@code key}, with the shape and the session that nobody
   * has accounted for yet, and notes until when it may live. Called once, before another thread can
   * see the entry; {@link #forgotten} ends it.
   *
   * @param storeBytes what the store itself needs for an entry
   * @param deadlineNanos by the store's clock; without meaning if {@link #timeToLiveNanos} is
   *     {@link Long#MAX_VALUE}
   */
  public void kept(QueryKey key, long storeBytes, long deadlineNanos) {
    if (!keepsDeadline) {
      this.deadlineNanos = deadlineNanos;
    }
    weightBytes =
        storeBytes
            + key.heapBytes()
            + OWN_BYTES
            + versions.heapBytes()
            + (columns == null ? 0 : columns.heapBytes())
            + HeapWeight.ofBytes(announces.length * Short.BYTES)
            + (attached == null ? 0 : attached.weightBytes())
            + result.weightBytes();
    bear(key);
  }

  /**
   * For the store: accounts for what the entry shares with others, where nobody does. Called by
   * {@link #kept}, and while no other thread may {@linkplain #forgotten forget} the entry.
   *
   * @return by how many bytes the entry has grown
   */
  public long bear(QueryKey key) {
    long before = weightBytes;
    if (!chargedShape && key.shape().charge()) {
      chargedShape = true;
      weightBytes += KeyWeight.of(key.shape());
    }
    if (!chargedSession && key.session().charge()) {
      chargedSession = true;
      weightBytes += key.session().weightBytes();
    }
    return weightBytes - before;
  }

  /** Returns whether the entry accounts, or accounted, for what others share. */
  public boolean isBearer() {
    return chargedShape || chargedSession;
  }

  /** For the store: the entry is gone, so that another may account for what it shared. */
  public void forgotten(QueryKey key) {
    if (chargedShape) {
      key.shape().discharge();
    }
    if (chargedSession) {
      key.session().discharge();
    }
  }

  /**
   * For the store: gives the result the room that it asks for. Called while no other thread may
   * {@linkplain #forgotten forget} the entry or do the same.
   *
   * @return by how many bytes the entry has grown
   */
  public long giveRoom() {
    long before = result.weightBytes();
    result.giveRoom();
    long grown = result.weightBytes() - before;
    weightBytes += grown;
    return grown;
  }

  /** Returns what the entry and its key occupy in the store, in bytes; 0 before it is kept. */
  public long weightBytes() {
    return weightBytes;
  }

  /** Returns until when the entry may live, by the store's clock. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Returns since when the entry lives, by the store's clock. */
  public long admittedNanos() {
    return deadlineNanos - timeToLiveNanos;
  }

  /** Returns whether something was written that keeps the entry from ever being hit again. */
  public boolean isSuperseded() {
    if (attached instanceof Renewal renewal) {
      return versions.isSuperseded(renewal.sum());
    }
    return versions.isSuperseded() && (columns == null || columns.isSuperseded());
  }

  /** Notes that the entry was found outdated; returns whether that is new. */
  public boolean isFoundOutdated() {
    boolean isNew = !outdated;
    if (isNew) {
      outdated = true; // Once: many threads may look while somebody writes for long.
    }
    return isNew;
  }

  /**
   * Notes that the entry was current at {@code epoch}, which was read before what it depends on was
   * captured.
   */
  public void currentAt(long epoch) {
    if (validatedEpoch < epoch) {
      validatedAt(epoch);
    }
  }

  long validatedEpoch() {
    return validatedEpoch;
  }

  short[] announces() {
    return announces;
  }

  long validatedAnnounces() {
    return validatedAnnounces;
  }

  /** Notes that what an earlier check has found is still so at {@code epoch}. */
  void validatedAt(long epoch) {
    EPOCH.setOpaque(this, epoch);
  }

  /** Notes a successful check of the stamps before which both were read. */
  void validatedAt(long epoch, long announced) {
    validatedAt(epoch);
    ANNOUNCES.setOpaque(this, announced);
  }
}
