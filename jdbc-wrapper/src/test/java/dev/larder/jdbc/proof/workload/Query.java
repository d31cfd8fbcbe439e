package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.HistoryLog;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query of the proof with its parameters. Its rows are slots: line, key, version and id, one or
 * two to a row; or it is an aggregate over one table.
 *
 * @param number its place in {@link #ALL}
 * @param binds the parameters of a prepared statement, or null for a plain one
 * @param slots how many slots a row holds; 0 for an aggregate
 * @param covers for each line a mask: which slots are in the result, where they exist
 * @param lines a mask of the lines that it reads
 */
public record Query(
    int number, String sql, int @Nullable [] binds, int slots, int[] covers, int lines) {
  /** All queries of the proof. */
  public static final List<Query> ALL = Catalogue.queries();

  /** Runs the query and notes what it returns. */
  public void run(Connection connection, HistoryLog log, boolean control) throws SQLException {
    String text = control ? "/* larder:off */ " + sql : sql;
    int[] values = binds;
    if (values == null) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(text)) {
        note(rows, log);
      }
    } else {
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        for (int i = 0; i < values.length; i++) {
          statement.setInt(i + 1, values[i]);
        }
        // The other way to a result, which frameworks go.
        if ((number & 1) == 0) {
          statement.execute();
          try (ResultSet rows = statement.getResultSet()) {
            note(rows, log);
          }
        } else {
          try (ResultSet rows = statement.executeQuery()) {
            note(rows, log);
          }
        }
      }
    }
  }

  private void note(ResultSet rows, HistoryLog log) throws SQLException {
    for (int line = 0; line < covers.length; line++) {
      if (covers[line] != 0) {
        log.covers(line, covers[line]);
      }
    }
    while (rows.next()) {
      if (slots == 0) {
        noteSums(rows, log);
      }
      for (int i = 0; i < slots; i++) {
        int column = 4 * i;
        log.observe(
            rows.getInt(column + 1),
            rows.getInt(column + 2),
            rows.getLong(column + 3),
            rows.getLong(column + 4));
      }
    }
  }

  private static void noteSums(ResultSet rows, HistoryLog log) throws SQLException {
    int line = rows.getInt(1);
    long count = rows.getLong(2);
    if (count > 0) { // A table that was emptied by TRUNCATE looks so to older snapshots.
      log.observe(line, HistoryLog.MAXIMUM, rows.getLong(3), rows.getLong(5));
      log.observe(line, HistoryLog.TOTAL, count, rows.getLong(4));
    }
  }

  /** Returns whether it reads the line. */
  boolean reads(int line) {
    return (lines & 1 << line) != 0;
  }

  @Override
  public String toString() {
    int[] values = binds;
    return values == null ? sql : sql + " with " + java.util.Arrays.toString(values);
  }

  /** What is queried: tables, views and partitions, by point, range, join, set and sum. */
  private static final class Catalogue {
    private final List<Query> queries = new ArrayList<>();

    private record Relation(Line line, String name, int slots, boolean whole, String rows) {
      static Relation of(Line line, String name) {
        return new Relation(line, name, Line.ALL_SLOTS, true, name);
      }

      static Relation partition(String name) {
        return new Relation(Line.PART, name, Line.ALL_SLOTS, false, name);
      }
    }

    private static final List<Relation> RELATIONS =
        List.of(
            Relation.of(Line.ITEM, "item"),
            Relation.of(Line.ITEM, "item_view"),
            Relation.of(Line.ITEM, "item_deep"),
            Relation.of(Line.PART, "part"),
            Relation.partition("part_0"),
            Relation.partition("part_1"),
            Relation.partition("part_1_high"),
            Relation.of(Line.PARENT, "parent"),
            Relation.of(Line.PARENT, "child"),
            Relation.of(Line.PARENT, "orphan"),
            Relation.of(Line.SOURCE, "source"),
            Relation.of(Line.SOURCE, "mirror"),
            new Relation(Line.CHOICE, "choice_version", 1, true, ""),
            new Relation(Line.TAP, "tap", 1, true, ""),
            new Relation(Line.TAP, "tapped", 2, true, ""));

    static List<Query> queries() {
      Catalogue catalogue = new Catalogue();
      RELATIONS.forEach(catalogue::points);
      RELATIONS.forEach(catalogue::ranges);
      catalogue.joins();
      catalogue.sets();
      return List.copyOf(catalogue.queries);
    }

    private void add(String sql, int @Nullable [] binds, int slots, int[] covers, int lines) {
      queries.add(new Query(queries.size(), sql, binds, slots, covers, lines));
    }

    private static int[] covers(Line line, int slots) {
      int[] covers = new int[Line.count()];
      covers[line.ordinal()] = slots;
      return covers;
    }

    private static String select(Line line, String relation) {
      return "SELECT " + line.ordinal() + " AS line, k, n, w FROM " + relation;
    }

    private void points(Relation relation) {
      Line line = relation.line();
      int lines = 1 << line.ordinal();
      String sql = select(line, relation.name()) + " WHERE k = ";
      for (int k = 0; k < Line.SLOTS; k++) {
        if ((relation.slots() & 1 << k) != 0) {
          int[] covers = covers(line, relation.whole() ? 1 << k : 0);
          if (k % 3 != 1) {
            add(sql + '?', new int[] {k}, 1, covers, lines);
          }
          if (k % 3 != 2) {
            add(sql + k, null, 1, covers, lines);
          }
        }
      }
    }

    private void ranges(Relation relation) {
      Line line = relation.line();
      int lines = 1 << line.ordinal();
      int all = relation.whole() ? relation.slots() : 0;
      String sql = select(line, relation.name()) + " WHERE k ";
      add(sql + "IS NOT NULL ORDER BY k", null, 1, covers(line, all), lines);
      add(sql + "IS NOT NULL", new int[0], 1, covers(line, all), lines);
      if (relation.slots() == Line.ALL_SLOTS) {
        add(sql + "BETWEEN ? AND ?", new int[] {2, 5}, 1, covers(line, all & 0b111100), lines);
        add(sql + "IN (0, 6, 7)", null, 1, covers(line, all & 0b11000001), lines);
      }
      if (relation.slots() == Line.ALL_SLOTS && relation.whole()) {
        String sums = ", count(k), max(n), sum(n), sum(w) FROM " + relation.name();
        add("SELECT " + line.ordinal() + sums, null, 0, new int[Line.count()], lines);
        add("SELECT " + line.ordinal() + sums, new int[0], 0, new int[Line.count()], lines);
      }
    }

    private void joins() {
      Relation[] whole =
          RELATIONS.stream()
              .filter(r -> r.whole() && r.slots() == Line.ALL_SLOTS)
              .toArray(Relation[]::new);
      for (int i = 0; i < whole.length; i++) {
        Relation left = whole[i];
        Relation right = whole[(i + 2) % whole.length];
        String sql =
            String.format(
                "SELECT %d, a.k, a.n, a.w, %d, b.k, b.n, b.w FROM %s a JOIN %s b ON a.k = b.k",
                left.line().ordinal(), right.line().ordinal(), left.name(), right.name());
        int lines = 1 << left.line().ordinal() | 1 << right.line().ordinal();
        add(sql + " WHERE a.k = ?", new int[] {0}, 2, new int[Line.count()], lines);
        add(sql + " WHERE a.k = ?", new int[] {i % 7 + 1}, 2, new int[Line.count()], lines);
        add(sql + " ORDER BY a.k", null, 2, new int[Line.count()], lines);
      }
    }

    private void sets() {
      int all = Line.ALL_SLOTS;
      int[] three = new int[Line.count()];
      three[Line.ITEM.ordinal()] = all;
      three[Line.PARENT.ordinal()] = all;
      three[Line.SOURCE.ordinal()] = all;
      String union =
          String.join(
              " UNION ALL ",
              select(Line.ITEM, "item"),
              select(Line.PARENT, "child"),
              select(Line.SOURCE, "mirror"));
      add(union, null, 1, three, 0b1101);
      add(union + " ORDER BY 1, 2", new int[0], 1, three, 0b1101);
      int[] two = new int[Line.count()];
      two[Line.ITEM.ordinal()] = 0b1111;
      two[Line.PART.ordinal()] = 0b1111;
      add(
          "WITH a AS (SELECT k, n, w FROM item_deep WHERE k < 4), b AS (SELECT k, n, w FROM part"
              + " WHERE k < ?) SELECT 0, k, n, w FROM a UNION ALL SELECT 1, k, n, w FROM b",
          new int[] {4},
          1,
          two,
          0b11);
      String exists =
          " c WHERE EXISTS (SELECT 1 FROM parent p WHERE p.k = c.k AND p.n = c.n) ORDER BY c.k";
      add(select(Line.PARENT, "child") + exists, null, 1, covers(Line.PARENT, all), 0b100);
      add(
          "SELECT 5, t.k, t.n, t.w, 5, d.k, d.n, d.w FROM tap t, tapped d",
          null,
          2,
          new int[Line.count()],
          0b100000);
      String choice = "SELECT line, k, n, w FROM choice";
      for (int i = 0; i < 3; i++) {
        int[] binds = i == 0 ? null : new int[0];
        add(choice + (i == 2 ? " ORDER BY 1" : ""), binds, 1, covers(Line.CHOICE, 1), 0b10011);
      }
    }
  }
}
