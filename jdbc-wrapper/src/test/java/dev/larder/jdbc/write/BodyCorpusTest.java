package dev.larder.jdbc.write;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The triggers, functions and procedures that users' databases have: each leaves no wrong row, and
 * a table that has nothing to do with it stays in the cache, but for those named here. The corpus
 * is in {@code bodies}; its tables are there once for each body.
 */
final class BodyCorpusTest {
  /** Why a table that has nothing to do with a body is not answered from the cache after it. */
  private static final Map<String, String> LOSES =
      Map.ofEntries(
          entry("call: a function in SQL with the standard's body", "the syntax of the standard"),
          entry("procedure: the standard's body", "the syntax of the standard"),
          entry("sql: the standard's body", "the syntax of the standard"),
          entry("sql: the standard's RETURN", "the syntax of the standard"),
          entry("sql: immutable, though it reads", "plans keep what an IMMUTABLE function returns"),
          entry("sql: a set of rows of a table", "a row's type"),
          entry("plpgsql: a row's type", "a row's type"),
          entry("plpgsql: an error that is caught", "exceptions"),
          entry("write: a materialized view", "DDL"),
          entry("procedure: in steps with COMMIT", "COMMIT"),
          entry("block: DO", "DO is not read"));

  private static final Map<String, String> WRITES = new LinkedHashMap<>();

  static {
    WRITES.put("category", "update category set name = name || '!', items = items + 1");
    WRITES.put("customer", "update customer set name = name || '!', email = email || 'x'");
    WRITES.put("item", "update item set name = name || '!', qty = qty + 1, price = price + 1");
    WRITES.put("item_log", "insert into item_log (op) values ('x')");
    WRITES.put("item_history", "insert into item_history (item_id, name) values (1, 'x')");
    WRITES.put("orders", "update orders set total = total + 1, customer_id = 2");
    WRITES.put("line", "update line set qty = qty + 1, order_id = 1, item_id = 4");
    WRITES.put("outbox", "insert into outbox (topic) values ('x')");
    WRITES.put("stats", "update stats set n = n + 1");
    WRITES.put("far", "update far set note = note || 'x'");
  }

  private static final Pattern DEFINED =
      Pattern.compile("create (materialized view|view|table|sequence|function|procedure) (\\w+)");

  private static TestDatabase database;
  private static Connection connection;
  private static Connection bare;

  /** A body with what runs it; all names are its own. */
  private record Body(String name, String definition, List<String> runs, String prefix) {
    static List<Body> all(String file) {
      List<Body> bodies = new ArrayList<>();
      for (String part : text(file + ".sql").split("(?m)^## ")) {
        if (!part.isEmpty()) {
          bodies.add(parse(part, file.charAt(0) + "" + bodies.size() + "_"));
        }
      }
      return bodies;
    }

    private static Body parse(String part, String prefix) {
      int name = part.indexOf('\n');
      int run = part.indexOf("-- run\n");
      String definition = part.substring(name + 1, run);
      List<String> runs = part.substring(run + 7).lines().toList();
      Set<String> relations = new HashSet<>(WRITES.keySet());
      Set<String> routines = new HashSet<>();
      for (MatchResult found : DEFINED.matcher(definition).results().toList()) {
        boolean routine = found.group(1).equals("function") || found.group(1).equals("procedure");
        (routine ? routines : relations).add(found.group(2));
      }
      String names = "\\b(" + String.join("|", relations) + ")\\b";
      String calls = "\\b(" + String.join("|", routines) + ")(?=[.(])";
      Pattern own = Pattern.compile(routines.isEmpty() ? names : names + "|" + calls);
      return new Body(
          part.substring(0, name),
          own.matcher(definition).replaceAll(prefix + "$0"),
          runs.stream().map(text -> own.matcher(text).replaceAll(prefix + "$0")).toList(),
          prefix);
    }

    String table(String name) {
      return prefix + name;
    }

    String read(String table) {
      return "SELECT * FROM " + table(table);
    }

    String write(String table) {
      return WRITES.get(table).replaceFirst(table, table(table));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static String text(String file) {
    try (InputStream in =
        BodyCorpusTest.class.getResourceAsStream("/dev/larder/jdbc/bodies/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }

  static List<Body> triggers() {
    return Body.all("triggers");
  }

  static List<Body> readers() {
    return Body.all("readers");
  }

  static List<Body> writers() {
    return Body.all("writers");
  }

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    String role = database.name() + "_owner"; // No superuser: policies are for it, too.
    database.execute("CREATE ROLE " + role, "GRANT ALL ON SCHEMA public TO " + role);
    bare = database.connect();
    LarderProbe.run(bare, "SET ROLE " + role);
    String tables = text("tables.sql");
    Pattern names = Pattern.compile("(?<=create table |insert into )\\w+");
    List<Body> all = Stream.of(triggers(), readers(), writers()).flatMap(List::stream).toList();
    for (Body body : all) {
      LarderProbe.run(bare, names.matcher(tables).replaceAll(body.prefix() + "$0"));
      LarderProbe.run(bare, body.definition().split("(?<=;)\n(?=create |alter )"));
    }
    connection = LarderProbe.connect(database);
    LarderProbe.run(connection, "SET ROLE " + role);
    LarderProbe.awaitCatalog(connection);
  }

  @AfterAll
  static void close() throws SQLException {
    String role = database.name() + "_owner";
    connection.close();
    bare.close();
    database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    database.close();
  }

  @ParameterizedTest
  @MethodSource({"triggers", "writers"})
  void whatIsWrittenIsSeen(Body body) throws SQLException {
    for (String table : WRITES.keySet()) {
      LarderProbe.fill(connection, body.read(table));
    }
    String first = body.runs().get(0);
    LarderProbe.run(connection, first);
    assertKept(body, body.read("far"));
    assertAllSame(body);
    for (String run : body.runs().subList(1, body.runs().size())) {
      LarderProbe.run(connection, run);
      assertAllSame(body);
    }
  }

  @ParameterizedTest
  @MethodSource("readers")
  void whatIsReadIsKnown(Body body) throws SQLException {
    String read = body.runs().get(0);
    for (String table : WRITES.keySet()) {
      LarderProbe.rows(connection, read);
      LarderProbe.rows(connection, read);
      LarderProbe.run(connection, body.write(table));
      assertSame(read);
      assertSame(read);
    }
    both("SET app.customer = 2", "SET request.jwt.claims = '{\"sub\": \"x\"}'");
    assertSame(read);
    assertSame(read);
    both("RESET app.customer", "RESET request.jwt.claims");
    assertSame(read);
    assertSame(read);
    LarderProbe.run(connection, body.write("far"));
    assertKept(body, read);
  }

  private static void both(String... settings) throws SQLException {
    LarderProbe.run(connection, settings);
    LarderProbe.run(bare, settings);
  }

  private static void assertAllSame(Body body) throws SQLException {
    for (String table : WRITES.keySet()) {
      assertSame(body.read(table));
    }
  }

  private static void assertSame(String read) throws SQLException {
    assertThat(sorted(connection, read)).as(read).isEqualTo(sorted(bare, read));
  }

  private static List<String> sorted(Connection by, String read) throws SQLException {
    List<String> rows = new ArrayList<>(LarderProbe.rows(by, read));
    Collections.sort(rows);
    return rows;
  }

  private static void assertKept(Body body, String read) throws SQLException {
    assertThat(LarderProbe.isHit(connection, read))
        .as("%s; it may lose it because: %s", body, LOSES.get(body.name()))
        .isNotEqualTo(LOSES.containsKey(body.name()));
  }
}
