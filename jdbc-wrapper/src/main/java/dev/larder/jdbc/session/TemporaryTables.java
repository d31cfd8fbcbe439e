package dev.larder.jdbc.session;

import dev.larder.jdbc.effects.Effects;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The temporary objects of one session, which may shadow others. Nothing is cached while there are
 * any. As long as they are tables that were created before our eyes, and nothing has been done to
 * them since that could give a write to them an effect elsewhere, their names are known, and what
 * statements write can be told in spite of them; otherwise they may be anything. Confined to the
 * thread that uses the connection.
 */
public final class TemporaryTables {
  private final Set<String> names = new HashSet<>();
  private boolean present;
  private boolean unknown;
  private boolean doubtful;

  /** The catalogVersion of the catalog that the first of those tables was created with. */
  private long catalogVersion;

  /**
   * Takes over what the server said: whether there is any, which a transaction may still change.
   */
  void read(boolean any, boolean inTransaction) {
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

  /** Returns their names, or null where they may be anything. */
  public @Nullable Set<String> names() {
    return unknown ? null : names;
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
