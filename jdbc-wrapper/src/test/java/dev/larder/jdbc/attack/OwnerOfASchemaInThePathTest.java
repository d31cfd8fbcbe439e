package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderDriver;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.remote.AnnounceLock;
import dev.larder.testing.SearchPathTraps;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Somebody makes operators, functions, types and relations where the application looks. */
@Tag("each-server")
class OwnerOfASchemaInThePathTest {
  private static final List<String> SAMPLES =
      List.of(
          "SELECT 1 = 2",
          "SELECT '1'::int8",
          "SELECT length('a')",
          "SELECT relname FROM pg_class",
          "SELECT 1 IN (1, 2)",
          "SELECT CASE 1 WHEN 2 THEN 3 END",
          "SELECT nullif(1, 2)",
          "SELECT 1 BETWEEN 2 AND 3",
          "SELECT 'a' LIKE 'b'",
          "SELECT 1 IS DISTINCT FROM 2");

  @AutoClose private static TestDatabase database;
  private static SearchPathTraps traps;
  private static Map<String, String> queries;

  @BeforeAll
  static void makeTraps() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE public.larder_control (scope text, name text, setting text, value text)",
        "CREATE TABLE public.item (id int PRIMARY KEY, n int)",
        "INSERT INTO public.item VALUES (1, 1)");
    queries = SearchPathTraps.queries(LarderDriver.class);
    queries.putAll(SearchPathTraps.queries(AnnounceLock.class));
    queries.remove("HeadStart.TYPICAL"); // It is never sent.
    List<String> texts = new ArrayList<>(queries.values());
    texts.addAll(SAMPLES);
    try (Connection connection = database.connect()) {
      traps = SearchPathTraps.make(connection, "first", texts);
    }
  }

  @Test
  void trapsCatchWhatIsNotNamedInFull() throws Exception {
    try (Connection connection = database.connect()) {
      for (String sample : SAMPLES) {
        assertThat(traps.foundBy(connection, sample)).as(sample).isNotEmpty();
      }
    }
  }

  @Test
  void questionsFindNothingButObjectsOfTheServer() throws Exception {
    Map<String, List<String>> found = new TreeMap<>();
    try (Connection connection = database.connect()) {
      for (Map.Entry<String, String> query : queries.entrySet()) {
        List<String> doubles = traps.foundBy(connection, query.getValue());
        if (!doubles.isEmpty()) {
          found.put(query.getKey(), doubles);
        }
      }
    }

    assertThat(found).isEmpty();
    assertThat(queries).hasSizeGreaterThan(30).containsKey("AnnounceLock.TAKE");
  }

  @Test
  void applicationIsCachedAndCallsNoneOfThem() throws Exception {
    database.execute("ALTER DATABASE " + database.name() + " SET search_path = " + traps.path());
    try (Connection connection = LarderProbe.connect(database);
        Statement statement = connection.createStatement()) {
      long hits = LarderProbe.hits(connection);
      read(statement);
      read(statement);
      statement.execute("INSERT INTO item SELECT 2, 2");
      connection.setAutoCommit(false);
      read(statement);
      statement.execute("DO 'BEGIN END'");
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("CREATE TABLE other (id int)");
      read(statement);
      read(statement);

      assertThat(LarderProbe.hits(connection)).isGreaterThan(hits);
    } finally {
      database.execute("ALTER DATABASE " + database.name() + " RESET search_path");
    }
    try (Connection connection = database.connect()) {
      assertThat(traps.calls(connection)).isEqualTo("0");
    }
  }

  private static void read(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT n FROM item")) {
      assertThat(rows.next()).isTrue();
    }
  }
}
