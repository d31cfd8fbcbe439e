package dev.larder.resolve;

import dev.larder.catalog.Expression;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Relation.Trigger;
import dev.larder.sql.WriteEvent;
import java.util.List;

/** What a write through a view writes. Stateless. */
final class ViewWrites {
  private ViewWrites() {}

  /** Adds what {@code event} on {@code view} writes to {@code writes}. */
  static void follow(Relation view, WriteEvent event, WriteClosure writes) {
    Expression definition = view.definition();
    if (definition == null || view.rules().contains(event)) {
      writes.unknown();
      return;
    }
    writes.call(definition.routines());
    view.evaluated().forEach(expression -> writes.evaluate(expression, view));
    writes.useColumns(view);
    List<Trigger> firing = view.triggers().stream().filter(t -> t.firesFor(event)).toList();
    firing.forEach(trigger -> writes.fire(view, trigger, event));
    List<Relation> bases = writes.readsOf(definition, view);
    if (firing.stream().anyMatch(Trigger::insteadOf)) {
      bases.forEach(writes::callsOfRead);
      return;
    }
    if (mayWriteServers(bases)) {
      writes.unknown();
    }
    bases.stream()
        .filter(base -> !base.system() && base.kind() != 'm' && base.kind() != 'S')
        .forEach(base -> writes.write(base, event));
  }

  /** Whether a view of these may be one of the settings, which it changes, or of the catalog. */
  private static boolean mayWriteServers(List<Relation> bases) {
    return bases.stream().allMatch(Relation::system)
        || bases.stream().anyMatch(base -> base.system() && base.name().equals("pg_settings"));
  }
}
