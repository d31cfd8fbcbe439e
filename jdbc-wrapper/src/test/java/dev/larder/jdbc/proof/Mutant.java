package dev.larder.jdbc.proof;

import dev.larder.jdbc.hit.ForcedFlights;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import dev.larder.store.FaultPoint;
import dev.larder.store.ProtocolStep;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The product without one step of its protocol, and which writes need that step most. */
enum Mutant {
  ANNOUNCE(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  COUNT_IN_FLIGHT(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  COUNT_ANNOUNCES(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  PUBLISH_AFTER_OUTCOME(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  CAPTURE_BEFORE_SENDING(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  BYPASS_OWN_WRITES(WriteKind.EXPLICIT, WriteKind.ROLLED_BACK),
  WAIT_FOR_LOST_PROCESS(WriteKind.LOST),
  INVALIDATE_ALL_FOR_UNKNOWN(WriteKind.UNKNOWN),
  WITHDRAW_CATALOG(WriteKind.VIEW, WriteKind.AUTOCOMMIT),
  WIDEN_PENDING(WriteKind.TRIGGER),
  COMPARE_CATALOG(WriteKind.TRIGGER),
  KEEP_WRITES_AT_ROLLBACK_TO(WriteKind.SAVEPOINT),
  LOCK_FOR_REPEATABLE_READ(WriteKind.TRUNCATE),
  FORGET_LOCKS_AT_ROLLBACK_TO(WriteKind.TRUNCATE),
  COMPARE_WITH_SNAPSHOT(WriteKind.AUTOCOMMIT),
  BYPASS_SERIALIZABLE(WriteKind.AUTOCOMMIT),
  ANNOUNCE_WHOLE_BATCH(WriteKind.BATCH),
  ANNOUNCE_WHOLE_TEXT(WriteKind.MULTIPLE_STATEMENTS),
  FOLLOW_TRIGGERS(WriteKind.EXPLICIT),
  FOLLOW_FOREIGN_KEYS(WriteKind.EXPLICIT),
  FOLLOW_PARTITIONS(WriteKind.EXPLICIT),
  REMEMBER_PREPARED(WriteKind.TWO_PHASE),
  COMPARE_LATE_TAGS(true, WriteKind.EXPLICIT),
  DATE_LATE_TAGS(true, WriteKind.DELETES),
  CAPTURE_LATE_IF_PLAIN(true, WriteKind.EXPLICIT, WriteKind.ROLLED_BACK),
  BYPASS_OWN_ROWS(true, WriteKind.EXPLICIT, WriteKind.ROLLED_BACK),
  ANNOUNCE_ROWS_AT_COMMIT(true, WriteKind.EXPLICIT),
  PUBLISH_ROWS(true, WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  CAPTURE_BEFORE_RENEWING(true, WriteKind.EXPLICIT),
  NAME_OLD_VALUES(true, WriteKind.EXPLICIT),
  NAME_NEW_VALUES(true, WriteKind.EXPLICIT),
  KEEP_ROWS_AT_ROLLBACK_TO(true, WriteKind.SAVEPOINT),
  LOOK_UP_AFTER_WAIT(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  LIMIT_OUTDATED(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  KEEP_SESSIONS_FORWARD(WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
  SEE_OWN_WRITES(WriteKind.AUTOCOMMIT);

  private final Set<WriteKind> focus;
  private final @Nullable Line favourite;
  private final boolean byKey;

  Mutant(WriteKind... focus) {
    this(false, focus);
  }

  Mutant(boolean byKey, WriteKind... focus) {
    this.byKey = byKey;
    this.focus = Set.of(focus);
    this.favourite =
        byKey
            ? Line.LISTED
            : this.focus.contains(WriteKind.TRIGGER)
                ? Line.TAP
                : this.focus.contains(WriteKind.VIEW) ? Line.CHOICE : null;
  }

  /** Returns the option of Larder's that the step is a part of. */
  String option() {
    return "larder.invalidation=" + (byKey ? "key" : "table");
  }

  /** Returns for how long results may be used after they became outdated. */
  Duration staleness() {
    return switch (this) {
      case LIMIT_OUTDATED -> Duration.ofMillis(20);
      case KEEP_SESSIONS_FORWARD, SEE_OWN_WRITES -> Duration.ofMillis(250);
      default -> Duration.ZERO;
    };
  }

  /** Returns how long the clients work before they rest: longer than the slowest write. */
  Duration window() {
    return Duration.ofMillis(focus.contains(WriteKind.TRIGGER) ? 3000 : 300);
  }

  /** Returns how often what happens. */
  Client.Pace pace() {
    if (this == DATE_LATE_TAGS) {
      return new Client.Pace(10, 120); // A row must leave a list that nobody else writes meanwhile.
    }
    // Writes that come while the catalog is read anew have it read once more.
    return focus.contains(WriteKind.TRIGGER)
        ? new Client.Pace(4, 4)
        : new Client.Pace(40, focus.contains(WriteKind.TRUNCATE) ? 120 : 20);
  }

  /** Returns the line that is read most in a run against it, or null. */
  @Nullable Line favourite() {
    return favourite;
  }

  /** Returns the kinds of writes that happen often in a run against it. */
  Set<WriteKind> focus() {
    return focus;
  }

  /** Leaves the step out, or takes it again. */
  void leaveOut(boolean out) {
    call(ProtocolStep.class, "leaveOut", ProtocolStep.class, out ? step() : null);
    ForcedFlights.force(wait(out));
    if (this == CAPTURE_BEFORE_RENEWING) { // Between the two there are some nanoseconds.
      Consumer<FaultPoint> late = point -> sleepAt(FaultPoint.RENEWING, point);
      call(FaultPoint.class, "inject", Consumer.class, out ? late : null);
    }
  }

  /** Returns how long misses wait at least in a run against it: those of the proof are fast. */
  private Duration wait(boolean out) {
    return out && this == LOOK_UP_AFTER_WAIT ? Duration.ofMillis(20) : Duration.ZERO;
  }

  private ProtocolStep step() {
    return ProtocolStep.valueOf(name());
  }

  private static void sleepAt(FaultPoint place, FaultPoint point) {
    if (point == place) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static void call(Class<?> owner, String name, Class<?> type, @Nullable Object argument) {
    try {
      Method method = owner.getDeclaredMethod(name, type);
      method.setAccessible(true);
      method.invoke(null, argument);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
