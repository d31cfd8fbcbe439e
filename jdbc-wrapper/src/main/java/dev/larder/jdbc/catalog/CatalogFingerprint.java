package dev.larder.jdbc.catalog;

import dev.larder.jdbc.postgresql.FactQueries;
import dev.larder.sql.OwnSql;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The queries whose answers differ once anything does that the catalog's version is made of, and
 * stay different where it is changed back.
 *
 * <p>A row that is replaced gets a newer xmin, so with the same number of rows the sum of xmin
 * grows, in whatever order transactions commit. A row that came and went leaves none. For the
 * catalogs in which such a row gives a right, or has a write do more, the server counts its
 * changes.
 */
final class CatalogFingerprint {
  /** Neither indexes, nor what is stored beside a table, nor rows: whatever else can be read. */
  static final String RELATIONS =
      "pg_class c WHERE c.relpersistence <> 't' AND c.relkind <> ALL ('{i,I,t,c}')";

  /**
   * The indexes that have the name of another relation: nearer on the search path, they are found
   * in its place, and cannot be read.
   */
  static final String INDEXES_IN_THE_WAY =
      "pg_class c WHERE c.relpersistence <> 't' AND c.relkind = ANY ('{i,I}')"
          + " AND EXISTS (SELECT FROM pg_class o WHERE o.relname = c.relname"
          + " AND o.relpersistence <> 't' AND o.relkind <> ALL ('{i,I,t,c}'))";

  /** What has a name among the relations, but for what is stored beside a table, and rows. */
  private static final String NAMED =
      "pg_class WHERE relpersistence <> 't' AND relkind <> 'c' AND relnamespace <> 99";

  /**
   * The changes of pg_authid, pg_auth_members, pg_db_role_setting, pg_policy, pg_trigger, pg_proc,
   * pg_rewrite, pg_inherits, pg_cast, pg_operator, pg_amop, pg_amproc, pg_aggregate, pg_enum and
   * pg_event_trigger: none is changed for temporary tables of the usual kind. A process tells the
   * server of them at its end, and when it waits for a statement: at once, unless it has told
   * something within a second; then after ten seconds at the latest, and before PostgreSQL 15 after
   * its next statement.
   */
  private static final String CHANGES =
      "(SELECT string_agg((pg_stat_get_tuples_inserted(c) + pg_stat_get_tuples_updated(c)"
          + " + pg_stat_get_tuples_deleted(c))::text, ' ')"
          + " FROM unnest('{1260,1261,2964,3256,2620,1255,2618,2611,2605,2617,2602,2603,2600,3501,3466}'::oid[]) AS u (c))";

  private static final String SERVER =
      "pg_postmaster_start_time(), pg_conf_load_time(), " + FactQueries.RECOVERED;

  /** The schemas but for those of sessions. */
  static final String NAMESPACES = "pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'";

