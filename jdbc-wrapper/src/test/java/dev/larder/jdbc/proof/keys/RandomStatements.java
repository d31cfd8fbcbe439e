package dev.larder.jdbc.proof.keys;

import dev.larder.jdbc.proof.keys.RandomTables.Column;
import dev.larder.jdbc.proof.keys.RandomTables.Kind;
import dev.larder.jdbc.proof.keys.RandomTables.Table;
import java.math.BigDecimal;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random reads and writes of some tables: many that name rows by a key, in all ways in which a
 * value can be written, and many that only look as if they did.
 */
final class RandomStatements {
  /** Stands for a parameter while the text is being made. */
  private static final Pattern PARAMETER = Pattern.compile("\u0001(\\d+)\u0001");

  private static final List<String> TEXTS = List.of("a", "b", "A", "a ", "ab", "", "é", "ab  ");
  private static final List<String> FEW_TEXTS = List.of("a", "b", "A");
  private static final List<String> UUIDS =
      List.of("00000000-0000-0000-0000-00000000000a", "f0000000-0000-0000-0000-000000000001");

  /**
   * A statement.
   *
   * @param binds in the order of its parameters
   */
  record Prepared(String sql, List<Bound> binds) {}

  /** An array of a type of the server's. */
  record Array(String type, List<@Nullable Object> elements) {}

  /** A bind: a value, and the type that it is set with, 0 for none. */
  record Bound(@Nullable Object value, int type) {}

  /** A mention of a table. */
  private record Mention(Table table, String name) {
    String column(Column column) {
      return name + '.' + column.name();
    }
  }

  private final RandomTables tables;
  private final Random random;
  private final List<Bound> binds = new ArrayList<>();

  RandomStatements(RandomTables tables, Random random) {
    this.tables = tables;
    this.random = random;
  }

