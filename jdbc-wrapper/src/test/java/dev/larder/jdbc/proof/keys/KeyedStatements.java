package dev.larder.jdbc.proof.keys;

import dev.larder.jdbc.proof.keys.RandomStatements.Prepared;
import dev.larder.jdbc.proof.keys.RandomTables.Column;
import dev.larder.jdbc.proof.keys.RandomTables.Kind;
import dev.larder.jdbc.proof.keys.RandomTables.Reference;
import dev.larder.jdbc.proof.keys.RandomTables.Table;
import dev.larder.keys.RowCells.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random reads that each lean on a rule of keys, and writes that name few rows and change them:
 * what {@link RandomStatements} comes to only rarely.
 */
final class KeyedStatements {
  private static final String FIRST = "m0";
  private static final String SECOND = "m1";
  private static final String THIRD = "m2";

  private final RandomTables tables;
  private final Random random;
  private final RandomStatements values;
  private final Map<Table, List<Row>> rows;

  /** The table that most of them are of. */
  private final Table focus;

  KeyedStatements(
      RandomTables tables,
      Random random,
      RandomStatements values,
      Map<Table, List<Row>> rows,
      Table focus) {
    this.tables = tables;
    this.random = random;
    this.values = values;
    this.rows = rows;
    this.focus = focus;
  }

