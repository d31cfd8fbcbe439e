package dev.larder.jdbc.session;

import dev.larder.engine.Database;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.Route;
import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * The databases that what one connection sends may reach: its own, and through a pooler all that
 * this has led to. Confined to the thread that uses the connection.
 */
public final class Reach {
  private final Database database;
  private final Route route;
  private final @Nullable CleanSettings clean;

  /** Whether a pooler sits in between. */
  boolean pooled;

  /**
   * Creates what a connection reaches.
   *
   * @param route matters only behind a pooler
   * @param clean what the sessions behind a pooler have in common, where that is cached
   */
  public Reach(Database database, Route route, boolean pooled, @Nullable CleanSettings clean) {
    this.database = database;
    this.route = route;
    this.pooled = pooled;
    this.clean = clean;
    noted(database.identity());
  }

  Database database() {
    return database;
  }

  /** Returns what the sessions behind the pooler have in common; null where none is cached. */
  public @Nullable CleanSettings clean() {
    return clean;
  }

  /** Notes that there is a pooler, which nobody knew, and where it leads. */
  void foundPooled(DatabaseIdentity now) {
    pooled = true;
    noted(database.identity());
    noted(now);
  }

  /** Notes which database has answered. */
  void noted(DatabaseIdentity now) {
    if (pooled) {
      route.reached(now);
    }
  }

  /** Returns whether a pooler was found to lead to another database now. */
  boolean isElsewhere() {
    return pooled && !route.leadsTo(database);
  }

  /** Announces a write in each of the databases: in others than its own as one of everything. */
  public PendingWrite announce(WriteSet writes) {
    return pooled ? route.announce(database, writes) : database.announce(writes);
  }

  /** Publishes, in each of the databases, a write that nobody has announced. */
  void written(WriteSet writes) {
    if (pooled) {
      database.publish(announce(writes));
    }
    database.written(writes);
  }
}