  private boolean rarely(int of) {
    return random.nextInt(of) == 0;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Puts the binds into the order in which their parameters came to stand. */
  Prepared prepared(String sql) {
    List<Bound> inOrder = new ArrayList<>();
    String text =
        PARAMETER
            .matcher(sql)
            .replaceAll(
                found -> {
                  inOrder.add(binds.get(Integer.parseInt(found.group(1))));
                  return "?";
                });
    binds.clear();
    return new Prepared(text, inOrder);
  }

  // ---- values

  /** Returns a constant to compare with or to assign to {@code column}. */
  private String constant(Column column) {
    if (rarely(3)) {
      return bound(column.kind());
    }
    return rarely(15) ? "NULL" : literal(column.kind());
  }

  /** Returns such a constant in the way that applications write it. */
  String plain(Column column) {
    if (rarely(20)) {
      return constant(column);
    }
    if (rarely(3)) {
      Object value =
          switch (column.kind()) {
            case INTEGER, DOMAIN -> frequent();
            case TEXT, NOCASE, BLANKS -> one(FEW_TEXTS);
            case BOOLEAN -> rarely(2);
            case UUID -> UUID.fromString(one(UUIDS));
            default -> null;
          };
      if (value != null) {
        return parameter(new Bound(value, 0));
      }
    }
    return switch (column.kind()) {
      case INTEGER, DOMAIN -> String.valueOf(frequent());
      case TEXT, NOCASE, BLANKS -> "'" + one(FEW_TEXTS) + "'";
      case UUID -> "'" + one(UUIDS) + "'";
      default -> literal(column.kind());
    };
  }

  /** Many rows have one of two numbers, so that they are together in lists. */
  private int frequent() {
    return rarely(2) ? random.nextInt(2) : number();
  }

  /** One number is rare: what divides by the others has failed before. */
  private int number() {
    return rarely(12) ? 3 : random.nextInt(4) - 1;
  }

  private String literal(Kind kind) {
    return switch (kind) {
      case INTEGER, DOMAIN -> integer(number());
      case NUMERIC -> one(List.of("1", "1.0", "1.5", "2"));
      case TEXT, NOCASE, BLANKS -> text(one(TEXTS));
      case MOOD -> "'low'";
      case UUID -> uuid(one(UUIDS));
      case BOOLEAN ->
          one(List.of("true", "false", "TRUE", "'t'", "'yes'", "'on'", "1::bool", "'f'::boolean"));
      case DATE -> one(List.of("'2024-01-01'", "DATE '2024-01-02'"));
    };
  }

  private static String uuid(String value, int way) {
    return switch (way) {
      case 0 -> "'" + value.toUpperCase(Locale.ROOT) + "'";
      case 1 -> "'{" + value + "}'";
      case 2 -> "'" + value.replace("-", "") + "'";
      case 3 -> "'" + value + "'::uuid";
      case 4 -> "UUID '" + value + "'";
      default -> "'" + value + "'";
    };
  }

  private String uuid(String value) {
    return uuid(value, random.nextInt(9));
  }

  private String integer(int value) {
    return switch (random.nextInt(30)) {
      case 0 -> "'" + value + "'";
      case 1 -> value + ".0";
      case 2 -> value + "::bigint";
      case 3 -> "(" + value + ")";
      case 4 -> "' " + value + "'";
      case 5 -> value < 0 ? String.valueOf(value) : "0" + value;
      case 6 -> "CAST(" + value + " AS smallint)";
      case 7 -> value < 0 ? "- " + -value : "+" + value;
      case 8 -> value + "e0";
      case 9 -> value < 0 ? "-0x1" : "0x" + value;
      case 10 -> "'" + value + "'::int";
      case 11 -> value + "::numeric";
      case 12 -> one(List.of("4294967297", "9223372036854775807", "99999999999999999999"));
      case 13 -> "(- (" + -value + "))";
      case 14 -> value < 0 ? "'-01'" : "'+" + value + "'";
      default -> String.valueOf(value);
    };
  }

  private String text(String value) {
    return switch (random.nextInt(20)) {
      case 0 -> "E'" + value + "'";
      case 1 -> "$$" + value + "$$";
      case 2 -> "'" + value + "'::text";
      case 3 -> value.equals("a") ? "E'\\x61'" : "'" + value + "'";
      case 4 -> value.equals("a") ? "U&'\\0061'" : "U&'" + value + "'";
      case 5 -> "N'" + value + "'";
      case 6 -> "'" + value + "'::char(3)";
      case 7 -> "'" + value + "'::varchar(1)";
      case 8 -> "'" + value + "'::name";
      case 9 -> "'" + value + "' || ''";
      case 10 -> "text '" + value + "'";
      case 11 -> "('" + value + "' COLLATE nocase)";
      case 12 -> one(List.of("'e\u0301'", "'abcd'", "'it''s'", "'?'", "'a\\'"));
      default -> "'" + value + "'";
    };
  }

  private String bound(Kind kind) {
    int value = number();
    return parameter(
        switch (kind) {
          case INTEGER, DOMAIN ->
              one(
                  List.of(
                      new Bound(value, 0),
                      new Bound((long) value, 0),
                      new Bound((short) value, 0),
                      new Bound(BigDecimal.valueOf(value), 0),
                      new Bound((long) value, Types.INTEGER),
                      new Bound(value, Types.NUMERIC),
                      new Bound((double) value, 0),
                      new Bound((float) value, 0),
                      new Bound(value, Types.DOUBLE),
                      new Bound(String.valueOf(value), Types.INTEGER),
                      new Bound(null, Types.INTEGER)));
          case NUMERIC -> new Bound(new BigDecimal("1.0"), 0);
          case TEXT, NOCASE, BLANKS ->
              rarely(5)
                  ? new Bound(one(TEXTS), one(List.of(Types.CHAR, Types.LONGVARCHAR, Types.OTHER)))
                  : rarely(8) ? new Bound(null, Types.VARCHAR) : new Bound(one(TEXTS), 0);
          case UUID ->
              rarely(4)
                  ? new Bound(one(UUIDS).toUpperCase(Locale.ROOT), Types.OTHER)
                  : new Bound(UUID.fromString(one(UUIDS)), 0);
          case BOOLEAN -> new Bound(rarely(2), 0);
          case DATE -> new Bound(java.time.LocalDate.of(2024, 1, 1), 0);
          case MOOD -> new Bound("low", Types.OTHER);
        });
  }

  private String parameter(Bound bound) {
    binds.add(bound);
    return "\u0001" + (binds.size() - 1) + "\u0001";
  }

  /** Returns an array that is a parameter; its elements are equal to values of {@code column}. */
  String array(Column column) {
    List<@Nullable Object> elements = new ArrayList<>();
    String type =
        switch (column.kind()) {
          case INTEGER, DOMAIN, NUMERIC ->
              one(List.of("int2", "int4", "int8", "int8", "numeric", "float8"));
          case UUID -> "uuid";
          case BOOLEAN -> "bool";
          case DATE -> "date";
          case TEXT, NOCASE, BLANKS -> one(List.of("text", "varchar", "bpchar"));
          case MOOD -> "mood";
        };
    for (int i = random.nextInt(rarely(9) ? 30 : 4); i >= 0; i--) {
      elements.add(rarely(9) ? null : element(column.kind()));
    }
    return parameter(new Bound(new Array(type, elements), Types.ARRAY));
  }

  private Object element(Kind kind) {
    return switch (kind) {
      case INTEGER, DOMAIN, NUMERIC -> number();
      case UUID -> UUID.fromString(one(UUIDS));
      case BOOLEAN -> rarely(2);
      case DATE -> "2024-01-01";
      case TEXT, NOCASE, BLANKS -> one(TEXTS);
      case MOOD -> "low";
    };
  }

  // ---- conditions

  /** Returns a condition of {@code mention} that may name its rows by a key. */
  private String restriction(Mention mention) {
    List<Column> columns =
        mention.table().keys().isEmpty() || rarely(5)
            ? List.of(one(mention.table().columns()))
            : one(mention.table().keys());
    return columns.size() > 1 && rarely(3)
        ? ofRows(mention, columns)
        : columns.stream()
            .map(column -> equality(mention, column))
            .collect(Collectors.joining(" AND "));
  }

  /** Returns a comparison of rows with one, or some. */
  private String ofRows(Mention mention, List<Column> columns) {
    String fields = row(columns, mention::column);
    return switch (random.nextInt(4)) {
      case 0 -> fields + " = " + row(columns, this::constant);
      case 1 -> row(columns, this::constant) + " = ROW" + fields;
      case 2 -> fields + " IN (" + row(columns, this::constant) + ")";
      default ->
          fields
              + (rarely(6) ? " NOT" : "")
              + " IN ("
              + row(columns, this::constant)
              + ", "
              + row(columns, this::constant)
              + ")";
    };
  }

  private static String row(List<Column> columns, Function<Column, String> field) {
    return columns.stream().map(field).collect(Collectors.joining(", ", "(", ")"));
  }

  private String equality(Mention mention, Column column) {
    String name = mention.column(column);
    return switch (random.nextInt(16)) {
      case 3 -> name + " NOT IN (" + constant(column) + ")";
      case 4 -> "NOT " + name + " = " + constant(column);
      case 5 -> name + " = ANY (" + array(column) + ")";
      case 6 -> name + " = SOME (ARRAY[" + constant(column) + ", " + constant(column) + "])";
      case 0 -> constant(column) + " = " + name;
      case 1 -> name + " IN (" + constant(column) + ", " + constant(column) + ")";
      case 2 ->
          "(" + name + " = " + constant(column) + " OR " + name + " = " + constant(column) + ")";
      default -> name + " = " + constant(column);
    };
  }

  private String condition(List<Mention> mentions, int depth) {
    Mention mention = one(mentions);
    List<List<Column>> keys = mention.table().keys();
    Column column = one(rarely(2) || keys.isEmpty() ? mention.table().columns() : one(keys));
    String name = mention.column(column);
    if (depth > 0 && rarely(3)) {
      String both =
          condition(mentions, depth - 1)
              + one(List.of(" AND ", " OR ", " AND "))
              + condition(mentions, depth - 1);
      return rarely(2) ? "(" + both + ")" : both;
    }
    return switch (random.nextInt(16)) {
      case 0 -> name + one(List.of(" < ", " > ", " <> ", " >= ")) + constant(column);
      case 1 -> name + " IS " + (rarely(2) ? "NOT " : "") + "NULL";
      case 2 -> name + " BETWEEN " + constant(column) + " AND " + constant(column);
      case 3 -> name + " NOT IN (" + constant(column) + ", " + constant(column) + ")";
      case 4 -> "NOT " + name + " = " + constant(column);
      case 5 ->
          column.kind() == Kind.INTEGER ? "1 / (" + name + " - 3) < 9" : name + " IS NOT NULL";
      case 6 -> "lower(" + name + "::text) = 'a'";
      case 7 -> column.kind() == Kind.BOOLEAN ? name : name + " = " + name;
      case 8 -> "(" + name + ") = (" + constant(column) + ")";
      case 9, 10 -> exists(mention, column);
      case 11 -> column.kind() == Kind.TEXT ? like(name) : name + " IS NULL";
      default -> restriction(mention);
    };
  }

  private String exists(Mention mention, Column column) {
    Mention other = new Mention(tables.any(), rarely(2) ? "x" : "m0");
    List<Column> alike =
        other.table().columns().stream().filter(each -> each.kind() == column.kind()).toList();
    if (alike.isEmpty()) {
      return "true";
    }
    String own = other.column(one(alike));
    String from = " FROM " + other.table().name() + ' ' + other.name() + " WHERE ";
    String more = rarely(2) ? restriction(other) : "true";
    String not = rarely(3) ? "NOT " : "";
    return rarely(3)
        ? mention.column(column) + ' ' + not + "IN (SELECT " + own + from + more + ")"
        : not
            + "EXISTS (SELECT "
            + one(List.of("1", "*", own))
            + from
            + own
            + " = "
            + (rarely(4) ? column.name() : mention.column(column))
            + " AND "
            + more
            + ")";
  }

  /** Returns what a pattern says of a text. */
  String like(String name) {
    String pattern = one(List.of("a", "a%", "_b", "%", "", "a\\", "ab\\", "a\\%", "A%"));
    String written = rarely(2) ? "'" + pattern + "'" : parameter(new Bound(pattern, 0));
    String escape = rarely(6) ? one(List.of(" ESCAPE ''", " ESCAPE '!'")) : "";
    return name + one(List.of(" LIKE ", " LIKE ", " NOT LIKE ", " ILIKE ")) + written + escape;
  }

  /** Returns that a text matches a pattern that is a parameter. */
  String like(String name, String pattern) {
    return name + " LIKE " + parameter(new Bound(pattern, 0));
  }

  private String join(Mention joined, List<Mention> before) {
    Mention other = one(before);
    List<String> pairs = new ArrayList<>();
    for (Column own : joined.table().columns()) {
      for (Column theirs : other.table().columns()) {
        if (own.kind().comparesWith(theirs.kind())) {
          pairs.add(joined.column(own) + " = " + other.column(theirs));
        }
      }
    }
    return pairs.isEmpty() ? "true" : one(pairs);
  }

  /** Returns columns of {@code joined} that equal a key of another's, where there are any. */
  private String keyJoin(Mention joined, List<Mention> before) {
    Mention other = one(before);
    for (List<Column> key : joined.table().keys()) {
      List<String> equal = new ArrayList<>();
      for (Column column : key) {
        other.table().columns().stream()
            .filter(each -> each.kind() == column.kind())
            .skip(random.nextInt(2))
            .findFirst()
            .ifPresent(each -> equal.add(joined.column(column) + " = " + other.column(each)));
      }
      if (equal.size() == key.size() && !rarely(3)) {
        return String.join(" AND ", equal);
      }
    }
    return join(joined, before);
  }

  // ---- reads

  /** Returns a query; the server may refuse it. */
  Prepared read() {
    String sql = block(rarely(3));
    if (rarely(10)) {
      sql += one(List.of(" UNION ALL ", " UNION ", " EXCEPT ")) + block(true);
    }
    return prepared(sql);
  }

  private String block(boolean one) {
    List<Mention> mentions = new ArrayList<>();
    int count = one ? 1 : 1 + random.nextInt(3);
    StringBuilder from = new StringBuilder();
    List<String> where = new ArrayList<>();
    String pending = "";
    for (int i = 0; i < count; i++) {
      Table table = tables.any();
      boolean alias = count > 1 || rarely(3);
      Mention mention = new Mention(table, alias ? "m" + i : table.name());
      String written = table.name() + (alias ? " m" + i : "");
      if (mentions.isEmpty()) {
        from.append(written);
      } else {
        // Inside of a nested join only the last table is known.
        List<Mention> known = pending.isEmpty() ? mentions : mentions.subList(i - 1, i);
        String on = keyJoin(mention, known);
        if (rarely(2)) {
          List<Mention> all = concat(known, mention);
          on += " AND " + (rarely(2) ? restriction(one(all)) : condition(all, 0));
        }
        pending = joined(from, where, written, on, pending);
      }
      mentions.add(mention);
    }
    from.append(pending);
    mentions.forEach(mention -> maybeRestrict(mention, where));
    if (rarely(3)) {
      where.add(random.nextInt(where.size() + 1), condition(mentions, 1));
    }
    String items = items(mentions);
    String sql = "SELECT " + items + " FROM " + from;
    if (!where.isEmpty()) {
      sql += " WHERE " + String.join(" AND ", where);
    }
    return sql + tail(mentions, items);
  }

  private static List<Mention> concat(List<Mention> some, Mention more) {
    List<Mention> all = new ArrayList<>(some);
    all.add(more);
    return all;
  }

  private void maybeRestrict(Mention mention, List<String> where) {
    if (rarely(2)) {
      where.add(random.nextInt(where.size() + 1), restriction(mention));
    }
  }

  /** Adds a join, and returns what closes those that are nested. */
  private String joined(
      StringBuilder from, List<String> where, String table, String on, String pending) {
    switch (random.nextInt(12)) {
      case 0 -> {
        from.append(", ").append(table);
        where.add(on);
      }
      case 1, 2, 3 -> from.append(" LEFT JOIN ").append(table).append(" ON ").append(on);
      case 4, 9 -> from.append(" RIGHT JOIN ").append(table).append(" ON ").append(on);
      case 5 -> from.append(" FULL JOIN ").append(table).append(" ON ").append(on);
      case 6, 8 -> {
        from.append(one(List.of(" LEFT JOIN ", " LEFT JOIN ", " JOIN "))).append(table);
        return " ON " + on + pending;
      }
      case 7 -> {
        from.append(" CROSS JOIN ").append(table);
        where.add(on);
      }
      default -> from.append(" JOIN ").append(table).append(" ON ").append(on);
    }
    return pending;
  }

  private String items(List<Mention> mentions) {
    Mention mention = one(mentions);
    Column column = one(mention.table().columns());
    return switch (random.nextInt(13)) {
      case 0 -> "count(*)";
      case 1 -> "max(" + mention.column(column) + "::text), count(*)";
      case 2 -> "DISTINCT " + mention.column(column);
      case 3 -> mention.column(column) + ", lower(" + mention.column(column) + "::text)";
      case 4 -> mention.name() + ".*";
      case 5 -> mention.column(column);
      case 6 -> "*, (SELECT count(*) FROM " + tables.any().name() + " x)";
      case 7 -> mention.name();
      case 8 -> "min(" + mention.name() + "::text)";
      case 9 -> mention.name() + ".to_jsonb";
      default -> "*";
    };
  }

  private String tail(List<Mention> mentions, String items) {
    Mention mention = one(mentions);
    String column = mention.column(one(mention.table().columns()));
    if (items.startsWith("count")) {
      return rarely(3) ? " HAVING " + one(List.of("count(*) > 1", "count(*) = 0")) : "";
    }
    boolean distinct = items.startsWith("DISTINCT");
    return switch (random.nextInt(12)) {
      case 0, 1, 4 ->
          ordered(mentions, distinct ? items.substring("DISTINCT ".length()) : null)
              + one(List.of(" LIMIT 1", " OFFSET 1", " FETCH FIRST 2 ROWS ONLY"));
      case 2, 3 -> distinct ? "" : " ORDER BY " + column;
      case 5 -> items.equals(column) ? " GROUP BY " + column + " HAVING count(*) > 0" : "";
      default -> "";
    };
  }

  /** Without an order of all rows the server may choose which ones come first. */
  private static String ordered(List<Mention> mentions, @Nullable String only) {
    String all =
        mentions.stream()
            .flatMap(mention -> mention.table().columns().stream().map(mention::column))
            .collect(Collectors.joining(", "));
    return " ORDER BY " + (only == null ? all : only);
  }

  // ---- writes

  /** Returns a row of values for each table; some may be refused. */
  Prepared row(Table table) {
    return prepared(insert(table, 1));
  }

  /** Returns a write; the server may refuse it. */
  Prepared write() {
    Table table = tables.any();
    return prepared(
        switch (random.nextInt(16)) {
          case 0, 1, 2, 3 -> insert(table, 1 + random.nextInt(3)) + conflict(table);
          case 4 ->
              "INSERT INTO " + table.name() + " SELECT * FROM " + tables.any().name() + " LIMIT 2";
          case 5, 6, 7 -> delete(table);
          case 8 -> one(List.of("TRUNCATE " + table.name() + " CASCADE", merge(table)));
          case 9 ->
              "WITH w AS (DELETE FROM "
                  + table.name()
                  + " RETURNING *) INSERT INTO "
                  + table.name()
                  + " SELECT * FROM w LIMIT 1";
          default -> update(table);
        });
  }

  private String insert(Table table, int rows) {
    List<Column> columns =
        rarely(3)
            ? table.writable()
            : table.writable().stream().filter(column -> !rarely(5)).toList();
    if (columns.isEmpty()) {
      return "INSERT INTO " + table.name() + " DEFAULT VALUES";
    }
    boolean selected = rarely(3);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(
          columns.stream()
              .map(column -> !selected && rarely(12) ? "DEFAULT" : assigned(column))
              .collect(Collectors.joining(", ", selected ? "" : "(", selected ? "" : ")")));
    }
    String overriding = rarely(8) ? one(List.of(" OVERRIDING USER VALUE", "")) : "";
    return "INSERT INTO "
        + table.name()
        + columns.stream().map(Column::name).collect(Collectors.joining(", ", " (", ")"))
        + (overriding.isEmpty() && rarely(3) ? " OVERRIDING SYSTEM VALUE" : overriding)
        + (selected ? selected(values.get(0)) : " VALUES " + String.join(", ", values));
  }

