package dev.larder.radar;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Writers;
import dev.larder.catalog.CatalogVersion;
import dev.larder.log.CacheLog;
import dev.larder.log.QuietPeriods;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.PendingWrite;
import dev.larder.store.RowAccount;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import dev.larder.watch.Catalog;
import dev.larder.watch.CatalogLoader;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What the radar of one database makes of its caches: tables that others write are demoted, until
 * they have been quiet for a while. Works while a connection wants it to. Thread-safe.
 */
public final class RadarLink {
  /** How the name of a process's own connection begins. */
  public static final String NAME_PREFIX = "larder-radar-";

  /** How long others must not have written a table before it is cached as before. */
  public static final Duration QUIET = Duration.ofMinutes(5);

  /** How long results of a table live that others write, unless it is bypassed. */
  public static final Duration DEMOTED_TIME_TO_LIVE = Duration.ofSeconds(1);

  /** How many intervals may pass without a look before nothing is known. */
  private static final int MISSED_LOOKS = 3;

  /** How long a look may be late that is due often: Larder may be reading the catalog. */
  private static final Duration LATE = Duration.ofSeconds(10);

  private static final Duration REPEAT = Duration.ofMinutes(10);
  private static final long LONG_AGO = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  private final String database;
  private final Catalog catalog;
  private final TableVersions versions;
  private final Consumer<WriteSet> written;
  private final String jvm;
  private final Radar radar = new Radar(new Eyes());
  private final QuietPeriods<String> told = new QuietPeriods<>(REPEAT);
  private final long quietNanos =
      TimeUnit.SECONDS.toNanos(Long.getLong("larder.radar.quietSeconds", QUIET.toSeconds()));

  private final Demotions demotions = new Demotions();
  private volatile boolean refused;
  private volatile long answeredNanos = LONG_AGO;

  /** Touched by whoever looks only. */
  private long lookedNanos = LONG_AGO;

  /** How many connections there are of each configuration; guarded by this. */
  private final Map<QueryCacheConfig, Integer> users = new HashMap<>();

  /**
   * Creates the radar of a database.
   *
   * @param database in words, for the log
   * @param written is told of tables that others have written
   * @param jvm names all copies of Larder in this JVM together
   */
  public RadarLink(
      String database,
      Catalog catalog,
      TableVersions versions,
      Consumer<WriteSet> written,
      String jvm) {
    this.database = database;
    this.catalog = catalog;
    this.versions = versions;
    this.written = written;
    this.jvm = jvm;
  }

  /** Returns where sessions note what they write. */
  public OwnRows own() {
    return radar.own();
  }

  /** Returns the tables that are demoted now: the same object until they change. */
  public Demoted demoted() {
    return demotions.demoted();
  }

  /** Says that a connection with this configuration is opened, until {@link #leave}. */
  public synchronized void join(QueryCacheConfig config) {
    users.merge(config, 1, Integer::sum);
  }

  /** Says that a connection with this configuration is closed. */
  public synchronized void leave(QueryCacheConfig config) {
    users.computeIfPresent(config, (key, count) -> count == 1 ? null : count - 1);
  }

  /** Returns the configurations of connections that want somebody to look. */
  private synchronized List<QueryCacheConfig> watching() {
    return users.keySet().stream().filter(RadarLink::isOn).toList();
  }

  private static boolean isOn(QueryCacheConfig config) {
    // The feed tells of all that others write, or says of which tables it does not.
    return config.get(CacheOptions.RADAR) != QueryCacheConfig.Radar.OFF && !config.isFollowing();
  }

  /** Notes that results of {@code statement} may be kept. */
  public void cached(ResolvedStatement statement, CatalogVersion catalogVersion) {
    for (long oid : statement.relations()) {
      if (oid > 0) {
        radar.watch(catalogVersion.rootOf(oid));
      }
    }
  }

  /** Looks if it is time to. */
  public void look(CatalogLoader loader) {
    List<QueryCacheConfig> watching = watching();
    if (refused || watching.isEmpty()) {
      return;
    }
    try {
      boolean due = isDue(interval(watching));
      boolean answered = due ? radar.look(loader) : radar.announce(loader);
      if (!answered) {
        refused = true;
        CacheLog.trouble(CacheLog.Trouble.RADAR, database);
        return;
      }
      if (due) {
        answeredNanos = System.nanoTime();
      }
    } catch (Exception e) {
      CacheLog.trouble(CacheLog.Trouble.RADAR, database, e);
    }
    demotions.forget(quietNanos, catalog.latest());
    tellOfOthers(watching);
  }

