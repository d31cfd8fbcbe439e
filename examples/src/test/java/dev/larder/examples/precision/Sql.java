package dev.larder.examples.precision;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of the corpus.
 *
 * @param name whose it is and what it does
 * @param text the text, as the library sends it
 * @param binds the bind values
 */
record Sql(String name, String text, List<Object> binds) {
  static Sql of(String name, String text, Object... binds) {
    return new Sql(name, text, List.of(binds));
  }

  /** Runs it; returns its rows, if any, as text. */
  List<String> run(Connection connection) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (int i = 0; i < binds.size(); i++) {
        Object bind = binds.get(i);
        if (bind instanceof Integer[] numbers) {
          statement.setArray(i + 1, connection.createArrayOf("int4", numbers));
        } else {
          statement.setObject(i + 1, bind);
        }
      }
      if (statement.execute()) {
        try (ResultSet result = statement.getResultSet()) {
          int columns = result.getMetaData().getColumnCount();
          while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
              row.add(String.valueOf(result.getString(i)));
            }
            rows.add(String.join(",", row));
          }
        }
      }
    }
    return rows;
  }
}
