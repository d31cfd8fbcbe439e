package dev.larder.catalog;

import dev.larder.analysis.Repeatability;
import dev.larder.bypass.BypassReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a view, policy, default, constraint or condition in the catalog refers to. Immutable.
 *
 * @param relations the relations that it reads
 * @param routines the routines that it calls, or that are behind its types, and that are not plain
 * @param reason why a result that it contributes to cannot be cached whatever is declared, or null
 * @param clockOnly whether {@code reason} is that it reads the clock, and there is no other
 * @param settings the custom settings that it reads
 * @param repeatability how far its answers may differ
 */
public record Expression(
    Set<Long> relations,
    List<Routine> routines,
    @Nullable BypassReason reason,
    boolean clockOnly,
    Set<String> settings,
    Repeatability repeatability) {

  /** Returns whether it depends on nothing but constants, plain functions and settings. */
  public boolean plain() {
    return reason == null && routines.isEmpty();
  }

  /** Returns whether evaluating it may have effects, by what it calls or by what it reads. */
  boolean mayHaveEffects() {
    return !relations.isEmpty() || routines.stream().anyMatch(Routine::hasEffects);
  }
}
