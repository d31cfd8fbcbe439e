package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.engine.Lookup.Miss;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.remote.RemoteCache;
import dev.larder.store.CacheEntry;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets one of several threads that miss the same key at once ask the database, and says how long
 * the others may wait for it. A wait promises nothing: whoever has waited looks up again at its own
 * moment, so that it uses a result only where it would be a hit without any flight. Thread-safe.
 *
 * <p>Nobody waits in a circle: who waits holds no lock at the server, and each wait has an end that
 * does not depend on the leader.
 */
public final class Flights {
  /**
   * How often in a row the misses of a shape may leave nothing that others can use until nobody
   * waits for them any more, which would double the time that each takes. A miss that does leave
   * something lets others wait again.
   */
  static final int MAX_VAIN = 3;

  /** How long no lease is asked for after so many waits for other JVMs in vain. */
  static final long VAIN_LEASE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A wait is at most so many times as long as the query usually takes. */
  private static final int TIMES = 2;

  /**
   * How long a query must usually take to be asked for by one JVM at a time: a lease costs a round
   * trip to memcached, of some 50 to 100 µs.
   */
  private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static volatile Rules rules = Rules.USUAL;

  /**
   * For which queries it is waited, and how long.
   *
   * @param worthNanos how long a query must usually take
   * @param unknownNanos how long it is waited where nobody knows yet how long the query takes: long
   *     enough for most, and not longer than somebody waits for a page; after half of that another
   *     asks, too
   * @param leastNanos how long it is waited at least
   */
  record Rules(long worthNanos, long unknownNanos, long leastNanos) {
    static final Rules USUAL =
        new Rules(TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(2), 0);
  }

  private final QueryCache cache;
  private final boolean used;
  private final ConcurrentMap<QueryKey, Flight> open = new ConcurrentHashMap<>();

  Flights(QueryCache cache) {
    this.cache = cache;
    this.used = cache.config().get(CacheOptions.MODE) != QueryCacheConfig.Mode.OBSERVE;
  }

  /** Has every miss of the JVM be waited for so long, for tests, or as usual for 0. */
  static void force(long leastNanos) {
    rules = leastNanos == 0 ? Rules.USUAL : new Rules(0, leastNanos, leastNanos);
  }

  /**
   * Returns how long the result of a miss may be waited for, in nanoseconds; 0 where nobody is to
   * wait: where the query is too fast for that, or its result will not be there for others.
   */
  public long patienceNanos(ShapePlan shape, Miss miss, TransactionView transaction) {
    boolean plain = transaction.isPlain() || !ProtocolStep.LEAD_IF_PLAIN.isTaken();
    long patience = used && miss.isAdmissible() && plain ? patienceNanos(shape) : 0;
    return patience == 0 ? 0 : patience + leaseNanos(shape, miss);
  }

  /**
   * Returns how long a leader waits for another JVM at most, before it asks the database, too; 0
   * where no lease is to be asked for.
   */
  public static long leaseNanos(ShapePlan shape, Miss miss) {
    boolean leased = miss.capture().shared() != null && shape.runs().usualNanos() >= LEASE_NANOS;
    return leased && shape.runs().isWorthALease() ? patienceNanos(shape) : 0;
  }

  static long patienceNanos(ShapePlan shape) {
    Rules now = rules;
    long usual = shape.runs().usualNanos();
    boolean vain = shape.runs().vainRuns() >= MAX_VAIN && ProtocolStep.COUNT_VAIN_RUNS.isTaken();
    if (vain || (usual > 0 && usual < now.worthNanos())) {
      return 0;
    }
    if (!ProtocolStep.LIMIT_WAITS.isTaken()) {
      return TimeUnit.DAYS.toNanos(1);
    }
    return usual == 0 ? now.unknownNanos() : Math.max(TIMES * usual, now.leastNanos());
  }

  /**
   * Returns the flight of a key: the caller's own if there is none, or if the present one takes too
   * long.
   *
   * @param wanted over the caller's arrays
   * @param patienceNanos how long others may wait for the caller
   */
  public Flight join(ShapePlan shape, QueryKey wanted, long patienceNanos) {
    Flight present = open.get(wanted);
    if (present != null && present.leftNanos() > 0) {
      return present;
    }
    QueryKey key = wanted.detach();
    long dueNanos = shape.runs().usualNanos() == 0 ? patienceNanos / 2 : patienceNanos;
    Flight made = new Flight(this, key, shape, System.nanoTime() + dueNanos);
    if (present == null) {
      Flight other = open.putIfAbsent(key, made);
      return other == null ? made : other;
    }
    if (open.replace(key, present, made)) {
      return made;
    }
    Flight other = open.get(key);
    return other == null ? present : other; // It has ended just now.
  }

  @Nullable RemoteCache sharedCache() {
    return cache.sharedCache();
  }

  void ended(Flight flight) {
    open.remove(flight.key(), flight);
  }

  /** Returns whether a result was kept after the caller has missed it, and is good. */
  public boolean isThereMeanwhile(Miss miss) {
    if (miss.asked() != null && miss.asked().byClock()) {
      return false; // Whether it may be used depends on what the session has read.
    }
    CacheEntry entry = cache.store().get(miss.key(), miss.resolution().timeToLiveNanos());
    return entry != null && cache.database().versions().isCurrent(entry);
  }

  /** Takes back that an execution was a miss: it is about to be looked up again. */
  public void looksUpAgain(ShapePlan shape) {
    shape.statistics().add(Count.MISSES, -1);
  }

  /** Returns what a wait that does not validate would come to, or null: in production nothing. */
  public @Nullable Lookup withoutLookup(Miss miss) {
    if (ProtocolStep.LOOK_UP_AFTER_WAIT.isTaken()) {
      return null;
    }
    CacheEntry entry = cache.store().get(miss.key(), Long.MAX_VALUE);
    return entry == null ? null : new Lookup.Hit(entry.result());
  }

  /** Counts an execution that has waited. */
  public void waited(boolean hit) {
    cache.count(CacheCount.FLIGHT_WAITS);
    if (hit) {
      cache.count(CacheCount.FLIGHT_HITS);
    }
  }

  /** Returns how many flights there are. */
  int open() {
    return open.size();
  }
}
