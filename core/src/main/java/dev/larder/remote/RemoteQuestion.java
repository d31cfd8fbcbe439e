package dev.larder.remote;

import dev.larder.store.QueryKey;
import dev.larder.store.TableTag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query whose result may be shared.
 *
 * @param key not changed while the question is being answered
 * @param askedNanos by {@link System#nanoTime}: no result of it is older
 * @param timeToLiveNanos how long its results may live; {@link Long#MAX_VALUE} for ever
 * @param tags what it reads, tables as a whole
 * @param catalog a number of what the query was looked up in, the same in every JVM: where somebody
 *     has changed the catalog unseen, results of before are not those of after
 * @param catalogVersion by which {@code tags} were found; null if it is not known to be true
 * @param serverGeneration of the connection that asks
 */
public record RemoteQuestion(
    QueryKey key,
    long askedNanos,
    long timeToLiveNanos,
    List<TableTag> tags,
    long catalog,
    @Nullable RemoteCatalogVersion catalogVersion,
    long serverGeneration) {}
