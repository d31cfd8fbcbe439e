package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.memcached.protocol.Announcement.Written;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.FaultPoint;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one database's tables, shared by all JVMs that use it: what carries the steps of
 * the protocol out. Thread-safe; no method throws.
 *
 * <h2>What is promised</h2>
 *
 * <p>A hit returns rows that the database itself could have returned: no commit of any JVM that
 * changes them became visible before the read began. It rests on the order described here; {@code
 * VersionProtocolModelTest} tries every interleaving of it, and what follows from each step's
 * omission.
 *
 * <h2>The state</h2>
 *
 * <p>Each tag has a {@link VersionValue} on the one version server: a random token, the marks of
 * the in-flight writers, and whether it is ready. An entry is kept with the tokens that were read
 * before its statement was sent. Tokens are never used twice, so that an entry can lie anywhere and
 * come late.
 *
 * <h2>A writer</h2>
 *
 * <ol>
 *   <li>Runs its statements in a transaction, so that the primary knows it by its number; what
 *       cannot run in one takes the announce lock first.
 *   <li><b>Announces</b>: its mark at every tag that it may have written, each acknowledged; else
 *       it rolls back. From here on no JVM hits or fills entries of these tags.
 *   <li>Commits.
 *   <li><b>Publishes</b> when the outcome is definite: a new token, the mark taken away, by
 *       compare-and-swap, because others' marks must stay. Writers of its JVM that publish at the
 *       same time take each other's marks away. If the outcome is unknown it does nothing.
 * </ol>
 *
 * <h2>A reader</h2>
 *
 * <p>Reads the versions and the entry in one round trip. All versions ready, without marks, with
 * the entry's tokens: hit. Ready without marks, but no entry: the tokens read are those to fill
 * with. Otherwise the database answers and nothing is filled; what is missing is made, not ready.
 *
 * <h2>The catalog</h2>
 *
 * <p>Which tags a statement reads and writes is looked up in a version of the catalog, and another
 * JVM may change the catalog meanwhile. So the catalog has a version, too. A catalogToken is kept
 * with the token that was read before it was taken; a reader whose versions show another one has
 * the catalog read again before it fills; a writer that finds another one, after its statements
 * have run, announces everything. What changes the catalog, and whatever may, announces everything
 * and the catalog. So a statement that ran under the new catalog finds the mark, or a new token.
 * One that ran under the old one is described by the old version: what it has yet to do at COMMIT,
 * its deferred triggers, cannot be added or removed while it holds its lock on the table.
 *
 * <h2>The barrier</h2>
 *
 * <p>A version is made RAW when its predecessor may have been evicted together with marks; a mark
 * may stay because its writer died. No clock decides that such a writer has ended: the primary is
 * asked, see {@link BarrierPass}. Sound because a writer was known to the primary before it left
 * its mark, and is until its commit is visible.
 *
 * <h2>Why it holds</h2>
 *
 * <p>Let a reader find a tag ready, without marks, with the token that a filler had found before it
 * executed. No writer of the tag committed in between: its mark was there before its commit was
 * sent. If it was gone again at the second look, the writer had published, or the barrier had found
 * it ended; both change the token. If the version was evicted in between, it became ready with
 * another token. And no writer was between announce and commit at the second look, unseen: its mark
 * would have been evicted, and the barrier would have waited for it.
 */
public final class RemoteVersions {
  /** The most tags that are announced one by one: each takes places in the client's queue. */
  private static final int MOST_TAGS = 500;

  /** How often the barrier looks again at what others have changed before its swap. */
  private static final int SWAPS = 8;

  private final VersionServer server;
  private final Names names;

  /** The writers of this JVM whose outcome is definite, while they publish. */
  private final Set<Token> finished = ConcurrentHashMap.newKeySet();

  /** Creates the versions of a database on {@code server}, called by {@code names}. */
  public RemoteVersions(VersionServer server, Names names) {
    this.server = server;
    this.names = names;
  }

  /**
   * Leaves a mark at everything in {@code writes}. To be called when the primary knows the writer,
   * and before anything is sent that may commit. Takes one round trip, and some more where a
   * version is missing or has too many marks, or the catalog has changed. Unless the result is
   * {@linkplain RemoteWrite#acknowledged acknowledged} the writer must roll back, and {@link
   * #publish} nevertheless.
   *
   * @param catalogToken the version of the catalog in which {@code writes} were looked up; null if
   *     it is not known to be true
   */
  public RemoteWrite announce(WriteSet writes, @Nullable CatalogToken catalogToken) {
    Announcement announcement = announcement(writes, catalogToken);
    for (List<VersionRequest> batch = announcement.requests();
        !batch.isEmpty();
        batch = announcement.requests()) {
      FaultPoint.TELLING.pass();
      announcement = announcement.accept(server.send(batch));
    }
    return new RemoteWrite(announcement);
  }

  private Announcement announcement(WriteSet writes, @Nullable CatalogToken catalogToken) {
    if (writes.unknown()) {
      return announcement(List.of(everything(), Written.wholly(names.ofCatalog())), null);
    }
    return writes.tags().size() > MOST_TAGS
        ? announcement(List.of(everything()), null) // Whatever the catalog is.
        : announcement(
            written(writes),
            new Announcement.Check(names.ofCatalog(), names.ofEverything(), catalogToken));
  }

  private Written everything() {
    return Written.wholly(names.ofEverything());
  }

  private List<Written> written(WriteSet writes) {
    return writes.tags().stream()
        .map(tag -> new Written(names.ofVersion(tag), Need.written(writes, tag, writes.keys())))
        .toList();
  }

