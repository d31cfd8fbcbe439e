package dev.larder.watch;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the server says about changed rows and sessions, by one query. Immutable.
 *
 * @param startMicros the server's time when the query began
 * @param endMicros the server's time when it was answered, or later
 * @param idleReports whether the server reports the counts of a session that stays idle: from 15 on
 * @param tables the counts of the tables asked for
 * @param peers Larder's own connections, this one included
 * @param others the names of applications whose sessions are not of this JVM
 * @param own the names of the applications of this JVM
 */
public record RadarSample(
    long startMicros,
    long endMicros,
    boolean idleReports,
    List<Table> tables,
    List<Peer> peers,
    Set<String> others,
    Set<String> own) {
  /**
   * The counts of a table, and of all below it, since the server's statistics began.
   *
   * @param oid its object identifier
   * @param changed rows inserted and updated
   * @param removed rows deleted
   * @param blank the files whose content the server has not counted since they were made: of tables
   *     that were emptied or filled anew, but not by VACUUM FULL
   */
  public record Table(long oid, long changed, long removed, Set<Long> blank) {
    public Table {
      blank = Set.copyOf(blank);
    }
  }

  /**
   * A connection of Larder's own, of some JVM.
   *
   * @param name its application_name
   * @param text the text of its last query; null where that may not be seen
   * @param startMicros when that began, by the server's clock
   */
  public record Peer(String name, @Nullable String text, long startMicros) {}

  public RadarSample {
    tables = List.copyOf(tables);
    peers = List.copyOf(peers);
    others = Set.copyOf(others);
    own = Set.copyOf(own);
  }
}
