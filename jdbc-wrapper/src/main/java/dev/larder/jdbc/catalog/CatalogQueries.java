package dev.larder.jdbc.catalog;

import dev.larder.code.BuiltinRoutines;
import dev.larder.code.RoutineBodies;
import dev.larder.sql.OwnSql;

/**
 * The queries that read the system catalogs of PostgreSQL 13 to 18. Set-based, without a search
 * path but pg_catalog. Temporary relations are left out: they belong to one session, and coming and
 * going they would make every fingerprint differ.
 */
final class CatalogQueries {
  /** Dates, times and intervals, and domains over them. */
  private static final String TIMES = "(SELECT oid FROM pg_type WHERE typcategory = ANY ('{D,T}'))";

  /** time and timetz; regproc, regclass and their like, and arrays of these; jsonpath. */
  private static final String TYPES_THAT_COUNT =
      "('{1083,1266,24,2202,2203,2204,2205,2206,1008,2207,2208,2209,2210,2211,4072}')";

  static final String SCHEMAS =
      OwnSql.pinned(
          "SELECT 0 - oid::int8, nspname, concat_ws(' ', nspowner, nspacl) FROM "
              + CatalogFingerprint.NAMESPACES);

  static final String RELATIONS =
      OwnSql.pinned(
          "SELECT c.oid, n.nspname, c.relname, c.relkind, c.relrowsecurity,"
              + " concat_ws(' ', c.relowner, c.relforcerowsecurity, c.relacl, c.reloptions)"
              + " FROM (SELECT c.* FROM "
              + CatalogFingerprint.RELATIONS
              + " UNION ALL SELECT c.* FROM "
              + CatalogFingerprint.INDEXES_IN_THE_WAY
              + ") c JOIN pg_namespace n ON n.oid = c.relnamespace");

  static final String COLUMNS =
      OwnSql.pinned(
          """
      WITH times AS MATERIALIZED (
        SELECT DISTINCT attname FROM pg_attribute
         WHERE attrelid >= 16384 AND attnum > 0 AND atttypid = ANY %1$s)
      SELECT a.attrelid,
        string_agg(a.atttypid::text, ' ') FILTER (WHERE a.atttypid >= 16384 OR a.atttypid = ANY %2$s),
        array_agg(a.attname::text) FILTER (WHERE a.atttypid = 1266),
        array_agg(a.attname::text) FILTER (WHERE a.atttypid = 1083),
        array_agg(a.attname::text) FILTER (WHERE a.atttypid = ANY %1$s),
        array_agg(a.attname::text)
          FILTER (WHERE NOT a.atttypid = ANY %1$s AND a.attname = ANY (SELECT attname FROM times)),
        sum(hashtextextended(concat(a.attname, a.attnotnull),
              a.attnum + (a.atttypid::int8 << 16) # (a.atttypmod::int8 << 32))
            # coalesce(hashtextextended(a.attacl::text, a.attnum), 0))
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE a.attrelid >= 16384 AND a.attnum > 0 AND NOT a.attisdropped
         AND c.relpersistence <> 't' AND c.relkind = ANY ('{r,p,v,m,f,c}')
       GROUP BY a.attrelid"""
              .formatted(TIMES, TYPES_THAT_COUNT));

  static final String PARENTS =
      OwnSql.pinned(
          "SELECT i.inhrelid, i.inhparent FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
              + " WHERE c.relkind = ANY ('{r,p,f}')");

  /**
   * What the server's own operators, casts, operator classes and aggregates call. These depend on
   * their arguments and on settings of every key, but for those of times with time zone, and those
   * that look up a name.
   */
  private static final String PLAIN_PARTS =
      "p.oid < 16384 AND NOT 1266 = ANY (p.prorettype || p.proargtypes::oid[])"
          + " AND r.typname !~~ 'reg%'"
          + " AND p.oid = ANY (SELECT oprcode::oid FROM pg_operator WHERE oid < 16384"
          + " UNION ALL SELECT castfunc FROM pg_cast WHERE oid < 16384"
          + " UNION ALL SELECT amproc FROM pg_amproc WHERE oid < 16384"
          + " UNION ALL SELECT unnest(ARRAY[aggtransfn, aggfinalfn]::oid[]) FROM pg_aggregate"
          + " WHERE aggfnoid < 16384::oid)";