  private String selected(String values) {
    String from = rarely(2) ? " FROM " + tables.any().name() + " LIMIT 2" : "";
    return " SELECT " + (rarely(6) ? "DISTINCT " : "") + values + from;
  }

  private String conflict(Table table) {
    Column target = one(table.writable());
    return switch (random.nextInt(8)) {
      case 0 -> " ON CONFLICT DO NOTHING";
      case 1 ->
          table.keys().isEmpty()
              ? ""
              : " ON CONFLICT ("
                  + one(table.keys()).stream().map(Column::name).collect(Collectors.joining(", "))
                  + ") DO UPDATE SET "
                  + target.name()
                  + " = "
                  + one(List.of("EXCLUDED." + target.name(), assigned(target)));
      case 2 -> " RETURNING *";
      default -> "";
    };
  }

  private String assigned(Column column) {
    return rarely(12) && column.kind() == Kind.INTEGER ? "1 + 1" : constant(column);
  }

  private String merge(Table table) {
    Column key = one(table.columns());
    Column target = one(table.writable());
    return "MERGE INTO "
        + table.name()
        + " m0 USING "
        + table.name()
        + " m1 ON m0."
        + key.name()
        + " = m1."
        + key.name()
        + " WHEN MATCHED THEN UPDATE SET "
        + target.name()
        + " = "
        + constant(target);
  }

