package dev.larder.jdbc.database;

import dev.larder.engine.DatabaseIdentity;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.log.CacheLog;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.WritersInProgress;
import dev.larder.result.CachedResult;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The primary of one database, asked over Larder's own connections. Thread-safe. */
record Primary(DatabaseIdentity identity, OwnConnections connections) implements RemoteDatabase {
  @Override
  public String systemIdentifier() {
    return identity.systemIdentifier();
  }

  @Override
  public long oid() {
    return identity.databaseOid();
  }

  @Override
  public @Nullable WritersInProgress writersInProgress() {
    if (!connections.arePossible()) {
      return null;
    }
    try (OwnConnections.Own own = connections.open()) {
      return new WritersInProgress(
          own.facts().serverGeneration().number(), own.session().writersInProgress());
    } catch (SQLException | RuntimeException | LinkageError e) {
      CacheLog.trouble(CacheLog.Trouble.SHARED, "asking the server who is writing", e);
      return null;
    }
  }

  @Override
  public CachedResult adopt(CachedResult result) {
    return PostgresResults.forReplay(result);
  }
}