  /**
   * The expressions that are stored of a routine: defaults of parameters, and a body in the syntax
   * of the standard, whose text is empty. Before 14 there are none of these, and no such column.
   */
  private static final String STORED =
      """
      CASE WHEN p.proargdefaults::text IS NOT NULL OR (l.lanname = 'sql' AND p.prosrc = '')
           THEN concat(p.proargdefaults::text, CASE WHEN l.lanname = 'sql' AND p.prosrc = ''
             THEN ' {BODY} ' || (to_jsonb(p) ->> 'prosqlbody') END) END""";

  /** Whether a routine has a custom setting of its own. Those of PL/pgSQL are always set. */
  private static final String SETS_CUSTOM =
      "EXISTS (SELECT FROM unnest(p.proconfig) AS c (s)"
          + " WHERE s ~ '^[^=]+[.]' AND s !~ '^plpgsql[.]')";

  static final String ROUTINES =
      OwnSql.pinned(
          """
      SELECT p.oid, n.nspname, p.proname,
        CASE WHEN p.provolatile = 's' AND %2$s THEN 'i' ELSE p.provolatile END, p.proargtypes::text,
        CASE WHEN p.prokind <> 'p' AND p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1
             THEN a.oid ELSE 0 END::int8,
        a.typtype = 'c' OR a.typname = ANY ('{record,any,anyelement,anynonarray,anycompatible,
          anycompatiblenonarray}'),
        p.prorettype = 'trigger'::regtype,
        CASE WHEN r.typcategory = ANY ('{D,T,N}') THEN 't'
             WHEN p.prokind = ANY ('{a,w}') AND p.prorettype = p.proargtypes[0] THEN 'a'
             ELSE 'o' END, l.lanname,
        CASE WHEN p.oid < 16384 THEN NULL
             WHEN l.lanname = ANY ('{plpgsql,sql}') AND p.prosrc <> ''
             THEN CASE WHEN %1$s THEN '%4$s' ELSE '' END || %3$s
             WHEN %1$s THEN '%4$s' || '%5$s' END,
        CASE WHEN l.lanname = 'c' THEN p.probin
             WHEN l.lanname = 'internal' THEN '$internal/' || p.prosrc ELSE '' END,
        concat_ws(' ', g.aggtransfn::oid, g.aggfinalfn::oid, g.aggcombinefn::oid,
          g.aggserialfn::oid, g.aggdeserialfn::oid, g.aggmtransfn::oid, g.aggminvtransfn::oid,
          g.aggmfinalfn::oid),
        CASE WHEN p.oid >= 16384 THEN concat_ws(' ', p.proargtypes, p.prorettype,
          array_to_string(p.proallargtypes, ' '), g.aggtranstype) END,
        CASE WHEN p.oid >= 16384 THEN %6$s END,
        CASE WHEN p.oid < 16384 THEN NULL
             WHEN array_to_string(p.proconfig, ' ') ~ '(^| )(role|session_authorization)='
             THEN '"$user"'
             ELSE coalesce((SELECT substr(s, 13) FROM unnest(p.proconfig) AS c (s)
                             WHERE s ~ '^search_path='),
                           CASE WHEN p.prosecdef THEN '"$user"' END) END,
        p.xmin::text
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        JOIN pg_language l ON l.oid = p.prolang JOIN pg_type r ON r.oid = p.prorettype
        LEFT JOIN pg_type a ON a.oid = CASE WHEN p.pronargs = 1 AND p.provariadic <> 0
                                       THEN p.provariadic ELSE p.proargtypes[0] END
        LEFT JOIN pg_aggregate g ON g.aggfnoid = p.oid AND p.oid >= 16384
       WHERE n.nspname !~ '^pg_temp_'"""
              .formatted(
                  SETS_CUSTOM,
                  PLAIN_PARTS,
                  OthersTexts.BODY,
                  RoutineBodies.SETS_CUSTOM,
                  RoutineBodies.MAY_DO_ANYTHING,
                  OthersTexts.tree(STORED)));

