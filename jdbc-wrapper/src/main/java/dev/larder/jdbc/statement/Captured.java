package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.result.CachedResult;
import org.jspecify.annotations.Nullable;

/**
 * Rows that may be kept.
 *
 * @param result the rows, or null where they may not be kept
 * @param refusal why not, where that is for their own sake
 */
record Captured(@Nullable CachedResult result, @Nullable BypassReason refusal) {
  static final Captured NOTHING = new Captured(null, null);

  static Captured refused(BypassReason refusal) {
    return new Captured(null, refusal);
  }
}
