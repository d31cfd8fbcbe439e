package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup.Asked;
import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.CapturedChoice;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.keys.Dependencies;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.result.CachedResult;
import dev.larder.store.FaultPoint;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.Tag;
import dev.larder.store.VersionVector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The misses of one cache: captures what a result may be kept under before the statement is sent,
 * and keeps the result afterwards. Thread-safe.
 */
public final class Misses {
  private final QueryCache cache;
  private final Database database;

  Misses(QueryCache cache) {
    this.cache = cache;
    this.database = cache.database();
  }

  /** Counts a bypass of a session. */
  Lookup bypass(ShapePlan shape, BypassReason reason, SessionView session) {
    shape.roles().add(session.settings());
    return cache.bypass(shape, reason);
  }

  /** A session with temporary objects looks up what names none of them; else this is a bypass. */
  Lookup bypass(Plan plan, Object[] binds, long options, SessionView session, BypassReason reason) {
    BesideTemporary beside = reason == BypassReason.TEMPORARY_TABLE ? session.beside() : null;
    return beside != null && cache.resolutions().resolve(plan, beside) != null
        ? cache.lookup(plan, binds, options, session.withoutTemporary(beside))
        : bypass(plan.shape(), reason, session);
  }

  /** Counts a miss, and captures what it needs. */
  Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return miss(shape, key, resolution, session, null);
  }

  /**
   * As above.
   *
   * @param asked when the query is sent, if that matters for its result
   */
  Lookup miss(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      SessionView session,
      @Nullable Asked asked) {
    int clears = cache.clears();
    shape.roles().add(key.session());
    Capture capture = capture(key, resolution, session);
    if (isQuarantined(capture, resolution)) {
      return cache.bypass(shape, BypassReason.QUARANTINED);
    }
    shape.statistics().miss();
    SessionReads.Before before = Staleness.before(cache, session);
    return new Miss(key, resolution, capture, clears, before, asked);
  }

  /** Counts a miss for which {@code capture} was captured after {@code clears} was read. */
  Miss miss(ShapePlan shape, QueryKey key, Resolution resolution, Capture capture, int clears) {
    shape.statistics().miss();
    return new Miss(key, resolution, capture, clears);
  }

  /** Takes back that a miss was one of the application's. */
  public void inBackground(Plan plan) {
    plan.shape().statistics().add(Count.BACKGROUND, 1);
  }

  /** Returns whether a capture was refused because of tables that are in quarantine. */
  boolean isQuarantined(Capture capture, Resolution resolution) {
    return capture.refusal() == BypassReason.BEING_WRITTEN
        && database.quarantine().holds(resolution.statement().readTags());
  }

  /** Captures the versions of what is read, or says why its result may not be kept. */
  Capture capture(QueryKey key, Resolution resolution, SessionView session) {
    ResolvedStatement statement = resolution.statement();
    Dependencies needed =
        statement.keys().reads().dependencies(statement.readTags(), key.literals(), key.binds());
    // First: only the rows are compared with a snapshot, and what is set of them from now on
    // counts.
    VersionVector columns = columns(statement);
    FaultPoint.CAPTURING.pass();
    long epoch = database.versions().epoch();
    VersionVector captured = database.versions().capture(needed.tags());
    if (captured == null) {
      return Capture.refused(BypassReason.BEING_WRITTEN);
    }
    if (!captured.notAfter(session.transaction().newestEpoch())) {
      return Capture.refused(BypassReason.SNAPSHOT);
    }
    List<CapturedChoice> choices = captured(needed.choices(), epoch, session.transaction());
    // After the capture: a catalog that changes from now on invalidates everything, and so what was
    // captured.
    return isOfPresentCatalog(resolution)
        ? Capture.of(captured, choices, columns, locksFirst(session, statement) ? epoch : -1)
        : Capture.refused(BypassReason.CATALOG_LOADING);
  }

  /**
   * Returns whether a statement has a snapshot that it takes once it has locked its tables. One
   * that is older sees a table empty that was truncated or rewritten meanwhile (PostgreSQL, 13.6):
   * what such a statement returns may be used only once nothing was written while it ran.
   */
  private static boolean locksFirst(SessionView session, ResolvedStatement statement) {
    return !session.transaction().hasSnapshot() && statement.told();
  }

  private List<CapturedChoice> captured(
      List<Dependencies.Choice> choices, long epoch, TransactionView transaction) {
    if (choices.isEmpty()) {
      return List.of();
    }
    if (choices.size() == 1) { // As a look-up by a unique key has it.
      return List.of(capture(choices.get(0), epoch, transaction));
    }
    List<CapturedChoice> captured = new ArrayList<>(choices.size());
    choices.forEach(choice -> captured.add(capture(choice, epoch, transaction)));
    return captured;
  }

  /** Captures columns that make the result good for longer; null for none. */
  private @Nullable VersionVector columns(ResolvedStatement statement) {
    List<Tag> tags = statement.keys().reads().columnsOfRows(statement.readTags());
    return tags.isEmpty() ? null : database.versions().capture(tags);
  }

  /**
   * What is captured once the result is there says nothing of the time before that: of no use to a
   * snapshot, nor where the transaction's own writes may be undone.
   */
  private CapturedChoice capture(
      Dependencies.Choice choice, long epoch, TransactionView transaction) {
    VersionVector otherwise = database.versions().capture(choice.otherwise());
    boolean usable = otherwise != null && otherwise.notAfter(transaction.newestEpoch());
    return new CapturedChoice(
        choice, usable ? otherwise : null, mayCaptureLate(transaction) ? epoch : -1);
  }

  private static boolean mayCaptureLate(TransactionView transaction) {
    return transaction.isPlain() || !ProtocolStep.CAPTURE_LATE_IF_PLAIN.isTaken();
  }

  /** Returns what a result depends on; null where that is being written, or was meanwhile. */
  private @Nullable VersionVector versions(Miss miss, CachedResult result) {
    return versions(miss.capture(), miss.resolution(), result);
  }

  /** As above, of a result that is there. */
  @Nullable VersionVector versions(Capture capture, Resolution resolution, CachedResult result) {
    if (!ProtocolStep.CAPTURE_BEFORE_SENDING.isTaken()) {
      return database.versions().capture(resolution.statement().readTags());
    }
    VersionVector all = capture.versions();
    List<CapturedChoice> choices = capture.choices();
    for (int i = 0; i < choices.size() && all != null; i++) {
      all = with(all, choices.get(i), result);
    }
    return all;
  }

  /** Adds what a choice comes to. */
  private @Nullable VersionVector with(
      VersionVector all, CapturedChoice made, CachedResult result) {
    List<Tag> shown = made.epoch() < 0 ? null : made.choice().shown().tags(result);
    if (shown != null && shown.isEmpty()) {
      return all.since(made.epoch());
    }
    long epoch = ProtocolStep.COMPARE_LATE_TAGS.isTaken() ? made.epoch() : Long.MAX_VALUE;
    VersionVector late = shown == null ? null : database.versions().captureSince(epoch, shown);
    VersionVector more = late == null ? made.otherwise() : late;
    return more == null ? null : all.and(more);
  }

  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  boolean isOfPresentCatalog(Resolution resolution) {
    return database.catalog().current() == resolution.catalog();
  }

  /**
   * Ends a miss: keeps {@code result} where that is allowed.
   *
   * @param databaseNanos how long the statement ran
   */
  public void admit(Plan plan, Miss miss, CachedResult result, long databaseNanos) {
    VersionVector versions = versions(miss, result);
    boolean enabled = cache.enabled();
    if (versions == null || !enabled) {
      reject(plan, miss, enabled ? null : BypassReason.DISABLED, databaseNanos);
      return;
    }
    long weightBytes = cache.strategy().keep(miss, versions, result, databaseNanos);
    plan.shape().columns(result.columns());
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.add(Count.DATABASE_NANOS, databaseNanos);
    statistics.add(Count.ADMISSIONS, 1);
    plan.shape().runs().ran(databaseNanos, versions.isUnchanged());
    statistics.add(Count.KEPT_BYTES, weightBytes);
    cache.verification().kept(miss, versions, weightBytes);
  }

  /**
   * Ends a miss whose result is not kept.
   *
   * @param reason why not, where it is not that the miss was refused; null where that is not known
   * @param databaseNanos how long the statement ran
   */
  public void reject(Plan plan, Miss miss, @Nullable BypassReason reason, long databaseNanos) {
    if (reason != null) {
      cache.verification().cannotKeep(miss);
    }
    if (miss.isAdmissible()) {
      plan.shape().runs().ran(databaseNanos, false);
    }
    ShapeStatistics statistics = plan.shape().statistics();
    statistics.add(Count.DATABASE_NANOS, databaseNanos);
    BypassReason refusal = reason == null ? miss.capture().refusal() : reason;
    statistics.rejected(refusal);
    if (refusal != null) {
      cache.bypassCounts().refused(refusal, databaseNanos);
    }
    cache.verification().notKept();
  }

  /** Keeps a result in place of what the cache has; counts nothing. */
  void replace(Miss miss, CachedResult result) {
    VersionVector versions = versions(miss, result);
    if (versions != null && cache.enabled()) {
      cache.strategy().keep(miss, versions, result, 0);
    }
  }
}
