package dev.larder.jdbc;

import dev.larder.remote.RemoteAnnouncement;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteSettings;
import dev.larder.remote.RemoteStatus;
import dev.larder.remote.RemoteTokens;
import dev.larder.remote.WritersInProgress;
import dev.larder.result.CachedResult;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A shared cache that shares nothing, and notes what it is told of writes: and at that moment,
 * whether the primary knows a writer, and what others see of the row that is written.
 */
public final class RecordingRemote implements RemoteSettings, RemoteCache {
  private final TestDatabase database;
  private final String seen;
  private final List<String> events = new CopyOnWriteArrayList<>();
  private volatile RemoteDatabase primary;
  public volatile boolean acknowledges = true;
  public volatile boolean commitsUnannounced;

  /**
   * Creates one.
   *
   * @param seen a query of one value, which others ask
   */
  public RecordingRemote(TestDatabase database, String seen) {
    this.database = database;
    this.seen = seen;
  }

  private record Announcement(boolean acknowledged) implements RemoteAnnouncement {}

  private record RemoteVersion(long serverGeneration) implements RemoteCatalogVersion {}

  /** Returns what happened since the last call. */
  public List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    taken.forEach(each -> events.remove(0)); // Others may have come since.
    return taken;
  }

  public RemoteDatabase primary() {
    return primary;
  }

  private String seen() {
    try {
      return database.queryString(seen);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public RemoteAnnouncement announce(WriteSet writes, RemoteCatalogVersion remoteVersion) {
    WritersInProgress writers = primary.writersInProgress();
    events.add(
        "announced "
            + (writes.unknown() || remoteVersion == null
                ? "everything"
                : writes.tags().size() + " table")
            + (writers == null || writers.writers().isEmpty() ? " of nobody" : "")
            + ", others see "
            + seen());
    return new Announcement(acknowledges);
  }

  @Override
  public void publish(RemoteAnnouncement announcement) {
    events.add("published, others see " + seen());
  }

  @Override
  public void lost(RemoteAnnouncement announcement) {
    events.add("lost");
  }

  @Override
  public void invalidate(WriteSet writes) {
    events.add("invalidated");
  }

  @Override
  public WriteSet untold() {
    return WriteSet.NONE;
  }

  @Override
  public boolean commitsUnannounced() {
    return commitsUnannounced;
  }

  @Override
  public RemoteReading read(RemoteQuestion question) {
    return RemoteReading.refused(RemoteReading.Verdict.NOT_READY);
  }

  @Override
  public RemoteReading validate(RemoteQuestion question, RemoteTokens tokens) {
    return read(question);
  }

  @Override
  public RemoteReading validateNow(RemoteQuestion question) {
    return read(question);
  }

  @Override
  public void keep(RemoteQuestion question, RemoteTokens tokens, CachedResult result) {}

  @Override
  public boolean lease(RemoteQuestion question, long nanos) {
    return true;
  }

  @Override
  public void release(RemoteQuestion question) {}

  @Override
  public long nearNanos(RemoteQuestion question, boolean fetched) {
    return 0;
  }

  @Override
  public RemoteCatalogVersion catalogVersion(long serverGeneration) {
    return new RemoteVersion(serverGeneration);
  }

  @Override
  public List<Integer> writersUnderWay(List<TableTag> tags) {
    return tags.stream().map(tag -> -1).toList();
  }

  @Override
  public RemoteStatus status() {
    return new RemoteStatus("closed", 0, 0, 0, 0);
  }

  @Override
  public String group() {
    return database.name();
  }

  @Override
  public RemoteCache open(RemoteDatabase primary) {
    this.primary = primary;
    return this;
  }

  @Override
  public void close() {}
}
