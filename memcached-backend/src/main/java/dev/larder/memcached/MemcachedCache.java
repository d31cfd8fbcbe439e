package dev.larder.memcached;

import dev.larder.memcached.client.EntryServers;
import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.EntryCodec;
import dev.larder.memcached.format.Lz4Compression;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.RemoteEntry;
import dev.larder.memcached.format.Secret;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.CatalogToken;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.memcached.protocol.VersionKeys;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.remote.RemoteAnnouncement;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteStatus;
import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.store.KeyBytes;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The results and versions of one database on memcached: puts the parts together. Thread-safe; no
 * method throws.
 */
final class MemcachedCache implements RemoteCache {
  private static final int QUEUE = 4_096;
  private static final int MAX_KEY_LISTS = 10_000;

  private final MemcachedSettings settings;
  private final RemoteDatabase database;
  private final Names names;
  private final List<MemcachedServer> servers;
  private final MemcachedServer versionServer;
  private final SpyVersionServer spy;
  private final RemoteVersions versions;
  private final EntryServers entries;
  private final BarrierWorker barrier;
  private final @Nullable PolledVersions polled;

  /** By lists that belong to the statements' meanings, so that few are ever made. */
  private final Map<List<TableTag>, Keys> keys = new ConcurrentHashMap<>();

  /** The version keys of some tags, and what was found of them last; thread-safe. */
  private static final class Keys {
    final VersionKeys keys;
    volatile PolledVersions.@Nullable Answer lately;

    Keys(VersionKeys keys) {
      this.keys = keys;
    }

    List<String> names() {
      return keys.names();
    }
  }

  /** Opens it; waits for the version server, at most twice the timeout. */
  MemcachedCache(MemcachedSettings settings, RemoteDatabase database) {
    this.settings = settings;
    this.database = database;
    Secret secret = settings.encryptionKey();
    names = new Names(settings.namespace(), database.systemIdentifier(), database.oid(), secret);
    servers =
        settings.servers().stream()
            .map(address -> new MemcachedServer(address, settings.timeout(), QUEUE))
            .toList();
    versionServer = servers.get(settings.servers().indexOf(settings.versionServer()));
    servers.stream().filter(server -> server != versionServer).forEach(MemcachedServer::start);
    versionServer.connect(); // The first commit would fail before.
    spy = new SpyVersionServer(versionServer);
    versions = new RemoteVersions(spy, names);
    EntryCodec codec =
        new EntryCodec(
            settings.compressed() ? new Lz4Compression() : null,
            secret == null ? null : secret.seal(),
            settings.maxEntryBytes());
    entries = new EntryServers(servers, codec);
    BarrierTurns turns = new BarrierTurns(spy);
    String thread = "larder-barrier-" + database.oid();
    barrier = new BarrierWorker(versions, turns, database::writersInProgress, thread);
    MemcachedSettings.NearCache near = settings.nearCache();
    String poller = "larder-versions-" + database.oid();
    polled =
        near.kind() == MemcachedSettings.NearCache.Kind.POLLED
            ? new PolledVersions(versions, near.period(), settings.timeout(), poller)
            : null;
  }

  // ---- readers

  @Override
  public RemoteReading read(RemoteQuestion question) {
    if (barrier.untold().conceals(question.tags())) {
      return RemoteReading.refused(RemoteReading.Verdict.BEING_WRITTEN);
    }
    byte[] key = keyOf(question);
    if (key == null) {
      return validateNow(question);
    }
    String name = names.ofEntry(key);
    Keys keys = keys(question.tags());
    long sentAt = System.nanoTime();
    if (entries.isAt(versionServer, name)) {
      SpyVersionServer.Looked looked = spy.look(keys.names(), name);
      byte[] bytes = looked.entry();
      Supplier<@Nullable RemoteEntry> entry =
          () -> bytes == null ? null : entries.decode(name, key, bytes);
      return answer(question, keys, looked.versions(), sentAt, entry);
    }
    Supplier<@Nullable RemoteEntry> entry = entries.ask(name, key);
    return answer(question, keys, versions.look(keys.names()), sentAt, entry);
  }

  @Override
  public RemoteReading validate(RemoteQuestion question, RemoteTokens tokens) {
    if (polled != null) {
      RemoteReading lately = lately(polled, question);
      if (lately != null && lately.permits(tokens)) {
        return lately;
      }
    }
    return validateNow(question);
  }

  /** Returns what polled versions say; null if that does not do. */
  private @Nullable RemoteReading lately(PolledVersions polled, RemoteQuestion question) {
    Keys keys = keys(question.tags());
    PolledVersions.Answer answer =
        polled.read(keys.names(), question.serverGeneration(), keys.lately, question.askedNanos());
    keys.lately = answer;
    return answer == null ? null : new Read(keys.keys, answer.reading(), question, null);
  }

  @Override
  public RemoteReading validateNow(RemoteQuestion question) {
    Keys keys = keys(question.tags());
    long sentAt = System.nanoTime();
    return answer(question, keys, versions.look(keys.names()), sentAt, () -> null);
  }

