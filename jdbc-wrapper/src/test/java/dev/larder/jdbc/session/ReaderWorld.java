package dev.larder.jdbc.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random objects of a schema, of which some read settings: tables with policies, views, functions
 * that call each other, an operator and a cast. Made once, then never changed.
 */
final class ReaderWorld {
  static final String SCHEMA = "world";
  static final List<String> SETTINGS = List.of("app.a", "app.b", "app.c");
  static final List<String> VALUES = List.of("p", "q", "r");

  /** Names of the functions that Larder is to believe, though they are STABLE. */
  static final String DECLARED = "told0,told1,told2,told3,told4,told5";

  private static final int FUNCTIONS = 6;
  private static final int QUERIES = 5;

  private final Random random;
  private final boolean standardBodies;
  private final List<String> made = new ArrayList<>();
  private final List<String> functions = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();

  /**
   * Makes a world.
   *
   * @param standardBodies whether the server has functions with a body in standard SQL
   */
  ReaderWorld(Random random, String reader, boolean standardBodies) {
    this.random = random;
    this.standardBodies = standardBodies;
    made.add("CREATE SCHEMA " + SCHEMA);
    made.add("SET search_path TO " + SCHEMA);
    hidden();
    for (int i = 0; i < FUNCTIONS; i++) {
      function(i);
    }
    for (int i = 0; i < 3; i++) {
      table("t" + i);
    }
    for (int i = 0; i < 3; i++) {
      String view = "v" + i;
      made.add("CREATE VIEW " + view + " AS SELECT name FROM " + any(sources) + where());
      sources.add(view);
    }
    made.add("GRANT USAGE ON SCHEMA " + SCHEMA + " TO " + reader);
    made.add("GRANT SELECT ON ALL TABLES IN SCHEMA " + SCHEMA + " TO " + reader);
    for (int i = 0; i < QUERIES; i++) {
      queries.add("SELECT name FROM " + any(sources) + where() + " ORDER BY name");
    }
  }

  /** Returns the statements that make it. */
  List<String> made() {
    return made;
  }

  /** Returns queries of it. */
  List<String> queries() {
    return queries;
  }

  private <T> T any(List<T> choice) {
    return choice.get(random.nextInt(choice.size()));
  }

  private String setting() {
    return "current_setting('" + any(SETTINGS) + "', true)";
  }

  /**
   * Returns what a text, a view or a function may read by. It depends on a value, as a plan of
   * PL/pgSQL keeps the constants that an IMMUTABLE function has made of others.
   */
  private String expression(String value) {
    return functions.isEmpty() || random.nextInt(3) == 0
        ? setting()
        : any(functions) + "(" + value + ")";
  }

  private void hidden() {
    made.add("CREATE TYPE kept AS ENUM ('p')");
    made.add(sql("chosen(text, text) RETURNS bool", "SELECT $1 = " + setting()));
    made.add("CREATE OPERATOR %% (FUNCTION = chosen, LEFTARG = text, RIGHTARG = text)");
    made.add(sql("shown(kept) RETURNS text", "SELECT " + setting()));
    made.add("CREATE CAST (kept AS text) WITH FUNCTION shown(kept)");
  }

  private static String sql(String head, String body) {
    return "CREATE FUNCTION " + head + " LANGUAGE sql IMMUTABLE AS $$ " + body + " $$";
  }

  private void function(int number) {
    String body =
        switch (random.nextInt(6)) {
          case 0 -> "CASE WHEN $1 %% '' THEN 'p' ELSE 'q' END";
          case 1 -> "(CASE WHEN $1 <> '' THEN 'p'::kept END)::text";
          case 2 -> "'q'::text";
          default -> expression("$1");
        };
    boolean declared = random.nextInt(4) == 0;
    String name = (declared ? "told" : "read") + number;
    String head =
        "CREATE FUNCTION " + name + "(text) RETURNS text " + (declared ? "STABLE" : "IMMUTABLE");
    made.add(head + body(body));
    functions.add(name);
  }

  private String body(String expression) {
    return switch (random.nextInt(standardBodies ? 4 : 3)) {
      case 0 -> " LANGUAGE sql AS $$ SELECT " + expression + " $$";
      case 1 -> " LANGUAGE plpgsql AS $$ BEGIN RETURN " + expression + "; END $$";
      case 2 -> " SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN RETURN " + expression + "; END $$";
      default -> " RETURN " + expression;
    };
  }

  private void table(String name) {
    made.add("CREATE TABLE " + name + " (name text)");
    made.add("INSERT INTO " + name + " VALUES ('p'), ('q'), ('r')");
    if (random.nextBoolean()) {
      made.add("ALTER TABLE " + name + " ENABLE ROW LEVEL SECURITY");
      made.add("CREATE POLICY own ON " + name + " USING (name <= " + expression("name") + ")");
    }
    sources.add(name);
  }

  private String where() {
    return switch (random.nextInt(6)) {
      case 0 -> " WHERE name <= " + any(functions) + "(name)";
      case 1 -> " WHERE name %% ''";
      case 2 -> " WHERE name = ('p'::kept)::text";
      case 3 -> " WHERE name <= " + expression("name");
      default -> "";
    };
  }
}
