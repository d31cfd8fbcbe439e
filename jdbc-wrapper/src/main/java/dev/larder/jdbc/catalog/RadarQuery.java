package dev.larder.jdbc.catalog;

import dev.larder.jdbc.postgresql.FactQueries;
import dev.larder.radar.RadarLink;
import dev.larder.sql.OwnSql;
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
 * names and, of Larder's own connections, the text. Used once.
 */
final class RadarQuery {
  /** The sessions first: what they have told is older than the counts. */
  private static final String SESSIONS =
      "'n' AS kind, "
          + FactQueries.micros("statement_timestamp()")
          + " AS a, current_setting('server_version_num')::int8 AS b, 0::int8 AS c,"
          + " NULL::text AS name, NULL::text AS text UNION ALL SELECT 's', pid, "
          + FactQueries.micros("query_start")
          + ", 0, application_name, CASE WHEN application_name ~~ '"
          + RadarLink.NAME_PREFIX
          + "%' THEN query END FROM pg_stat_get_activity(NULL) WHERE datid ="
          + " (SELECT oid FROM pg_database"
          + " WHERE datname = current_database()) AND backend_type = 'client backend'";

  /**
   * Of a new file no pages and rows are known; VACUUM FULL and CLUSTER leave their counts. Before
   * 14 what was not counted is 0, as what is not there. A table's first file has its number: it was
   * never emptied, and may have been made since the catalog was read.
   */
  private static final String TABLES =
      " UNION ALL SELECT 't', root::int8,"
          + " sum(pg_stat_get_tuples_inserted(c.oid)"
          + " + pg_stat_get_tuples_updated(c.oid))::int8,"
          + " sum(pg_stat_get_tuples_deleted(c.oid))::int8, NULL,"
          + " string_agg(c.relfilenode::text, ' ') FILTER (WHERE c.relkind = ANY ('{r,m}')"
          + " AND c.relfilenode <> c.oid AND c.relpages = 0 AND c.reltuples <="
          + " CASE WHEN current_setting('server_version_num')::int8 < 140000"
          + " THEN 0 ELSE -1 END)"
          + " FROM tree t JOIN pg_class c ON c.oid = t.oid GROUP BY root";

  /** The tables take the place of {@code %s}. */
  private static final String QUERY =
      OwnSql.pinned(
          "WITH RECURSIVE tree(root, oid) AS (SELECT oid, oid FROM pg_class"
              + " WHERE oid = ANY ('{%s}'::oid[]) UNION SELECT t.root, i.inhrelid FROM tree t"
              + " JOIN pg_inherits i ON i.inhparent = t.oid) SELECT "
              + SESSIONS
              + TABLES);

  private final IntPredicate ownProcess;
  private final List<RadarSample.Table> tables = new ArrayList<>();
  private final List<RadarSample.Peer> peers = new ArrayList<>();
  private final Set<String> others = new HashSet<>();
  private final Set<String> own = new HashSet<>();
  private long startMicros;
  private boolean idleReports;

  private RadarQuery(IntPredicate ownProcess) {
    this.ownProcess = ownProcess;
  }

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
    RadarQuery query = new RadarQuery(ownProcess);
    String numbers = tables.stream().map(String::valueOf).collect(Collectors.joining(","));
    String sql = announcement + QUERY.replace("%s", numbers);
    long began = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      long tookMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
      while (row.next()) {
        query.read(row);
      }
      return query.sample(tookMicros);
    }
  }

  private void read(ResultSet row) throws SQLException {
    long a = row.getLong("a");
    long b = row.getLong("b");
    String text = row.getString("text");
    switch (row.getString("kind")) {
      case "n" -> {
        startMicros = a;
        idleReports = b >= 150_000;
      }
      case "t" -> tables.add(new RadarSample.Table(a, b, row.getLong("c"), files(text)));
      default -> {
        String name = row.getString("name") == null ? "" : row.getString("name");
        if (name.startsWith(RadarLink.NAME_PREFIX)) {
          peers.add(new RadarSample.Peer(name, text, b));
        } else {
          (ownProcess.test((int) a) ? own : others).add(name);
        }
      }
    }
  }

  private RadarSample sample(long tookMicros) {
    return new RadarSample(
        startMicros, startMicros + tookMicros, idleReports, tables, peers, others, own);
  }

  private static Set<Long> files(@Nullable String text) {
    return text == null
        ? Set.of()
        : Arrays.stream(text.split(" ", -1)).map(Long::valueOf).collect(Collectors.toSet());
  }
}
