package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteSettings;
import dev.larder.store.Daemon;
import dev.larder.store.WriteSet;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM shares of one database with others, while a connection wants it to. All connections
 * of a JVM to a database share by the same settings, or none does: other JVMs would miss the writes
 * of those that do not. Thread-safe.
 */
public final class RemoteLink {
  /** How long it stays open for whoever connects anew each time. */
  static final Duration LINGER = Duration.ofSeconds(10);

  private final Duration linger;
  private final DatabaseIdentity identity;
  private final @Nullable RemoteDatabase database;
  private final RemoteCatalogVersions remoteVersions;
  private volatile @Nullable RemoteCache cache;

  // Guarded by this.
  private @Nullable RemoteSettings settings;
  private int users;
  private long closeNanos;
  private boolean lingering;

  /** What the next cache must tell others, because the last one was closed before it could. */
  private WriteSet owed = WriteSet.NONE;

  RemoteLink(
      Duration linger,
      DatabaseIdentity identity,
      @Nullable RemoteDatabase database,
      CatalogLoader loader,
      LongSupplier serverGeneration) {
    this.linger = linger;
    this.identity = identity;
    this.database = database;
    this.remoteVersions =
        new RemoteCatalogVersions(loader, identity.describe(), () -> cache, serverGeneration);
  }

  /** Returns what is shared, or null where nothing is. */
  public @Nullable RemoteCache cache() {
    return cache;
  }

  /** Returns the shared version of {@code catalog}; null where that is not known. */
  public @Nullable RemoteCatalogVersion catalogVersion(CatalogVersion catalog) {
    return cache == null ? null : remoteVersions.of(catalog);
  }

  CatalogLoader catalogLoader() {
    return remoteVersions;
  }

  /** Tells other JVMs, if results are shared, that their entries of {@code writes} are outdated. */
  public void invalidate(WriteSet writes) {
    RemoteCache shared = cache;
    if (shared != null) {
      shared.invalidate(writes);
    }
  }

  /**
   * Says that a connection is opened, until {@link #leave}.
   *
   * @param wanted null to share nothing
   * @throws IllegalStateException if it cannot be shared so
   */
  synchronized void join(@Nullable RemoteSettings wanted) {
    if (users > 0 && !Objects.equals(wanted, settings)) {
      throw new IllegalStateException(
          "Connections of this JVM to the same database share its results by other settings ("
              + describe(settings)
              + "; this one: "
              + describe(wanted)
              + "). Give all of them the same larder.backend and options of it, or other JVMs do"
              + " not learn of some writes.");
    }
    if (!Objects.equals(wanted, settings) || cache == null) {
      owed = owed.union(close());
      RemoteCache opened = wanted == null ? null : open(wanted);
      cache = opened;
      settings = wanted;
      if (opened != null && !owed.isEmpty()) {
        opened.invalidate(owed);
        owed = WriteSet.NONE;
      }
    }
    users++;
  }

  private RemoteCache open(RemoteSettings wanted) {
    if (database == null || identity.isUnknown()) {
      throw new IllegalStateException(
          "The server does not say which database it is, so that other JVMs cannot be told of its"
              + " writes. Allow the user to execute pg_control_system() and"
              + " pg_control_checkpoint(), or set larder.backend=local in every JVM.");
    }
    return wanted.open(database);
  }

  private static String describe(@Nullable RemoteSettings some) {
    return some == null ? "larder.backend=local" : some.toString();
  }

  synchronized void leave() {
    users--;
    closeNanos = System.nanoTime() + linger.toNanos();
    if (users == 0 && cache != null && !lingering) {
      lingering = startToLinger();
    }
  }

  /** Returns false where the system has no thread to give: it is then open until the next leave. */
  private boolean startToLinger() {
    Thread thread = new Thread(null, this::linger, "larder-linger", 0, false);
    // Whoever closes a pool may be an application that is undeployed.
    thread.setContextClassLoader(null);
    return Daemon.start(thread);
  }

  /** Closes it once nobody has used it for a while, and others have been told of every write. */
  private synchronized void linger() {
    try {
      RemoteCache open = cache;
      while (users == 0 && open != null) {
        long left = closeNanos - System.nanoTime();
        if (left > 0) {
          wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        } else if (open.untold().isEmpty()) {
          close();
          settings = null;
        } else {
          closeNanos = System.nanoTime() + linger.toNanos();
        }
        open = cache;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Nobody does; it stays open until the next leave.
    } finally {
      lingering = false;
    }
  }

  /** Returns what others have yet to be told of. */
  private WriteSet close() {
    RemoteCache open = cache;
    cache = null;
    remoteVersions.forget();
    if (open == null) {
      return WriteSet.NONE;
    }
    WriteSet untold = open.untold();
    open.close();
    return untold;
  }
}
