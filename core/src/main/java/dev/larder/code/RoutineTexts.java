package dev.larder.code;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of users' routines in SQL and PL/pgSQL, each read when it is first asked for.
 * Thread-safe.
 */
public final class RoutineTexts {
  private static final Set<String> LANGUAGES = Set.of("plpgsql", "sql");

  private final Map<Long, RoutineRow> rows = new HashMap<>();
  private final Map<Long, Optional<RoutineText>> read = new ConcurrentHashMap<>();

  /** Keeps those of {@code all} that have such a body, and reads none. */
  public RoutineTexts(Collection<RoutineRow> all) {
    all.stream()
        .filter(row -> LANGUAGES.contains(row.language()) && row.body() != null)
        .forEach(row -> rows.put(row.oid(), row));
  }

  /** Returns what the body of a routine says, or null if a part of it is not understood. */
  public @Nullable RoutineText of(long routine) {
    RoutineRow row = rows.get(routine);
    return row == null
        ? null
        : read.computeIfAbsent(routine, oid -> Optional.ofNullable(RoutineText.of(row)))
            .orElse(null);
  }
}
