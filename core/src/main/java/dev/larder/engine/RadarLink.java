package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Writers;
import dev.larder.catalog.CatalogVersion;
import dev.larder.radar.OwnRows;
import dev.larder.radar.Radar;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.PendingWrite;
import dev.larder.store.RowAccount;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the radar of one database makes of its caches: tables that others write are demoted, until
 * they have been quiet for a while. Works while a connection wants it to. Thread-safe.
 */
public final class RadarLink {
  /** How long others must not have written a table before it is cached as before. */
  public static final Duration QUIET = Duration.ofMinutes(5);

  /** How long results of a table live that others write, unless it is bypassed. */
  public static final Duration DEMOTED_TIME_TO_LIVE = Duration.ofSeconds(1);

  /** How many intervals may pass without a look before nothing is known. */
  private static final int MISSED_LOOKS = 3;

  /** How long a look may be late that is due often: Larder may be reading the catalog. */
  private static final Duration LATE = Duration.ofSeconds(10);

  private static final Duration REPEAT = Duration.ofMinutes(10);

  private final Database database;
  private final Radar radar;
  private final QuietPeriods<String> told = new QuietPeriods<>(REPEAT);
  private final long quietNanos;

  /** The tables that others have written, and when that was noticed last. */
  private final Map<Long, Long> everybody = new ConcurrentHashMap<>();

  private final Map<Long, Long> group = new ConcurrentHashMap<>();
  private volatile Demoted demoted = new Demoted(Set.of(), Set.of());
  private volatile boolean refused;
  private volatile long answeredNanos = System.nanoTime() - Duration.ofDays(1).toNanos();

  // Guarded by this.
  private final Map<QueryCacheConfig, Integer> users = new HashMap<>();
  private long lookedNanos = System.nanoTime() - Duration.ofDays(1).toNanos();

  /**
   * The names of the tables that are demoted.
   *
   * @param everybody because others than Larder write them
   * @param group because others than this process, and those that share its results, write them
   */
  record Demoted(Set<String> everybody, Set<String> group) {
    /** Returns those that concern a cache whose writers are declared so. */
    Set<String> of(Writers writers) {
      return writers == Writers.UNDECLARED ? everybody : group;
    }
  }

  RadarLink(Database database) {
    this.database = database;
    this.quietNanos =
        TimeUnit.SECONDS.toNanos(Long.getLong("larder.radar.quietSeconds", QUIET.toSeconds()));
    this.radar = new Radar(new Eyes());
  }

  /** Returns where sessions note what they write. */
  public OwnRows own() {
    return radar.own();
  }

  Demoted demoted() {
    return demoted;
  }

  Radar radar() {
    return radar;
  }

  /** Returns whether anybody looks. */
  synchronized boolean isOn() {
    return !refused
        && users.keySet().stream()
            .anyMatch(config -> config.get(CacheOptions.RADAR) != QueryCacheConfig.Radar.OFF);
  }

  synchronized void join(QueryCacheConfig config) {
    users.merge(config, 1, Integer::sum);
  }

  synchronized void leave(QueryCacheConfig config) {
    users.computeIfPresent(config, (key, count) -> count == 1 ? null : count - 1);
  }

  /** Notes that results of {@code statement} may be kept. */
  void cached(ResolvedStatement statement, CatalogVersion catalog) {
    for (long oid : statement.relations()) {
      if (oid > 0) {
        radar.watch(catalog.rootOf(oid));
      }
    }
  }

  /** Looks if it is time to. */
  void look(CatalogLoader loader) {
    if (!isOn()) {
      return;
    }
    try {
      boolean due = isDue();
      boolean answered = due ? radar.look(loader) : radar.announce(loader);
      if (!answered) {
        refused = true;
        CacheLog.trouble(CacheLog.Trouble.RADAR, database.identity().describe());
        return;
      }
      if (due) {
        answeredNanos = System.nanoTime();
      }
    } catch (Exception e) {
      CacheLog.trouble(CacheLog.Trouble.RADAR, database.identity().describe(), e);
    }
    promote(System.nanoTime());
    tellOfOthers();
  }

  /** Returns how often to look, or null where nobody wants to. */
  private synchronized @Nullable Duration interval() {
    Duration interval = null;
    for (QueryCacheConfig config : users.keySet()) {
      boolean shorter =
          interval == null || config.get(CacheOptions.RADAR_INTERVAL).compareTo(interval) < 0;
      if (config.get(CacheOptions.RADAR) != QueryCacheConfig.Radar.OFF && shorter) {
        interval = config.get(CacheOptions.RADAR_INTERVAL);
      }
    }
    return interval;
  }

  /** Returns whether looks have failed to come, as where Larder has no connection of its own. */
  private boolean isOverdue() {
    Duration interval = interval();
    long patience = interval == null ? 0 : interval.multipliedBy(MISSED_LOOKS).toNanos();
    return System.nanoTime() - answeredNanos > Math.max(patience, LATE.toNanos());
  }

  private synchronized boolean isDue() {
    Duration interval = interval();
    long now = System.nanoTime();
    if (interval == null
        || refused
        // Looking itself takes a part of the period.
        || now - lookedNanos < interval.toNanos() - TimeUnit.MILLISECONDS.toNanos(500)) {
      return false;
    }
    lookedNanos = now;
    return true;
  }

