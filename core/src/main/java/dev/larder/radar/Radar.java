package dev.larder.radar;

import dev.larder.store.RowAccount;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.RadarSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again for external writers of one database: what the server counted at one look
 * is compared at the next with what Larder has written. {@link Ledger} says how. One thread looks;
 * otherwise thread-safe.
 */
final class Radar {
  static final String SELF =
      RadarLink.NAME_PREFIX
          + String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt() & 0xffffffffL);

  /** The server keeps a kilobyte of a query's text, unless it is told otherwise. */
  private static final int MOST_CHARACTERS = 1_000;

  private static final int MOST_TABLES = 2_000;
  private static final long UNDER_WAY_NANOS = TimeUnit.MICROSECONDS.toNanos(Processes.LATER_MICROS);
  private static final int MOST_LOOKS = 10;
  private static final long SEEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final OwnRows own = new OwnRows();
  private final Host host;
  private final Set<Long> watched = ConcurrentHashMap.newKeySet();
  private final Map<Long, Watched> tables = new ConcurrentHashMap<>();
  private volatile Processes processes = Processes.NONE;

  // Touched by whoever looks only.
  private final Map<String, Long> seen = new HashMap<>();
  private final Deque<Look> looks = new ArrayDeque<>();
  private boolean idleReports;

  /** What the radar asks, and whom it tells. */
  interface Host {
    /** Returns who sees at once what this process writes: its JVM, or who shares its results. */
    String group();

    /** Returns a number that differs when tables, triggers or keys do. */
    long version();

    /** Returns the tables with writes that began before then; {@link RowAccount#ANY} for any. */
    Set<Long> underWay(long nanos);

    void found(Found found);
  }

  /**
   * What others did to a table.
   *
   * @param table the topmost of its tree
   * @param byGroup whether others are all but this process and those that share its results;
   *     otherwise all but the processes of Larder that announce themselves
   * @param rows how many rows they changed, at least
   * @param growth how many rows were changed by anybody
   * @param seconds in what time
   * @param emptied whether they emptied the table
   * @param seen the names of the applications that may have done it
   */
  record Found(
      long table,
      boolean byGroup,
      long rows,
      long growth,
      long seconds,
      boolean emptied,
      Set<String> seen) {}

  private static final class Watched {
    final Ledger everybody = new Ledger();
    final Ledger group = new Ledger();
    long counted;
    long decidedMicros;
    volatile boolean blind = true;
    final AtomicLong foreignRows = new AtomicLong();

    /** What was counted before the first look is nobody's. */
    Watched(RadarSample.Table counts, RadarSample sample) {
      this.counted = counts.changed() + counts.removed();
      this.decidedMicros = sample.endMicros();
    }
  }

  /**
   * What was seen at a look.
   *
   * @param told what others had told before
   * @param before what this process had written before
   * @param after what it had written after the answer
   */
  private record Look(
      RadarSample sample,
      Processes told,
      Map<Long, TableRows> before,
      Map<Long, TableRows> after,
      long version) {}

  Radar(Host host) {
    this.host = host;
  }

  OwnRows own() {
    return own;
  }

  /** Has a table looked at from now on, unless there are 2,000 already. */
  void watch(long table) {
    if (table != RowAccount.ANY && watched.size() < MOST_TABLES) {
      watched.add(table);
    }
  }

  /** Returns how many processes there are that do not see at once what this one writes. */
  long others() {
    return processes.othersThan(host.group());
  }

  long foreignRows(long table) {
    Watched known = tables.get(table);
    return known == null ? 0 : known.foreignRows.get();
  }

  /** Returns whether nothing could be decided about the table at the last look. */
  boolean isBlind(long table) {
    Watched known = tables.get(table);
    return known == null || known.blind;
  }

  /**
   * Looks once.
   *
   * @return false if the server refuses the question
   */
  boolean look(CatalogLoader loader) throws Exception {
    long version = host.version();
    own.look(idleReports, System.nanoTime());
    String group = host.group();
    Map<Long, TableRows> before = byTable(Set.of());
    Set<Long> asked = Set.copyOf(watched);
    RadarSample sample = loader.sample(text(group), SELF, asked);
    if (sample == null) {
      return false;
    }
    forgetGone(asked, sample);
    long now = System.nanoTime();
    // In this order: a write that has ended by now is counted by now.
    Set<Long> underWay = host.underWay(now);
    Map<Long, TableRows> after = byTable(underWay);
    idleReports = sample.idleReports();
    note(sample, now);
    Processes told = processes;
    processes = told.after(sample, SELF);
    compareNewest(group);
    looks.add(new Look(sample, told, before, after, version));
    return true;
  }

  private void forgetGone(Set<Long> asked, RadarSample sample) {
    Set<Long> gone = new HashSet<>(asked);
    sample.tables().forEach(table -> gone.remove(table.oid()));
    watched.removeAll(gone);
  }

  /** Compares the newest look that all others have told of since, and drops the older ones. */
  private void compareNewest(String group) {
    Look newest = null;
    while (!looks.isEmpty() && processes.haveToldSince(looks.getFirst().sample())) {
      newest = looks.removeFirst();
    }
    if (newest != null) {
      compare(newest, group);
    } else if (looks.size() >= MOST_LOOKS) {
      looks.removeFirst();
      tables.values().forEach(table -> table.blind = true);
    }
  }

  private String text(String group) {
    Set<Long> slow = host.underWay(System.nanoTime() - UNDER_WAY_NANOS);
    return Announcement.text(SELF, group, own.rows(slow), MOST_CHARACTERS);
  }

  /**
   * Tells others what this process has written, without looking.
   *
   * @return false if the server refuses it
   */
  boolean announce(CatalogLoader loader) throws Exception {
    return loader.sample(text(host.group()), SELF, Set.of()) != null;
  }

  private Map<Long, TableRows> byTable(Set<Long> underWay) {
    Map<Long, TableRows> rows = new HashMap<>();
    own.rows(underWay).forEach(table -> rows.put(table.table(), table));
    return rows;
  }

  private void note(RadarSample sample, long now) {
    Set<String> names = new LinkedHashSet<>(sample.others());
    if (processes.others() > 0) {
      names.removeAll(sample.own()); // The other processes' sessions, most likely.
    }
    names.forEach(name -> seen.put(name, now));
    seen.values().removeIf(nanos -> now - nanos > SEEN_NANOS);
  }

  private void compare(Look look, String group) {
    boolean forgotten = look.version() != host.version() || processes.justLeft(look.sample());
    for (RadarSample.Table counts : look.sample().tables()) {
      Watched table =
          tables.computeIfAbsent(counts.oid(), oid -> new Watched(counts, look.sample()));
      if (forgotten) {
        table.everybody.forget();
        table.group.forget();
      }
      Found all = compare(counts, look, null, table, table.everybody);
      Found some = compare(counts, look, group, table, table.group);
      table.blind = all == null || some == null;
      if (!table.blind) {
        table.counted = counts.changed() + counts.removed();
        table.decidedMicros = look.sample().endMicros();
      }
      tell(table, all);
      tell(table, some);
    }
    tables.keySet().retainAll(watched);
  }

  private void tell(Watched table, @Nullable Found found) {
    if (found != null && (found.rows() > 0 || found.emptied())) {
      if (found.byGroup()) {
        table.foreignRows.addAndGet(found.rows());
      }
      host.found(found);
    }
  }

  private @Nullable Found compare(
      RadarSample.Table counts, Look look, @Nullable String group, Watched table, Ledger ledger) {
    TableRows before = look.told().totals(counts.oid(), group, totals(look.before(), counts.oid()));
    TableRows after = processes.totals(counts.oid(), group, totals(look.after(), counts.oid()));
    if (before == null || after == null || after.underWay()) {
      return null;
    }
    Ledger.Finding finding = ledger.compare(counts, before, after);
    if (finding.blind()) {
      return null;
    }
    long micros = look.sample().endMicros() - table.decidedMicros;
    return new Found(
        counts.oid(),
        group != null,
        finding.rows(),
        Math.max(finding.rows(), counts.changed() + counts.removed() - table.counted),
        Math.max(1, TimeUnit.MICROSECONDS.toSeconds(micros)),
        finding.emptied(),
        new TreeSet<>(seen.keySet()));
  }

  private static TableRows totals(Map<Long, TableRows> rows, long table) {
    return rows.getOrDefault(table, TableRows.NONE)
        .and(rows.getOrDefault(RowAccount.ANY, TableRows.NONE));
  }
}
