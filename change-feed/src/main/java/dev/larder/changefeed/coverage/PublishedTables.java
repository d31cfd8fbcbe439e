package dev.larder.changefeed.coverage;

import dev.larder.sql.OwnSql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the tables of a database, and what a publication has of them. Stateless. */
public final class PublishedTables {
  private static final int ENTRIES_OF_SCHEMAS = 150000;

  private static final String TABLES =
      """
      SELECT c.oid, n.nspname || '.' || c.relname,
             quote_ident(n.nspname) || '.' || quote_ident(c.relname),
             c.relkind::text, c.relpersistence::text, c.relreplident::text,
             g.relid IS NOT NULL, %s,
             concat_ws(',', r.oid::text || '.' || r.xmin::text, %s),
             ARRAY(SELECT i.inhparent::int8 FROM pg_inherits i WHERE i.inhrelid = c.oid
                    ORDER BY 1),
             EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary
                        AND x.indisvalid),
             c.relfilenode::text
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_publication p ON p.pubname = ?
        LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid
        LEFT JOIN (SELECT t.* FROM pg_publication q, pg_get_publication_tables(q.pubname::text) t
                    WHERE q.pubname = ?) g ON g.relid = c.oid
       WHERE c.relkind = ANY ('{r,p,m,f}') AND c.relpersistence <> 't'
         AND c.oid >= 16384 AND n.nspname <> ALL ('{pg_catalog,information_schema,pg_toast}')\
      """;

  /** From 15 on a publication may have some rows or columns of a table, and whole schemas. */
  private static final String LEFT_OUT = "g.qual IS NOT NULL, r.prattrs IS NOT NULL";

  private static final String SCHEMA =
      "(SELECT s.oid::text || '.' || s.xmin::text FROM pg_publication_namespace s"
          + " WHERE s.pnpubid = p.oid AND s.pnnspid = n.oid)";

  private PublishedTables() {}

  /**
   * A table.
   *
   * @param name {@code schema.table}, as the catalog has it
   * @param quoted as SQL has it
   * @param kind of the relation: r, p, m or f
   * @param persistence p, or u for unlogged
   * @param identity of the replica: d, n, f or i
   * @param published whether the publication has it
   * @param filtered whether it has some rows only
   * @param narrowed whether it has some columns only
   * @param mark differs once it was taken out or put in again
   * @param parents the object identifiers of the tables above it
   * @param keyed whether it has a primary key
   * @param file differs once it was written as a whole, as where it was unlogged for a time
   */
  public record Table(
      long oid,
      String name,
      String quoted,
      String kind,
      String persistence,
      String identity,
      boolean published,
      boolean filtered,
      boolean narrowed,
      String mark,
      List<Long> parents,
      boolean keyed,
      String file) {
    /** Returns whether its UPDATE and DELETE fail once it is in a publication. */
    public boolean wouldFail() {
      boolean plain = kind.equals("r") && persistence.equals("p");
      return plain && (identity.equals("n") || (identity.equals("d") && !keyed));
    }

    /** Returns the statement after which the log has all old values of its rows. */
    public String identityInFull() {
      return "ALTER TABLE " + quoted + " REPLICA IDENTITY FULL";
    }
  }

  /** Reads all, by their object identifiers. */
  public static Map<Long, Table> read(Connection connection, String publication, int version)
      throws SQLException {
    Map<Long, Table> tables = new LinkedHashMap<>();
    try (PreparedStatement query = connection.prepareStatement(query(version))) {
      query.setString(1, publication);
      query.setString(2, publication);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          Table table = table(rows);
          tables.put(table.oid(), table);
        }
      }
    }
    return tables;
  }

  /**
   * Returns a query of a text that differs once what {@link #read} returns does. It has the name of
   * the publication as its two parameters.
   */
  public static String digest(int version) {
    return OwnSql.pinned(
        "SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM (" + query(version) + ") t");
  }

  private static String query(int version) {
    return OwnSql.pinned(
        version >= ENTRIES_OF_SCHEMAS
            ? TABLES.formatted(LEFT_OUT, SCHEMA)
            : TABLES.formatted("false, false", "NULL"));
  }

  private static Table table(ResultSet row) throws SQLException {
    Array parents = row.getArray(11);
    return new Table(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getBoolean(7),
        row.getBoolean(8),
        row.getBoolean(9),
        row.getString(10),
        List.of((Long[]) parents.getArray()),
        row.getBoolean(12),
        row.getString(13));
  }
}