  private void tellOfOthers() {
    int others = radar.others();
    if (others == 0) {
      return;
    }
    Set<Writers> declared;
    synchronized (this) {
      declared =
          users.keySet().stream()
              .map(config -> config.get(CacheOptions.WRITERS))
              .collect(Collectors.toSet());
    }
    declared.remove(Writers.MEMCACHED);
    if (!declared.isEmpty() && told.isDue("processes", System.nanoTime())) {
      CacheLog.foreignWriters(
          (others + 1)
              + " processes with Larder are on "
              + database.identity().describe()
              + ", and larder.writers is "
              + (declared.contains(Writers.THIS_JVM) ? "this-jvm" : "not declared")
              + ": a process does not see at once what the others write. Cure: let them share their results"
              + " (larder.backend=memcached, larder.writers=memcached); or leave larder.writers"
              + " undeclared, so that results live at most 5 s; or cache only tables that no"
              + " process writes (larder.tables.include).",
          true);
    }
  }

  private void promote(long now) {
    boolean changed = everybody.values().removeIf(nanos -> now - nanos > quietNanos);
    changed |= group.values().removeIf(nanos -> now - nanos > quietNanos);
    if (changed) {
      publish();
    }
  }

  private void publish() {
    CatalogVersion catalog = database.catalog().latest();
    Demoted next = new Demoted(names(everybody, catalog), names(group, catalog));
    if (!next.equals(demoted)) {
      demoted = next;
    }
  }

  /** Adds what is known of a table. */
  void show(StatusTable.Row row, QueryCache cache, String name, long root) {
    Long rows = radar.foreignRows(root);
    String state = "watching";
    if (cache.config().get(CacheOptions.RADAR) == QueryCacheConfig.Radar.OFF || !isOn()) {
      state = "off";
    } else if (demoted.of(cache.config().get(CacheOptions.WRITERS)).contains(name)) {
      state = "foreign writes";
    } else if (radar.isBlind(root) || isOverdue()) {
      state = "blind";
    }
    row.number("foreign_rows", rows == null ? 0 : rows).text("radar", state);
  }

  private static Set<String> names(Map<Long, Long> roots, @Nullable CatalogVersion catalog) {
    Set<String> names = new HashSet<>();
    if (catalog != null) {
      roots.keySet().forEach(root -> names.addAll(catalog.tree(root)));
    }
    return Set.copyOf(names);
  }

  /** What the radar asks and tells. */
  private final class Eyes implements Radar.Host {
    @Override
    public @Nullable String group() {
      synchronized (RadarLink.this) {
        return users.keySet().stream()
            .flatMap(config -> config.remote().stream())
            .map(remote -> Integer.toHexString(remote.group().hashCode()))
            .findAny()
            .orElse(null);
      }
    }

    @Override
    public long version() {
      return database.catalog().version();
    }

    @Override
    public Set<Long> underWay(long nanos) {
      CatalogVersion catalog = database.catalog().latest();
      Set<Long> tables = new HashSet<>();
      for (PendingWrite write : database.versions().pending()) {
        WriteSet writes = write.writes();
        if (write.isWidened() || (!writes.isEmpty() && write.announcedNanos() - nanos < 0)) {
          if (writes.unknown() || write.isWidened() || catalog == null) {
            tables.add(RowAccount.ANY);
          } else {
            for (TableTag tag : writes.tags()) {
              tables.add(catalog.rootOf(tag.oid()));
            }
          }
        }
      }
      return tables;
    }

    @Override
    public void found(Radar.Found found) {
      (found.byGroup() ? group : everybody).put(found.table(), System.nanoTime());
      publish();
      CatalogVersion catalog = database.catalog().latest();
      String table = catalog == null ? null : catalog.nameOf(found.table());
      if (catalog == null || table == null || !concerns(found.byGroup())) {
        return;
      }
      if (isObeyed(found.byGroup())) {
        WriteSet rows = catalog.rowsOf(table, database.versions());
        if (rows != null) {
          database.publish(database.announce(rows));
          database.invalidateElsewhere(rows);
        }
      }
      CacheLog.foreignWriters(words(table, found), told.isDue(table, System.nanoTime()));
    }
  }

  /** Returns whether a cache cares for what others than these have written. */
  private synchronized boolean concerns(boolean byGroup) {
    return users.keySet().stream()
        .anyMatch(
            config ->
                config.get(CacheOptions.RADAR) != QueryCacheConfig.Radar.OFF
                    && (config.get(CacheOptions.WRITERS) != Writers.UNDECLARED) == byGroup);
  }

  private synchronized boolean isObeyed(boolean byGroup) {
    return users.keySet().stream()
        .anyMatch(
            config ->
                (config.get(CacheOptions.RADAR) == QueryCacheConfig.Radar.LIMIT
                        || config.get(CacheOptions.RADAR) == QueryCacheConfig.Radar.BYPASS)
                    && (config.get(CacheOptions.WRITERS) != Writers.UNDECLARED) == byGroup);
  }

  private String words(String table, Radar.Found found) {
    String what =
        found.rows() == 0
            ? "was emptied, or filled anew, and not by Larder"
            : String.format(
                Locale.ROOT,
                "%,d rows changed in %d s, Larder changed %,d",
                found.growth(),
                found.seconds(),
                found.growth() - found.rows());
    String seen =
        found.seen().isEmpty()
            ? "nobody any more"
            : found.seen().stream()
                .map(name -> '\'' + name.replaceAll("[^ -~]", "?") + '\'')
                .collect(Collectors.joining(", "));
    return table
        + (found.rows() == 0 ? " " : ": ")
        + what
        + "; seen: "
        + seen
        + (isObeyed(found.byGroup())
            ? ". Until nobody else has written it for "
                + QUIET.toMinutes()
                + " minutes its results live at most a second, or are not cached (larder.radar)"
            : "")
        + ". Cure: let that writer use Larder, or end with SELECT larder.purge('"
        + table
        + "'); or set larder.tables.exclude or larder.tables.timeToLive for the table.";
  }
}