  private static Duration interval(List<QueryCacheConfig> watching) {
    return watching.stream()
        .map(config -> config.get(CacheOptions.RADAR_INTERVAL))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private boolean isDue(Duration interval) {
    long now = System.nanoTime();
    // Looking itself takes a part of the period.
    boolean due = now - lookedNanos >= interval.minusMillis(500).toNanos();
    lookedNanos = due ? now : lookedNanos;
    return due;
  }

  /** Returns whether looks have failed to come, as where Larder has no connection of its own. */
  private boolean isOverdue(List<QueryCacheConfig> watching) {
    long patience = interval(watching).multipliedBy(MISSED_LOOKS).toNanos();
    return System.nanoTime() - answeredNanos > Math.max(patience, LATE.toNanos());
  }

  private void tellOfOthers(List<QueryCacheConfig> watching) {
    Set<Writers> declared =
        watching.stream()
            .map(config -> config.get(CacheOptions.WRITERS))
            .filter(writers -> writers != Writers.MEMCACHED && writers != Writers.ANY)
            .collect(Collectors.toSet());
    if (radar.others() == 0 || declared.isEmpty() || !told.isDue("processes", System.nanoTime())) {
      return;
    }
    CacheLog.always(
        CacheLog.Trouble.FOREIGN_WRITERS,
        (radar.others() + 1)
            + " processes with Larder are on "
            + database
            + ", and larder.writers is "
            + (declared.contains(Writers.THIS_JVM) ? "this-jvm" : "not declared")
            + ": a process does not see at once what the others write. Cure: let them share their"
            + " results (larder.backend=memcached, larder.writers=memcached); or leave"
            + " larder.writers undeclared, so that results live at most 5 s; or cache only tables"
            + " that no process writes (larder.tables.include).");
  }

  /** Returns how many rows others have written, at least. */
  public long foreignRows(long root) {
    return radar.foreignRows(root);
  }

  /**
   * Returns in a word what is known of a table.
   *
   * @param config of the cache that asks
   * @param name {@code schema.table}
   * @param root the topmost of its tree
   */
  public String state(QueryCacheConfig config, String name, long root) {
    List<QueryCacheConfig> watching = watching();
    if (!isOn(config) || refused || watching.isEmpty()) {
      return "off";
    } else if (demoted().of(config.get(CacheOptions.WRITERS)).contains(name)) {
      return "foreign writes";
    }
    return radar.isBlind(root) || isOverdue(watching) ? "blind" : "watching";
  }

  private final class Eyes implements Radar.Host {
    @Override
    public String group() {
      synchronized (RadarLink.this) {
        return users.keySet().stream()
            .flatMap(config -> config.remote().stream())
            .map(remote -> Integer.toHexString(remote.group().hashCode()))
            .findAny()
            .orElse(jvm);
      }
    }

    @Override
    public long version() {
      return catalog.version();
    }

    @Override
    public Set<Long> underWay(long nanos) {
      CatalogVersion latest = catalog.latest();
      Set<Long> tables = new HashSet<>();
      for (PendingWrite write : versions.pending()) {
        WriteSet writes = write.writes();
        if (write.isWidened() || (!writes.isEmpty() && write.announcedNanos() - nanos < 0)) {
          if (writes.unknown() || write.isWidened() || latest == null) {
            tables.add(RowAccount.ANY);
          } else {
            for (TableTag tag : writes.tags()) {
              tables.add(latest.rootOf(tag.oid()));
            }
          }
        }
      }
      return tables;
    }

    @Override
    public void found(Radar.Found found) {
      CatalogVersion latest = catalog.latest();
      demotions.add(found, latest);
      String table = latest == null ? null : latest.nameOf(found.table());
      Set<QueryCacheConfig.Radar> modes = modes(found.byGroup());
      if (latest == null || table == null || modes.isEmpty()) {
        return;
      }
      boolean obeyed = !modes.equals(Set.of(QueryCacheConfig.Radar.REPORT));
      WriteSet rows = latest.rowsOf(table, versions);
      if (obeyed && rows != null) {
        written.accept(rows);
      }
      if (told.isDue(table, System.nanoTime())) {
        CacheLog.always(CacheLog.Trouble.FOREIGN_WRITERS, words(table, found, obeyed));
      } else {
        CacheLog.count(CacheLog.Trouble.FOREIGN_WRITERS);
      }
    }
  }

  /** Returns what the caches want to happen that care for what others than these have written. */
  private Set<QueryCacheConfig.Radar> modes(boolean byGroup) {
    return watching().stream()
        .filter(config -> config.get(CacheOptions.WRITERS).areLarders() == byGroup)
        .map(config -> config.get(CacheOptions.RADAR))
        .collect(Collectors.toSet());
  }

  private static String words(String table, Radar.Found found, boolean obeyed) {
    String what =
        found.rows() == 0
            ? " was emptied, or filled anew, and not by Larder"
            : String.format(
                Locale.ROOT,
                ": %,d rows changed in %d s, Larder changed %,d",
                found.growth(),
                found.seconds(),
                found.growth() - found.rows());
    String seen =
        found.seen().stream()
            .map(name -> '\'' + name.replaceAll("[^ -~]", "?") + '\'')
            .collect(Collectors.joining(", "));
    return table
        + what
        + "; seen: "
        + (seen.isEmpty() ? "nobody any more" : seen)
        + (obeyed
            ? ". Until nobody else has written it for "
                + QUIET.toMinutes()
                + " minutes its results live at most a second, or are not cached (larder.radar)"
            : "")
        + ". Cure: let that writer use Larder, or end with SELECT larder.purge('"
        + table
        + "'); or set larder.tables.exclude or larder.tables.timeToLive for the table.";
  }
}