  private boolean rarely(int of) {
    return random.nextInt(of) == 0;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private Table any() {
    return rarely(3) ? tables.any() : focus;
  }

  /** Returns the columns of a key of {@code table}, or any column where it has no key. */
  private List<Column> key(Table table) {
    return table.keys().isEmpty() ? List.of(one(table.columns())) : one(table.keys());
  }

  /** Returns an equality with a key's values, mostly of a row that is there. */
  private String equal(String name, Table table, List<Column> key) {
    List<Row> there = rows.getOrDefault(table, List.of());
    return equal(name, table, key, there.isEmpty() || rarely(3) ? null : one(there));
  }

  private String equal(String name, Table table, List<Column> key, @Nullable Row row) {
    return all(
        key,
        column -> {
          String value = row == null ? null : row.values().get(table.columns().indexOf(column));
          String constant = value == null ? values.plain(column) : literal(column, value);
          return name + '.' + column.name() + " = " + constant;
        });
  }

  private static String literal(Column column, String value) {
    return column.kind() == Kind.INTEGER ? value : "'" + value.replace("'", "''") + "'";
  }

  private static String all(List<Column> columns, Function<Column, String> condition) {
    return columns.stream().map(condition).collect(Collectors.joining(" AND "));
  }

  /** Returns columns of {@code table} that may stand before others, in the order of the table. */
  private String few(String name, Table table) {
    String columns =
        table.columns().stream()
            .filter(column -> !rarely(3))
            .map(column -> name + '.' + column.name())
            .collect(Collectors.joining(", "));
    return columns.isEmpty() ? "1" : columns;
  }

  // ---- reads

  /** Returns a query; the server may refuse it. */
  Prepared read() {
    return values.prepared(rarely(2) ? ofOne(any()) : joined());
  }

  private String ofOne(Table table) {
    String from = " FROM " + table.name() + " m0 WHERE ";
    List<Column> key = key(table);
    Column other = one(table.columns());
    String items = rarely(3) ? few(FIRST, table) : "*";
    return switch (random.nextInt(23)) {
      case 0, 13 -> "SELECT " + items + from + "m0." + key.get(0).name() + anyOf(key.get(0));
      case 1, 11 -> "SELECT " + items + from + either(table, key) + " AND " + unsafe(FIRST, table);
      case 2, 9 ->
          "SELECT " + items + from + equal(FIRST, table, key) + " AND " + test(FIRST, other);
      case 3, 10 -> "SELECT " + items + from + equal(FIRST, table, key) + first(table);
      case 4 -> "SELECT DISTINCT m0." + other.name() + from + equal(FIRST, table, key);
      case 5 ->
          "SELECT "
              + one(List.of("count(*)", "min(m0." + other.name() + "::text)"))
              + from
              + equal(FIRST, table, key);
      case 6, 12 -> "SELECT " + few(FIRST, table) + from + test(FIRST, other);
      case 7, 14 -> "SELECT m0.*, " + counted(table, key) + from + equal(FIRST, table, key);
      case 15, 16, 17 -> "SELECT * " + from + around(table, key);
      case 18 -> "SELECT " + items + from + liked(table) + " AND " + equal(FIRST, table, key);
      case 19, 20 -> "SELECT " + items + from + absent(table, key);
      default -> "SELECT " + items + from + equal(FIRST, table, key);
    };
  }

  /** Returns a subquery that counts rows that are like those around. */
  private String counted(Table table, List<Column> key) {
    Table other = tables.any();
    return "(SELECT count(*) FROM "
        + other.name()
        + " m1 WHERE "
        + related(other, table, key)
        + ")";
  }

  /** Returns conditions, one of which has a subquery. */
  private String around(Table table, List<Column> key) {
    Table other = tables.any();
    String item = rarely(3) ? failing(SECOND, other) : "m1." + one(key(other)).name();
    String test =
        one(List.of("", "NOT "))
            + (rarely(3) ? "m0." + key.get(0).name() + " IN (SELECT " + item : "EXISTS (SELECT 1")
            + " FROM "
            + other.name()
            + " m1 WHERE "
            + related(other, table, key)
            + (rarely(3) ? " AND " + unsafe(SECOND, other) : "")
            + ")";
    String equal = equal(FIRST, table, key);
    return rarely(2) ? "(" + equal + ") OR " + test : test + " AND " + equal;
  }

  /** Returns how the rows of a block inside relate to those around, mostly to a key of theirs. */
  private String related(Table inside, Table around, List<Column> key) {
    Column theirs = one(key);
    List<Column> alike =
        inside.columns().stream().filter(column -> column.kind() == theirs.kind()).toList();
    if (alike.isEmpty() || rarely(3)) {
      return match(SECOND, inside, FIRST, around);
    }
    boolean both = alike.stream().anyMatch(column -> column.name().equals(theirs.name()));
    String name = both && rarely(2) ? theirs.name() : "m0." + theirs.name();
    return "m1." + one(alike).name() + " = " + name;
  }

  /** Returns a match; its pattern fails for longer texts where there are none yet. */
  private String liked(Table table) {
    List<Column> texts =
        table.columns().stream().filter(column -> column.kind() == Kind.TEXT).toList();
    if (texts.isEmpty()) {
      return "true";
    }
    Column column = one(texts);
    String begun = one(List.of("", "a", "ab"));
    boolean fails =
        there(table, column).stream()
            .anyMatch(text -> text.startsWith(begun) && text.length() > begun.length());
    String name = "m0." + column.name();
    return fails ? values.like(name) : values.like(name, begun + '\\');
  }

  private String anyOf(Column column) {
    return " = ANY (" + values.array(column) + ")";
  }

  /** Costs more than a division, so that a planner has it evaluated later. */
  private String either(Table table, List<Column> key) {
    String one = "(" + equal(FIRST, table, key) + ")";
    String other = "(" + equal(FIRST, table, key) + ")";
    return "(" + String.join(" OR ", one, other, one, other) + ")";
  }

  /** Returns a test that fails for rows that are not there yet. */
  private String unsafe(String name, Table table) {
    return failing(name, table) + " < 9";
  }

  /** Returns a number that fails for rows that are not there yet. */
  private String failing(String name, Table table) {
    List<Column> numbers =
        table.columns().stream().filter(column -> column.kind() == Kind.INTEGER).toList();
    if (numbers.isEmpty()) {
      return "1";
    }
    Column column = one(numbers);
    Set<String> there = there(table, column);
    int absent = 0;
    while (there.contains(String.valueOf(absent))) {
      absent++;
    }
    return "1 / (" + name + '.' + column.name() + " - " + absent + ")";
  }

  /** Returns the values of a column, without NULL. */
  private Set<String> there(Table table, Column column) {
    int at = table.columns().indexOf(column);
    return rows.getOrDefault(table, List.of()).stream()
        .flatMap(row -> Stream.ofNullable(row.values().get(at)))
        .collect(Collectors.toSet());
  }

  private String test(String name, Column column) {
    String of = name + '.' + column.name();
    return rarely(4)
        ? of + " IS " + one(List.of("", "NOT ")) + "NULL"
        : of + one(List.of(" = ", " = ", " <> ", " > ")) + values.plain(column);
  }

  /** Without an order of all rows the server may choose which ones come first. */
  private String order(Table table) {
    List<Column> columns = new ArrayList<>(table.columns());
    Collections.shuffle(columns, random);
    return columns.stream()
        .map(column -> FIRST + '.' + column.name())
        .collect(Collectors.joining(", ", " ORDER BY ", ""));
  }

  private String first(Table table) {
    return order(table)
        + one(List.of(" LIMIT 1", " LIMIT 2", " OFFSET 1", " FETCH FIRST 1 ROW ONLY"));
  }

  private String joined() {
    boolean turned = rarely(2);
    Table first = turned ? tables.any() : any();
    Table second = turned ? any() : tables.any();
    List<Reference> references = rarely(2) ? toFocus() : tables.references(first);
    if (!references.isEmpty() && rarely(4)) {
      return referring(one(references));
    }
    if (rarely(6)) {
      return nested(first, second);
    }
    if (rarely(6)) {
      return filled(first, second);
    }
    List<Column> key = key(first);
    boolean list = rarely(3);
    String restricted =
        list
            ? all(
                key,
                c -> "m0." + c.name() + " IN (" + values.plain(c) + ", " + values.plain(c) + ")")
            : equal(FIRST, first, key);
    String on =
        rarely(8) ? equal(SECOND, second, key(second)) : match(SECOND, second, FIRST, first);
    List<String> where = new ArrayList<>();
    where.add(restricted);
    switch (random.nextInt(13)) {
      case 0 -> on += " AND " + equal(FIRST, first, key);
      case 1 -> on += " AND " + equal(SECOND, second, key(second));
      case 2, 10 -> on += " AND " + test(SECOND, one(second.columns()));
      case 3, 11, 12 -> where.add(test(SECOND, one(second.columns())));
      case 4 -> where.add(0, unsafe(SECOND, second));
      case 5 -> on += " AND " + unsafe(SECOND, second);
      case 6 -> {
        on += " AND " + restricted;
        where.clear();
      }
      default -> {}
    }
    String join =
        one(List.of(" JOIN ", " JOIN ", " JOIN ", " LEFT JOIN ", " LEFT JOIN ", " RIGHT JOIN "));
    String items = rarely(4) ? few(FIRST, first) + ", " + few(SECOND, second) : "*";
    return "SELECT "
        + items
        + " FROM "
        + first.name()
        + " m0"
        + join
        + second.name()
        + " m1 ON "
        + on
        + (where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where));
  }