  /** Those of users, and those of the server that may be chosen in their place. */
  static final String OPERATORS =
      OwnSql.pinned(
          "SELECT o.oid, n.nspname, o.oprname, o.oprleft, o.oprright, o.oprcode::oid, o.oprresult"
              + " FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace"
              + " WHERE o.oid >= 16384 OR o.oprname = ANY ("
              + "SELECT oprname FROM pg_operator WHERE oid >= 16384)");

  /** What returns a text or an array of texts, or whatever it is given; ranges hold no texts. */
  static final String TEXT_OPERATORS =
      OwnSql.pinned(
          "SELECT DISTINCT oprname FROM pg_operator JOIN pg_type r ON r.oid = oprresult"
              + " LEFT JOIN pg_type e ON e.oid = r.typelem AND r.typcategory = 'A'"
              + " WHERE coalesce(e.typcategory, r.typcategory) = ANY ('{S,X}')"
              + " OR (r.typcategory = 'P' AND r.typname !~~ '%range')");

  /**
   * The server's types whose input function is not IMMUTABLE; of arrays, ranges and domains that of
   * what they are made of. What the input of interval, money and xml depends on is in every key.
   */
  static final String CLOCK_TYPES =
      OwnSql.pinned(
          "SELECT t.oid, n.nspname, t.typname FROM pg_type t"
              + " JOIN pg_namespace n ON n.oid = t.typnamespace"
              + " LEFT JOIN pg_range r ON r.rngtypid = t.oid"
              + " LEFT JOIN pg_type e ON e.oid = CASE WHEN t.typcategory = 'A' THEN t.typelem"
              + " ELSE CASE WHEN t.typbasetype <> 0 THEN t.typbasetype ELSE r.rngsubtype END END"
              + " JOIN pg_proc p ON p.oid = coalesce(e.typinput, t.typinput)"
              + " WHERE t.oid < 16384 AND p.provolatile <> 'i'"
              + " AND p.proname <> ALL ('{interval_in,cash_in,xml_in}')");

  static final String TYPES =
      OwnSql.pinned(
          "SELECT t.oid, n.nspname, t.typname, t.typtype,"
              + " CASE WHEN t.typbasetype <> 0 THEN t.typbasetype"
              + " ELSE coalesce(r.rngsubtype, 0) END::int8,"
              + " CASE WHEN t.typlen = -1 THEN t.typelem ELSE 0 END::int8, t.typrelid,"
              + " CASE WHEN t.typtype = 'b' THEN concat_ws(' ', t.typinput::oid, t.typoutput::oid,"
              + " t.typreceive::oid, t.typsend::oid) END,"
              + " CASE WHEN t.typtype = 'd' THEN "
              + OthersTexts.tree("t.typdefaultbin")
              + " END"
              + " FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace"
              // Servers before 14 have no multiranges.
              + " LEFT JOIN pg_range r"
              + " ON (t.oid = r.rngtypid OR t.oid = (to_jsonb(r) ->> 'rngmultitypid')::oid)"
              + " WHERE t.oid >= 16384 AND n.nspname !~ '^pg_(toast|temp_)'");

  static final String CASTS =
      OwnSql.pinned(
          "SELECT oid, castsource, casttarget, castfunc, castmethod, castcontext FROM pg_cast"
              + " WHERE oid >= 16384 OR castcontext = 'i'");

  /**
   * What the operator classes of users, and those with functions of users, run for a type. The
   * operators of most indexes run only where a text has them. Those of B-trees and hashes sort and
   * group, too, and those of a constraint run at writes.
   */
  static final String OPERATOR_CLASSES =
      OwnSql.pinned(
          "SELECT amproc::oid, amproclefttype, amprocrighttype FROM pg_amproc"
              + " WHERE oid >= 16384 OR amproc >= 16384::oid"
              + " UNION ALL SELECT o.oprcode::oid, amoplefttype, amoprighttype FROM pg_amop"
              + " JOIN pg_operator o ON o.oid = amopopr WHERE pg_amop.oid >= 16384"
              + " AND (amopmethod = ANY ('{403,405}') OR amopopr = ANY ("
              + "SELECT unnest(conexclop || conpfeqop || conppeqop || conffeqop) FROM pg_constraint))");

