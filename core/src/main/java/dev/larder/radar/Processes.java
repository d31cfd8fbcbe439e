package dev.larder.radar;

import dev.larder.store.RowAccount;
import dev.larder.watch.RadarSample;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the other processes of Larder on one database had told by one moment. The last word of one
 * that is gone is kept: its rows stay counted. Immutable.
 */
final class Processes {
  /** How long nothing is decided after one has gone, whose sessions may still report. */
  private static final long GONE_MICROS = TimeUnit.SECONDS.toMicros(30);

  /** How much later than the counts a text must be; what takes longer is said to be under way. */
  static final long LATER_MICROS = TimeUnit.MILLISECONDS.toMicros(300);

  static final Processes NONE = new Processes(Map.of(), Set.of(), Long.MIN_VALUE);

  private record Told(Announcement announcement, long startMicros) {}

  private final Map<String, Told> told;
  private final Set<String> present;
  private final long goneMicros;

  private Processes(Map<String, Told> told, Set<String> present, long goneMicros) {
    this.told = told;
    this.present = present;
    this.goneMicros = goneMicros;
  }

  /** Returns what is known after {@code sample}, of others than {@code self}. */
  Processes after(RadarSample sample, String self) {
    Map<String, Told> next = new HashMap<>(told);
    Set<String> here = new HashSet<>();
    for (RadarSample.Peer process : sample.peers()) {
      if (!process.name().equals(self)) {
        here.add(process.name());
        Announcement announcement = Announcement.parse(process.text());
        if (announcement != null && announcement.process().equals(process.name())) {
          next.put(process.name(), new Told(announcement, process.startMicros()));
        }
      }
    }
    boolean left = !here.containsAll(present);
    return new Processes(next, here, left ? sample.endMicros() : goneMicros);
  }

  int others() {
    return present.size();
  }

  /** Returns how many there are that are not known to be of {@code group}. */
  long othersThan(String group) {
    return present.stream()
        .map(told::get)
        .filter(process -> process == null || !process.announcement().group().equals(group))
        .count();
  }

  /** Returns whether one was there shortly before {@code sample} and is gone. */
  boolean justLeft(RadarSample sample) {
    return goneMicros != Long.MIN_VALUE && sample.startMicros() - goneMicros < GONE_MICROS;
  }

  /** Returns whether all that are there have told something since {@code sample}. */
  boolean haveToldSince(RadarSample sample) {
    for (String process : present) {
      Told last = told.get(process);
      if (last == null || last.startMicros() < sample.endMicros() + LATER_MICROS) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns what they have written of a table, and {@code own}; null where one does not tell.
   *
   * @param group who counts; null for everybody
   */
  @Nullable TableRows totals(long table, @Nullable String group, TableRows own) {
    TableRows totals = own;
    for (Map.Entry<String, Told> process : told.entrySet()) {
      Announcement announcement = process.getValue().announcement();
      if (group == null || group.equals(announcement.group())) {
        TableRows rows = announcement.of(table);
        TableRows any = announcement.of(RowAccount.ANY);
        if (rows == null || any == null) {
          return null;
        }
        TableRows both = rows.and(any);
        totals = totals.and(present.contains(process.getKey()) ? both : both.ended());
      }
    }
    return totals;
  }
}