  private String delete(Table table) {
    Mention mention = new Mention(table, rarely(3) ? "m0" : table.name());
    String sql = "DELETE FROM " + table.name() + (mention.name().equals("m0") ? " AS m0" : "");
    if (rarely(5)) {
      Mention other = new Mention(tables.any(), "m1");
      return sql
          + " USING "
          + other.table().name()
          + " m1 WHERE "
          + keyJoin(other, List.of(mention))
          + " AND "
          + restriction(rarely(2) ? mention : other);
    }
    return sql + " WHERE " + where(mention);
  }

  private String where(Mention mention) {
    String restriction = restriction(mention);
    return switch (random.nextInt(6)) {
      case 0 -> condition(List.of(mention), 1);
      case 1 -> restriction + " AND " + condition(List.of(mention), 0);
      case 2 -> restriction + " OR " + restriction(mention);
      default -> restriction;
    };
  }

  private String update(Table table) {
    Mention mention = new Mention(table, rarely(3) ? "m0" : table.name());
    List<String> sets = new ArrayList<>();
    for (Column column : table.writable()) {
      if (rarely(2)) {
        sets.add(set(mention, column));
      }
    }
    if (sets.isEmpty()) {
      sets.add(set(mention, one(table.writable())));
    }
    String sql =
        "UPDATE "
            + table.name()
            + (mention.name().equals("m0") ? " m0" : "")
            + " SET "
            + String.join(", ", sets);
    if (rarely(6)) {
      Mention other = new Mention(tables.any(), "m1");
      return sql
          + " FROM "
          + other.table().name()
          + " m1 WHERE "
          + keyJoin(other, List.of(mention))
          + " AND "
          + restriction(rarely(2) ? mention : other);
    }
    return sql + " WHERE " + where(mention);
  }

  private String set(Mention mention, Column column) {
    if (rarely(10)) {
      return "(" + column.name() + ") = ROW(" + constant(column) + ")";
    }
    if (rarely(8)) {
      return column.name() + " = DEFAULT";
    }
    return column.name()
        + " = "
        + (rarely(6) && column.kind() == Kind.INTEGER
            ? mention.column(column) + " + 1"
            : constant(column));
  }
}
