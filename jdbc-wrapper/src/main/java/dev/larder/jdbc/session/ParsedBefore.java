package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.format.ParsedTexts;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.ProtocolStep;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that what a session runs means what it means now. The server keeps what a text meant
 * when it was parsed: which tables, functions and operators its names stood for, and the values of
 * its constants under the settings of then. It does so for the prepared texts of the driver, and
 * for what functions and triggers run. It parses neither again because there is a table nearer on
 * the search path, a better function, another label of an enum, or another time zone; and where it
 * does, for its own reasons, nobody is told.
 *
 * <p>So the driver has a text parsed again that was parsed in other {@link Surroundings}; and
 * before a statement that runs functions or triggers, the server is told to plan anew. Changed
 * under the monitor of {@link Overlap}.
 */
public final class ParsedBefore {
  /** What a body is read by when it is run for the first time, for the whole session. */
  private static final List<String> READ_BY =
      List.of(
          "standard_conforming_strings",
          "backslash_quote",
          "plpgsql.variable_conflict",
          "plpgsql.extra_errors");

  private final PostgresSession session;
  private final ParsedTexts texts;
  private final Database database;
  private final SessionTracker tracker;
  private final Overlap overlap;

  private boolean on;

  private Surroundings present = Surroundings.UNKNOWN;
  private @Nullable SessionFingerprint presentSettings;

  /** Whether routines that are declared IMMUTABLE read something. */
  private boolean immutableReads;

  /** What all bodies were planned in; unknown where they differ, or are not known. */
  private Surroundings planned = Surroundings.UNKNOWN;

  /** The catalog that all bodies were planned in; this object where there is not just one. */
  private @Nullable Object plannedCatalog = this;

  private @Nullable List<String> readBy;
  private @Nullable Map<String, String> readIn;
  private boolean readOtherwise;

  /** Whether nobody knows in which surroundings something was parsed that was sent. */
  private boolean doubtful;

  /** Whether the open transaction may have changed the catalog. */
  private boolean ownCatalog;

  /** Creates what follows the session of {@code state}. */
  ParsedBefore(PostgresSession session, Database database, SessionState state, Overlap overlap) {
    this.session = session;
    this.texts = session.formats().parsed();
    this.database = database;
    this.tracker = state.tracker();
    this.on = state.isDirect();
    this.overlap = overlap;
  }

  // ---- before and after something is sent

  /** Does nothing from now on: a pooler has names of its own for texts, in any session. */
  void stop() {
    on = false;
  }

  /** Has the texts parsed again that the driver may send by itself. */
  void touched(TransactionState transaction) {
    synchronized (overlap) {
      if (on) {
        texts.moveTo(present(transaction));
      }
    }
  }

  /** Returns whether a text that is sent next may be one that is parsed again. */
  public boolean mayParseAgain(TransactionState transaction) {
    touched(transaction);
    return texts.haveMoved();
  }

  /**
   * Has parsed and planned again what may not mean any more what it did.
   *
   * @param transaction that is open, or begins with it
   * @return what sending may do: anything, where what is run cannot be planned again
   */
  @SuppressWarnings("ReferenceEquality") // What is equal is found out below.
  public Effects beforeSending(Effects effects, TransactionState transaction) throws SQLException {
    if (!on) {
      return effects;
    }
    CatalogVersion catalog = database.catalog().latest();
    boolean asBefore =
        catalog != null
            && catalog.mark() == present.catalog()
            && tracker.current() == presentSettings
            && !doubtful
            && !ownCatalog
            && !transaction.hasChangedCatalog();
    Surroundings now = asBefore ? present : present(transaction);
    texts.moveTo(now);
    ResolvedStatement resolved = effects.resolved();
    boolean told = resolved != null && resolved.told() && ParsedTexts.KNOWN;
    if (told && !immutableReads) {
      return effects;
    }
    Effects present = mayRunBodies(effects, transaction) ? beforeBodies(effects, now) : effects;
    noteChanges(present);
    return present;
  }

