package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import dev.larder.jdbc.proof.fuzz.Step.Way;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Makes reads and writes by keys, and DDL that changes by what rows are told apart. */
final class KeyedGrammar {
  private final Choices choices;
  private final List<Relation> tables;
  private final int session;
  private final List<Object> binds = new ArrayList<>();

  KeyedGrammar(Choices choices, Schema schema, int session) {
    this.choices = choices;
    this.session = session;
    this.tables = schema.readable().stream().filter(each -> each.columns().size() > 3).toList();
  }

  private Relation table() {
    return choices.of(tables);
  }

  /** Returns a constant for a column, or a parameter with a value. */
  private String value(Column column) {
    return switch (column.type()) {
      case "text", "varchar(4)", "char(3)" -> text();
      case "uuid" -> uuid();
      case "boolean" -> constant(choices.of("true", "false", "'t'", "NULL"), choices.percent(50));
      default -> number();
    };
  }

  private String constant(String literal, Object bind) {
    if (choices.percent(40)) {
      binds.add(bind);
      return "?";
    }
    return literal;
  }

  private String number() {
    int number = choices.below(8);
    return constant(
        choices.of(
            String.valueOf(number),
            String.valueOf(number),
            "'" + number + "'",
            number + "::bigint",
            "(" + number + ")",
            number + ".0",
            "NULL",
            number + " + 0"),
        choices.of(number, number, (long) number, (short) number, BigDecimal.valueOf(number)));
  }

  private String text() {
    String text = choices.of("c", "s", "C") + choices.below(8) + choices.of("", "", " ", "  ");
    return constant(choices.of("'" + text + "'", "E'" + text + "'", "'" + text + "'::text"), text);
  }

  private String uuid() {
    String text = "00000000-0000-0000-0000-00000000000" + choices.below(8);
    return constant("'" + text + "'", UUID.fromString(text));
  }

