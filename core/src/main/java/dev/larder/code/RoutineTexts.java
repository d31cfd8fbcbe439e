package dev.larder.code;

import dev.larder.lexer.Tokens;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
  private final Set<Long> placed = new HashSet<>();
  private final Map<Key, Optional<RoutineText>> read = new ConcurrentHashMap<>();

  private record Key(long routine, @Nullable TriggerPlace place) {}

  /** Keeps those of {@code all} that have such a body, and reads none. */
  public RoutineTexts(Collection<RoutineRow> all) {
    for (RoutineRow row : all) {
      String body = row.body();
      if (LANGUAGES.contains(row.language()) && body != null) {
        rows.put(row.oid(), row);
        if (row.trigger() && mayExecutePlace(Tokens.fold(body))) {
          placed.add(row.oid());
        }
      }
    }
  }

  /** Whether a body may execute what it is told of its trigger. */
  private static boolean mayExecutePlace(String body) {
    return body.contains("execute") && body.contains("tg_");
  }

  /**
   * Returns what the body of a routine says, or null if a part of it is not understood.
   *
   * @param place what it runs for as a trigger, or null if that is not known
   */
  public @Nullable RoutineText of(long routine, @Nullable TriggerPlace place) {
    RoutineRow row = rows.get(routine);
    return row == null
        ? null
        : read.computeIfAbsent(
                new Key(routine, placed.contains(routine) ? place : null),
                key -> Optional.ofNullable(RoutineText.of(row, key.place())))
            .orElse(null);
  }
}
