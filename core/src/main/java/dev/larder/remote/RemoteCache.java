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
 * <p>A writer {@linkplain #announce announces} when the primary knows it: after its statements have
 * run in a transaction, or once its session holds the {@link AnnounceLock}; and before anything is
 * sent that may commit. It {@linkplain #publish publishes} once the outcome is definite and the
 * commit visible, and never where the outcome is unknown.
 */
public interface RemoteCache extends AutoCloseable {
  /** Reads the versions and the result, in one round trip. */
  RemoteReading read(RemoteQuestion question);

  /**
   * Reads the versions only, for whoever has a result; or takes what was read lately, where it is
   * allowed that what others write is seen a moment later.
   */
  RemoteReading validate(RemoteQuestion question);

  /** As {@link #validate}, by versions that are read after the call in any case. */
  RemoteReading validateNow(RemoteQuestion question);

  /**
   * Shares {@code result}, best effort.
   *
   * @param tokens read before the statement was sent
   */
  void keep(RemoteQuestion question, RemoteTokens tokens, CachedResult result);

  /**
   * Returns how long a result of {@code question} may be kept in this JVM beside, from now on, in
   * nanoseconds; {@link Long#MAX_VALUE} for ever, 0 or less for not at all.
   *
   * @param fetched whether it was shared before, for some of the time that it may live
   */
  long nearNanos(RemoteQuestion question, boolean fetched);

  /**
   * Tells all JVMs that {@code writes} are under way. What they could not be told of is kept from
   * this JVM's own readers, too, until they are.
   *
   * @param catalogVersion the version in which {@code writes} were looked up; null if it is not
   *     known to be true
   */
  RemoteAnnouncement announce(WriteSet writes, @Nullable RemoteCatalogVersion catalogVersion);

  /**
   * Ends {@code announcement}, after a rollback too. Where it was not acknowledged and the write
   * was committed all the same, the others are told as soon as they can be.
   */
  void publish(RemoteAnnouncement announcement);

  /** Says that nobody will ever publish {@code announcement}: its outcome is unknown. */
  void lost(RemoteAnnouncement announcement);

  /**
   * Makes sure that nothing is hit that was made before: at once if that can be done, else as soon
   * as it can. For what was committed without having been announced.
   */
  void invalidate(WriteSet writes);

  /**
   * Returns what was written and others have yet to be told of, which whoever closes it before they
   * are must tell them otherwise.
   */
  WriteSet untold();

  /** Returns whether a write that could not be announced is committed all the same. */
  boolean commitsUnannounced();

  /**
   * Returns the version of a catalog that is read <em>after</em> this call, or null while it could
   * not be told from an old one.
   *
   * @param serverGeneration the life of the server at which it is read
   */
  @Nullable RemoteCatalogVersion catalogVersion(long serverGeneration);

  /** Returns how many marks of writers under way each of {@code tags} has; −1 where unknown. */
  List<Integer> writersUnderWay(List<TableTag> tags);

  /** Returns what goes on. */
  RemoteStatus status();

  /** Ends it: from now on nothing is reachable. */
  @Override
  void close();
}
