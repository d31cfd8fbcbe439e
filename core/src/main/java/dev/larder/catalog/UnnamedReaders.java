package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.code.BuiltinRoutines;
import dev.larder.code.KnownLibraries;
import dev.larder.code.NodeTree;
import dev.larder.code.RoutineBodies;
import dev.larder.code.RoutineRow;
import dev.larder.store.KeySettings;
import dev.larder.store.ProtocolStep;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The custom settings that are read by functions that run without being named: those of operators,
 * casts, types, defaults of parameters, constraints and indexes. A query, or the body of a function
 * that it calls, may run any of them. Filled while a catalog version is built.
 */
final class UnnamedReaders {
  /** Extensions whose settings begin otherwise than their names, and the server's own language. */
  private static final Set<String> FURTHER = Set.of("cron", "hnsw", "ivfflat", "plpgsql");

  private final Map<Long, RoutineRow> users = new HashMap<>();
  private final RoutineBodies bodies;
  private final Set<String> settings = new HashSet<>();
  private final Set<String> modules = new HashSet<>();
  private final Set<String> named = new HashSet<>();

  UnnamedReaders(CatalogBuilder rows, RoutineBodies bodies) {
    this.bodies = bodies;
    modules.addAll(FURTHER);
    rows.all(CatalogRow.Module.class).forEach(row -> modules.add(row.prefix()));
    rows.routines().stream().filter(RoutineRow::users).forEach(row -> users.put(row.oid(), row));
    if (users.values().stream().anyMatch(UnnamedReaders::isUnknownCode)) {
      settings.add(KeySettings.ANY);
    }
  }

  /** Code in C may run in each statement, once it is loaded, and read what it likes. */
  private static boolean isUnknownCode(RoutineRow row) {
    return row.language().equals("c") && !KnownLibraries.readsItsOwnSettings(row.library());
  }

  /** Notes that {@code routine} runs without being named. */
  void runs(long routine) {
    if (BuiltinRoutines.showsSetting(routine)) {
      settings.add(KeySettings.ANY);
    }
    RoutineRow row = users.get(routine);
    if (row == null) {
      return;
    }
    settings.addAll(bodies.settings(routine));
    boolean told = row.body() == null || bodies.readsSettingsAlone(routine);
    if (!told || bodies.readsAnySetting(routine)) {
      settings.add(KeySettings.ANY);
    }
  }

  /** Notes what a body in the syntax of the standard reads; returns what reads a setting there. */
  List<Routine> readBody(RoutineRow row) {
    String stored = row.standardBody();
    if (stored == null) {
      return List.of();
    }
    NodeTree body = NodeTree.parse(stored);
    body.routines().forEach(this::runs);
    reads(body);
    return body.settings().isEmpty() && !body.readsUnknownSetting()
        ? List.of()
        : List.of(Routine.reading(BypassReason.FUNCTION));
  }

  /** Notes an expression that plans rest on where its functions are declared IMMUTABLE. */
  void planned(CatalogRow.Evaluated expression) {
    NodeTree.parse(expression.nodeTree()).routines().stream()
        .map(users::get)
        .filter(row -> row != null && row.volatility() == 'i')
        .forEach(row -> runs(row.oid()));
  }

  /** Notes what an expression reads that is evaluated without being named. */
  void reads(NodeTree tree) {
    settings.addAll(tree.settings());
    if (tree.readsUnknownSetting()) {
      settings.add(KeySettings.ANY);
    }
  }

  /** Returns what an expression reads by itself and by what it calls; perhaps with ANY. */
  Set<String> settings(NodeTree tree, Collection<Routine> called) {
    Set<String> read = new HashSet<>(tree.settings());
    named.addAll(read);
    called.forEach(routine -> read.addAll(routine.settings()));
    if (called.stream().anyMatch(routine -> bodies.readsAnySetting(routine.oid()))) {
      read.add(KeySettings.ANY);
    }
    return read;
  }

  /** Returns the settings that are part of every key. */
  KeySettings keySettings() {
    boolean taken = ProtocolStep.NAME_SETTINGS_OF_UNNAMED.isTaken();
    Set<String> anywhere = new HashSet<>(bodies.namedSettings());
    anywhere.addAll(named);
    return KeySettings.of(taken ? settings : Set.of(), modules, anywhere);
  }
}