  /**
   * Returns what {@code replies} mean.
   *
   * @param sentAt before the question for them was sent
   * @param asked returns the entry, or null for none
   */
  private RemoteReading answer(
      RemoteQuestion question,
      Keys keys,
      List<VersionReply> replies,
      long sentAt,
      Supplier<@Nullable RemoteEntry> asked) {
    VersionReading reading = versions.reading(keys.names(), replies, question.serverGeneration());
    if (polled != null && reading.verdict() == VersionReading.Verdict.READABLE) {
      polled.note(keys.names(), replies, sentAt);
    }
    barrier.wanted(reading, question.serverGeneration());
    RemoteEntry entry = Read.isOfCatalog(reading, question) ? asked.get() : null;
    RemoteReading.Shared shared =
        entry != null
                && (reading.permits(entry.tokens()) || !ProtocolStep.VALIDATE_SHARED.isTaken())
            ? new RemoteReading.Shared(entry.tokens(), database.adopt(entry.result()))
            : null;
    return new Read(keys.keys, reading, question, shared);
  }

  private Keys keys(List<TableTag> tags) {
    Keys known = keys.get(tags);
    if (known == null) {
      if (keys.size() >= MAX_KEY_LISTS) {
        keys.clear();
      }
      known = new Keys(versions.keys(tags));
      keys.put(tags, known);
    }
    return known;
  }

  /**
   * The time to live belongs to the key: whoever fetches a result counts on its age. That of JVMs
   * with other limits is another.
   */
  private byte @Nullable [] keyOf(RemoteQuestion question) {
    byte[] key = KeyBytes.of(question.key());
    return key == null
        ? null
        : ByteBuffer.allocate(key.length + 2 * Long.BYTES)
            .put(key)
            .putLong(question.catalog())
            .putLong(limited(question.timeToLiveNanos()))
            .array();
  }

  // ---- what is kept, and for how long

  @Override
  public void keep(RemoteQuestion question, RemoteTokens tokens, CachedResult result) {
    long share = Ages.remote(limited(question.timeToLiveNanos()));
    byte[] key = share == 0 ? null : keyOf(question);
    if (key != null) {
      RemoteEntry entry = new RemoteEntry(tokens, result);
      boolean unused = entries.keep(names.ofEntry(key), key, entry, question.askedNanos(), share);
    }
  }

  @Override
  public boolean lease(RemoteQuestion question, long nanos) {
    boolean shared = Ages.remote(limited(question.timeToLiveNanos())) > 0;
    byte[] key = shared ? keyOf(question) : null;
    // One second more than it may take: memcached's clock ticks once a second, perhaps just now.
    int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(nanos) + 2;
    return key == null || entries.lease(names.ofEntry(key), seconds);
  }

  @Override
  public void release(RemoteQuestion question) {
    byte[] key = keyOf(question);
    if (key != null) {
      entries.release(names.ofEntry(key));
    }
  }

  @Override
  public long nearNanos(RemoteQuestion question, boolean fetched) {
    if (settings.nearCache().kind() == MemcachedSettings.NearCache.Kind.OFF) {
      return 0;
    }
    long limited = limited(question.timeToLiveNanos());
    long whole = fetched ? Ages.nearAfterRemote(limited) : limited;
    return whole == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : whole - (System.nanoTime() - question.askedNanos());
  }

  private long limited(long timeToLiveNanos) {
    return settings.onUnreachable() == MemcachedSettings.OnUnreachable.BOUNDED_STALENESS
        ? Math.min(timeToLiveNanos, settings.maxStaleness().toNanos())
        : timeToLiveNanos;
  }

  // ---- writers

  @Override
  public RemoteAnnouncement announce(WriteSet writes, @Nullable RemoteCatalogVersion catalogToken) {
    RemoteWrite write =
        versions.announce(writes, catalogToken instanceof CatalogToken known ? known : null);
    if (commitsUnannounced() && !write.acknowledged()) {
      barrier.untold().begin(write, writes);
    }
    return write;
  }

  @Override
  public void publish(RemoteAnnouncement announcement) {
    if (announcement instanceof RemoteWrite write) {
      versions.publish(write);
      barrier.ended(write);
    }
  }

  @Override
  public void lost(RemoteAnnouncement announcement) {
    if (announcement instanceof RemoteWrite write) {
      barrier.lost(write);
    }
  }

  @Override
  public void invalidate(WriteSet writes) {
    barrier.invalidate(writes);
  }

  @Override
  public WriteSet untold() {
    return barrier.untold().all();
  }

  @Override
  public boolean commitsUnannounced() {
    return settings.onUnreachable() == MemcachedSettings.OnUnreachable.BOUNDED_STALENESS;
  }

  // ---- the catalog

  @Override
  public @Nullable RemoteCatalogVersion catalogVersion(long serverGeneration) {
    VersionReading reading = versions.read(versions.keysOfCatalog(), serverGeneration);
    barrier.wanted(reading, serverGeneration);
    return CatalogToken.in(reading, serverGeneration);
  }

  // ---- what is going on

  @Override
  public List<Integer> writersUnderWay(List<TableTag> tags) {
    return versions.writersUnderWay(tags);
  }

  @Override
  public RemoteStatus status() {
    boolean all = servers.stream().allMatch(MemcachedServer::isAvailable);
    return new RemoteStatus(
        !versionServer.isAvailable() ? "open" : all ? "closed" : "half-open",
        servers.stream().mapToLong(MemcachedServer::outages).sum(),
        barrier.runs(),
        barrier.unsettled(),
        entries.undecodable());
  }

  @Override
  public void close() {
    barrier.close();
    if (polled != null) {
      polled.close();
    }
    servers.forEach(MemcachedServer::close);
  }
}