  /** What comes after it in a text or a batch is parsed in surroundings that nobody knows. */
  private void noteChanges(Effects effects) {
    boolean sets = effects.settings().untold();
    boolean changes = sets || effects.kinds().touchSettings() || effects.reloadsCatalog();
    doubtful |= changes && effects.kinds().areSeveral();
    if (sets) {
      planned = Surroundings.UNKNOWN;
    }
  }

  /**
   * Notes that several threads have sent something in an unknown order.
   *
   * @param unsettling whether the surroundings depend on that order
   */
  void doubt(boolean unsettling) {
    doubtful |= unsettling;
  }

  /** Returns whether a result may be kept of a statement that was sent. */
  public boolean mayKeep(ResolvedStatement statement) {
    return statement.told() || !readOtherwise;
  }

  private void forget() {
    texts.parseAgain();
    planned = Surroundings.UNKNOWN;
    plannedCatalog = this;
  }

  // ---- the surroundings

  @SuppressWarnings("ReferenceEquality") // What is equal is found out below.
  private Surroundings present(TransactionState transaction) {
    // What was parsed in the catalog of a transaction may be wrong once it is rolled back.
    if (doubtful || (ownCatalog && !transaction.hasChangedCatalog())) {
      forget();
      doubtful = false;
    }
    ownCatalog = transaction.hasChangedCatalog();
    CatalogVersion catalog = database.catalog().latest();
    Object mark = catalog == null ? null : catalog.mark();
    SessionFingerprint settings = tracker.current();
    if (mark != present.catalog() || settings != presentSettings) {
      presentSettings = settings;
      immutableReads = catalog != null && !catalog.bodies().planned().isEmpty();
      Surroundings found = Surroundings.of(settings, catalog);
      present = found.equals(present) ? present : found;
    }
    return present;
  }

  // ---- bodies of functions and triggers

  /** Triggers may wait for the end of a transaction. */
  private static boolean mayRunBodies(Effects effects, TransactionState transaction) {
    return effects.resolved() != null
        || !effects.kinds().needNoNames()
        || (effects.mayEndTransaction() && transaction.mayHaveWritten());
  }

  @SuppressWarnings("ReferenceEquality") // Marks of catalogs have no other equality.
  private Effects beforeBodies(Effects effects, Surroundings now) throws SQLException {
    if (planned == now) {
      return effects;
    }
    read(now);
    boolean otherCatalog = plannedCatalog != now.catalog();
    boolean writes = !effects.writes().isEmpty() && !effects.writes().unknown();
    boolean quiet =
        overlap.isQuiet()
            && session.status() != TransactionStatus.FAILED
            && !(session.status() == TransactionStatus.OPEN && effects.kinds().mustComeFirst());
    boolean due = writes ? otherCatalog : mayBeKept(effects, now) && !planned.equals(now);
    if (due && quiet && ProtocolStep.PLAN_AGAIN.isTaken()) {
      planAgain();
      plannedCatalog = now.catalog();
      planned = now;
      return effects;
    }
    planned = planned.equals(now) ? now : Surroundings.UNKNOWN;
    plannedCatalog = otherCatalog ? this : plannedCatalog;
    return writes && due && ProtocolStep.PLAN_AGAIN.isTaken()
        ? Effects.unknown(effects.kinds(), effects.catalogVersion())
        : effects;
  }

  private void planAgain() throws SQLException {
    try {
      session.block().runAside("DISCARD PLANS");
    } catch (SQLException | RuntimeException | Error e) {
      if (!session.isDefinite(e)) {
        session.doubt();
      }
      throw e;
    }
  }

  /** What it writes does not depend on constants, so that these matter to what is kept alone. */
  private static boolean mayBeKept(Effects effects, Surroundings now) {
    ResolvedStatement resolved = effects.resolved();
    return resolved != null && resolved.bypass() == null && now.settings() != null;
  }

  /** Notes how bodies are read that are run for the first time now: the server reads them once. */
  @SuppressWarnings("ReferenceEquality") // Equal settings that are others only cost more.
  private void read(Surroundings now) {
    Map<String, String> settings = now.settings();
    if (settings != null && settings != readIn) {
      readIn = settings;
      List<String> by = READ_BY.stream().map(name -> settings.getOrDefault(name, "")).toList();
      readOtherwise |= readBy != null && !readBy.equals(by);
      readBy = by;
    }
  }
}
