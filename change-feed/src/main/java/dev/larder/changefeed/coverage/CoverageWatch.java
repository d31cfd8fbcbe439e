package dev.larder.changefeed.coverage;

import dev.larder.changefeed.coverage.CoverageRules.Decided;
import dev.larder.changefeed.coverage.CoverageRules.Mark;
import dev.larder.feed.Coverage;
import dev.larder.feed.Coverage.Gap;
import dev.larder.feed.ServerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches which tables the log tells of, over one life of a slot.
 *
 * <p>A transaction may have written a table before that came into the publication, and commit after
 * it: the log does not tell of that. So a table that has come is covered once every transaction has
 * ended that has begun before. A table that was taken out and put in again counts as one that has
 * come.
 *
 * <p>Used by one thread at a time.
 */
public final class CoverageWatch {
  private final String name;
  private final int version;
  private Map<String, Mark> confirmed = new HashMap<>();
  private Decided decided = new Decided(Map.of(), Map.of());
  private final Map<String, Coming> coming = new HashMap<>();
  private final Set<String> rewritten = new HashSet<>();

  /** A table that has come into the publication. */
  private static final class Coming {
    private final Mark mark;

    /** What began later was logged as a whole; 0 until it is known. */
    private long horizon;

    Coming(Mark mark) {
      this.mark = mark;
    }
  }

  /**
   * Creates what has not looked yet.
   *
   * @param name of the publication
   * @param version of the server, as 170004
   */
  public CoverageWatch(String name, int version) {
    this.name = name;
    this.version = version;
  }

  /** Looks before the slot is made, which itself waits for older transactions. */
  public boolean begin(Connection connection) throws SQLException {
    boolean found = look(connection);
    confirmed = new HashMap<>(decided.marks());
    coming.clear();
    rewritten.clear();
    return found;
  }

  /**
   * Looks again.
   *
   * @return whether there is a publication of the name
   */
  public boolean look(Connection connection) throws SQLException {
    Publication publication = Publication.read(connection, name);
    if (publication == null) {
      confirmed.clear();
      coming.clear();
      return false;
    }
    decided = CoverageRules.decide(publication, PublishedTables.read(connection, name, version));
    compare(decided.marks());
    return true;
  }

  private void compare(Map<String, Mark> marks) {
    confirmed.keySet().removeIf(table -> !isSame(confirmed.get(table), marks.get(table)));
    coming.entrySet().removeIf(each -> !isSame(each.getValue().mark, marks.get(each.getKey())));
    marks.forEach(
        (table, mark) -> {
          Mark before = confirmed.get(table);
          if (before == null) {
            coming.computeIfAbsent(table, key -> new Coming(mark));
          } else if (!before.equals(mark)) {
            // Nobody else was writing it then, so that there is nothing to wait for.
            confirmed.put(table, mark);
            rewritten.add(table);
          }
        });
  }

  private static boolean isSame(@Nullable Mark one, @Nullable Mark other) {
    return one != null && other != null && one.entries().equals(other.entries());
  }

  /** Returns the tables that may have been unlogged for a time, since this was asked last. */
  public Set<String> rewritten() {
    Set<String> tables = Set.copyOf(rewritten);
    rewritten.clear();
    return tables;
  }

  /** Returns whether a snapshot is of use. */
  public boolean isWaiting() {
    return !coming.isEmpty();
  }

  /** Returns whether {@link #settles} is waited for. */
  public boolean needsHorizon() {
    return coming.values().stream().anyMatch(table -> table.horizon == 0);
  }

  /** Says which transaction, with its epoch, has begun after the last look; itself it has ended. */
  public void settles(long horizon) {
    coming.values().stream()
        .filter(table -> table.horizon == 0)
        .forEach(table -> table.horizon = horizon);
  }

  /** Takes a snapshot. */
  public void seen(ServerSnapshot snapshot) {
    coming
        .entrySet()
        .removeIf(
            each -> {
              Coming table = each.getValue();
              boolean covered = table.horizon != 0 && snapshot.hasEndedBefore(table.horizon);
              if (covered) {
                confirmed.put(each.getKey(), table.mark);
              }
              return covered;
            });
  }

  /**
   * Returns what is covered. To be passed on after each look and each snapshot: a table that was
   * not covered for a time is in none that was made meanwhile.
   */
  public Coverage coverage() {
    Map<String, Gap> gaps = new TreeMap<>(decided.gaps());
    coming.forEach(
        (table, each) ->
            gaps.put(
                table,
                new Gap(
                    "transactions that began before it came into the publication are still open",
                    "")));
    return new Coverage(confirmed.keySet(), gaps);
  }
}
