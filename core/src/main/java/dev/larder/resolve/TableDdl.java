package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.NameUse;
import dev.larder.catalog.Relation;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.List;

/**
 * Decides which results DDL of one table can touch. The catalog is compared afterwards in any case,
 * and what was found to differ is dropped. Stateless.
 */
record TableDdl(Scope scope) {
  /** Returns what the statement may write, where it calls nothing that may write. */
  WriteSet writes(StatementFacts facts) {
    SessionCommand command = facts.command();
    String name = command == null ? null : command.value();
    if (command == null || name == null || scope.mayBeTemporary()) {
      return WriteSet.UNKNOWN;
    }
    return switch (command.name()) {
      case "create schema" -> WriteSet.NONE;
      case "create table" -> isNew(name) ? WriteSet.NONE : WriteSet.UNKNOWN;
      case "alter table" -> callsNothing(facts, name) ? rowsOf(name) : WriteSet.UNKNOWN;
      case "rights" -> rowsOf(name);
      default -> WriteSet.UNKNOWN;
    };
  }

  /** Whether no statement can take it for something that is there. */
  private boolean isNew(String name) {
    return !NameUse.isOfAnother(scope.catalog(), name.substring(name.indexOf('.') + 1), 0);
  }

  /** A column's default, and what belongs to its type, runs for each row. */
  private boolean callsNothing(StatementFacts facts, String name) {
    CatalogVersion catalog = scope.catalog();
    String unqualified = name.substring(name.indexOf('.') + 1);
    return facts.routines().stream()
            .allMatch(each -> catalog.routines(each).stream().allMatch(one -> one.builtin()))
        && facts.identifiers().stream()
            .allMatch(each -> each.equals(unqualified) || catalog.types(each).isEmpty());
  }

  private WriteSet rowsOf(String name) {
    Relation relation = scope.declared(name);
    return relation != null && isPlain(relation)
        ? new WriteSet(
            List.of(scope.versions().tag(TableTag.Scope.RELATION, relation.oid())), false)
        : WriteSet.UNKNOWN;
  }

  private boolean isPlain(Relation relation) {
    return relation.kind() == 'r'
        && !relation.system()
        && relation.evaluated().isEmpty()
        && scope.catalog().tree().isAlone(relation.oid());
  }
}
