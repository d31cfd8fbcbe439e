package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import java.util.ArrayList;
import java.util.List;

/** Makes schemas: tables that refer to each other, partitions, inheritance, views over views. */
final class SchemaGrammar {
  /** Roles of the whole server; {@link Databases} makes them. */
  static final List<String> ROLES = List.of("fuzz_reader", "fuzz_owner");

  private static final List<String> NAMES =
      List.of("t0", "\"T 1\"", "\"Q\"\"x\"", "größe", "s2.t0", "\"select\"", "s2.\"U\"");

  private static final List<String> TYPES =
      List.of(
          "numeric(10,2)",
          "boolean",
          "date",
          "timestamptz",
          "timestamp",
          "jsonb",
          "int[]",
          "text[]",
          "uuid",
          "mood",
          "pair",
          "posint",
          "bytea",
          "interval",
          "int4range",
          "float8",
          "bigint",
          "varchar(10)",
          "char(5)",
          "time",
          "bit(3)",
          "inet",
          "oid");

  private static final List<Column> PLAIN =
      List.of(new Column("id", "int"), new Column("n", "int"), new Column("s", "text"));

  private final Choices choices;
  private final List<String> ddl = new ArrayList<>();
  private final List<Relation> readable = new ArrayList<>();
  private final List<Relation> writable = new ArrayList<>();
  private final List<String> numbers = new ArrayList<>();
  private final List<Relation> materialized = new ArrayList<>();

  private SchemaGrammar(Choices choices) {
    this.choices = choices;
  }

  static Schema schema(Choices choices) {
    return new SchemaGrammar(choices).schema();
  }

