package dev.larder.jdbc.catalog;

import dev.larder.jdbc.postgresql.FactQueries;
import dev.larder.sql.OwnSql;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The queries whose answers differ once anything does that the catalog's version is made of. */
final class CatalogFingerprint {
  /** Neither indexes, nor what is stored beside a table, nor rows: whatever else can be read. */
  static final String NO_RELATION_KINDS = "('{i,I,t,c}')";

  /** What decides but has no rows of its own in the snapshot: roles, settings, text search. */
  private static final String CONTENT =
      "concat_ws(' ', pg_postmaster_start_time(), pg_conf_load_time(), "
          + FactQueries.RECOVERED
          + ", (SELECT sum(hashtextextended(r::text, 0)) FROM pg_roles r), "
          + sumsOfXmin(
              "pg_auth_members",
              "pg_db_role_setting",
              "pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'",
              "pg_enum",
              "pg_ts_config",
              "pg_ts_config_map",
              "pg_ts_dict",
              "pg_event_trigger",
              "pg_collation WHERE oid >= 16384 OR NOT collisdeterministic")
          + ")";

  /** Whether anything fires behind DDL, and whether different texts may be equal; and the rest. */
  static final String SURROUNDINGS =
      OwnSql.pinned(
          "SELECT EXISTS (SELECT FROM pg_event_trigger WHERE evtenabled <> 'D' AND evtevent <> 'login'),"
              + " EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic), ("
              + CONTENT
              + ")");

  /**
   * Differs after any DDL. For each catalog the number of rows and the sum of their xmin: a row
   * that is replaced gets a newer xmin, so with the same number of rows the sum grows, in whatever
   * order transactions commit. pg_class is compared by content: TRUNCATE, REFRESH and VACUUM FULL
   * replace its rows without changing what they mean, and the updates in place of VACUUM and
   * ANALYZE change none. Of pg_attribute the rows of the server's own relations are not looked at;
   * all others have a normal xmin.
   */
  static final String FINGERPRINT =
      OwnSql.pinned(
          """
      WITH temporary AS MATERIALIZED (
        SELECT ARRAY(SELECT oid FROM pg_class WHERE relpersistence = 't') AS relations,
               ARRAY(SELECT oid FROM pg_namespace WHERE nspname ~ '^pg_(toast_)?temp_') AS schemas)
      SELECT concat_ws(' ', (%s),
        (SELECT sum(hashtextextended(relname, oid::int8 # relnamespace::int8
                  # (relowner::int8 << 20) # (relrowsecurity::int::int8 << 40)
                  # (relforcerowsecurity::int::int8 << 41))
                # coalesce(hashtextextended(relacl::text, 0), 0)
                # coalesce(hashtextextended(reloptions::text, 1), 0))
           FROM pg_class WHERE relkind <> ALL %s AND relpersistence <> 't'),
        (SELECT concat(count(*), ':', sum(age(xmin)) - (count(*) * age('1000'::xid)))
           FROM pg_attribute WHERE attnum > 0 AND attrelid >= 16384 AND %s),
        %s)"""
              .formatted(
                  CONTENT,
                  NO_RELATION_KINDS,
                  notTemporary("attrelid"),
                  sumsOfXmin(
                      "pg_attrdef WHERE " + notTemporary("adrelid"),
                      "pg_trigger WHERE " + notTemporary("tgrelid"),
                      "pg_rewrite WHERE " + notTemporary("ev_class"),
                      "pg_constraint WHERE " + notInTemporarySchema("connamespace"),
                      "pg_type WHERE " + notInTemporarySchema("typnamespace"),
                      "pg_inherits",
                      "pg_amproc",
                      "pg_amop",
                      "pg_partitioned_table",
                      "pg_index WHERE indrelid >= 16384 AND " + notTemporary("indrelid"),
                      "pg_proc",
                      "pg_aggregate",
                      "pg_policy",
                      "pg_cast",
                      "pg_operator")));

  private CatalogFingerprint() {}

  /**
   * Returns for each catalog the number of rows and the sum of their xmin. An age is relative to
   * the next transaction, hence the difference to the age of a fixed one.
   */
  private static String sumsOfXmin(String... catalogs) {
    return Stream.of(catalogs)
        .map(
            catalog ->
                "(SELECT concat(count(*), ':', sum(age(xmin)) - (count(*)"
                    + " FILTER (WHERE age(xmin) < 2147483647) * age('1000'::xid))) FROM "
                    + catalog
                    + ")")
        .collect(Collectors.joining(", "));
  }

  private static String notTemporary(String relation) {
    return "NOT " + relation + " = ANY ((SELECT relations FROM temporary)::oid[])";
  }

  private static String notInTemporarySchema(String schema) {
    return "NOT " + schema + " = ANY ((SELECT schemas FROM temporary)::oid[])";
  }
}