  static final String VIEWS =
      OwnSql.pinned(
          "SELECT r.ev_class, "
              + OthersTexts.QUERY
              + " FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class"
              + " WHERE r.ev_class >= 16384 AND r.ev_type = '1' AND c.relpersistence <> 't'");

  static final String RULES =
      OwnSql.pinned(
          "SELECT ev_class, ev_type, hashtextextended(ev_action::text, 0) FROM pg_rewrite"
              + " WHERE ev_class >= 16384 AND ev_type <> '1' AND ev_enabled <> 'D'");

  /**
   * The triggers of foreign keys and of deferred uniqueness are internal, and left out. A copy of a
   * trigger that is disabled on the parent alone stands for itself.
   */
  static final String TRIGGERS =
      OwnSql.pinned(
          "SELECT tgrelid, tgname, tgfoid, tgtype + CASE WHEN tgdeferrable THEN 128 ELSE 0 END,"
              + " EXISTS (SELECT FROM pg_trigger p"
              + " WHERE p.oid = t.tgparentid AND p.tgenabled <> 'D'), "
              + OthersTexts.tree("tgqual")
              + ", CASE WHEN octet_length(tgargs) < 1000 THEN encode(tgargs, 'escape') END"
              + " FROM pg_trigger t"
              + " WHERE tgenabled <> 'D' AND NOT (tgisinternal AND tgfoid < 16384)");

  static final String FOREIGN_KEYS =
      OwnSql.pinned(
          "SELECT conrelid, confrelid, confdeltype, confupdtype, conparentid <> 0,"
              + " CASE WHEN confupdtype = ANY ('{c,n,d}') AND NOT EXISTS (SELECT FROM pg_attribute"
              + " WHERE attrelid = confrelid AND attnum = ANY (confkey) AND attgenerated <> '')"
              + " THEN ARRAY(SELECT attname::text FROM pg_attribute"
              + " WHERE attrelid = confrelid AND attnum = ANY (confkey) ORDER BY attnum) END"
              + " FROM pg_constraint WHERE contype = 'f'");

  static final String POLICIES =
      OwnSql.pinned(
          "SELECT polrelid, polcmd, "
              + OthersTexts.tree("polqual")
              + ", "
              + OthersTexts.tree("polwithcheck")
              + ","
              + " concat_ws(' ', polroles, polpermissive) FROM pg_policy");

  /**
   * Only those that name an object of a user's, a function, an operator or a type, or a function of
   * the server's that does more than return a value.
   */
  static final String EVALUATED =
      OwnSql.pinned(
          """
      WITH known AS (
        SELECT concat('id (', string_agg(oid::text, '|'), ') |',
                      '(id|opno|type) [1-9][0-9]{4}') AS names
          FROM pg_proc WHERE oid < 16384 AND proname = ANY ('{%s}')),
      evaluated AS (
        SELECT adrelid AS relation, adbin::text AS tree FROM pg_attrdef
        UNION ALL SELECT conrelid, conbin::text FROM pg_constraint
         WHERE contype = 'c' AND conrelid <> 0
        UNION ALL SELECT indrelid, concat(indexprs, indpred) FROM pg_index
         WHERE indexprs IS NOT NULL OR indpred IS NOT NULL
        UNION ALL SELECT partrelid, partexprs::text FROM pg_partitioned_table
         WHERE partexprs IS NOT NULL
        UNION ALL SELECT stxrelid, to_jsonb(s) ->> 'stxexprs' FROM pg_statistic_ext s)
      SELECT relation, %s FROM evaluated, known WHERE relation >= 16384 AND tree ~ names"""
              .formatted(
                  String.join(",", BuiltinRoutines.withEffects()), OthersTexts.tree("tree")));

  static final String DOMAIN_CHECKS =
      OwnSql.pinned(
          "SELECT contypid, "
              + OthersTexts.tree("conbin")
              + " FROM pg_constraint WHERE contype = 'c' AND contypid <> 0");

  /** The settings of a module that is loaded with each session are there already. */
  static final String MODULES =
      OwnSql.pinned(
          "SELECT extname::text FROM pg_extension"
              + " UNION SELECT split_part(name, '.', 1) FROM pg_settings WHERE name ~ '[.]'");

  private CatalogQueries() {}
}
