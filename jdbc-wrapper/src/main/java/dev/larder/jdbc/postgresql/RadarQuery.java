package dev.larder.jdbc.postgresql;

import dev.larder.radar.RadarLink;
import dev.larder.watch.RadarSample;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The radar's query: the server's counts of rows, and who is there. Of sessions nothing is read but
 * names and, of Larder's own connections, the text. Stateless.
 */
final class RadarQuery {
  private static final String MICROS = "(pg_catalog.date_part('epoch', %s) * 1000000)::int8";

  /** The sessions first: what they have told is older than the counts. */
  private static final String SQL =
      "WITH RECURSIVE tree(root, oid) AS (SELECT oid, oid FROM pg_catalog.pg_class"
          + " WHERE oid = ANY ('{%s}'::oid[]) UNION SELECT t.root, i.inhrelid FROM tree t"
          + " JOIN pg_catalog.pg_inherits i ON i.inhparent = t.oid)"
          + " SELECT 'n' AS kind, "
          + MICROS.formatted("pg_catalog.statement_timestamp()")
          + " AS a, pg_catalog.current_setting('server_version_num')::int8 AS b, 0::int8 AS c,"
          + " NULL::text AS name, NULL::text AS text"
          + " UNION ALL SELECT 's', pid, "
          + MICROS.formatted("query_start")
          + ", 0, application_name, CASE WHEN application_name LIKE '"
          + RadarLink.NAME_PREFIX
          + "%%' THEN query END FROM pg_catalog.pg_stat_get_activity(NULL) WHERE datid ="
          + " (SELECT oid FROM pg_catalog.pg_database"
          + " WHERE datname = pg_catalog.current_database()) AND backend_type = 'client backend'"
          + " UNION ALL SELECT 't', root::int8,"
          + " sum(pg_catalog.pg_stat_get_tuples_inserted(c.oid)"
          + " + pg_catalog.pg_stat_get_tuples_updated(c.oid))::int8,"
          + " sum(pg_catalog.pg_stat_get_tuples_deleted(c.oid))::int8, NULL,"
          // Of a new file no pages and rows are known; VACUUM FULL and CLUSTER leave their counts.
          // Before 14 what was not counted is 0, as what is not there. A table's first file has its
          // number: it was never emptied, and may have been made since the catalog was read.
          + " pg_catalog.string_agg(c.relfilenode::text, ' ') FILTER (WHERE c.relkind IN ('r', 'm')"
          + " AND c.relfilenode <> c.oid AND c.relpages = 0 AND c.reltuples <="
          + " CASE WHEN pg_catalog.current_setting('server_version_num')::int8 < 140000"
          + " THEN 0 ELSE -1 END)"
          + " FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.oid GROUP BY root";

  private RadarQuery() {}

  static RadarSample ask(
      Connection connection,
      String announcement,
      String name,
      Collection<Long> tables,
      IntPredicate ownProcess)
      throws SQLException {
    if (!name.equals(connection.getClientInfo("ApplicationName"))) {
      connection.setClientInfo("ApplicationName", name);
    }
    String oids = tables.stream().map(String::valueOf).collect(Collectors.joining(","));
    long began = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(announcement + SQL.formatted(oids))) {
      return read(row, began, ownProcess);
    }
  }

  private static RadarSample read(ResultSet row, long began, IntPredicate ownProcess)
      throws SQLException {
    long tookMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    long startMicros = 0;
    boolean idleReports = false;
    List<RadarSample.Table> tables = new ArrayList<>();
    List<RadarSample.Peer> processes = new ArrayList<>();
    Set<String> others = new HashSet<>();
    Set<String> own = new HashSet<>();
    while (row.next()) {
      switch (row.getString("kind")) {
        case "n" -> {
          startMicros = row.getLong("a");
          idleReports = row.getLong("b") >= 150_000;
        }
        case "t" ->
            tables.add(
                new RadarSample.Table(
                    row.getLong("a"),
                    row.getLong("b"),
                    row.getLong("c"),
                    files(row.getString("text"))));
        default -> {
          String application = row.getString("name") == null ? "" : row.getString("name");
          if (application.startsWith(RadarLink.NAME_PREFIX)) {
            processes.add(
                new RadarSample.Peer(application, row.getString("text"), row.getLong("b")));
          } else {
            (ownProcess.test(row.getInt("a")) ? own : others).add(application);
          }
        }
      }
    }
    return new RadarSample(
        startMicros, startMicros + tookMicros, idleReports, tables, processes, others, own);
  }

  private static Set<Long> files(@Nullable String text) {
    return text == null
        ? Set.of()
        : Arrays.stream(text.split(" ", -1)).map(Long::valueOf).collect(Collectors.toSet());
  }
}