  private static Announcement announcement(
      List<Written> written, Announcement.@Nullable Check check) {
    return Announcement.of(Token.random(), Token.random(), written, check);
  }

  /**
   * Takes the marks of {@code write} away and gives what it wrote new versions. To be called when
   * the outcome is definite, after a rollback too. Takes one round trip, and one or two more for
   * each time that another writer comes between. Of the threads that publish the same version, one
   * does it for all.
   */
  public void publish(RemoteWrite write) {
    Token writer = write.announcement().writer();
    finished.add(writer);
    try {
      Publication publication = Publication.of(write.announcement(), Token.random());
      for (List<VersionRequest> batch = publication.requests(finished);
          !batch.isEmpty();
          batch = publication.requests(finished)) {
        FaultPoint.TELLING_OUTCOME.pass();
        publication = publication.accept(server.send(batch));
      }
    } finally {
      finished.remove(writer);
    }
  }

  /**
   * Reads the versions of {@code keys}, and makes those that are missing.
   *
   * @param keys of {@link #keys}
   * @param serverGeneration the server generation that the reader is connected to
   */
  public VersionReading read(List<String> keys, long serverGeneration) {
    return reading(keys, look(keys), serverGeneration);
  }

  /** Returns what {@code keys} hold now, each at its own moment. */
  public List<VersionReply> look(List<String> keys) {
    return server.multiGet(keys);
  }

  /** Returns what {@code replies} of {@link #look} mean, and makes those that are missing. */
  public VersionReading reading(
      List<String> keys, List<VersionReply> replies, long serverGeneration) {
    VersionReading reading = VersionReading.of(keys, replies, serverGeneration);
    if (!reading.missing().isEmpty()) {
      server.send(reading.seed(Token.random()));
    }
    return reading;
  }

  /**
   * Does one pass of each of {@code passes}, with at most one question to the primary for all of
   * them, and none for those about which it is another JVM's turn to ask. Where others write
   * meanwhile, what is to be swapped is looked at again, a few times.
   *
   * @return the passes, those that are {@link BarrierPass.Phase#WAIT} to be done again later
   */
  public List<BarrierPass> settle(
      List<BarrierPass> passes, BarrierTurns turns, PrimaryProbe primary) {
    List<BarrierPass> looked = exchange(passes, BarrierPass.Phase.LOOK);
    List<String> questions =
        looked.stream()
            .filter(pass -> pass.phase() == BarrierPass.Phase.ASK)
            .map(BarrierPass::key)
            .toList();
    Set<String> mine = questions.isEmpty() ? Set.of() : turns.take(questions);
    WritersInProgress now = mine.isEmpty() ? null : primary.ask();
    if (now == null) {
      turns.giveBack(mine); // Perhaps another JVM reaches the primary.
    }
    List<BarrierPass> asked = new ArrayList<>();
    for (BarrierPass pass : looked) {
      boolean asks = pass.phase() == BarrierPass.Phase.ASK;
      asked.add(asks ? pass.accept(mine.contains(pass.key()) ? now : null, Token.random()) : pass);
    }
    List<BarrierPass> settled = exchange(asked, BarrierPass.Phase.SETTLE);
    for (int i = 0; i < SWAPS; i++) {
      settled = exchange(exchange(settled, BarrierPass.Phase.LOOK), BarrierPass.Phase.SETTLE);
    }
    return settled.stream().map(BarrierPass::givenUp).toList();
  }

  private List<BarrierPass> exchange(List<BarrierPass> passes, BarrierPass.Phase phase) {
    List<VersionRequest> requests = new ArrayList<>();
    for (BarrierPass pass : passes) {
      VersionRequest request = pass.phase() == phase ? pass.request() : null;
      if (request != null) {
        requests.add(request);
      }
    }
    List<VersionReply> replies = requests.isEmpty() ? List.of() : server.send(requests);
    List<BarrierPass> next = new ArrayList<>();
    int reply = 0;
    for (BarrierPass pass : passes) {
      next.add(pass.phase() == phase ? pass.accept(replies.get(reply++), Token.random()) : pass);
    }
    return next;
  }

  /** Returns the key of the catalog, which comes first among those of an entry. */
  public List<String> keysOfCatalog() {
    return List.of(names.ofCatalog());
  }

  /** Returns how many marks each of {@code tags} has now; −1 where nobody knows. */
  public List<Integer> writersUnderWay(List<TableTag> tags) {
    if (tags.isEmpty()) {
      return List.of(); // A question for nothing cannot be sent.
    }
    List<Integer> counts = new ArrayList<>();
    for (VersionReply reply : server.multiGet(tags.stream().map(names::ofVersion).toList())) {
      VersionItem item = reply.item();
      counts.add(item == null ? -1 : item.value().marks().size());
    }
    return counts;
  }

  /**
   * Returns those of some keys that can be read by.
   *
   * @param serverGenerations by key, that which the reader is connected to
   */
  public Set<String> readable(Map<String, Long> serverGenerations) {
    List<Map.Entry<String, Long>> wanted = List.copyOf(serverGenerations.entrySet());
    List<VersionReply> replies = server.multiGet(wanted.stream().map(Map.Entry::getKey).toList());
    Set<String> readable = new HashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      VersionItem item = replies.get(i).item();
      if (item != null && item.value().isReadable(wanted.get(i).getValue())) {
        readable.add(wanted.get(i).getKey());
      }
    }
    return readable;
  }

  /** Returns the versions that a query of {@code tags} depends on. */
  public VersionKeys keys(List<TableTag> tags) {
    return VersionKeys.of(names, tags);
  }
}
