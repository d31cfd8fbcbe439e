package dev.larder.changefeed.coverage;

import dev.larder.sql.OwnSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A publication as the catalog has it. Immutable.
 *
 * @param name its name
 * @param mark differs once it was altered, or dropped and created again
 * @param viaRoot whether the changes of a partition count as its root's
 * @param left what it does not publish, as truncate
 */
public record Publication(String name, String mark, boolean viaRoot, List<String> left) {
  private static final String QUERY =
      OwnSql.pinned(
          """
      SELECT p.oid::text || '.' || p.xmin::text, p.pubviaroot,
             p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate
        FROM pg_publication p WHERE p.pubname = ?\
      """);

  private static final List<String> OPERATIONS = List.of("insert", "update", "delete", "truncate");

  /** Reads it; returns null if there is none of the name. */
  public static @Nullable Publication read(Connection connection, String name) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(QUERY)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? of(name, row) : null;
      }
    }
  }

  private static Publication of(String name, ResultSet row) throws SQLException {
    List<String> left = new ArrayList<>();
    for (int i = 0; i < OPERATIONS.size(); i++) {
      if (!row.getBoolean(3 + i)) {
        left.add(OPERATIONS.get(i));
      }
    }
    return new Publication(name, row.getString(1), row.getBoolean(2), List.copyOf(left));
  }

  /** Returns its name as SQL has it. */
  public String quoted() {
    return quoted(name);
  }

  /** Returns the statement that creates one. */
  public static String creation(String name, String tables) {
    return "CREATE PUBLICATION " + quoted(name) + " FOR TABLE " + tables;
  }

  static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") && name.equals(name.toLowerCase(Locale.ROOT))
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
