package dev.larder.jdbc.catalog;

import dev.larder.sql.OwnSql;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.DatabaseControls.Row;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what operators have set in the database: the settings of {@code ALTER DATABASE} and the
 * rows of {@code public.larder_control}. Reading rows must run nothing that somebody else has
 * written, and nobody may hold up Larder by a table of their own: whose table it is, and whether it
 * is a plain one, is looked at before it is locked and, as it stays so from then on, once more
 * after that. Where nobody knows what the rows say, they switch everything off. Used by one thread
 * at a time.
 */
final class ControlTable {
  /** What is set for everybody in this database, the more special last; and the table, if any. */
  private static final String SETTINGS =
      OwnSql.pinned(
          "SELECT split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), setdatabase"
              + " FROM pg_db_role_setting, unnest(setconfig) setting"
              + " WHERE setrole = 0 AND setting ~~ 'larder.%' AND (setdatabase = 0 OR setdatabase ="
              + " (SELECT oid FROM pg_database WHERE datname = current_database()))"
              + " UNION ALL SELECT NULL, NULL, 0 FROM pg_class c JOIN pg_namespace n"
              + " ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relname = 'larder_control'"
              + " ORDER BY 3");

  /** Whoever holds the table must not hold up what else is asked on the connection. */
  private static final String LOCK =
      "SET LOCAL lock_timeout = '500ms'; LOCK TABLE public.larder_control IN ACCESS SHARE MODE";

  private static final String FAULT =
      OwnSql.pinned(
          "SELECT CASE WHEN c.relkind <> 'r' OR c.relrowsecurity"
              + " THEN 'it must be a plain table without row-level security'"
              + " WHEN NOT (r.rolsuper OR r.rolname = current_user OR r.rolname = session_user"
              + " OR c.relowner = (SELECT datdba FROM pg_database WHERE datname = current_database()))"
              + " THEN 'its owner must be a superuser, the owner of the database, or Larder''s user'"
              + " WHEN (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid"
              + " AND a.attname = ANY ('{scope,name,setting,value}')"
              + " AND a.atttypid = ANY ('{25,1043}') AND a.attgenerated = '') <> 4"
              + " THEN 'it must have the columns scope, name, setting and value, of type text' END"
              + " FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner"
              + " WHERE c.oid = 'public.larder_control'::regclass");

  private static final String ROWS =
      "SELECT scope, name, setting, value FROM ONLY public.larder_control"
          + " ORDER BY scope, name, setting, value LIMIT 1001";

  private static final int MOST_ROWS = 1_000;

  private static final Row EVERYTHING_OFF = new Row("all", null, "enabled", "off");

  /** Null before the table was read. */
  private @Nullable List<Row> last;

  /** Returns what is set; the rows that were read last where they cannot be read just now. */
  DatabaseControls read(Statement statement) throws SQLException {
    Map<String, String> settings = new HashMap<>();
    boolean present = false;
    try (ResultSet row = statement.executeQuery(SETTINGS)) {
      while (row.next()) {
        String name = row.getString(1);
        if (name == null) {
          present = true;
        } else {
          settings.put(name, row.getString(2));
        }
      }
    }
    if (!present) {
      return controls(settings, List.of(), null);
    }
    try {
      return readRows(statement, settings);
    } catch (SQLException e) {
      String state = e.getSQLState();
      if (state == null || !(state.startsWith("42") || state.startsWith("55"))) {
        throw e;
      }
      statement.getConnection().rollback();
      return new DatabaseControls(
          settings, unread(state), "it cannot be read just now, SQLState " + state);
    }
  }

  /** Returns what is to hold while the table cannot be read. */
  private List<Row> unread(String state) {
    if (last != null) {
      return last;
    }
    return state.startsWith("55") ? List.of(EVERYTHING_OFF) : List.of();
  }

  private DatabaseControls controls(
      Map<String, String> settings, List<Row> rows, @Nullable String fault) {
    last = List.copyOf(rows);
    return new DatabaseControls(settings, rows, fault);
  }

  /** Returns why the table is not believed, or null. Takes no lock. */
  private static @Nullable String fault(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(FAULT)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  private DatabaseControls readRows(Statement statement, Map<String, String> settings)
      throws SQLException {
    String fault = fault(statement);
    if (fault == null) {
      statement.execute(LOCK);
      fault = fault(statement);
    }
    if (fault != null) {
      return controls(settings, List.of(), fault);
    }
    List<Row> rows = new ArrayList<>();
    RowRecords.read(statement, ROWS, Row.class, (row, values) -> rows.add(row));
    if (rows.size() > MOST_ROWS) {
      rows.add(0, EVERYTHING_OFF);
      return controls(settings, rows, "it has more than 1,000 rows; until it has less, all is off");
    }
    return controls(settings, rows, null);
  }
}