  /** Returns the foreign keys that refer to the table that is written most. */
  private List<Reference> toFocus() {
    return tables.tables().stream()
        .flatMap(table -> tables.references(table).stream())
        .filter(reference -> reference.parent().equals(focus))
        .toList();
  }

  /** Returns a query that joins along a foreign key, mostly with a test of what is referred to. */
  private String referring(Reference reference) {
    Table first = reference.table();
    Table parent = reference.parent();
    List<String> where = new ArrayList<>();
    for (int i = 0; i < reference.key().size(); i++) {
      String own = reference.columns().get(i).name();
      where.add("m1." + reference.key().get(i).name() + " = m0." + own);
    }
    List<List<Column>> keys = new ArrayList<>(first.keys());
    keys.removeIf(reference.columns()::equals);
    List<Column> key = keys.isEmpty() ? key(first) : one(keys);
    List<Row> children = rarely(4) ? List.of() : withParent(reference);
    if (children.isEmpty()) {
      where.add(equal(FIRST, first, key));
      if (!rarely(3)) {
        where.add(test(SECOND, one(parent.columns())));
      }
    } else {
      Row child = one(children);
      where.add(equal(FIRST, first, key, child));
      where.add(hidden(SECOND, parent, parentOf(child, reference).orElseThrow()));
    }
    String from = " FROM " + first.name() + " m0, " + parent.name() + " m1 WHERE ";
    return "SELECT *" + from + String.join(" AND ", where);
  }

  private List<Row> withParent(Reference reference) {
    return rows.getOrDefault(reference.table(), List.of()).stream()
        .filter(child -> parentOf(child, reference).isPresent())
        .toList();
  }

  private Optional<Row> parentOf(Row child, Reference reference) {
    List<@Nullable String> values = values(child, reference.table(), reference.columns());
    return values.contains(null)
        ? Optional.empty()
        : rows.getOrDefault(reference.parent(), List.of()).stream()
            .filter(row -> values(row, reference.parent(), reference.key()).equals(values))
            .findFirst();
  }

  private static List<@Nullable String> values(Row row, Table table, List<Column> columns) {
    List<@Nullable String> values = new ArrayList<>();
    columns.forEach(column -> values.add(row.values().get(table.columns().indexOf(column))));
    return values;
  }

  /** Returns a test that keeps one row of {@code table} from the result as it now is. */
  private String hidden(String name, Table table, Row row) {
    List<Column> columns = new ArrayList<>(table.columns());
    if (!rarely(4)) {
      table.keys().forEach(columns::removeAll);
    }
    if (columns.isEmpty()) {
      columns = table.columns();
    }
    Column column = one(columns);
    String value = row.values().get(table.columns().indexOf(column));
    String of = name + '.' + column.name();
    return value == null ? of + " IS NOT NULL" : of + " <> " + literal(column, value);
  }

  /** Returns the key of a row that is there, beside a test that it does not pass. */
  private String absent(Table table, List<Column> key) {
    List<Row> there = rows.getOrDefault(table, List.of());
    Row row = there.isEmpty() ? null : one(there);
    String equal = equal(FIRST, table, key, row);
    return row == null ? equal : equal + " AND " + hidden(FIRST, table, row);
  }