  private Schema schema() {
    ddl.add("CREATE SCHEMA s2");
    ddl.add("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
    ddl.add("CREATE TYPE pair AS (x int, y text)");
    ddl.add("CREATE DOMAIN posint AS int CHECK (VALUE >= 0)");
    ddl.add("CREATE SEQUENCE seq");
    ddl.add("CREATE TABLE audit (id int, n int, s text)");
    add(new Relation("audit", PLAIN));
    int tables = 3 + choices.below(4);
    for (int i = 0; i < tables; i++) {
      table(NAMES.get(i), i);
    }
    partitions();
    inheritance();
    new HazardGrammar(choices, ddl, numbers, List.copyOf(writable)).functions();
    views();
    ddl.add("GRANT USAGE ON SCHEMA s2 TO fuzz_reader, fuzz_owner");
    ddl.add("GRANT SELECT ON ALL TABLES IN SCHEMA public, s2 TO fuzz_reader");
    ddl.add("GRANT ALL ON ALL TABLES IN SCHEMA public, s2 TO fuzz_owner");
    ddl.add("GRANT ALL ON SEQUENCE seq TO fuzz_reader, fuzz_owner");
    // Last of all: what reacts to DDL may fail, and so would the DDL.
    new HazardGrammar(choices, ddl, numbers, List.copyOf(writable)).reactions();
    return new Schema(ddl, readable, writable, numbers, materialized);
  }

  private void add(Relation relation) {
    readable.add(relation);
    writable.add(relation);
  }

  private void table(String name, int index) {
    List<Column> columns = new ArrayList<>(PLAIN);
    StringBuilder body = new StringBuilder("id int PRIMARY KEY, n int DEFAULT 7, s text");
    int more = choices.below(4);
    for (int i = 0; i < more; i++) {
      Column column = new Column("c" + i, choices.of(TYPES));
      columns.add(column);
      body.append(", ").append(column.name()).append(' ').append(column.type());
    }
    if (choices.percent(25)) {
      columns.add(new Column("g", "int"));
      body.append(", g int GENERATED ALWAYS AS (n * 2) STORED");
    }
    if (choices.percent(60)) {
      columns.add(new Column("ref", "int"));
      String target = NAMES.get(choices.below(index + 1));
      body.append(", ref int REFERENCES ").append(target).append(' ').append(actions());
    }
    ddl.add("CREATE TABLE " + name + " (" + body + ")");
    ddl.add(
        "INSERT INTO "
            + name
            + " (id, n, s) SELECT i, i % 3, 's' || i FROM generate_series(1, 6) i");
    for (Column column : columns.subList(PLAIN.size(), columns.size())) {
      if (!column.name().equals("g")) {
        String value = column.name().equals("ref") ? "id" : Literals.of(column.type(), 1);
        ddl.add("UPDATE " + name + " SET " + column.name() + " = " + value + " WHERE id < 5");
      }
    }
    add(new Relation(name, columns));
  }

  private String actions() {
    String delete = choices.of("ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT");
    String update = choices.of("ON UPDATE CASCADE", "ON UPDATE SET NULL", "");
    return choices.of(delete + ' ' + update, "DEFERRABLE INITIALLY DEFERRED", delete);
  }

  private void partitions() {
    if (choices.percent(40)) {
      return;
    }
    ddl.add("CREATE TABLE part (id int, n int, s text, PRIMARY KEY (id, n)) PARTITION BY LIST (n)");
    ddl.add("CREATE TABLE part_0 PARTITION OF part FOR VALUES IN (0)");
    ddl.add("CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1, 2) PARTITION BY RANGE (id)");
    ddl.add("CREATE TABLE s2.part_1a PARTITION OF part_1 FOR VALUES FROM (0) TO (5)");
    ddl.add("CREATE TABLE part_1b PARTITION OF part_1 FOR VALUES FROM (5) TO (50000)");
    ddl.add("CREATE TABLE part_d PARTITION OF part DEFAULT");
    ddl.add("INSERT INTO part SELECT i, i % 4, 'p' || i FROM generate_series(1, 10) i");
    for (String name : List.of("part", "part_0", "part_1", "s2.part_1a", "part_1b", "part_d")) {
      add(new Relation(name, PLAIN));
    }
    if (choices.percent(50)) {
      ddl.add(
          "CREATE TABLE part_ref (id int, n int, s text,"
              + " FOREIGN KEY (id, n) REFERENCES part ON DELETE CASCADE ON UPDATE CASCADE)");
      ddl.add("INSERT INTO part_ref SELECT id, n, s FROM part WHERE id < 6");
      add(new Relation("part_ref", PLAIN));
    }
  }

  private void inheritance() {
    if (choices.percent(60)) {
      return;
    }
    ddl.add("CREATE TABLE parent (id int, n int, s text)");
    ddl.add("CREATE TABLE other_parent (id int, k int)");
    ddl.add("CREATE TABLE child (extra int) INHERITS (parent)");
    ddl.add("CREATE TABLE grandchild () INHERITS (child, other_parent)");
    for (String name : List.of("parent", "child", "grandchild")) {
      ddl.add("INSERT INTO " + name + " (id, n, s) VALUES (1, 1, 'i'), (2, 2, 'j')");
      add(new Relation(name, PLAIN));
    }
  }

  private void views() {
    int views = choices.below(5);
    for (int i = 0; i < views; i++) {
      String base = choices.of(readable).name();
      String name = choices.of("v", "s2.v", "\"V \"") + i;
      name = name.startsWith("\"") ? "\"V " + i + "\"" : name;
      String with = choices.of("", "", " WITH (security_barrier)", " WITH (security_invoker)");
      int kind = choices.below(6);
      String body =
          switch (kind) {
            case 0 -> "SELECT id, n, s FROM " + base;
            case 1 -> "SELECT id, n, s FROM " + base + " WHERE n >= 1 WITH CASCADED CHECK OPTION";
            case 2 -> "SELECT a.id, b.n, a.s FROM " + base + " a JOIN " + other() + " b USING (id)";
            case 3 -> "SELECT min(id) AS id, n, max(s) AS s FROM " + base + " GROUP BY n";
            case 4 -> "SELECT id, " + call("n") + " AS n, s FROM " + base;
            default -> "SELECT id, n, s FROM " + base + " UNION ALL TABLE audit";
          };
      ddl.add("CREATE VIEW " + name + with + " AS " + body);
      Relation view = new Relation(name, PLAIN);
      readable.add(view);
      if (kind < 2 || kind == 4) {
        writable.add(view);
      }
    }
    if (choices.percent(50)) {
      Relation view = new Relation("mv", PLAIN);
      ddl.add(
          "CREATE MATERIALIZED VIEW mv AS SELECT id, max(n) AS n, max(s) AS s FROM "
              + other()
              + " GROUP BY id");
      ddl.add("CREATE UNIQUE INDEX ON mv (id)");
      readable.add(view);
      materialized.add(view);
    }
  }

  private String other() {
    return choices.of(readable).name();
  }

  private String call(String argument) {
    return numbers.isEmpty() ? argument : choices.of(numbers).formatted(argument);
  }
}
