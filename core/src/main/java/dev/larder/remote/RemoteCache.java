package dev.larder.remote;

import dev.larder.result.CachedResult;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results and versions of one database that several JVMs share. Thread-safe; no method throws, and
 * none takes much longer than a few timeouts.
 *
 * <p>A writer {@linkplain #announce announces} once the primary knows it, because its statements
 * have run in a transaction or its session holds the {@link AnnounceLock}, and before anything is
 * sent that may commit. It {@linkplain #publish publishes} once the outcome is definite and the
 * commit visible, and never where the outcome is unknown.
 */
public interface RemoteCache extends AutoCloseable {
  /** Reads the versions and the result, in one round trip. */
  RemoteReading read(RemoteQuestion question);

  /**
   * Reads the versions only; or takes those that were read lately, if they permit a result, where
   * others' writes may be seen a moment later.
   *
   * @param tokens under which the result was kept
   */
  RemoteReading validate(RemoteQuestion question, RemoteTokens tokens);

  /** Reads the versions only. */
  RemoteReading validateNow(RemoteQuestion question);

  /**
   * Shares {@code result}, best effort.
   *
   * @param tokens of a reading that was made before the statement was sent
   */
  void keep(RemoteQuestion question, RemoteTokens tokens, CachedResult result);

  /**
   * Asks for the lease of a question, which one JVM has at a time, in one round trip. Best effort:
   * nothing rests on it.
   *
   * @param nanos after which it expires, a little later perhaps, unless it is released
   * @return whether no other JVM is known to have it
   */
  boolean lease(RemoteQuestion question, long nanos);

  /** Ends the lease of a question, after what was kept of it before; does not wait. */
  void release(RemoteQuestion question);

  /**
   * Returns for how many nanoseconds a result may be kept in the near cache from now on; {@link
   * Long#MAX_VALUE} for ever, 0 or less for not at all.
   *
   * @param fetched whether it was shared before, for some of the time that it may live
   */
  long nearNanos(RemoteQuestion question, boolean fetched);

  /**
   * Tells all JVMs that {@code writes} are under way. Until they are told, this JVM's own readers
   * are kept from these tables, too.
   *
   * @param catalogVersion by which {@code writes} were found; null if it is not known to be true
   */
  RemoteAnnouncement announce(WriteSet writes, @Nullable RemoteCatalogVersion catalogVersion);

  /**
   * Ends {@code announcement}, after a rollback too. Where it was not acknowledged and the write
   * was committed all the same, others are told as soon as they can be.
   */
  void publish(RemoteAnnouncement announcement);

  /** Says that nobody will publish {@code announcement}: its outcome is unknown. */
  void lost(RemoteAnnouncement announcement);

  /** Makes all entries of {@code writes}, which nobody announced, outdated as soon as it can. */
  void invalidate(WriteSet writes);

  /** Returns what others have yet to be told of; who closes it before that must tell them. */
  WriteSet untold();

  /** Returns whether a write that could not be announced is committed all the same. */
  boolean commitsUnannounced();

  /**
   * Returns the version of a catalog that is read <em>after</em> this call, or null while it could
   * not be told from an old one.
   *
   * @param serverGeneration in which it is read
   */
  @Nullable RemoteCatalogVersion catalogVersion(long serverGeneration);

  /** Returns how many marks of in-flight writers each of {@code tags} has; −1 where unknown. */
  List<Integer> writersUnderWay(List<TableTag> tags);

  /** Returns what goes on. */
  RemoteStatus status();

  /** From now on nothing is reachable. */
  @Override
  void close();
}
