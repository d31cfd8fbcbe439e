package dev.larder.keys;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementText;
import dev.larder.sql.RelationName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Three tables of a shop, as the analysis sees them: orders, their items, and products. */
final class Shop implements Names {
  private final Map<String, KeyTable> tables = new HashMap<>();

  Shop() {
    List<KeyColumn> product =
        columns(
            "id INTEGER",
            "code TEXT",
            "name TEXT",
            "category_id INTEGER",
            "weight",
            "sold BOOLEAN");
    table("product", product, "id!", "code!", "category_id");
    table(
        "orders",
        columns("id INTEGER", "customer_id INTEGER", "status TEXT"),
        "id!",
        "customer_id");
    table(
        "item",
        columns("order_id INTEGER", "line INTEGER", "product_id INTEGER", "note TEXT"),
        "order_id,line!",
        "order_id",
        "product_id");
  }

  private static List<KeyColumn> columns(String... written) {
    List<KeyColumn> columns = new ArrayList<>();
    for (String each : written) {
      String[] parts = each.split(" ");
      KeyType type = parts.length > 1 ? KeyType.valueOf(parts[1]) : null;
      columns.add(
          new KeyColumn(
              columns.size() + 1,
              parts[0],
              type,
              type != null,
              parts[0].equals("code") ? 4 : Integer.MAX_VALUE,
              parts[0].equals("id"),
              false,
              type == KeyType.TEXT
                  ? parts[0].equals("note") ? 12_345 : parts[0].equals("status") ? 12_346 : 100
                  : 0));
    }
    return columns;
  }

  private void table(String name, List<KeyColumn> columns, String... keys) {
    List<KeyScheme> schemes = new ArrayList<>();
    for (String key : keys) {
      List<String> names = List.of(key.replace("!", "").split(","));
      List<KeyColumn> own = columns.stream().filter(c -> names.contains(c.name())).toList();
      schemes.add(new KeyScheme(own, key.endsWith("!")));
    }
    tables.put(
        name,
        new KeyTable(
            tables.size() + 1,
            name,
            columns,
            schemes,
            schemes.get(0),
            schemes.stream().filter(KeyScheme::unique).toList(),
            name.equals("item")
                ? List.of(
                    new KeyTable.Reference(List.of(3), 1, List.of(1)),
                    new KeyTable.Reference(List.of(1), 2, List.of(1)))
                : List.of(),
            Set.of()));
  }

  @Override
  public KeyTable table(RelationName name) {
    return name.schema() == null || name.schema().equals("public") ? tables.get(name.name()) : null;
  }

  static QueryTree tree(String sql) {
    return QueryTree.of(text(sql).shape());
  }

  static StatementText text(String sql) {
    return SqlLexer.lex(sql, LexOptions.of(true, true));
  }

  /** Says what a query depends on, such as {@code product by id = 7, found}. */
  List<String> reads(String sql) {
    QueryTree tree = tree(sql);
    if (tree == null) {
      return List.of();
    }
    List<String> said = new ArrayList<>();
    Object[] literals = text(sql).literals().toArray();
    for (ReadPattern.OfTable one : ReadAnalyzer.analyze(tree, this).tables()) {
      List<String> mentions = one.mentions().stream().map(each -> said(each, literals)).toList();
      said.add(one.table().name() + " by " + String.join(" and ", mentions) + shown(one.shown()));
    }
    for (ReadPattern.Derived one : ReadAnalyzer.analyze(tree, this).derived()) {
      String columns = String.join(", ", one.columns().stream().map(KeyColumn::name).toList());
      said.add(
          one.table().name()
              + " derived by "
              + one.scheme().name()
              + " from "
              + one.driving().name()
              + "."
              + columns
              + (one.unique() ? ", unique" : ""));
    }
    said.sort(null);
    return said;
  }

  /** Says which few columns a query uses, such as {@code product: id, name}. */
  List<String> columns(String sql) {
    QueryTree tree = tree(sql);
    return tree == null
        ? List.of()
        : ReadAnalyzer.analyze(tree, this).columns().stream()
            .map(one -> one.table().name() + ": " + one.names())
            .sorted()
            .toList();
  }

  private static String shown(ReadPattern.Shown shown) {
    return shown == ReadPattern.Shown.NOTHING ? "" : ", " + shown.name().toLowerCase(Locale.ROOT);
  }

  /** Says what a write changes, such as {@code id: 7 -> ?}. */
  List<String> writes(String sql) {
    QueryTree tree = tree(sql);
    WritePattern pattern = tree == null ? null : WriteAnalyzer.analyze(tree, this);
    if (pattern == null) {
      return List.of("any");
    }
    Object[] literals = text(sql).literals().toArray();
    List<String> said = new ArrayList<>();
    for (WritePattern.OfScheme one : pattern.schemes()) {
      String old = one.changesRows() ? one.old() == null ? "?" : values(one.old(), literals) : "-";
      old = one.replaces() ? "the same" : old;
      String made = one.makesRows() ? one.made() == null ? "?" : values(one.made(), literals) : "-";
      said.add(one.scheme().name() + ": " + old + " -> " + made);
    }
    return said;
  }

  private static String said(Restriction restriction, Object[] literals) {
    return restriction.scheme().name() + " = " + values(restriction, literals);
  }

  private static String values(Restriction restriction, Object[] literals) {
    List<String> values = new ArrayList<>();
    for (List<Operand> value : restriction.values()) {
      List<String> parts =
          value.stream()
              .map(
                  operand ->
                      operand instanceof Operand.Elements array
                          ? "each of $" + (array.index() + 1)
                          : operand instanceof Operand.Cast cast
                                  && cast.of() instanceof Operand.Parameter parameter
                              ? "$" + (parameter.index() + 1) + " as " + cast.type()
                              : operand instanceof Operand.Parameter parameter
                                  ? "$" + (parameter.index() + 1)
                                  : operand.value(literals, new Object[0]) == Operand.NULL
                                      ? "NULL"
                                      : String.valueOf(operand.value(literals, new Object[0])))
              .toList();
      values.add(String.join(" & ", parts));
    }
    return String.join("|", values);
  }
}
