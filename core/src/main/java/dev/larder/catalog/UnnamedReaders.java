package dev.larder.catalog;

import dev.larder.code.KnownLibraries;
import dev.larder.code.NodeTree;
import dev.larder.code.RoutineBodies;
import dev.larder.code.RoutineRow;
import dev.larder.store.KeySettings;
import dev.larder.store.ProtocolStep;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The custom settings that are read by functions that run without being named: those of operators,
 * casts, types, defaults of parameters, constraints and indexes. A query, or the body of a function
 * that it calls, may run any of them. Filled while a catalog version is built.
 */
final class UnnamedReaders {
  /** Extensions whose settings begin otherwise than their names, and the server's own language. */
  private static final Set<String> FURTHER = Set.of("hnsw", "ivfflat", "plpgsql");

  private final Map<Long, RoutineRow> users = new HashMap<>();
  private final RoutineBodies bodies;
  private final Set<String> settings = new HashSet<>();

  UnnamedReaders(List<RoutineRow> rows, RoutineBodies bodies) {
    this.bodies = bodies;
    rows.stream().filter(RoutineRow::users).forEach(row -> users.put(row.oid(), row));
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

  /** Notes that plans rest on the value of {@code routine} if it is declared IMMUTABLE. */
  void planned(long routine) {
    RoutineRow row = users.get(routine);
    if (row != null && row.volatility() == 'i') {
      runs(routine);
    }
  }

  /** Notes what an expression reads that is evaluated without being named. */
  void reads(NodeTree tree) {
    settings.addAll(tree.settings());
    if (tree.readsUnknownSetting()) {
      settings.add(KeySettings.ANY);
    }
  }

  /** Returns them; with {@link KeySettings#ANY} where that may be any. */
  Set<String> settings() {
    return ProtocolStep.NAME_SETTINGS_OF_UNNAMED.isTaken() ? Set.copyOf(settings) : Set.of();
  }

  /** Returns what the names of modules' settings begin with, up to the dot. */
  static Set<String> modules(CatalogBuilder rows) {
    return Stream.concat(
            FURTHER.stream(), rows.all(CatalogRow.Module.class).stream().map(row -> row.prefix()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
