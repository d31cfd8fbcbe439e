package dev.larder.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The classes of JSqlParser's tree that a query of PostgreSQL may consist of, each with the getters
 * that lead to its parts. A class that is not here is refused. Immutable after its creation.
 */
final class TreeNodes {
  private final Map<Class<?>, List<Function<Object, @Nullable Object>>> parts = new HashMap<>();

  TreeNodes() {
    QueryNodes.addTo(this);
    ExpressionNodes.addTo(this);
  }

  /** Returns the getters of the parts of {@code type}, or null where it is not a known class. */
  @Nullable List<Function<Object, @Nullable Object>> parts(Class<?> type) {
    return parts.get(type);
  }

  /** Adds {@code type}, or getters to it. */
  @SafeVarargs
  @SuppressWarnings("unchecked")
  final <T> void add(Class<? extends T> type, Function<T, @Nullable Object>... getters) {
    List<Function<Object, @Nullable Object>> list =
        parts.computeIfAbsent(type, key -> new ArrayList<>());
    for (Function<T, @Nullable Object> getter : getters) {
      list.add((Function<Object, @Nullable Object>) (Function<?, ?>) getter);
    }
  }
}
