package dev.larder.jdbc.catalog;

import dev.larder.sql.OwnSql;

/**
 * The queries for the columns, indexes and foreign keys by which the rows of tables are told apart,
 * of PostgreSQL 13 to 18.
 */
final class KeyQueries {
  private static final String TABLES =
      " JOIN pg_class c ON c.oid = %s AND c.relkind = 'r' AND c.relpersistence <> 't'"
          + " AND c.oid >= 16384";

  /**
   * The server may choose a value of generated and identity columns, by a default, and by one of a
   * domain. A virtual column is an expression, and shown with no type.
   */
  static final String COLUMNS =
      OwnSql.pinned(
          "SELECT a.attrelid, a.attnum, a.attname,"
              + " CASE WHEN a.attgenerated = 'v' THEN 0 ELSE a.atttypid::int8 END, a.atttypmod, a.attcollation::int8,"
              + " a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL, a.attgenerated <> '',"
              + " coalesce(l.collisdeterministic, true) AND (SELECT encoding = 6 FROM pg_database"
              + " WHERE datname = current_database()), t.typtype = 'e' AND a.attgenerated <> 'v'"
              + " FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
              + " LEFT JOIN pg_collation l ON l.oid = a.attcollation"
              + TABLES.formatted("a.attrelid")
              + " WHERE a.attnum > 0 AND NOT a.attisdropped");

  /**
   * An index keeps rows apart where it is valid, checked at once, without conditions and
   * expressions, and compares as the columns' own types and collations do. A user may have made an
   * operator class the default one: that of varchar, for which the server has none but that of
   * text.
   */
  static final String INDEXES =
      OwnSql.pinned(
          "SELECT i.indrelid, array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' '),"
              + " i.indisprimary, i.indisunique AND i.indisvalid AND i.indimmediate"
              + " AND i.indpred IS NULL AND i.indexprs IS NULL AND m.amname = 'btree'"
              + " AND NOT EXISTS (SELECT FROM ROWS FROM (unnest(i.indclass::oid[]),"
              + " unnest(i.indcollation::oid[]), unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]))"
              + " AS k (class, collation_, number)"
              + " JOIN pg_opclass o ON o.oid = k.class"
              + " LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number"
              + " WHERE NOT o.opcdefault OR o.oid >= 16384 OR k.collation_ <> a.attcollation),"
              + " i.indisunique"
              + " FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid"
              + " JOIN pg_am m ON m.oid = x.relam"
              + TABLES.formatted("i.indrelid")
              + " WHERE i.indislive");

  /**
   * Servers before 18 enforce every foreign key. A BEFORE trigger on the rows of the child may hold
   * back what a foreign key does to them. One that compares by an operator of a user's has parents
   * that a join by {@code =} does not find.
   */
  static final String REFERENCES =
      OwnSql.pinned(
          "SELECT k.conrelid, array_to_string(k.conkey, ' '), k.confrelid,"
              + " array_to_string(k.confkey, ' '), k.convalidated AND NOT k.condeferrable"
              + " AND coalesce((to_jsonb(k) ->> 'conenforced')::boolean, true)"
              + " AND NOT coalesce((to_jsonb(k) ->> 'conperiod')::boolean, false)"
              + " AND NOT EXISTS (SELECT FROM unnest(k.conpfeqop) AS e (equality) WHERE equality >= 16384)"
              + " AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgconstraint = k.oid"
              + " AND t.tgenabled <> 'O')"
              + " AND (k.confdeltype = ANY ('{a,r}') AND k.confupdtype = ANY ('{a,r}')"
              + " OR NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = k.conrelid"
              + " AND NOT t.tgisinternal AND t.tgtype & 3 = 3))"
              + " FROM pg_constraint k"
              + TABLES.formatted("k.conrelid")
              + " WHERE k.contype = 'f'");

  private KeyQueries() {}
}