  /** Returns a query that has its first table's rows whether or not the second has any. */
  private String filled(Table first, Table second) {
    return "SELECT * FROM "
        + first.name()
        + " m0 LEFT JOIN "
        + second.name()
        + " m1 ON "
        + all(key(second), column -> SECOND + '.' + column.name() + " = " + values.plain(column))
        + " WHERE "
        + equal(FIRST, first, key(first));
  }

  /** Returns a query whose last ON belongs to its first join. */
  private String nested(Table first, Table second) {
    Table third = tables.any();
    String inner = match(THIRD, third, SECOND, second);
    String outer = match(SECOND, second, FIRST, first);
    return "SELECT * FROM "
        + first.name()
        + " m0 LEFT JOIN "
        + second.name()
        + " m1 JOIN "
        + third.name()
        + " m2 ON "
        + inner
        + " ON "
        + outer
        + (rarely(2) ? " AND " + equal(FIRST, first, key(first)) : "")
        + (rarely(2) ? " WHERE " + equal(FIRST, first, key(first)) : "");
  }

  /** Returns a key of one that equals columns of the other, where there are such. */
  private String match(String name, Table table, String otherName, Table other) {
    List<String> matches = new ArrayList<>();
    for (List<Column> key : table.keys()) {
      List<String> equal = new ArrayList<>();
      for (Column column : key) {
        other.columns().stream()
            .filter(each -> each.kind() == column.kind())
            .skip(rarely(2) ? 1 : random.nextInt(3))
            .findFirst()
            .ifPresent(
                each ->
                    equal.add(name + '.' + column.name() + " = " + otherName + '.' + each.name()));
      }
      if (equal.size() == key.size()) {
        matches.add(String.join(" AND ", equal));
      }
    }
    return matches.isEmpty() ? "true" : one(matches);
  }

  // ---- writes

  /** Returns a row of {@code table}; the server may refuse it. */
  Prepared row(Table table) {
    return values.prepared(insert(table));
  }

  /** Returns a write; the server may refuse it. */
  Prepared write() {
    Table table = any();
    String where = where(table);
    return values.prepared(
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> insert(table);
          case 3 -> "DELETE FROM " + table.name() + where;
          case 4 -> rarely(2) ? several(table) : "DELETE FROM " + table.name() + where;
          default -> "UPDATE " + table.name() + " SET " + set(table) + where;
        });
  }

  private String where(Table table) {
    List<Column> key = rarely(2) ? key(table) : List.of(table.columns().get(0));
    return " WHERE " + equal(table.name(), table, key);
  }

  private String insert(Table table) {
    List<Column> columns = table.writable().stream().filter(column -> !rarely(8)).toList();
    if (columns.isEmpty()) {
      return "INSERT INTO " + table.name() + " DEFAULT VALUES";
    }
    String made =
        columns.stream()
            .map(column -> rarely(6) ? computed(column) : values.plain(column))
            .collect(Collectors.joining(", "));
    return "INSERT INTO "
        + table.name()
        + columns.stream().map(Column::name).collect(Collectors.joining(", ", " (", ")"))
        + one(List.of("", " OVERRIDING SYSTEM VALUE", " OVERRIDING USER VALUE", ""))
        + (rarely(2) ? " SELECT " + made : " VALUES (" + made + ")" + conflict(table));
  }

  private String conflict(Table table) {
    List<Column> key = rarely(2) ? key(table) : List.of(table.columns().get(0));
    return rarely(3)
        ? ""
        : key.stream().map(Column::name).collect(Collectors.joining(", ", " ON CONFLICT (", ")"))
            + one(
                List.of(
                    " DO NOTHING", " DO UPDATE SET " + set(table), " DO UPDATE SET " + set(table)));
  }

  /** Returns a value that nobody knows before the server does. */
  private String computed(Column column) {
    return switch (column.kind()) {
      case INTEGER -> "1 + " + random.nextInt(3);
      case TEXT -> "lower('A')";
      default -> "DEFAULT";
    };
  }

  private String set(Table table) {
    List<Column> columns = new ArrayList<>();
    table.writable().stream().filter(column -> rarely(3)).forEach(columns::add);
    if (columns.isEmpty()) {
      columns.add(one(table.writable()));
    }
    return columns.stream()
        .map(
            column ->
                column.name()
                    + " = "
                    + (rarely(8) && column.kind() == Kind.INTEGER
                        ? column.name() + " + 1"
                        : values.plain(column)))
        .collect(Collectors.joining(", "));
  }

  /** Returns a write that has another within it. */
  private String several(Table table) {
    return "WITH w AS (UPDATE "
        + table.name()
        + " SET "
        + set(table)
        + where(table)
        + " RETURNING 1) DELETE FROM "
        + table.name()
        + where(table);
  }
}
