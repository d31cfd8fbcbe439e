package dev.larder.jdbc.session;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.BesideTemporary;
import dev.larder.engine.Database;
import dev.larder.jdbc.effects.Effects;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The temporary objects of one session, which may hide others. What names one of them is not
 * cached, and nothing is that calls a user's routine, whose body may name them. The server says
 * what they are called, when no transaction is open; until it has, nothing is cached while there
 * are any.
 *
 * <p>As long as they are tables that were created before our eyes, and nothing has been done to
 * them since that could give a write to them an effect elsewhere, what is written to them can be
 * told as well; otherwise they may be anything. Confined to the thread that uses the connection.
 */
public final class TemporaryTables {
  /** Stands among the names for rows that the session alone finds in a table of everybody's. */
  private static final String ROWS_ELSEWHERE = "";

  private final Set<String> names = new HashSet<>();

  /**
   * The names of all that is temporary, as the server has told; null once that may have changed.
   */
  private @Nullable Set<String> told;

  private @Nullable BesideTemporary beside;
  private boolean present;
  private boolean unknown;
  private boolean doubtful;

  /** The catalogVersion of the catalog that the first of those tables was created with. */
  private long catalogVersion;

  /**
   * Takes over what the server said, which a transaction may still change.
   *
   * @param found the names of all that is temporary, or null where nothing is
   * @param lasts whether the next statement runs in the same session, as behind a pooler it may not
   */
  void read(@Nullable Set<String> found, boolean inTransaction, boolean lasts) {
    boolean any = found != null;
    told = lasts && found != null && !found.contains(ROWS_ELSEWHERE) ? found : null;
    if (!any) {
      names.clear();
      unknown = false;
    } else if (!present) {
      unknown = true;
    }
    doubtful = inTransaction && (doubtful || any != present);
    present = any;
  }

  /** Returns whether there may be any. */
  public boolean present() {
    return present;
  }

  /** Returns why nothing is cached that may name one of them. */
  BypassReason bypass(Database database) {
    // Without a catalog any statement may have created one, and nobody asks whether it has.
    return database.catalog().current() == null
        ? BypassReason.CATALOG_LOADING
        : BypassReason.TEMPORARY_TABLE;
  }

  /** Returns their names, or null where they may be anything. */
  public @Nullable Set<String> names() {
    return unknown ? null : names;
  }

  /**
   * Returns what the names mean that none of them hides; null where they may hide any.
   *
   * @param settings those of the session
   */
  public @Nullable BesideTemporary beside(@Nullable SessionFingerprint settings) {
    if (!present || told == null || settings == null) {
      return null;
    }
    BesideTemporary last = beside;
    if (last == null || !last.isOf(told, settings)) {
      last = new BesideTemporary(told, settings);
      beside = last;
    }
    return last;
  }

  /** Returns the session's search path, as {@link #beside} was told of it last. */
  public @Nullable List<String> path() {
    return beside == null ? null : beside.searchPath();
  }

  /**
   * Returns whether statements name tables that were created under another catalog: the functions
   * that a write to them runs may be others now.
   */
  public boolean areOutdated(List<StatementFacts> statements, long currentGeneration) {
    return !names.isEmpty()
        && catalogVersion != currentGeneration
        && statements.stream().anyMatch(this::isNamedBy);
  }

  private boolean isNamedBy(StatementFacts statement) {
    return statement.identifiers().stream().anyMatch(names::contains)
        || statement.relations().stream().anyMatch(relation -> names.contains(relation.name()));
  }

  /**
   * Follows what has run.
   *
   * @param failed whether it failed
   */
  void ran(Effects effects, boolean failed) {
    if (effects.taintsSession() && !failed) {
      created(effects);
    } else if (present && (effects.reloadsCatalog() || effects.settings().untold())) {
      unknown = true;
    }
    if (!present) {
      return;
    }
    if (effects.mayChangeTemporary()) {
      told = null;
      doubtful = true;
    }
    for (StatementFacts statement : effects.kinds().all()) {
      if (statement.kind() == StatementKind.ROLLBACK_TO) {
        rolledBack();
      } else if (!failed && statement.kind() == StatementKind.DDL) {
        statement.relations().forEach(relation -> names.remove(relation.name()));
        doubtful = true;
      }
    }
  }

  /** Notes a rollback to a savepoint: some may be gone, and others back. */
  void rolledBack() {
    told = null;
    doubtful |= present;
    unknown |= present;
  }

  private void created(Effects effects) {
    StatementFacts only = effects.kinds().only();
    SessionCommand command =
        only != null && only.kind() == StatementKind.CREATE_TEMPORARY ? only.command() : null;
    present = true;
    doubtful = true;
    if (command == null || !effects.writes().isEmpty()) {
      unknown = true;
    } else {
      if (names.isEmpty()) {
        catalogVersion = effects.catalogVersion();
      }
      names.add(command.name());
    }
  }

  /** Returns whether the server must be asked, once no transaction is open, whether any is left. */
  boolean doubtful() {
    return doubtful;
  }
}