  private static Column column(Relation table, String name) {
    return table.columns().stream()
        .filter(each -> each.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  /** Returns a column by which rows may be told apart. */
  private Column key(Relation table) {
    return column(table, choices.of("id", "id", "id", "ref", "ref", "grp", "code", "n", "s"));
  }

  private String equality(Relation table, String alias) {
    Column key = key(table);
    String name = alias + key.name();
    return switch (choices.below(8)) {
      case 0, 1, 2, 3 -> name + " = " + value(key);
      case 4 -> value(key) + " = " + name;
      case 5 -> name + " IN (" + value(key) + ", " + value(key) + ")";
      case 6 -> "(" + name + " = " + value(key) + " OR " + name + " = " + value(key) + ")";
      default -> name + " = " + value(key) + " AND " + equality(table, alias);
    };
  }

  private String where(Relation table, String alias) {
    String more =
        choices.of(
            "",
            "",
            "",
            " AND %1$sn >= 0",
            " AND %1$sn < %1$sid",
            " OR %1$sn = 2",
            " AND true",
            " AND %1$ss LIKE 's%%'",
            " AND %1$sid IN (SELECT id FROM k0)",
            " AND NOT %1$sn = 1");
    return equality(table, alias) + more.formatted(alias);
  }

  private String items(Relation table, String alias) {
    return switch (choices.below(7)) {
      case 0, 1 -> alias + "id, " + alias + "n, " + alias + "s";
      case 2, 3 -> alias + "*";
      case 4 -> alias + "ref, " + alias + "id, " + alias + "grp AS x";
      case 5 -> alias + "s, 1";
      default -> alias + choices.of(table.columns()).name() + ", " + alias + "id + 1";
    };
  }

  /** Returns a query by key. */
  Step read() {
    Relation table = table();
    String sql =
        switch (choices.below(10)) {
          case 0, 1, 2, 3 ->
              "SELECT "
                  + items(table, "")
                  + " FROM "
                  + table.name()
                  + " WHERE "
                  + where(table, "")
                  + choices.of("", "", "", " ORDER BY id", " ORDER BY id, grp LIMIT 3");
          case 4 -> "SELECT DISTINCT grp, ref FROM " + table.name() + " WHERE " + where(table, "");
          case 5 ->
              choices.of("SELECT count(*), max(n) FROM ", "SELECT count(ref) FROM ")
                  + table.name()
                  + " WHERE "
                  + where(table, "");
          case 6 -> nested(table);
          default -> join(table);
        };
    boolean ordered = sql.endsWith("LIMIT 3");
    return step(choices.of(Way.QUERY, Way.EXECUTE), Way.PREPARED, sql, ordered, true);
  }

  private String nested(Relation table) {
    Relation other = table();
    return choices.of(
        "SELECT id, s FROM "
            + table.name()
            + " WHERE id = (SELECT max(ref) FROM "
            + other.name()
            + " WHERE "
            + equality(other, "")
            + ")",
        "SELECT id FROM "
            + table.name()
            + " WHERE "
            + equality(table, "")
            + " UNION ALL SELECT n FROM "
            + other.name()
            + " WHERE "
            + equality(other, ""));
  }

  private String join(Relation table) {
    Relation other = table();
    String kind = choices.of("JOIN", "JOIN", "LEFT JOIN");
    String on = choices.of("b.id = a.ref", "b.ref = a.id", "a.ref = b.id", "b.grp = a.n");
    String more = choices.of("", "", "", " AND b.n < 3", " AND a.n = 1");
    String restricted = choices.percent(75) ? where(table, "a.") : where(other, "b.");
    return "SELECT "
        + choices.of("a.id, a.ref, a.grp, a.n, b.id, b.ref, b.n", items(table, "a.") + ", b.s")
        + " FROM "
        + table.name()
        + " a "
        + kind
        + " "
        + other.name()
        + " b ON "
        + on
        + more
        + " WHERE "
        + restricted;
  }

  /** Returns a write: by key, of several rows, of any, to other values of a key. */
  Step write() {
    Relation table = table();
    String sql =
        switch (choices.below(12)) {
          case 0, 1, 2, 3, 4 -> update(table);
          case 5, 6 -> "DELETE FROM " + table.name() + " WHERE " + where(table, "");
          case 7, 8 -> insert(table) + choices.of("", "", " RETURNING id");
          case 9 ->
              insert(table)
                  + choices.of(
                      " ON CONFLICT DO NOTHING",
                      " ON CONFLICT (id) DO UPDATE SET n = 3",
                      " ON CONFLICT (id) DO UPDATE SET ref = excluded.ref, s = 'u'");
          case 10 ->
              "INSERT INTO "
                  + table.name()
                  + " (id, n, s, grp) SELECT id + "
                  + (6 + choices.below(8))
                  + ", n, s || 'x', grp FROM k0 WHERE "
                  + equality(column0(), "");
          default ->
              "DELETE FROM " + table.name() + " a USING k0 b WHERE b.id = a.ref AND a.id = 2";
        };
    Way plain = choices.of(Way.EXECUTE, Way.UPDATE, Way.BATCH, Way.KEYS);
    return step(plain, choices.of(Way.PREPARED_EXECUTE, Way.PREPARED_BATCH), sql, false, false);
  }

  private Relation column0() {
    return tables.stream().filter(each -> each.name().equals("k0")).findAny().orElseThrow();
  }

  private String update(Relation table) {
    String set = set(table) + (choices.percent(30) ? ", s = " + text() : "");
    String from = choices.of("", "", "", "", "", " FROM k0 z");
    String name = table.name() + (from.isEmpty() ? "" : " y");
    String alias = from.isEmpty() ? "" : "y.";
    String where =
        from.isEmpty()
            ? choices.percent(85) ? " WHERE " + where(table, alias) : ""
            : " WHERE z.id = y.ref AND " + equality(table, alias);
    return "UPDATE " + name + " SET " + set + from + where;
  }

  private String set(Relation table) {
    return switch (choices.below(12)) {
      case 0, 1 -> "n = " + number();
      case 2 -> "n = n + 1";
      case 3, 4, 5 -> "ref = " + number();
      case 6 -> "grp = " + number();
      case 7 -> "code = " + value(column(table, "code"));
      case 8 -> "id = " + number();
      case 9 -> "(ref, grp) = (" + number() + ", 1)";
      case 10 -> "ref = DEFAULT, n = 1";
      default -> "grp = (grp + 1) % 3, id = id";
    };
  }

  private String insert(Relation table) {
    StringBuilder rows = new StringBuilder();
    int count = 1 + choices.below(2);
    boolean chosen = choices.percent(25);
    for (int i = 0; i < count; i++) {
      rows.append(i == 0 ? "" : ", ")
          .append('(')
          .append(chosen ? "" : (6 + choices.below(6)) + ", ")
          .append(number())
          .append(", ")
          .append(text())
          .append(", ")
          .append(value(column(table, "code")))
          .append(", ")
          .append(choices.of("1", "2", number()))
          .append(", ")
          .append(choices.of("NULL", "1", "2", number()))
          .append(')');
    }
    return "INSERT INTO "
        + table.name()
        + " ("
        + (chosen ? "" : "id, ")
        + "n, s, code, grp, ref) VALUES "
        + rows;
  }

  private Step step(Way plain, Way prepared, String sql, boolean ordered, boolean read) {
    return new Step(
        session, binds.isEmpty() ? plain : prepared, sql, List.copyOf(binds), ordered, read);
  }

  /** Returns DDL after which rows may be told apart by other columns. */
  Step ddl() {
    String table = table().name();
    String alter = "ALTER TABLE " + table + ' ';
    String sql =
        switch (choices.below(13)) {
          case 0 -> "CREATE INDEX IF NOT EXISTS made_0 ON " + table + " (ref)";
          case 1 -> "CREATE INDEX IF NOT EXISTS made_1 ON " + table + " (grp)";
          case 2 -> "CREATE UNIQUE INDEX IF NOT EXISTS made_2 ON " + table + " (s)";
          case 3 -> "DROP INDEX IF EXISTS made_0, s2.made_0, made_2, s2.made_2";
          case 4 ->
              alter + "ADD CONSTRAINT along FOREIGN KEY (ref) REFERENCES k0 ON DELETE CASCADE";
          case 5 -> alter + "ADD CONSTRAINT along FOREIGN KEY (ref) REFERENCES k0 NOT VALID";
          case 6 -> alter + "DROP CONSTRAINT IF EXISTS along";
          case 7 -> "ALTER TABLE k1 DROP CONSTRAINT IF EXISTS k1_pkey CASCADE";
          case 8 -> "ALTER TABLE k1 ADD PRIMARY KEY (id)";
          case 9 -> alter + "ALTER grp TYPE " + choices.of("int", "bigint", "numeric");
          case 10 -> alter + "ALTER code TYPE text";
          case 11 -> alter + "ADD EXCLUDE USING btree (s WITH =)";
          default -> "REINDEX TABLE " + table;
        };
    return new Step(session, Way.EXECUTE, sql, List.of(), false, false);
  }
}
