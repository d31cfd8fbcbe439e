package dev.larder.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.store.PendingWrite;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A way through a pooler, and the databases of which this JVM knows that it has led there. A pooler
 * can be led to another database while clients stay connected, so that the writes of a client may
 * be in any of them. Thread-safe.
 */
public final class Route {
  /** Weakly: a connection refers to its own. */
  private static final Cache<String, Route> ALL =
      Caffeine.newBuilder().executor(Runnable::run).weakValues().build();

  private final Function<DatabaseIdentity, Database> databases;

  /** The present one is the first. */
  private volatile List<Database> led = List.of();

  private Route(Function<DatabaseIdentity, Database> databases) {
    this.databases = databases;
  }

  /**
   * Returns the one object of this JVM for {@code address}.
   *
   * @param databases finds a database, or makes it
   */
  public static Route of(String address, Function<DatabaseIdentity, Database> databases) {
    return ALL.get(address, key -> new Route(databases));
  }

  /** Returns whether nobody has found that it leads to another database than this one now. */
  public boolean leadsTo(Database database) {
    List<Database> all = led;
    return all.isEmpty() || all.get(0).equals(database);
  }

  /**
   * Announces a write in all databases that it has led to: in others than {@code home} as one of
   * everything.
   *
   * @param home the database of the connection
   */
  public PendingWrite announce(Database home, WriteSet writes) {
    PendingWrite write = home.announce(writes);
    try {
      home.elsewhere.mayBe(write);
      List<Database> all = led;
      if (all.size() > 1 && !(writes.isEmpty() && leadsTo(home))) {
        home.elsewhere.announce(write, all);
      }
    } catch (Throwable t) {
      home.publish(write); // Nothing will be sent.
      throw t;
    }
    return write;
  }

  /**
   * Notes where it leads now. If it led elsewhere before, then when this returns all entries of all
   * its databases are invalid, and what is under way in the others counts as under way here, too.
   */
  public void reached(DatabaseIdentity identity) {
    List<Database> all = led;
    if (!identity.isUnknown() && (all.isEmpty() || !all.get(0).identity().equals(identity))) {
      leadTo(databases.apply(identity));
    }
  }

  private synchronized void leadTo(Database now) {
    List<Database> others = led.stream().filter(each -> !each.equals(now)).toList();
    boolean redirected = !leadsTo(now);
    // First of all: whoever announces later finds it here, and others are found below.
    led = Stream.concat(Stream.of(now), others.stream()).toList();
    if (redirected) {
      others.forEach(each -> each.elsewhere.announceAll(now));
      for (Database each : led) { // Anything may have been written unannounced, DDL too.
        each.catalogChanged(false);
        each.invalidateEverywhere();
      }
    }
  }
}
