package dev.larder.jdbc.proof.suite;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an application sees of a statement, a line each: {@code columns}, {@code row}, {@code
 * count}, {@code copied}, {@code warning}, {@code error}.
 *
 * @param cells the values of the last result, row by row, for {@code \gset} and {@code \gexec}
 * @param labels the names of its columns
 */
record Answer(List<String> lines, List<List<@Nullable String>> cells, List<String> labels) {
  private static final int MAX_RESULTS = 100;
  private static final List<String> KINDS =
      List.of("error", "columns", "row", "count", "copied", "warning");

  Answer() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  /** Returns what comes of {@code statement}, which is being executed. */
  void results(Statement statement, boolean first) throws SQLException {
    boolean rows = first;
    for (int i = 0; i < MAX_RESULTS; i++) {
      if (rows) {
        try (ResultSet result = statement.getResultSet()) {
          result(result);
        }
      } else if (statement.getUpdateCount() >= 0) {
        lines.add("count " + statement.getUpdateCount());
      } else {
        break;
      }
      rows = statement.getMoreResults();
    }
    warnings(statement.getWarnings());
  }

  private void result(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    int count = columns.getColumnCount();
    labels.clear();
    cells.clear();
    List<String> types = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      labels.add(columns.getColumnLabel(i));
      types.add(columns.getColumnLabel(i) + ':' + columns.getColumnTypeName(i));
    }
    lines.add("columns " + types);
    while (result.next()) {
      @Nullable String[] row = new @Nullable String[count];
      for (int i = 1; i <= count; i++) {
        row[i - 1] = result.getString(i);
      }
      cells.add(Arrays.asList(row));
      lines.add("row " + Arrays.toString(row));
    }
    warnings(result.getWarnings());
  }

  private void warnings(@Nullable SQLWarning first) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      lines.add("warning " + warning.getSQLState() + ' ' + warning.getMessage());
    }
  }

  void error(SQLException error) {
    lines.add("error " + error.getSQLState() + ' ' + error.getMessage());
  }

  boolean failed() {
    return lines.stream().anyMatch(line -> line.startsWith("error "));
  }

  /** Returns whether the rows are the same, in whatever order. */
  boolean sameInAnyOrder(Answer other) {
    return sorted(lines).equals(sorted(other.lines));
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  /** Returns in which way it is not the same as {@code other}, or null. */
  @Nullable String difference(Answer other) {
    if (lines.equals(other.lines)) {
      return null;
    }
    if (sameInAnyOrder(other)) {
      return "order";
    }
    return KINDS.stream()
        .filter(kind -> !of(kind).equals(other.of(kind)))
        .findFirst()
        .orElse("order");
  }

  private List<String> of(String kind) {
    return lines.stream().filter(line -> line.startsWith(kind + ' ')).toList();
  }

  /** Returns its beginning, for a report. */
  String beginning() {
    String all = String.join(" | ", lines.subList(0, Math.min(6, lines.size())));
    return all.length() > 600 ? all.substring(0, 600) + "…" : all;
  }
}