  /** What decides but has no rows of its own in the snapshot: roles, settings, text search. */
  private static final String CONTENT =
      "concat_ws(' ', "
          + SERVER
          + ", (SELECT sum(hashtextextended(r::text, 0)) FROM pg_roles r), "
          + sumsOfXmin(
              "pg_auth_members",
              "pg_db_role_setting",
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
   * Differs before the fingerprint may: no row can have changed where no transaction that changes
   * rows has ended, in any database of the server.
   */
  private static String marker(String changes) {
    return OwnSql.pinned(
        "SELECT concat_ws(' ', pg_current_snapshot(), " + SERVER + ", " + changes + ")");
  }

  private static final String INDEXES =
      sumsOfXmin("pg_index WHERE indrelid >= 16384 AND " + notTemporary("indrelid"));

  /** The columns of relations whose row type something else is made of. */
  private static final String COLUMNS_OF_USED_TYPES =
      """
      pg_attribute WHERE attnum > 0 AND attrelid = ANY (ARRAY(
        SELECT t.typrelid FROM pg_depend d JOIN pg_type e ON e.oid = d.refobjid
          JOIN pg_type t ON t.oid = CASE WHEN e.typelem <> 0 AND e.typlen = -1
                                         THEN e.typelem ELSE e.oid END
         WHERE d.refclassid = 1247 AND d.deptype = 'n' AND t.typrelid <> 0))""";

  private static final String[] OF_NO_RELATION = {
    "pg_inherits",
    "pg_amproc",
    "pg_amop",
    "pg_partitioned_table",
    "pg_proc",
    "pg_aggregate",
    "pg_cast",
    "pg_operator"
  };

  /**
   * Differs after any DDL. Of pg_attribute the rows of the server's own relations are not looked
   * at; all others have a normal xmin. The updates in place of VACUUM and ANALYZE change no xmin;
   * those of pg_class by TRUNCATE, REFRESH and VACUUM FULL do.
   */
  private static String fingerprint(String changes) {
    return OwnSql.pinned(
        temporary()
            + "SELECT concat_ws(' ', "
            + String.join(
                ", ",
                CONTENT,
                changes,
                INDEXES,
                sumsOfXmin(OF_NO_RELATION),
                sumsOfXmin(
                    NAMESPACES,
                    NAMED,
                    "pg_attribute WHERE attnum > 0 AND attrelid >= 16384 AND "
                        + notTemporary("attrelid"),
                    "pg_attrdef WHERE " + notTemporary("adrelid"),
                    "pg_trigger WHERE " + notTemporary("tgrelid"),
                    "pg_rewrite WHERE " + notTemporary("ev_class"),
                    "pg_constraint WHERE " + notInTemporarySchema("connamespace"),
                    "pg_type WHERE " + notInTemporarySchema("typnamespace"),
                    "pg_policy"))
            + ")");
  }

  /** What belongs to no relation, and the indexes. Row types go with their relations. */
  private static String general(String changes) {
    return OwnSql.pinned(
        temporary()
            + "SELECT concat_ws(' ', "
            + String.join(
                ", ",
                CONTENT,
                changes,
                sumsOfXmin(OF_NO_RELATION),
                sumsOfXmin(
                    COLUMNS_OF_USED_TYPES,
                    "pg_constraint WHERE conrelid = 0 AND " + notInTemporarySchema("connamespace"),
                    "pg_type WHERE typrelid = 0 AND (typelem = 0 OR typlen <> -1) AND "
                        + notInTemporarySchema("typnamespace")))
            + "), concat_ws(' ', "
            + INDEXES
            + ")");
  }

  /**
   * By relation, or composite type, a number that differs after any DDL of it, and one that differs
   * once its own row was replaced, which is no matter of a sequence or index. A schema has its oid
   * negated. Without a join but that by names, which have an index: nobody may ever have analyzed
   * the catalogs.
   */
  static final String STAMPS =
      OwnSql.pinned(
          """
      WITH parts AS (
        SELECT oid::int8 AS relation, CASE WHEN relkind = 'S' THEN 0 ELSE %1$s END AS made,
            hashtextextended(concat_ws(' ', relname, relnamespace, relowner, relkind,
              relrowsecurity, relforcerowsecurity, relacl, reloptions), 0) AS said, 0::int8 AS part
          FROM pg_class WHERE relkind <> ALL ('{i,I,t}') AND relpersistence <> 't'
        UNION ALL SELECT oid::int8, 0, hashtextextended(concat_ws(' ', relname, relnamespace), 0), 0
          FROM %4$s
        UNION ALL SELECT 0 - oid::int8, 0, 0, %1$s FROM %2$s
        UNION ALL %3$s)
      SELECT relation, coalesce(sum(said), 0)::int8 # sum(part)::int8, sum(made)::int8
        FROM parts GROUP BY relation HAVING count(said) > 0"""
              .formatted(
                  numberOfRow(),
                  NAMESPACES,
                  Stream.of(
                          "attrelid FROM pg_attribute WHERE attnum > 0 AND attrelid >= 16384",
                          "adrelid FROM pg_attrdef WHERE adrelid >= 16384",
                          "tgrelid FROM pg_trigger WHERE tgrelid >= 16384",
                          "ev_class FROM pg_rewrite WHERE ev_class >= 16384",
                          "conrelid FROM pg_constraint WHERE conrelid >= 16384",
                          "confrelid FROM pg_constraint WHERE confrelid >= 16384",
                          "polrelid FROM pg_policy WHERE polrelid >= 16384")
                      .map(CatalogFingerprint::part)
                      .collect(Collectors.joining(" UNION ALL ")),
                  INDEXES_IN_THE_WAY));

  /**
   * The three queries.
   *
   * @param marker differs before the fingerprint may
   * @param fingerprint differs after any DDL
   * @param general of what belongs to no relation, and of the indexes
   */
  record Texts(String marker, String fingerprint, String general) {}

  /** For a role that may ask for counts, as all may unless somebody takes that away. */
  static final Texts COUNTED = texts(CHANGES);

  static final Texts UNCOUNTED = texts("''");

  /** Returns whether the role may ask for counts. */
  static final String MAY_COUNT =
      OwnSql.pinned(
          "SELECT (has_function_privilege('pg_catalog.pg_stat_get_tuples_inserted(oid)', 'EXECUTE')"
              + " AND has_function_privilege('pg_catalog.pg_stat_get_tuples_updated(oid)', 'EXECUTE')"
              + " AND has_function_privilege('pg_catalog.pg_stat_get_tuples_deleted(oid)', 'EXECUTE'))"
              + "::text");

  private CatalogFingerprint() {}

  private static Texts texts(String changes) {
    return new Texts(marker(changes), fingerprint(changes), general(changes));
  }

  private static String part(String from) {
    return "SELECT " + from.replaceFirst(" ", "::int8, NULL, NULL, " + numberOfRow() + " ");
  }

  /**
   * Sums of it differ where a row was added, replaced or removed: it counts, and a newer is less.
   */
  private static String numberOfRow() {
    return "(CASE WHEN age(xmin) < 2147483647 THEN age(xmin)::int8 - age('1000'::xid) ELSE 0::int8 END"
        + " + 17592186044416)";
  }

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

  /** What is temporary belongs to one session. */
  private static String temporary() {
    return """
      WITH temporary AS MATERIALIZED (
        SELECT ARRAY(SELECT oid FROM pg_class WHERE relpersistence = 't') AS relations,
               ARRAY(SELECT oid FROM pg_namespace WHERE nspname ~ '^pg_(toast_)?temp_') AS schemas)
      """;
  }

  private static String notTemporary(String relation) {
    return "NOT " + relation + " = ANY ((SELECT relations FROM temporary)::oid[])";
  }

  private static String notInTemporarySchema(String schema) {
    return "NOT " + schema + " = ANY ((SELECT schemas FROM temporary)::oid[])";
  }
}
