package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.KeySettings;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resolved statement with what the configuration makes of it.
 *
 * @param analysis what was resolved
 * @param catalog the catalog it was resolved in
 * @param searchPath the schemas that names were looked up in; the user decides nothing, and is part
 *     of the key
 * @param byKey whether constants are {@linkplain SessionFingerprint#comparesPlainly compared as
 *     they are written}: else its keys are not known
 * @param policy what the configuration and operators said then
 * @param statement what it reads and writes
 * @param key the settings of a session that are part of its keys
 * @param bypass why it is not cached, by catalog or configuration, or null
 * @param timeToLiveNanos how long its results may live, {@link Long#MAX_VALUE} for ever
 * @param stalenessNanos for how long they may be used after they became outdated; 0 where nothing
 *     is said, less for never
 */
public record Resolution(
    SqlAnalysis analysis,
    CatalogVersion catalog,
    List<String> searchPath,
    boolean byKey,
    @SuppressWarnings("exports") CachePolicy policy, // Nobody else has one.
    ResolvedStatement statement,
    KeySettings key,
    @Nullable BypassReason bypass,
    long timeToLiveNanos,
    long stalenessNanos) {
  /** Returns whether all settings that the results depend on are known. */
  boolean settingsAreIn(SessionFingerprint known) {
    return known.settings().keySet().containsAll(key.needed());
  }
}
