package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query of the proof with its parameters. Its rows are slots: line, key, version and id, one or
 * two to a row; or it is an aggregate over one table.
 *
 * @param number its place in {@link #ALL}
 * @param binds the parameters of a prepared statement, or null for a plain one
 * @param layout a letter for each slot of a row: {@code s} where the key is the slot, {@code m} for
 *     a member, after whose id its list follows, {@code h} for the head of a list, {@code r} for a
 *     row that is its own counter; empty for an aggregate
 * @param covers for each line a mask: which slots are in the result, where they exist
 * @param lines a mask of the lines that it reads
 */
public record Query(
    int number, String sql, Object @Nullable [] binds, String layout, int[] covers, int lines) {
  /** All queries of the proof. */
  public static final List<Query> ALL = Catalogue.queries();

  /** Runs the query and notes what it returns. */
  public void run(Connection connection, HistoryLog log, boolean control) throws SQLException {
    String text = control ? "/* larder:off */ " + sql : sql;
    Object[] values = binds;
    if (values == null) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(text)) {
        note(rows, log);
      }
    } else {
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        for (int i = 0; i < values.length; i++) {
          bind(statement, i + 1, values[i]);
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

  /** Applications give one number in many types. */
  private void bind(PreparedStatement statement, int index, Object value) throws SQLException {
    if (!(value instanceof Integer number)) {
      statement.setString(index, (String) value);
    } else if (number() % 5 == 0) {
      statement.setLong(index, number);
    } else if (number() % 5 == 1) {
      statement.setObject(index, number);
    } else {
      statement.setInt(index, number);
    }
  }

  private void note(ResultSet rows, HistoryLog log) throws SQLException {
    for (int line = 0; line < covers.length; line++) {
      if (covers[line] != 0) {
        log.covers(line, covers[line]);
      }
    }
    while (rows.next()) {
      if (layout.isEmpty()) {
        noteSums(rows, log);
      }
      int column = 1;
      for (int i = 0; i < layout.length(); i++) {
        char kind = layout.charAt(i);
        int key = rows.getInt(column + 1);
        if (!rows.wasNull()) { // Else a LEFT JOIN has found nothing.
          int slot =
              switch (kind) {
                case 'm' -> Line.member(key, rows.getInt(column + 4));
                case 'h' -> Line.head(key);
                case 'r' -> 0;
                default -> key;
              };
          log.observe(
              rows.getInt(column), slot, rows.getLong(column + 2), rows.getLong(column + 3));
        }
        column += kind == 'm' ? 5 : 4;
      }
    }
  }

  /** Returns how many slots a row holds; 0 for an aggregate. */
  public int slots() {
    return layout.length();
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

  /** Returns whether it reads rows that are told apart by keys alone. */
  boolean isKeyed() {
    return lines >> Line.LISTED.ordinal() != 0;
  }

  /** Returns whether its rows may be among what a transaction has written. */
  boolean meets(Change change) {
    for (int l = 0; l < Line.count(); l++) {
      Line line = Line.of(l);
      boolean any = slots() != 1 || covers[l] == 0; // It does not say which rows it joins.
      if (reads(l) && change.has(line) && (any || change.has(line, covers[l]))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    Object[] values = binds;
    return values == null ? sql : sql + " with " + Arrays.toString(values);
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
      catalogue.members();
      catalogue.lists();
      catalogue.heads();
      catalogue.hot();
      return List.copyOf(catalogue.queries);
    }

    private void add(String sql, int @Nullable [] binds, int slots, int[] covers, int lines) {
      Object[] values = binds == null ? null : Arrays.stream(binds).boxed().toArray();
      add(sql, values, "s".repeat(slots), covers, lines);
    }

    private void add(
        String sql, Object @Nullable [] binds, String layout, int[] covers, int lines) {
      queries.add(new Query(queries.size(), sql, binds, layout, covers, lines));
    }

    /** Adds a query of members and heads, once with parameters and once with literals. */
    private void listed(String layout, int covered, String sql, Object... binds) {
      int lines = 1 << Line.LISTED.ordinal();
      int[] covers = covers(Line.LISTED, covered);
      add(sql, binds, layout, covers, lines);
      String text = sql;
      for (Object bind : binds) {
        String literal = bind instanceof String ? "'" + bind + "'" : bind.toString();
        text = text.replaceFirst("\\?", literal);
      }
      add(text, null, layout, covers, lines);
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

    private static final String MEMBER = Line.LISTED.ordinal() + ", m.k, m.n, m.w, m.list";
    private static final String HEAD = Line.LISTED.ordinal() + ", h.k, h.n, h.w";
    private static final String ONE = "SELECT " + MEMBER + " FROM member m WHERE ";
    private static final String WITH_HEAD = "SELECT " + MEMBER + ", " + HEAD + " FROM member m ";
    private static final String ALONG = "JOIN head h ON h.k = m.list WHERE ";

    /** Single members by each of their keys, some of them, and all. */
    private void members() {
      for (int k = 1; k < Line.SLOTS; k++) {
        int anywhere = Line.memberAnywhere(k);
        listed("m", anywhere, ONE + "m.k = ?", k);
        listed("m", anywhere, ONE + "m.code = ?", "c" + k);
        int list = k % Line.LISTS;
        listed("m", 1 << Line.member(k, list), ONE + "m.k = ? AND m.list = ?", k, list);
      }
      int several = Line.memberAnywhere(1) | Line.memberAnywhere(2) | Line.memberAnywhere(3);
      listed("m", several, ONE + "m.k IN (?, ?, ?)", 1, 2, 3);
      listed("m", several, ONE + "m.k = ? OR m.k = ? OR m.code = ? AND m.k = 3", 1, 2, "c3");
      int all = Line.membersOf(0) | Line.membersOf(1) | Line.membersOf(2);
      listed("m", all, ONE + "m.k IS NOT NULL");
      listed("m", all, ONE + "m.list >= ? ORDER BY m.k", 0);
    }

    /** Lists whose rows the result shows, and lists that tell nothing but their own column. */
    private void lists() {
      for (int list = 0; list < Line.LISTS; list++) {
        int members = Line.membersOf(list);
        listed("m", members, ONE + "m.list = ?", list);
        listed("m", members, ONE + "m.list = ? ORDER BY m.k DESC", list);
        listed("m", members, ONE + "m.list = ? ORDER BY m.k LIMIT 20", list);
        listed("m", members, ONE.replace("SELECT", "SELECT DISTINCT") + "m.list = ?", list);
        listed("m", members, ONE + "m.list = ? AND m.n > 0", list);
      }
      listed("m", Line.membersOf(0) | Line.membersOf(2), ONE + "m.list IN (?, ?)", 0, 2);
    }

    /** Heads, and joins along the foreign key from either side. */
    private void heads() {
      String from = "SELECT " + HEAD + ", " + MEMBER + " FROM head h ";
      for (int list = 0; list < Line.LISTS; list++) {
        int head = 1 << Line.head(list);
        int members = Line.membersOf(list);
        listed("h", head, "SELECT " + HEAD + " FROM head h WHERE h.k = ?", list);
        listed("hm", members, from + "JOIN member m ON m.list = h.k WHERE h.k = ?", list);
        String left = from + "LEFT JOIN member m ON m.list = h.k WHERE h.k = ?";
        listed("hm", head | members, left, list);
        listed("mh", members, WITH_HEAD + ALONG + "m.list = ?", list);
      }
      for (int k = 1; k < Line.SLOTS; k++) {
        int anywhere = Line.memberAnywhere(k);
        listed("mh", anywhere, WITH_HEAD + ALONG + "m.k = ?", k);
        listed("mh", anywhere, WITH_HEAD + "LEFT " + ALONG + "m.k = ?", k);
        listed("mh", anywhere, WITH_HEAD + ALONG + "m.code = ?", "c" + k);
      }
      int several = Line.memberAnywhere(4) | Line.memberAnywhere(6);
      listed("mh", several, WITH_HEAD + ALONG + "m.k IN (?, ?)", 4, 6);
      String others = ", " + MEMBER.replace("m.", "o.") + " FROM member m JOIN member o";
      listed("mm", 0, "SELECT " + MEMBER + others + " ON o.list = m.list WHERE m.k = ?", 5);
    }

    /** Rows that are their own counters, one by one and together. */
    private void hot() {
      int[] all = new int[Line.count()];
      int lines = 0;
      String some = "SELECT line, k, n, w FROM hot WHERE ";
      for (int l = Line.HOT_1.ordinal(); l < Line.count(); l++) {
        int key = Line.of(l).counter();
        add(some + "k = ?", new Object[] {key}, "r", covers(Line.of(l), 1), 1 << l);
        add(some + "k = " + key, null, "r", covers(Line.of(l), 1), 1 << l);
        all[l] = 1;
        lines |= 1 << l;
      }
      add(some + "pair = ?", new Object[] {1}, "r", all, lines);
      add(some + "pair = 1 ORDER BY k LIMIT 9", null, "r", all, lines);
      add(some + "k IN (1, 2, 3)", null, "r", all, lines);
      add(some + "k > 0", null, "r", all, lines);
      String next = "SELECT a.line, a.k, a.n, a.w, b.line, b.k, b.n, b.w, a.next FROM hot a ";
      int[] none = new int[Line.count()];
      add(next + "LEFT JOIN hot b ON b.k = a.next WHERE a.k = 1", null, "rr", none, lines);
    }
  }
}
