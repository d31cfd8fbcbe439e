package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import java.util.ArrayList;
import java.util.List;

/** Makes statements that write, and DDL; each does the same whatever order rows are found in. */
final class WriteGrammar {
  private final Choices choices;
  private final Schema schema;
  private final QueryGrammar queries;
  private final Expressions expressions;

  WriteGrammar(Choices choices, Schema schema) {
    this.choices = choices;
    this.schema = schema;
    this.queries = new QueryGrammar(choices, schema);
    this.expressions = new Expressions(choices, schema, queries);
  }

  private Relation target() {
    return choices.of(schema.writable());
  }

  private int key() {
    return choices.below(12);
  }

  private static List<Column> scope(Relation relation) {
    return relation.columns();
  }

  /** Returns INSERT, UPDATE, DELETE, MERGE or something that holds one. */
  String write() {
    String gap = Literals.gap(choices);
    return switch (choices.below(16)) {
      case 0, 1, 2 -> update(target());
      case 3, 4 -> insert(target()) + returning();
      case 5 -> delete(target()) + returning();
      case 6 -> upsert(target());
      case 7 -> merge(target());
      case 8 -> "WITH d AS (" + gap + delete(target()) + " RETURNING id, n, s) SELECT id, n FROM d";
      case 9 ->
          "WITH u AS ("
              + update(target())
              + " RETURNING id) INSERT INTO audit (id) SELECT max(id) FROM u";
      case 10 -> update(target()) + gap + "; " + insert(target());
      case 11 -> "DO $b$ BEGIN " + update(target()) + "; END $b$";
      case 12 -> "CALL p_write(" + key() + ")";
      case 13 -> truncate();
      case 14 ->
          "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) " + delete(target());
      default -> insertFrom(target());
    };
  }

  private String returning() {
    return choices.of("", "", " RETURNING id, n", " RETURNING *, n + 1");
  }

  String insert(Relation table) {
    return "INSERT INTO "
        + table.name()
        + " (id, n, s) VALUES ("
        + (key() + 10)
        + ", "
        + choices.below(5)
        + ", "
        + Literals.text(choices)
        + ")";
  }

  private String insertFrom(Relation table) {
    return "INSERT INTO "
        + table.name()
        + " (id, n, s) SELECT id + "
        + (20 + choices.below(30))
        + ", n, s FROM "
        + queries.relation()
        + " WHERE id < 4 ORDER BY 1, 2, 3 LIMIT 5";
  }

  String update(Relation table) {
    String set =
        switch (choices.below(6)) {
          case 0, 1 -> "n = " + choices.below(5);
          case 2 -> "s = " + Literals.text(choices);
          case 3 -> "id = id + 1000";
          case 4 -> "(n, s) = (SELECT max(n), max(s) FROM " + queries.relation() + ")";
          default -> any(table);
        };
    String only = choices.of("", "", "ONLY ");
    return "UPDATE " + only + table.name() + " SET " + set + where(table);
  }

  private String any(Relation table) {
    Column column = choices.of(table.columns());
    return column.name()
        + " = "
        + (column.name().equals("id") ? "id" : Literals.of(column.type(), key()));
  }

  private String where(Relation table) {
    return switch (choices.below(6)) {
      case 0, 1, 2 -> " WHERE id = " + key();
      case 3 -> " WHERE " + expressions.truth(scope(table), 1);
      case 4 -> " WHERE id IN (SELECT id FROM " + queries.relation() + ")";
      default -> "";
    };
  }

  String delete(Relation table) {
    String using = choices.percent(20) ? " USING (SELECT id AS i FROM audit) x" : "";
    return "DELETE FROM "
        + table.name()
        + using
        + (using.isEmpty() ? where(table) : " WHERE id = x.i");
  }

  private String upsert(Relation table) {
    String action = choices.of("NOTHING", "UPDATE SET n = excluded.n + 1, s = excluded.s || 'u'");
    String conflict = action.equals("NOTHING") ? "" : "(id) ";
    return insert(table).replace("(" + 1, "(" + 0)
        + " ON CONFLICT "
        + conflict
        + "DO "
        + action
        + returning();
  }

  private String merge(Relation table) {
    return "MERGE INTO "
        + table.name()
        + " m USING (VALUES ("
        + key()
        + ", 9)) v(i, j) ON m.id = v.i"
        + choices.of(
            " WHEN MATCHED THEN UPDATE SET n = v.j WHEN NOT MATCHED THEN INSERT (id, n, s) VALUES (v.i, v.j, 'm')",
            " WHEN MATCHED AND m.n > 1 THEN DELETE WHEN MATCHED THEN DO NOTHING");
  }

  private String truncate() {
    return "TRUNCATE "
        + choices.of("", "TABLE ", "ONLY ")
        + target().name()
        + choices.of("", ", " + target().name())
        + choices.of(" CASCADE", "", " RESTART IDENTITY");
  }

  /** Returns DDL that leaves the schema's names as they are, or puts others before them. */
  String ddl() {
    String table = target().name();
    return switch (choices.below(24)) {
      case 0 ->
          "CREATE OR REPLACE FUNCTION f_plain(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + "
              + choices.below(4)
              + "'";
      case 1 ->
          "ALTER TABLE "
              + table
              + " ADD COLUMN IF NOT EXISTS extra_"
              + choices.below(2)
              + " int DEFAULT 5";
      case 2 -> "ALTER TABLE " + table + " ALTER n SET DEFAULT " + choices.below(9);
      case 3 -> "CREATE INDEX IF NOT EXISTS ix_" + choices.below(3) + " ON " + table + " (n)";
      case 4 -> "CREATE TABLE IF NOT EXISTS s2.audit AS SELECT id, n + 1 AS n, s FROM audit";
      case 5 -> "DROP TABLE IF EXISTS s2.audit";
      case 6 -> "CREATE OR REPLACE VIEW s2.v_new AS SELECT id, n, s FROM " + queries.relation();
      case 7 -> "ALTER TABLE " + table + " DISABLE TRIGGER USER";
      case 8 -> "ALTER TABLE " + table + " ENABLE TRIGGER USER";
      case 9 -> "REVOKE SELECT ON " + table + " FROM fuzz_reader";
      case 10 -> "GRANT SELECT ON " + table + " TO fuzz_reader";
      case 11 -> "COMMENT ON TABLE " + table + " IS 'c'";
      case 12 -> "ANALYZE " + table;
      case 13 ->
          "ALTER TABLE "
              + table
              + " RENAME COLUMN s TO s_; ALTER TABLE "
              + table
              + " RENAME COLUMN s_ TO s";
      case 14 ->
          "ALTER TABLE "
              + table
              + " RENAME TO odd; CREATE TABLE "
              + table
              + " (id int, n int, s text)";
      case 15 -> "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY";
      case 16 -> "ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY";
      case 17 -> "SELECT id, n, s INTO s2.made_" + choices.below(2) + " FROM " + queries.relation();
      case 18 -> "ALTER TABLE " + table + " ALTER n TYPE " + choices.of("bigint", "int");
      case 19 -> "DROP TABLE IF EXISTS s2.made_0, s2.made_1";
      case 20 -> "ALTER TABLE part DETACH PARTITION part_0";
      case 21 -> "ALTER TABLE part ATTACH PARTITION part_0 FOR VALUES IN (0)";
      case 22 ->
          "CREATE OR REPLACE FUNCTION s2.f_plain(int) RETURNS int LANGUAGE plpgsql STABLE AS"
              + " 'BEGIN RETURN $1 + (SELECT count(*) FROM audit); END'";
      default -> refresh();
    };
  }

  private String refresh() {
    return schema.materialized().isEmpty()
        ? "DROP FUNCTION IF EXISTS s2.f_plain(int)"
        : "REFRESH MATERIALIZED VIEW " + choices.of("", "CONCURRENTLY ") + "mv";
  }

  /** Returns the lines of a COPY into a table. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    int count = choices.below(3);
    for (int i = 0; i <= count; i++) {
      rows.add((key() + 100) + "\t" + choices.below(3) + "\tcopied");
    }
    return rows;
  }
}
